package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"masthead/tools/bench/rig"
)

// stranger is a host that takes connections and answers after a time, or never.
type stranger struct {
	base   string
	closed chan struct{}
	server *http.Server
}

// newStranger starts one at a loopback address. Without a delay it never answers.
func newStranger(address string, delay time.Duration) (*stranger, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(address, "0")) //nolint:noctx // it lives until it is closed
	if err != nil {
		return nil, err
	}
	s := &stranger{base: "http://" + listener.Addr().String(), closed: make(chan struct{})}
	s.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			var passed <-chan time.Time
			if delay > 0 {
				passed = time.After(delay)
			}
			select {
			case <-s.closed:
			case <-r.Context().Done():
			case <-passed:
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, "<!doctype html><title>%s, at last</title>", r.URL.Path[1:]) //nolint:gosec // our own names
			}
		},
	)}
	go func() { _ = s.server.Serve(listener) }() // it ends with close
	return s, nil
}

func (s *stranger) close() error {
	close(s.closed)
	return s.server.Close()
}

// silentHost is the first of all: 500 requests for pages of a host that never answers, beside good ones of the same
// owner and of another.
func silentHost(ctx context.Context, l *lab) ([]row, error) {
	return l.badHost(ctx, "500 requests for pages of a host that never answers", 500, 0)
}

// slowHost is one that answers, late: 64 filled all places once.
func slowHost(ctx context.Context, l *lab) ([]row, error) {
	return l.badHost(ctx, "64 requests for pages of a host that answers after 7 s", 64, 7*time.Second)
}

// badHostTime is how long others ask: 300 good requests at 20 a second.
const badHostTime = 15 * time.Second

func (l *lab) badHost(ctx context.Context, did string, requests int, delay time.Duration) ([]row, error) {
	s, err := l.open(ctx, rig.Options{}, 2)
	if err != nil {
		return nil, err
	}
	host, err := newStranger("127.0.0.9", delay)
	if err != nil {
		return nil, err
	}
	l.later(host.close)
	bad := s.owners[0]
	asking := func(ctx context.Context, i int) (*http.Request, error) {
		return s.Generate(ctx, bad, fmt.Sprintf("%s/page-%d", host.base, i))
	}
	visitors := []*visitor{
		{who: "another owner, new pages, 10/s", perSecond: 10, asking: s.newPages(s.last(), "other")},
		{who: "the same owner, new pages of another host, 10/s", perSecond: 10, asking: s.newPages(bad, "same")},
	}
	var asked rig.Felt
	rows, err := s.neighbors(ctx, did, visitors, func(ctx context.Context) error {
		over := time.After(badHostTime)
		asked = rig.Once(ctx, rig.NewClient(time.Minute, otherAddresses...), requests, asking)
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			return errors.New("interrupted")
		}
	})
	if len(rows) > 0 {
		rows[0].note = "the bad ones: " + asked.All()
	}
	return rows, err
}
