package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// hostClients are the clients of one command, one for the pages of each host, so that these share the limits of the
// host. It is safe for concurrent use, and must be closed.
//
// The hosts that a client may reach although they are private are those that the command line names for its own pages:
// no page can send us on to another one's.
type hostClients struct {
	userAgent string
	// beside are addresses that the command line names for every page.
	beside []weburl.URL

	mu      sync.Mutex
	clients map[string]*fetch.Client
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
	for _, u := range append([]weburl.URL{page}, h.beside...) {
		if !u.IsZero() {
			hosts = append(hosts, u.URL().Host)
		}
	}
	// Hosts that the operator names may be private, as on the command line of any other program.
	client, err := fetch.New(fetch.Config{Version: version, UserAgent: h.userAgent, AllowHosts: hosts}, nil)
	if err != nil {
		return nil, asUsage(err)
	}
	if h.clients == nil {
		h.clients = map[string]*fetch.Client{}
	}
	h.clients[key] = client
	return client, nil
}

func (h *hostClients) close() {
	for _, client := range h.clients {
		client.Close()
	}
}

// hostKey tells the hosts of pages apart; "" is that of no page.
func hostKey(page weburl.URL) string {
	if page.IsZero() {
		return ""
	}
	return page.URL().Host
}

// Bounds of waiting for a site that asks us to.
const (
	busyTries = 3
	busyPause = 30 * time.Second // at most, before another try
)

// patiently tries once, and again when the site asks us to wait.
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

// eachHost does something for every page: hosts beside each other, and the pages of one host one after the other, as a
// polite guest takes them. It returns at once; done is what the work is counted in.
func eachHost(done *sync.WaitGroup, pages []weburl.URL, do func(i int)) {
	byHost := map[string][]int{}
	var hosts []string
	for i, page := range pages {
		host := hostKey(page)
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], i)
	}
	free := make(chan struct{}, hostsAtOnce)
	for _, host := range hosts {
		done.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			for _, i := range byHost[host] {
				do(i)
			}
		})
	}
}
