package main

import (
	"context"
	"net/url"

	"masthead/tools/bench/rig"
)

func postgresSilent(ctx context.Context, l *lab) ([]row, error) {
	return l.proxied(ctx, "Postgres silent for 12 s: it takes connections and answers nothing", rig.Silent, true)
}

func postgresSlow(ctx context.Context, l *lab) ([]row, error) {
	return l.proxied(ctx, "Postgres slow for 12 s: every message takes a second more", rig.Slow, false)
}

func postgresCutting(ctx context.Context, l *lab) ([]row, error) {
	return l.proxied(ctx, "a proxy before Postgres breaks every connection within 200 ms, for 12 s", rig.Cutting, false)
}

func postgresRefusing(ctx context.Context, l *lab) ([]row, error) {
	return l.proxied(ctx, "Postgres stopped for 12 s", rig.Refusing, true)
}

// proxied lets a proxy before a real Postgres change its mood.
func (l *lab) proxied(ctx context.Context, did string, mood rig.Mood, quick bool) ([]row, error) {
	database, err := l.database(ctx)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(database.URL)
	if err != nil {
		return nil, err
	}
	proxy, err := rig.NewProxy(u.Host)
	if err != nil {
		return nil, err
	}
	l.later(proxy.Close)
	u.Host = proxy.Address
	s, err := l.open(ctx, rig.Options{Database: u.String()}, 1)
	if err != nil {
		return nil, err
	}
	return s.depend(ctx, fault{
		did: did, quick: quick,
		begin: func() error { return proxy.Turn(mood) },
		heal:  func() error { return proxy.Turn(rig.Faithful) },
	}, s.usual())
}
