package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// noRateFlag is the rate of a command without the flag: the flag's default.
var noRateFlag = rateFlag{Rate: 2}

// rateFlag is the flag of commands that read pages.
type rateFlag struct {
	Rate float64 `default:"2" least:"1" most:"100" placeholder:"N" help:"Requests per second to each host, from 1 to 100; the first 16 are sent at once. Servers on this machine (localhost) have no limit."`
}

func (f rateFlag) check() error {
	if !(f.Rate >= 1 && f.Rate <= 100) { // NaN is out of range
		return wrongUsage("--rate must be between 1 and 100 requests per second; it is %v", f.Rate)
	}
	return nil
}

// hostClients are the clients of one command, one per host, so that a host's pages share its limits. Resources shared
// by pages of several hosts are fetched once. It is safe for concurrent use, and must be closed.
//
// A client may reach those private hosts that the command line names for its own pages: no page can redirect us to
// another page's private host.
type hostClients struct {
	userAgent string
	// allow opens more private addresses for every page. origin is a site that is read from another server.
	allow  []string
	origin fetch.Origin
	rate   float64 // requests per second to each host; 0 means the default
	// beside are addresses that the command line names for every page.
	beside []weburl.URL
	// typed are the pages typed without a scheme; tell reports which one was used.
	typed map[weburl.URL]bool
	tell  func(format string, args ...any)

	kept    *fetch.Kept
	mu      sync.Mutex
	clients map[string]*fetch.Client
	schemes map[string]string // of hosts that responded over a scheme other than the first
}

// of returns the client for the pages of a host.
func (h *hostClients) of(page weburl.URL) (*fetch.Client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := hostKey(page)
	if client := h.clients[key]; client != nil {
		return client, nil
	}
	hosts := []string{}
	for _, u := range append([]weburl.URL{page, h.origin.From}, h.beside...) {
		if !u.IsZero() {
			hosts = append(hosts, u.URL().Host)
		}
	}
	if h.clients == nil {
		h.clients, h.schemes, h.kept = map[string]*fetch.Client{}, map[string]string{}, fetch.NewKept()
	}
	// Hosts named by the operator may be private, as on the command line of any other program.
	prefixes, named := splitAllowed(h.allow)
	client, err := fetch.New(fetch.Config{
		Version: version, UserAgent: h.userAgent, AllowHosts: append(hosts, named...), Allow: prefixes, Origin: h.origin,
		Operator: true, Kept: h.kept, Limits: fetch.Limits{HostRate: h.rate},
	}, nil)
	if err != nil {
		return nil, wrongUsage("%s", strings.ReplaceAll(err.Error(), "MASTHEAD_FETCH_ALLOW", "--allow"))
	}
	h.clients[key] = client
	return client, nil
}

// read calls do with the client of a page's host. A page typed without a scheme is read over the other scheme if
// nothing responds over the first. It returns the address that was read last.
func (h *hostClients) read(page weburl.URL, do func(*fetch.Client, weburl.URL) error) (weburl.URL, error) {
	client, err := h.of(page)
	if err != nil {
		return page, err
	}
	if !h.typed[page] {
		return page, do(client, page)
	}
	h.mu.Lock()
	known := h.schemes[hostKey(page)]
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
			page.Scheme(), explainCard(err), other.Scheme(), explainCard(secondErr))
	}
	h.mu.Lock()
	first := h.schemes[hostKey(page)] == ""
	h.schemes[hostKey(page)] = other.Scheme()
	h.mu.Unlock()
	if first && h.tell != nil {
		h.tell("Read over %s, because nothing responds over %s: %v", other.Scheme(), page.Scheme(), explainCard(err))
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

func (h *hostClients) close() {
	for _, client := range h.clients {
		client.Close()
	}
}

// hostKey identifies the host of a page; "" is for no page.
func hostKey(page weburl.URL) string {
	if page.IsZero() {
		return ""
	}
	return page.URL().Host
}

// onThisMachine reports whether a page is served by this machine only.
func (h *hostClients) onThisMachine(page weburl.URL) bool {
	if !h.origin.Site.IsZero() && hostKey(page) == hostKey(h.origin.Site) {
		page = h.origin.From
	}
	return !page.IsZero() && weburl.IsLoopback(net.JoinHostPort(page.Hostname(), strconv.Itoa(int(page.Port()))))
}

// Limits of waiting for a site that asks us to wait.
const (
	busyTries = 3
	busyPause = 30 * time.Second // maximum, before another attempt
)

// patiently tries once, and again if the site asks us to wait.
func patiently(ctx context.Context, once func() error) error {
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

// eachPage calls do for every page: hosts concurrently, and the pages of one host one after the other, except for those
// on this machine, which are also concurrent. It returns immediately; done counts the work.
func (h *hostClients) eachPage(done *sync.WaitGroup, pages []weburl.URL, do func(i int)) {
	lanes := map[string][]int{}
	var names []string
	for i, page := range pages {
		name := hostKey(page)
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
