package fetch

import (
	"net/netip"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"masthead/pkg/humanize"
)

// This file owns how much is asked of whom: requests at a rate, and bytes in a minute.
//
// A host's budget is that of its registrable domain, which holds for every caller: the names under a wildcard share
// one. What strangers ask together is counted by address and network too, since any name can lead to any address. Those
// budgets bind strangers alone: thousands of sites share an address, and no stranger may keep an owner from theirs.

// maxBudgets bounds the budgets of strangers that are remembered; the least recently used is forgotten.
const maxBudgets = 50_000

// Networks that strangers share a budget for, in bits: what one customer of a provider usually has at most.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// byteWindow is how long bytes are counted together.
const byteWindow = time.Minute

// budget is what may be asked of a domain, an address or a network. The limiter's mutex guards it. The zero value
// allows everything.
type budget struct {
	requests *rate.Limiter // nil for any number
	// bytes are those read since from, of at most mostBytes in a window; 0 for any number.
	bytes, mostBytes int64
	from             time.Time
}

// waits returns how long requests wait: for the rate and for the next window.
func (b *budget) waits(now time.Time) (forRequest, forBytes time.Duration) {
	if b.requests != nil {
		if missing := 1 - b.requests.TokensAt(now); missing > 0 {
			forRequest = time.Duration(missing/float64(b.requests.Limit())*float64(time.Second)) + time.Microsecond
		}
	}
	return forRequest, b.bytesWait(now)
}

// bytesWait returns how long it is until bytes may be read again.
func (b *budget) bytesWait(now time.Time) time.Duration {
	age := now.Sub(b.from)
	if b.mostBytes == 0 || b.bytes < b.mostBytes || age < 0 || age >= byteWindow {
		return 0
	}
	return byteWindow - age
}

// spend counts n bytes that were read.
func (b *budget) spend(n int64, now time.Time) {
	if age := now.Sub(b.from); age < 0 || age >= byteWindow {
		b.from, b.bytes = now, 0
	}
	b.bytes += n
}

// strangers are the budgets that bind strangers alone. The limiter's mutex guards them.
type strangers struct {
	limits Limits
	known  *simplelru.LRU[strangersKey, *budget]
}

// strangersKey is a domain, or an address or network as a prefix.
type strangersKey struct {
	domain string
	prefix netip.Prefix
}

func newStrangers(limits Limits) *strangers {
	known, err := simplelru.NewLRU[strangersKey, *budget](maxBudgets, nil)
	if err != nil {
		panic(err) // for a size below 1 alone
	}
	return &strangers{limits: limits, known: known}
}

// of returns the budgets that a stranger's request to d draws on. An address counts if a connection may be tried to it.
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

// budget returns a budget of so many times what a domain has.
func (l Limits) budget(times int) *budget {
	return &budget{
		requests:  rate.NewLimiter(rate.Limit(l.HostRate)*rate.Limit(times), l.HostBurst*times),
		mostBytes: int64(l.HostBytes) * int64(times),
	}
}

// errTooOften is the error for a request whose turn does not come in time.
func errTooOften(host string, wait time.Duration) error {
	return upstreamBusy(host+" is being fetched too often from here; try again in "+seconds(wait)+".", ErrTooOften, wait)
}

// errTooMuch is the error for a request when no more bytes are read from its host for a while.
func errTooMuch(host string, wait time.Duration) error {
	return upstreamBusy("As much as one site may send in a minute was read from "+host+"; try again in "+seconds(wait)+".",
		ErrTooOften, wait)
}

// errResting is the error for a request to a host that has asked for a pause. Its budget has nothing to do with it.
func errResting(host string, wait time.Duration) error {
	return upstreamBusy(host+" asks for a pause; try again in "+seconds(wait)+".", ErrUpstream, wait)
}

func seconds(d time.Duration) string { return humanize.Count(wholeSeconds(d), "second") }
