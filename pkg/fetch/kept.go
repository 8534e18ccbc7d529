package fetch

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// Limits of a run's cache: about a hundred pages' pictures, and the addresses of ten thousand pages with an icon each.
const (
	usualKeptBytes = 64 << 20
	maxKeptEntries = 10_000
	// keptOverhead is the size of an entry in addition to its body: headers, addresses.
	keptOverhead = 2 << 10
)

// Memory caches responses for one run of a command: pictures, icons, manifests, style sheets and robots.txt files,
// which the pages of a site share. Each is requested once, and again only if it didn't fit the limits, didn't arrive,
// or is needed whole and only its beginning was read. Pages and sitemaps aren't cached.
//
// Clients may share one. It is safe for concurrent use. Services only use it for audits of whole sites, for as long as
// such an audit runs, because what they fetch may change.
type Memory struct {
	most int // bytes

	mu      sync.Mutex
	entries simplelru.LRUCache[weburl.URL, *keptEntry]
	bytes   int
}

// keptEntry is a response or error. It is being fetched until done is closed.
type keptEntry struct {
	done     chan struct{}
	client   *Client // the one that fetched it
	resource Resource
	response *Response
	err      error
	failed   bool // it didn't arrive, and is requested again
}

// NewKept returns an empty Kept of at most 64 MiB.
func NewKept() *Memory { return NewKeptOf(usualKeptBytes) }

// NewKeptOf returns an empty Kept of at most most bytes.
func NewKeptOf(most int) *Memory {
	k := &Memory{most: most}
	evicted := func(_ weburl.URL, e *keptEntry) { k.bytes -= e.size() }
	k.entries, _ = simplelru.NewLRU(maxKeptEntries, evicted) // it fails only for a size below 1
	return k
}

// size is the memory that an entry takes, or 0 while it is being fetched.
func (e *keptEntry) size() int {
	select {
	case <-e.done:
	default:
		return 0
	}
	if e.response == nil {
		return keptOverhead
	}
	return keptOverhead + len(e.response.Body)
}

// get returns the cached response for u, or fetches and caches it. A nil Kept caches nothing.
func (k *Memory) get(
	ctx context.Context, c *Client, u weburl.URL, resource Resource, fetch func(context.Context) (*Response, error),
) (*Response, error) {
	if k == nil || resource == Page || resource == LinkedPage || resource == Markdown || resource == Sitemap {
		return fetch(ctx)
	}
	for {
		entry, first := k.enter(u, c, resource)
		if first {
			return k.fill(ctx, u, entry, fetch)
		}
		select {
		case <-entry.done:
		case <-ctx.Done():
			return nil, explain(ctx, u.Hostname(), ctx.Err())
		}
		if !entry.serves(c, resource) {
			k.remove(u, entry)
			continue
		}
		if entry.err != nil {
			return nil, entry.err
		}
		if err := c.admitKept(ctx, entry); err != nil {
			return nil, err
		}
		response := *entry.response
		if keep := resource.rule(c.limits).keep; len(response.Body) > keep {
			response.Body, response.Truncated, response.Sized = response.Body[:keep], true, true
		}
		return &response, nil
	}
}

// enter returns the entry of u; if first is true, the caller must fill it.
func (k *Memory) enter(u weburl.URL, c *Client, resource Resource) (entry *keptEntry, first bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if entry, ok := k.entries.Get(u); ok {
		return entry, false
	}
	entry = &keptEntry{done: make(chan struct{}), client: c, resource: resource}
	k.entries.Add(u, entry)
	return entry, true
}

// fill fetches the response of an entry. A panic leaves a failed entry.
func (k *Memory) fill(
	ctx context.Context, u weburl.URL, entry *keptEntry, fetch func(context.Context) (*Response, error),
) (*Response, error) {
	entry.failed = true
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		close(entry.done)
		if now, ok := k.entries.Peek(u); !ok || now != entry {
			return // it was evicted in the meantime
		}
		k.bytes += entry.size()
		for k.bytes > k.most {
			k.entries.RemoveOldest()
		}
	}()
	response, err := fetch(ctx)
	entry.response, entry.err = response, err
	entry.failed = ctx.Err() != nil || passing(response, err)
	if err != nil {
		return nil, err
	}
	own := *response
	return &own, nil
}

func (k *Memory) remove(u weburl.URL, entry *keptEntry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now, ok := k.entries.Peek(u); ok && now == entry {
		k.entries.Remove(u)
	}
}

// passing reports whether a result may soon be different.
func passing(r *Response, err error) bool {
	if err == nil {
		return r.Status == http.StatusTooManyRequests || passes(r.Status)
	}
	var fault *apperr.Error
	return !errors.As(err, &fault) || fault.RetryAfter > 0 || fault.Code == apperr.Unavailable
}

// serves reports whether an entry has what a client would get for a resource: the same resource, or a whole body within
// its limit if it uses whole bodies. Failures aren't shared between clients.
func (e *keptEntry) serves(c *Client, resource Resource) bool {
	switch {
	case e.failed:
		return false
	case e.err != nil:
		return e.client == c && e.resource == resource
	case e.resource == resource:
		return true
	}
	whole := !e.response.Truncated && int64(len(e.response.Body)) == e.response.Size
	rule := resource.rule(c.limits)
	return whole && (rule.partial || e.response.Size <= rule.count)
}

// admitKept checks the addresses of a cached response as if they were requested: one client may be allowed to reach
// what another isn't.
func (c *Client) admitKept(ctx context.Context, entry *keptEntry) error {
	if entry.client == c {
		return nil
	}
	for _, u := range append([]Redirect{{URL: entry.response.URL}}, entry.response.Redirects...) {
		from, err := c.origin.source(u.URL)
		if err != nil {
			return err
		}
		if _, _, err := c.dialer.admit(ctx, from.Host(), from.Port()); err != nil {
			return c.withRefusal(ctx, from.Hostname(), explain(ctx, from.Hostname(), err))
		}
	}
	return nil
}
