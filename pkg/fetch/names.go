package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/weburl"
)

// Resolver looks up names. *net.Resolver implements it.
type Resolver interface {
	// LookupNetIP returns all addresses of host; network is always "ip".
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

const (
	// answerLife is how long a lookup is cached: long enough to fetch a page and everything it refers to from the checked
	// addresses, and short compared with any change by the name's owner.
	answerLife = 5 * time.Second
	// maxAnswers is the maximum number of cached names.
	maxAnswers = 1024
	// longestAnswer is the maximum number of cached addresses per name. Longer answers are checked all the same, and
	// looked up each time.
	longestAnswer = 64
)

// names looks up hosts and caches the answers briefly. It is safe for concurrent use.
type names struct {
	resolver Resolver
	bound    time.Duration
	now      func() time.Time
	answers  simplelru.LRUCache[weburl.Host, answer]
}

type answer struct {
	addrs []netip.Addr
	until time.Time
}

func newNames(resolver Resolver, bound time.Duration) *names {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	// The same module's expirable has a goroutine that can't be stopped; checking the time costs less.
	answers, err := lru.New[weburl.Host, answer](maxAnswers)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &names{resolver: resolver, bound: bound, now: time.Now, answers: answers}
}

// lookup returns all addresses of host, at least one; for a literal the address itself.
func (n *names) lookup(ctx context.Context, host weburl.Host) ([]netip.Addr, error) {
	if host.IsIP() {
		return []netip.Addr{host.Addr()}, nil
	}
	if addrs := n.remembered(host); addrs != nil {
		return addrs, nil
	}
	ctx, cancel := context.WithTimeout(ctx, n.bound)
	defer cancel()
	question := host.String()
	if !host.SingleLabel() {
		question += "." // the exact name, never within a search domain of this machine
	}
	addrs, err := n.resolver.LookupNetIP(ctx, "ip", question)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", host, err)
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no addresses", Name: host.String(), IsNotFound: true}
	}
	n.remember(host, addrs)
	return addrs, nil
}

func (n *names) remembered(host weburl.Host) []netip.Addr {
	if a, ok := n.answers.Get(host); ok && n.now().Before(a.until) {
		return a.addrs
	}
	return nil
}

func (n *names) remember(host weburl.Host, addrs []netip.Addr) {
	if len(addrs) <= longestAnswer {
		n.answers.Add(host, answer{addrs, n.now().Add(answerLife)})
	}
}
