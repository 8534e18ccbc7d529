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

// This file remembers for a moment which file was at the address of an icon, as a shared cache of HTTP may (RFC 9111):
// who has a thousand pages drawn does not have their icon asked for a thousand times.

const (
	// maxIconAge is how long an icon is taken for what it was, even if its site allows more: who changes theirs should
	// not have to wonder. A site that says nothing allows as much.
	maxIconAge = 30 * time.Second
	// maxLateIcons is how many addresses are remembered.
	maxLateIcons = 1024
)

// lateIcons says which file was lately at an address.
type lateIcons struct {
	mu  sync.Mutex
	lru *simplelru.LRU[weburl.URL, lateIcon]
	now func() time.Time
}

type lateIcon struct {
	file  [sha256.Size]byte
	until time.Time
}

func newLateIcons() *lateIcons {
	lru, _ := simplelru.NewLRU[weburl.URL, lateIcon](maxLateIcons, nil) // it fails for no size
	return &lateIcons{lru: lru, now: time.Now}
}

func (l *lateIcons) get(u weburl.URL) (file [sha256.Size]byte, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	late, ok := l.lru.Get(u)
	return late.file, ok && l.now().Before(late.until)
}

// lateIcon returns the icon that was lately at an address, while it is remembered too.
func (sc *scraping) lateIcon(u weburl.URL) (icon Icon, ok bool) {
	file, ok := sc.lately.get(u)
	if ok {
		icon, ok = sc.icons.Get(sc.iconKey(file))
		icon.URL = u
	}
	return icon, ok
}

// put notes the file that a response brought. One that came by way of another address is not: each hop may have its own
// say.
func (l *lateIcons) put(u weburl.URL, file [sha256.Size]byte, r *fetch.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	age := iconAge(r.Header, l.now())
	if age <= 0 || len(r.Redirects) > 0 || r.Truncated {
		l.lru.Remove(u)
		return
	}
	l.lru.Add(u, lateIcon{file, l.now().Add(age)})
}

// iconAge returns how long a response may be used again by anyone, maxIconAge at most; 0 forbids it. Source: RFC 9111,
// 4.2.1 and 5.2.2.
func iconAge(h http.Header, now time.Time) time.Duration {
	age := maxIconAge
	if expires := h.Get("Expires"); expires != "" {
		at, err := http.ParseTime(expires)
		if err != nil { // such as 0, which stands for the past
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
	if all >= 0 { // it goes before Expires
		age = min(maxIconAge, all)
	}
	return age
}

// seconds reads a number of seconds; what is none is 0.
func seconds(s string) time.Duration {
	n, err := strconv.ParseUint(strings.Trim(s, `"`), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}
