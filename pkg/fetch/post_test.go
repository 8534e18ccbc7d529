package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

func parsed(t *testing.T, text string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPost_sendsTheBodyAndReadsTheBeginning(t *testing.T) {
	var got []byte
	var header http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		header = r.Header
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(bytes.Repeat([]byte("x"), 200<<10))
	}))
	defer server.Close()
	c, err := fetch.New(fetch.Config{Allow: []string{"127.0.0.1/32"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	posted, err := c.Post(t.Context(), parsed(t, server.URL), http.Header{"Webhook-Id": {"1"}}, []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if posted.Status != http.StatusAccepted || len(posted.Body) != 64<<10 {
		t.Errorf("got status %d with %d bytes, want 202 with 64 KiB", posted.Status, len(posted.Body))
	}
	if string(got) != "hello" || header.Get("Webhook-Id") != "1" || header.Get("User-Agent") == "" {
		t.Errorf("the server got %q with %v", got, header)
	}
}

func TestPost_redirectsArentFollowed(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
	}))
	defer server.Close()
	c, err := fetch.New(fetch.Config{Allow: []string{"127.0.0.1/32"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	posted, err := c.Post(t.Context(), parsed(t, server.URL), http.Header{}, nil)
	if err != nil || posted.Status != http.StatusPermanentRedirect || asked != 1 {
		t.Errorf("got %+v, %v after %d requests, want 308 after one", posted, err, asked)
	}
}

// The guard asks the resolver at each request: a name that leads to a private address since then isn't reached.
func TestPost_hostIsCheckedEachTime(t *testing.T) {
	names := &lookups{table: map[string][]string{"hook.example.com": {"93.184.215.14"}, "mixed.example.com": {
		"93.184.215.14", "10.0.0.1",
	}}}
	var refused []string
	c, err := fetch.New(fetch.Config{Resolver: names}, func(_ context.Context, host string) {
		refused = append(refused, host)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	u := parsed(t, "https://hook.example.com/")
	if err := c.CheckPost(t.Context(), u); err != nil {
		t.Fatalf("got %v, want a public address accepted", err)
	}
	names.mu.Lock()
	names.table["hook.example.com"] = []string{"127.0.0.1"}
	names.mu.Unlock()
	c.ForgetNames()
	if _, err := c.Post(t.Context(), u, http.Header{}, nil); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("rebound to loopback: got %v, want it refused", err)
	}
	for _, text := range []string{"https://mixed.example.com/", "https://10.0.0.1/", "https://[::1]/", "https://hook.internal/"} {
		if _, err := c.Post(t.Context(), parsed(t, text), http.Header{}, nil); !errors.Is(err, fetch.ErrRefused) {
			t.Errorf("%s: got %v, want it refused", text, err)
		}
	}
	if len(refused) < 5 {
		t.Errorf("recorded %v, want each refusal", refused)
	}
	_, err = c.Post(t.Context(), parsed(t, "http://93.184.215.14/"), http.Header{}, nil)
	if apperr.CodeOf(err) != apperr.BadRequest || !strings.Contains(err.Error(), "https") {
		t.Errorf("without TLS: got %v, want it refused", err)
	}
}
