package targets

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/platform"
	"masthead/pkg/weburl"
)

// NoRate is the rate of a command without the flag: the flag's default.
var NoRate = RateFlag{Rate: 2}

// RateFlag is the flag of commands that read pages.
type RateFlag struct {
	Rate float64 `default:"2" least:"1" most:"100" placeholder:"N" help:"Requests per second to each host, from 1 to 100; the first 16 are sent at once. Servers on this machine (localhost) have no limit."`
}

// Check reports a rate out of bounds.
func (f RateFlag) Check() error {
	if !(f.Rate >= 1 && f.Rate <= 100) { // NaN is out of range
		return usage.Errorf("--rate must be between 1 and 100 requests per second; it is %v", f.Rate)
	}
	return nil
}

// Clients are the clients of one command, one per host, so that a host's pages share its limits. Resources shared
// by pages of several hosts are fetched once. It is safe for concurrent use, and must be closed.
//
// A client may reach those private hosts that the command line names for its own pages: no page can redirect us to
// another page's private host.
type Clients struct {
	version, userAgent string
	// Allow opens more private addresses for every page. origin is a site that is read from another server.
	Allow  []string
	Origin fetch.Origin
	rate   float64 // requests per second to each host; 0 means the default
	// Beside are addresses that the command line names for every page.
	Beside []weburl.URL
	// Typed are the pages typed without a scheme; tell reports which one was used.
	Typed map[weburl.URL]bool
	Tell  func(format string, args ...any)

	kept    *fetch.Memory
	mu      sync.Mutex
	clients map[string]*fetch.Client
	schemes map[string]string // of hosts that responded over a scheme other than the first
}

// Of returns the client for the pages of a host.
func (h *Clients) Of(page weburl.URL) (*fetch.Client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := HostKey(page)
	if client := h.clients[key]; client != nil {
		return client, nil
	}
	hosts := []string{}
	for _, u := range append([]weburl.URL{page, h.Origin.From}, h.Beside...) {
		if !u.IsZero() {
			hosts = append(hosts, u.URL().Host)
		}
	}
	if h.clients == nil {
		h.clients, h.schemes, h.kept = map[string]*fetch.Client{}, map[string]string{}, fetch.NewKept()
	}
	// Hosts named by the operator may be private, as on the command line of any other program.
	prefixes, named := SplitAllowed(h.Allow)
	client, err := fetch.New(fetch.Config{
		Version: h.version, UserAgent: h.userAgent, AllowHosts: append(hosts, named...), Allow: prefixes, Origin: h.Origin,
		Operator: true, Kept: h.kept, Limits: fetch.Limits{HostRate: h.rate},
	}, nil)
	if err != nil {
		return nil, usage.Errorf("%s", strings.ReplaceAll(err.Error(), "MASTHEAD_FETCH_ALLOW", "--allow"))
	}
	h.clients[key] = client
	return client, nil
}

// Read calls do with the client of a page's host. A page typed without a scheme is read over the other scheme if
// nothing responds over the first. It returns the address that was read last.
func (h *Clients) Read(page weburl.URL, do func(*fetch.Client, weburl.URL) error) (weburl.URL, error) {
	client, err := h.Of(page)
	if err != nil {
		return page, err
	}
	if !h.Typed[page] {
		return page, do(client, page)
	}
	h.mu.Lock()
	known := h.schemes[HostKey(page)]
	h.mu.Unlock()
	if known != "" {
		page = withScheme(page, known)
		return page, do(client, page)
	}
	err = do(client, page)
	if !unreached(err) {
		return page, err
	}
	other := withScheme(page, map[string]string{"https": "http", "http": "https"}[page.Scheme()])
	secondErr := do(client, other)
	if unreached(secondErr) {
		return page, fmt.Errorf("over %s: %w Over %s: %w",
			page.Scheme(), usage.Explain(err), other.Scheme(), usage.Explain(secondErr))
	}
	h.mu.Lock()
	first := h.schemes[HostKey(page)] == ""
	h.schemes[HostKey(page)] = other.Scheme()
	h.mu.Unlock()
	if first && h.Tell != nil {
		h.Tell("Read over %s, because nothing responds over %s: %v", other.Scheme(), page.Scheme(), usage.Explain(err))
	}
	return other, secondErr
}

