package fetch

import (
	"net/netip"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"masthead/pkg/humanize"
)

// This file limits requests per second and bytes per minute.
//
// A host's budget is that of its registrable domain and holds for every caller: names under a wildcard share one.
// Requests of anonymous callers together are also counted per address and per network, since any name can resolve to
// any address. Those budgets apply to anonymous callers only: thousands of sites share an address, and no anonymous
// caller may keep owners from their sites.

// maxBudgets is the maximum number of remembered anonymous budgets; the least recently used is evicted.
const maxBudgets = 50_000

// Networks that share a budget for anonymous callers, in bits: what one customer of a provider usually has at most.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// byteWindow is the window in which bytes are counted.
const byteWindow = time.Minute

// budget is the remaining budget of a domain, an address or a network. The limiter's mutex guards it. The zero value
// allows everything.
type budget struct {
	requests *rate.Limiter // nil means unlimited
	// bytes were read since from, out of mostBytes per window; 0 means unlimited.
	bytes, mostBytes int64
	from             time.Time
}

// waits returns how long requests must wait for the rate limit and for the next byte window.
func (b *budget) waits(now time.Time) (forRequest, forBytes time.Duration) {
	if b.requests != nil {
		if missing := 1 - b.requests.TokensAt(now); missing > 0 {
			forRequest = time.Duration(missing/float64(b.requests.Limit())*float64(time.Second)) + time.Microsecond
		}
	}
	return forRequest, b.bytesWait(now)
}

// bytesWait returns the time until bytes may be read again.
func (b *budget) bytesWait(now time.Time) time.Duration {
	age := now.Sub(b.from)
	if b.mostBytes == 0 || b.bytes < b.mostBytes || age < 0 || age >= byteWindow {
		return 0
	}
	return byteWindow - age
}

// spend counts n bytes read.
func (b *budget) spend(n int64, now time.Time) {
	if age := now.Sub(b.from); age < 0 || age >= byteWindow {
		b.from, b.bytes = now, 0
	}
	b.bytes += n
}

// strangers are the budgets of anonymous callers. The limiter's mutex guards them.
type strangers struct {
	limits Limits
	known  simplelru.LRUCache[strangersKey, *budget]
}

// strangersKey is a domain, or an address or network as a prefix.
type strangersKey struct {
	domain string
	prefix netip.Prefix
}

func newStrangers(limits Limits) *strangers {
	known, err := simplelru.NewLRU[strangersKey, *budget](maxBudgets, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &strangers{limits: limits, known: known}
}

// of returns the budgets that an anonymous request to d draws on. All addresses to which a connection may be tried
// count.
func (s *strangers) of(d destination) []*budget {
	all := []*budget{s.find(strangersKey{domain: d.domain}, func() *budget {
		return &budget{mostBytes: int64(s.limits.StrangerBytes)}
	})}
	seen := map[netip.Prefix]bool{}
	count := func(prefix netip.Prefix, times int) {
		if !seen[prefix] {
			seen[prefix] = true
			all = append(all, s.find(strangersKey{prefix: prefix}, func() *budget { return s.limits.budget(times) }))
		}
	}
	for _, addr := range d.addrs {
		addr = addr.Unmap()
		bits := networkBits6
		if addr.Is4() {
			bits = networkBits4
		}
		count(netip.PrefixFrom(addr, addr.BitLen()), s.limits.AddressTimes)
		count(netip.PrefixFrom(addr, bits).Masked(), s.limits.NetworkTimes)
	}
	return all
}

func (s *strangers) find(key strangersKey, create func() *budget) *budget {
	if known, ok := s.known.Get(key); ok {
		return known
	}
	fresh := create()
	s.known.Add(key, fresh)
	return fresh
}

// budget returns a budget of times that of a domain.
func (l Limits) budget(times int) *budget {
	return &budget{
		requests:  rate.NewLimiter(rate.Limit(l.HostRate)*rate.Limit(times), l.HostBurst*times),
		mostBytes: int64(l.HostBytes) * int64(times),
	}
}

// errTooOften is for a request that wouldn't get its turn in time.
func errTooOften(host string, wait time.Duration) error {
	return upstreamBusy(host+" is being fetched too often. Try again in "+seconds(wait)+".", ErrTooOften, wait)
}

// errTooMuch is for a request to a host whose byte limit is used up.
func errTooMuch(host string, wait time.Duration) error {
	return upstreamBusy("This minute's byte limit is used up for "+host+". Try again in "+seconds(wait)+".",
		ErrTooOften, wait)
}

// errResting is for a request to a host that asked for a pause, regardless of its budget.
func errResting(host string, wait time.Duration) error {
	return upstreamBusy(host+" asks for a pause. Try again in "+seconds(wait)+".", ErrUpstream, wait)
}

func seconds(d time.Duration) string { return humanize.Count(wholeSeconds(d), "second") }
