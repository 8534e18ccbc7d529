package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// This file acquires what an exchange needs before it may start: the host's turn, a closed breaker, and a slot.

// pass is the permission for one request.
type pass struct {
	done  func(outcome)   // gets the outcome, once
	spend func(int) error // counts bytes read; an error means that the limit is used up
	leave func()          // releases turn and slot after the response has been read
}

// destinationOf returns the destination of a request for u, whose host has these addresses.
func destinationOf(u weburl.URL, addrs []netip.Addr, exempt bool) destination {
	if exempt {
		return destination{host: hostPort(u), domain: hostPort(u), exempt: true}
	}
	return destination{host: u.Hostname(), domain: u.Host().Domain(), addrs: interleave(addrs)}
}

// hostPort is the key of a breaker: a host may be silent on one port and work on another.
func hostPort(u weburl.URL) string {
	return net.JoinHostPort(u.Hostname(), strconv.Itoa(int(u.Port())))
}

// takePass waits for the host's turn, for as long as ctx lasts, and then for a slot. It holds nothing while it waits
// for the turn. If the host didn't respond recently, it fails immediately, even while it waits.
func (e *exchange) takePass(ctx context.Context, u weburl.URL, d destination) (pass, error) {
	r := request{e.owner, hostPort(u)}
	if toOwner, toAll := e.breakers.open(r); toOwner || toAll {
		return pass{}, e.refuse(refusedBreaker, errHostSilent(u.Hostname()))
	}
	turn, err := e.hostLimit.enter(ctx, d, r)
	if err != nil {
		reason := refusedTooFast
		switch {
		case errors.Is(err, errClosed):
			reason = refusedBreaker
		case apperr.CodeOf(err) == apperr.Unavailable:
			reason = refusedTurns
		}
		return pass{}, e.refuse(reason, err)
	}
	done, ok := e.breakers.allow(r)
	if !ok {
		turn.leave()
		return pass{}, e.refuse(refusedBreaker, errHostSilent(u.Hostname()))
	}
	leavePlace, err := e.places.enter(ctx, e.owner)
	if err != nil {
		done(unknown)
		turn.leave()
		return pass{}, e.refuse(refusedPlaces, err)
	}
	return pass{
		done: func(o outcome) {
			done(o)
			e.metrics.outcomes.WithLabelValues(o.String()).Inc()
			e.dismiss(o, u, d, r)
		},
		spend: turn.spend,
		leave: func() {
			leavePlace()
			turn.leave()
		},
	}, nil
}

// refuse counts a request that isn't sent, unless nobody waits for it anymore.
func (e *exchange) refuse(reason string, err error) error {
	if !errors.Is(err, context.Canceled) {
		e.metrics.refused.WithLabelValues(reason).Inc()
	}
	return err
}

// dismiss fails the requests waiting for a host that gets no more requests after the outcome.
func (e *exchange) dismiss(o outcome, u weburl.URL, d destination, r request) {
	if o != silent && o != unreached {
		return
	}
	toOwner, toAll := e.breakers.open(r)
	if toOwner || toAll {
		to := "owner"
		if toAll {
			to = "all"
		}
		e.metrics.opened.WithLabelValues(to).Inc()
		e.hostLimit.dismiss(d.site(), errHostSilent(u.Hostname()), func(other request) bool {
			return other == r || toAll && other.host == r.host
		})
	}
}