// withScheme returns a page over http or https, on the same port if it has one.
func withScheme(page weburl.URL, scheme string) weburl.URL {
	u := page.URL()
	u.Scheme = scheme
	if other, err := weburl.Parse(u.String()); err == nil {
		return other
	}
	return page // unreachable: the parts are those of an address
}

// unreached reports whether nothing responded at the address of a page, so that another scheme may work.
func unreached(err error) bool {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		for _, field := range fault.Fields {
			if field.Pointer != "/url" {
				return false // a logo, for example
			}
		}
	}
	return fetch.Unreached(err)
}

// Close closes the clients.
func (h *Clients) Close() {
	for _, client := range h.clients {
		client.Close()
	}
}

// HostKey identifies the host of a page; "" is for no page.
func HostKey(page weburl.URL) string {
	if page.IsZero() {
		return ""
	}
	return page.URL().Host
}

// onThisMachine reports whether a page is served by this machine only.
func (h *Clients) onThisMachine(page weburl.URL) bool {
	if !h.Origin.Site.IsZero() && HostKey(page) == HostKey(h.Origin.Site) {
		page = h.Origin.From
	}
	return !page.IsZero() && weburl.IsLoopback(net.JoinHostPort(page.Hostname(), strconv.Itoa(int(page.Port()))))
}

// Limits of waiting for a site that asks us to wait.
const (
	busyTries = 3
	busyPause = 30 * time.Second // maximum, before another attempt
)

// Patiently tries once, and again if the site asks us to wait.
func Patiently(ctx context.Context, once func() error) error {
	for try := 1; ; try++ {
		err := once()
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.RetryAfter == 0 || try == busyTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(fault.RetryAfter, busyPause)):
		}
	}
}

// Limits of concurrent reads.
const (
	hostsAtOnce = 4 // pages of one host are read one after the other, to be polite
	localAtOnce = 4 // pages of a server on this machine
)

// Each calls do for every page: hosts concurrently, and the pages of one host one after the other, except for those
// on this machine, which are also concurrent. It returns immediately; done counts the work.
func (h *Clients) Each(done *sync.WaitGroup, pages []weburl.URL, do func(i int)) {
	lanes := map[string][]int{}
	var names []string
	for i, page := range pages {
		name := HostKey(page)
		if h.onThisMachine(page) {
			name = strings.Join([]string{name, strconv.Itoa(i % localAtOnce)}, " ")
		}
		if lanes[name] == nil {
			names = append(names, name)
		}
		lanes[name] = append(lanes[name], i)
	}
	free := make(chan struct{}, hostsAtOnce)
	for _, name := range names {
		done.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			for _, i := range lanes[name] {
				do(i)
			}
		})
	}
}

// SplitAllowed splits the values of --allow into address prefixes and host names.
func SplitAllowed(allow []string) (prefixes, hosts []string) {
	for _, text := range allow {
		host := text
		if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') && strings.Count(text, ":") == 1 {
			host = text[:i]
		}
		_, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err == nil || strings.ContainsAny(text, "/[") || strings.Count(text, ":") > 1 {
			prefixes = append(prefixes, text)
		} else {
			hosts = append(hosts, text)
		}
	}
	return prefixes, hosts
}

// UserAgent returns the User-Agent for --as: that of a platform's crawler, or the text itself.
func UserAgent(as string) string {
	if strings.EqualFold(strings.TrimSpace(as), "all") {
		return "" // our own name, and then those of all crawlers: see audit.Look
	}
	if known, ok := platform.UserAgent(strings.TrimSpace(as)); ok {
		return known
	}
	return as
}
