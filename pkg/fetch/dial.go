package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"masthead/pkg/weburl"
)

const (
	// headStart is the delay before the next address is tried, too. Source: RFC 8305, 5.
	headStart = 250 * time.Millisecond
	// maxAttempts is the maximum number of addresses tried per name.
	maxAttempts = 8
)

// dialer opens connections to checked addresses.
type dialer struct {
	guard       *guard
	names       *names
	connectTime time.Duration
}

// admit returns the addresses of host if all of them may be reached, and whether all are in opened prefixes.
func (d *dialer) admit(
	ctx context.Context, host weburl.Host, port uint16,
) (addrs []netip.Addr, exempt bool, err error) {
	if host.IsDisguisedIP() {
		return nil, false, refused("number for a host")
	}
	if err := d.guard.foresee(host, port); err != nil {
		return nil, false, err
	}
	addrs, err = d.names.lookup(ctx, host)
	if err != nil {
		// Only an opened address could lift the rules for names and ports, and there is none.
		if !d.guard.granted(host, port) {
			if err := d.guard.judgeName(host, port); err != nil {
				return nil, false, err
			}
		}
		return nil, false, err
	}
	exempt, err = d.guard.judge(host, port, addrs)
	return addrs, exempt, err
}

// dial connects to address, host:port, if the host is admitted. All connections of this package go through it.
func (d *dialer) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := splitTarget(address) // net/http passes text, which the usual parser reads
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	addrs, _, err := d.admit(ctx, host, port)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.connectTime)
	defer cancel()
	return d.race(ctx, host, port, interleave(addrs))
}

// race tries the addresses in order, each after a delay or as soon as the previous one has failed, and returns the
// first connection (RFC 8305). Losing attempts are canceled, and closed if they still succeed.
func (d *dialer) race(ctx context.Context, host weburl.Host, port uint16, addrs []netip.Addr) (net.Conn, error) {
	type attempt struct {
		conn net.Conn
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan attempt)
	start := func(addr netip.Addr) {
		dialer := net.Dialer{Control: d.guard.control(host)}
		conn, err := dialer.DialContext(ctx, "tcp", netip.AddrPortFrom(addr.Unmap(), port).String())
		select {
		case results <- attempt{conn, err}:
		case <-ctx.Done():
			if conn != nil {
				_ = conn.Close() // it lost and was never used
			}
		}
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	var firstErr error
	for running := 0; ; {
		select {
		case <-timer.C:
			if len(addrs) == 0 {
				continue
			}
			go start(addrs[0])
			addrs = addrs[1:]
			running++
			timer.Reset(headStart)
		case r := <-results:
			if r.err == nil {
				return r.conn, nil
			}
			if firstErr == nil {
				firstErr = r.err
			}
			if running--; running == 0 && len(addrs) == 0 {
				return nil, &connectError{firstErr}
			}
			timer.Reset(0)
		case <-ctx.Done():
			return nil, &connectError{ctx.Err()}
		}
	}
}

// interleave returns at most maxAttempts addresses with alternating families, so that broken IPv6 costs only one head
// start. Within a family the resolver's order is kept.
func interleave(addrs []netip.Addr) []netip.Addr {
	first, second := make([]netip.Addr, 0, len(addrs)), make([]netip.Addr, 0, len(addrs))
	for _, a := range addrs {
		if a.Unmap().Is4() == addrs[0].Unmap().Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	mixed := make([]netip.Addr, 0, len(addrs))
	for i := range max(len(first), len(second)) {
		if i < len(first) {
			mixed = append(mixed, first[i])
		}
		if i < len(second) {
			mixed = append(mixed, second[i])
		}
	}
	return mixed[:min(len(mixed), maxAttempts)]
}

// connectError is a failed connection attempt. It may be retried.
type connectError struct{ cause error }

// Error returns the cause.
func (e *connectError) Error() string { return "connect: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *connectError) Unwrap() error { return e.cause }
