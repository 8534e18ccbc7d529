package scrape

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// This file remembers for a moment which file was at an icon's address, as a shared HTTP cache may (RFC 9111): drawing
// a thousand pages of a site shouldn't request its icon a thousand times.

const (
	// maxIconAge is the maximum time to reuse an icon, even if its site allows more, so that site owners soon see a new
	// one. It is also the default if the site says nothing.
	maxIconAge = 30 * time.Second
	// maxRecentIcons is the maximum number of remembered addresses.
	maxRecentIcons = 1024
)

// recentIcons remembers which file was recently at an address.
type recentIcons struct {
	mu  sync.Mutex
	lru simplelru.LRUCache[weburl.URL, recentIcon]
	now func() time.Time
}

type recentIcon struct {
	file  [sha256.Size]byte
	until time.Time
}

func newRecentIcons() *recentIcons {
	lru, _ := simplelru.NewLRU[weburl.URL, recentIcon](maxRecentIcons, nil) // it fails only for size 0
	return &recentIcons{lru: lru, now: time.Now}
}

func (l *recentIcons) get(u weburl.URL) (file [sha256.Size]byte, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	late, ok := l.lru.Get(u)
	return late.file, ok && l.now().Before(late.until)
}

// recentIcon returns the icon recently at an address, if its decoded file is cached too.
func (sc *scraping) recentIcon(u weburl.URL) (icon Icon, ok bool) {
	file, ok := sc.recent.get(u)
	if ok {
		icon, ok = sc.icons.Get(sc.iconKey(file))
		icon.URL = u
	}
	return icon, ok
}

// put remembers the file in a response. Responses that were redirected are excluded: each hop may have its own caching
// rules.
func (l *recentIcons) put(u weburl.URL, file [sha256.Size]byte, r *fetch.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	age := iconAge(r.Header, l.now())
	if age <= 0 || len(r.Redirects) > 0 || r.Truncated {
		l.lru.Remove(u)
		return
	}
	l.lru.Add(u, recentIcon{file, l.now().Add(age)})
}

// iconAge returns how long anyone may reuse a response, at most maxIconAge; 0 forbids it. Source: RFC 9111, 4.2.1 and
// 5.2.2.
func iconAge(h http.Header, now time.Time) time.Duration {
	age := maxIconAge
	if expires := h.Get("Expires"); expires != "" {
		at, err := http.ParseTime(expires)
		if err != nil { // such as 0, which means the past
			at = now
		}
		age = min(age, at.Sub(now))
	}
	var ours, all time.Duration = -1, -1
	for _, directive := range strings.Split(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache", "private":
			return 0
		case "s-maxage":
			ours = seconds(value)
		case "max-age":
			all = seconds(value)
		}
	}
	if ours >= 0 {
		all = ours
	}
	if all >= 0 { // it takes precedence over Expires
		age = min(maxIconAge, all)
	}
	return age
}

// seconds parses a number of seconds; anything else is 0.
func seconds(s string) time.Duration {
	n, err := strconv.ParseUint(strings.Trim(s, `"`), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}
