package scrape

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"testing"
	"time"

	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

func TestIconAge_isWhatTheSiteAllows(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	in := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for name, c := range map[string]struct {
		expires string
		control []string
		want    time.Duration
	}{
		"nothing":                  {"", nil, maxIconAge},
		"long":                     {"", []string{"max-age=31536000, immutable"}, maxIconAge},
		"short":                    {"", []string{"public", "max-age=5"}, 5 * time.Second},
		"for shared caches":        {"", []string{"max-age=20, s-maxage=3"}, 3 * time.Second},
		"not for them":             {"", []string{"Private, max-age=60"}, 0},
		"only asking":              {"", []string{"no-cache"}, 0},
		"not at all":               {"", []string{"max-age=60", "no-store"}, 0},
		"no number":                {"", []string{"max-age=soon"}, 0},
		"beyond all numbers":       {"", []string{"max-age=99999999999999999999"}, 0},
		"until soon":               {in(7 * time.Second), nil, 7 * time.Second},
		"until long ago":           {in(-time.Hour), nil, -time.Hour},
		"no date":                  {"0", nil, 0},
		"an age goes before dates": {in(-time.Hour), []string{"max-age=9"}, 9 * time.Second},
	} {
		h := http.Header{"Cache-Control": c.control}
		if c.expires != "" {
			h.Set("Expires", c.expires)
		}
		if got := iconAge(h, now); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestLateIcons_areForgotten(t *testing.T) {
	t.Parallel()
	now := time.Now()
	late := newRecentIcons()
	late.now = func() time.Time { return now }
	at := func(n int) weburl.URL {
		u, err := weburl.Parse("https://example.com/" + strconv.Itoa(n))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	file := sha256.Sum256([]byte("an icon"))
	late.put(at(0), file, &fetch.Response{})
	if got, ok := late.get(at(0)); !ok || got != file {
		t.Errorf("got %x, %v, want the file", got, ok)
	}
	now = now.Add(maxIconAge)
	if _, ok := late.get(at(0)); ok {
		t.Error("it is remembered for longer than it may be")
	}
	late.put(at(1), file, &fetch.Response{})
	late.put(at(1), file, &fetch.Response{Header: http.Header{"Cache-Control": {"no-store"}}})
	if _, ok := late.get(at(1)); ok {
		t.Error("it is remembered although its site forbids it now")
	}
	for n := range 2 * maxRecentIcons {
		late.put(at(n), file, &fetch.Response{})
	}
	if n := late.lru.Len(); n != maxRecentIcons {
		t.Errorf("%d addresses are remembered, want %d", n, maxRecentIcons)
	}
}
