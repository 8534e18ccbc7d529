package images_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/signed"
)

// newKey gives the project of a service another signing key, and returns all, the current one first.
func (s *ogService) newKey(t *testing.T) (keys []string) {
	t.Helper()
	r := s.Post("/projects/"+s.Project+"/signing-keys", nil, apptest.Bearer(s.Session.Access)).Want(http.StatusCreated)
	var list struct{ Items []struct{ Secret string } }
	if err := json.Unmarshal(r.Body, &list); err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		keys = append(keys, item.Secret)
	}
	return keys
}

// requireSignature sets whether the project requires signatures.
func (s *ogService) requireSignature(required bool) *apptest.Response {
	return s.Send("PATCH", "/projects/"+s.Project, map[string]any{"requireSignature": required},
		apptest.Bearer(s.Session.Access))
}

// signed is the path of a page's picture with its signature.
func (s *ogService) signed(key string, until time.Time) string {
	query := url.Values{"url": {s.Site.At("/page/one")}}
	if !until.IsZero() {
		query.Set("exp", fmt.Sprint(until.Unix()))
	}
	query.Set("sig", signed.Sign(key, query))
	return "/og/" + s.publicID + "?" + query.Encode()
}

// refused wants an address to be 403, and not to be cached.
func refused(t *testing.T, r *apptest.Response, says string) {
	t.Helper()
	if r.Want(http.StatusForbidden); r.Header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(r.Text("detail"), says) {
		t.Errorf("got %s %s, want no-store and %q", r.Header.Get("Cache-Control"), r.Body, says)
	}
}

func TestOG_signedAddresses(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		page := s.Site.At("/page/one")
		open := s.og(page).Want(http.StatusOK)
		refused(t, s.og(page, "sig=bad"), "not valid")
		s.requireSignature(true).Want(http.StatusConflict) // there is no key
		first := s.newKey(t)
		// A project that doesn't require signatures serves both, from the same picture.
		for range 2 { // the second is in memory
			if got := s.Get(s.signed(first[0], time.Time{})).Want(http.StatusOK); !bytes.Equal(got.Body, open.Body) ||
				got.Header.Get("Cache-Control") != forever {
				t.Errorf("got %s for a signed address, want the same picture forever", got.Header.Get("Cache-Control"))
			}
		}
		s.og(page).Want(http.StatusOK)
		s.requireSignature(true).Want(http.StatusOK)
		refused(t, s.og(page), "requires signed addresses")
		refused(t, s.Get("/og/"+s.publicID+"?url="+url.QueryEscape(page), apptest.Header("User-Agent", "Twitterbot/1.0")),
			"requires signed addresses")
		s.Get(s.signed(first[0], time.Time{})).Want(http.StatusOK)
		refused(t, s.Get(s.signed("another key", time.Time{})), "not valid")
		refused(t, s.Get(strings.Replace(s.signed(first[0], time.Time{}), "page%2Fone", "page%2Ftwo", 1)), "not valid")
		refused(t, s.Get(s.signed(first[0], time.Time{})+"&v=2"), "not valid")
		s.Get(s.signed(first[0], time.Time{}) + "&utm_source=x").Want(http.StatusOK)
		// After a rotation both keys are valid, after the next one the first isn't.
		second := s.newKey(t)
		if len(second) != 2 || second[1] != first[0] {
			t.Fatalf("got the keys %v, want a new one and the one before", second)
		}
		old := s.signed(first[0], time.Time{})
		s.Get(s.signed(second[0], time.Time{})).Want(http.StatusOK)
		s.Get(old).Want(http.StatusOK)
		s.newKey(t)
		refused(t, s.Get(old), "not valid")
		made := count(t, s.Service, `SELECT COUNT(*) FROM audit_events WHERE action = 'signing_key_create' AND subject = ?`,
			s.Project)
		if made != 3 {
			t.Errorf("got %d keys in the audit log, want 3", made)
		}
		s.requireSignature(false).Want(http.StatusOK)
		s.og(page).Want(http.StatusOK)
		if got := s.Site.Pages.Load(); got != 1 {
			t.Errorf("the page was read %d times, want once", got)
		}
	})
}

// TestOG_expiry is checked at every hit, also at those in memory, however the address spells it.
func TestOG_expiry(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		key := s.newKey(t)[0]
		now := time.Now().Truncate(time.Second)
		set := func(now time.Time) { s.App.Images.SetNow(func() time.Time { return now }) }
		set(now)
		until := now.Add(time.Hour)
		path := s.signed(key, until)
		addresses := []string{
			path, strings.Replace(path, "exp=", "%65xp=", 1),
			"/og/" + s.publicID + "?url=" + url.QueryEscape(s.Site.At("/page/one")) + fmt.Sprint("&exp=", until.Unix()),
		}
		for _, address := range addresses {
			for range 2 { // the second is in memory
				if got := s.Get(address).Want(http.StatusOK).Header.Get("Cache-Control"); got != "public, max-age=3600" {
					t.Errorf("%s: got Cache-Control %q, want the hour that is left", address, got)
				}
			}
		}
		set(until.Add(-time.Second))
		for _, address := range addresses {
			if got := s.Get(address).Want(http.StatusOK).Header.Get("Cache-Control"); got != "public, max-age=1" {
				t.Errorf("%s: got Cache-Control %q, want the second that is left", address, got)
			}
		}
		set(until)
		for _, address := range addresses {
			refused(t, s.Get(address), "expired at")
			refused(t, s.Get(address, apptest.Header("If-None-Match", "*")), "expired at")
		}
		s.Get(addresses[0] + "0").Want(http.StatusForbidden) // the signature is of the other time
		s.og(s.Site.At("/page/one"), "exp=soon").Want(http.StatusBadRequest)
	})
}
