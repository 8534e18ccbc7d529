package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
)

// site is a server that any name leads to, with the number of its requests.
type site struct {
	client   *fetch.Client
	names    *lookups
	requests atomic.Int32
}

// newSite returns a site whose pages have so many bytes.
func newSite(t *testing.T, cfg fetch.Config, size int) *site {
	t.Helper()
	s := &site{names: resolver()}
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		s.requests.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(make([]byte, size))
	})
	cfg.Resolver = s.names
	s.client = client(t, cfg)
	s.client.ConnectTo(addr)
	return s
}

// get has owner fetch the page of a name that has these addresses.
func (s *site) get(t *testing.T, owner, name string, addrs ...string) error {
	t.Helper()
	s.names.table[name] = addrs
	job, cancel := s.client.NewJob(t.Context())
	defer cancel()
	job.Owner = owner
	_, err := job.Get(t.Context(), mustURL(t, "http://"+name+"/"), fetch.Page)
	return err
}

// few are limits of so many requests to a domain, and next to none after them.
func few(n int) fetch.Limits { return fetch.Limits{HostBurst: n, HostRate: 0.001} }

// wantTooOften checks that err says that a budget is used up, and when to try again.
func wantTooOften(t *testing.T, what string, err error) {
	t.Helper()
	var fault *apperr.Error
	if !errors.Is(err, fetch.ErrTooOften) || !errors.Is(err, fetch.ErrUpstream) || !errors.As(err, &fault) ||
		fault.RetryAfter < time.Second {
		t.Errorf("%s: got %v, want that the budget is used up, and when to try again", what, err)
	}
}

func TestGet_namesUnderAWildcard_shareOneBudget(t *testing.T) {
	s := newSite(t, fetch.Config{Limits: few(3)}, 10)
	for i := range 3 {
		if err := s.get(t, "anna", fmt.Sprintf("n%d.wild.example.co.uk", i), "93.184.216.34"); err != nil {
			t.Fatal(err)
		}
	}
	wantTooOften(t, "a fourth name", s.get(t, "anna", "n4.example.co.uk", "8.8.8.8"))
	wantTooOften(t, "another owner", s.get(t, "ben", "n5.example.co.uk", "8.8.8.8"))
	if got := s.requests.Load(); got != 3 {
		t.Errorf("got %d requests, want 3", got)
	}
	for i := range 6 { // names under a private suffix are of different people
		if err := s.get(t, "anna", fmt.Sprintf("n%d.github.io", i), "93.184.216.34"); err != nil {
			t.Error(err)
		}
	}
}

// TestGet_strangersAtOneAddress_shareABudget has strangers use up what they may ask of an address, then of its network,
// by names of domains that have nothing else in common. No owner is kept from them.
func TestGet_strangersAtOneAddress_shareABudget(t *testing.T) {
	for _, c := range []struct{ name, first, neighbor, elsewhere string }{
		{"IPv4", "93.184.216.34", "93.184.216.%d", "93.184.217.34"},
		{"IPv6", "2606:2800:220:1::1", "2606:2800:220:%d::1", "2606:2800:221:1::1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, fetch.Config{Limits: few(2)}, 10)
			domain := 0
			ask := func(owner string, addrs ...string) error {
				domain++
				return s.get(t, owner, fmt.Sprintf("example-%d.com", domain), addrs...)
			}
			for range 20 {
				if err := ask("", c.first); err != nil {
					t.Fatal(err)
				}
			}
			wantTooOften(t, "the 21st request to an address", ask("", c.first))
			wantTooOften(t, "with an address beside it", ask("", "8.8.8.8", c.first))
			for i := range 20 {
				if err := ask("anna", c.first); err != nil {
					t.Fatalf("request %d of an owner: %v", i, err)
				}
			}
			for i := range 40 {
				if err := ask("", fmt.Sprintf(c.neighbor, i/10+50)); err != nil {
					t.Fatalf("request %d to a neighbor: %v", i, err)
				}
			}
			wantTooOften(t, "the 61st request to a network", ask("", fmt.Sprintf(c.neighbor, 90)))
			if err := ask("", c.elsewhere); err != nil {
				t.Errorf("another network: %v", err)
			}
			if err := ask("anna", c.first); err != nil {
				t.Errorf("an owner: %v", err)
			}
		})
	}
}

// TestGet_bytesOfAMinute_areBounded reads pages of 60 KB where strangers may read 100 KB of a domain, and all 250 KB.
func TestGet_bytesOfAMinute_areBounded(t *testing.T) {
	limits := fetch.Limits{StrangerBytes: 100_000, HostBytes: 250_000}
	s := newSite(t, fetch.Config{Limits: limits}, 60_000)
	ask := func(owner string) error { return s.get(t, owner, "www.example.com", "93.184.216.34") }
	if err := ask(""); err != nil {
		t.Fatal(err)
	}
	wantTooOften(t, "a page that goes beyond", ask(""))
	wantTooOften(t, "one after it, of another name", s.get(t, "", "cdn.example.com", "8.8.8.8"))
	if got := s.requests.Load(); got != 2 {
		t.Errorf("got %d requests, want 2: none when nothing may be read", got)
	}
	for i := range 2 {
		if err := ask("anna"); err != nil {
			t.Errorf("page %d of an owner: %v", i, err)
		}
	}
	wantTooOften(t, "what goes beyond the budget of all", ask("anna"))
	if err := s.get(t, "anna", "www.example.org", "93.184.216.34"); err != nil {
		t.Errorf("another domain: %v", err)
	}

	s = newSite(t, fetch.Config{Limits: limits, Operator: true}, 60_000)
	for range 4 {
		if err := ask(""); err != nil {
			t.Errorf("on the command line: %v", err)
		}
	}
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 60_000)) })
	opened := client(t, fetch.Config{Limits: limits}, addr)
	for range 10 {
		mustGet(t, opened, "http://"+addr+"/", fetch.Page)
	}
}
