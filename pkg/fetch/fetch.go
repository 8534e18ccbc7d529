// Package fetch is the one client for addresses that strangers give us: pages, their icons, images, manifests and
// robots.txt, with every redirect on the way. No other package may open a connection for such an address; a test over
// the module's source keeps it so.
//
// A [weburl.URL] has the form and the one spelling that we take. It passes three gates. The guard refuses names, ports
// and addresses that are not of the public web, judging every address that a name has. The dialer connects to exactly
// the addresses that were judged, and its Control hook judges once more the one that the socket really goes to. The
// host limiter keeps us a polite guest. Then the response is read under limits of time, bytes and redirects that
// belong to its [Resource].
//
// No host and no owner can take what others need. Each exchange waits for its host's turn, holding nothing meanwhile,
// then for one of the places that all exchanges share; a host has few turns, and an owner at most half of the places. A
// host that says nothing is not asked again for a while.
//
// To fetch a new kind of thing, add a Resource and its line to the table in resource.go.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// Client fetches. It is safe for concurrent use, keeps no cookies, and ignores the proxy variables of the environment.
type Client struct {
	limits    Limits
	userAgent string
	origin    Origin
	kept      *Kept
	onRefused func(ctx context.Context, host string)
	local     bool
	dialer    *dialer
	hostLimit *hostLimiter
	places    *pool
	breakers  *breakers
	transport *http.Transport
	metrics   *metrics
}

// New returns a client, or the fault that [Config.Validate] finds.
//
// onRefused, unless it is nil, is called for the audit log when a target was refused. It gets the host in its one
// spelling, never more of the URL, and may be called from many goroutines.
func New(cfg Config, onRefused func(ctx context.Context, host string)) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	guard, err := newGuard(cfg)
	if err != nil {
		return nil, err
	}
	limits := cfg.Limits.withDefaults()
	dialer := &dialer{guard: guard, names: newNames(cfg.Resolver, limits.DNSTime), connectTime: limits.ConnectTime}
	c := &Client{
		limits:    limits,
		userAgent: cfg.userAgent(),
		origin:    cfg.Origin,
		kept:      cfg.Kept,
		onRefused: onRefused,
		local:     cfg.Local,
		dialer:    dialer,
		hostLimit: newHostLimiter(limits, !cfg.Operator),
		places:    newPool(maxPlaces, maxPlaceQueue),
		breakers:  newBreakers(),
		transport: newTransport(dialer, limits),
	}
	c.metrics = newMetrics(c)
	return c, nil
}

// newTransport returns a transport whose every connection goes through d. Connections are kept for reuse: each was
// judged when it was made, and it cannot change where it leads.
func newTransport(d *dialer, limits Limits) *http.Transport {
	return &http.Transport{
		Proxy:       nil, // a proxy would connect in our place, unjudged
		DialContext: d.dial,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(256),
		},
		TLSHandshakeTimeout:    limits.TLSTime,
		ResponseHeaderTimeout:  limits.HeaderTime,
		MaxResponseHeaderBytes: int64(limits.HeaderBytes),
		DisableCompression:     true, // we ask for gzip and count its output ourselves
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20, MaxReceiveBufferPerConnection: 4 << 20},
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    limits.exemptParallel(),
		IdleConnTimeout:        30 * time.Second,
		ReadBufferSize:         8 << 10,
	}
}

// Close closes the connections that are kept for reuse. Requests under way go on.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Job is the fetching for one piece of work: a page and what hangs on it. Its requests share one deadline and one
// budget, and four run at once. It is safe for concurrent use.
type Job struct {
	// Language is sent as Accept-Language; "en" when it is empty or no such header value. It is set before the first
	// Get.
	Language string
	// Owner is the id of the user whose work this is, and with whose other jobs it shares; "" for that of strangers. It is
	// set before the first Get.
	Owner string

	client *Client
	// ctx is the scope of the whole job: a job is a scope and nothing else, which is why it may hold one.
	ctx   context.Context
	slots chan struct{}

	mu       sync.Mutex
	requests int
	byClass  [numClasses]int
}

// jobParallel is how many requests of one job run at once. Source: the audit's limits.
const jobParallel = 4

// NewJob opens a job, which ends with ctx, after Limits.JobTime, or when the function returned is called. That
// function must be called; it stops whatever of the job is still under way.
func (c *Client) NewJob(ctx context.Context) (*Job, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.JobTime)
	return &Job{client: c, ctx: ctx, slots: make(chan struct{}, jobParallel)}, cancel
}

// JobTime is how long a job may take.
func (c *Client) JobTime() time.Duration { return c.limits.JobTime }

// Get fetches u and follows its redirects, within the limits of resource and what is left of the job.
//
// A target that may not be reached, by itself or behind a redirect, is [ErrRefused]; what keeps the
// response from us on the other side is [ErrUpstream]; UNAVAILABLE says that too much is being fetched already. A
// status of 400 and above is no error here: see [Response.Err]. When ctx or the job is cancelled, its error is
// returned.
func (j *Job) Get(ctx context.Context, u weburl.URL, resource Resource) (*Response, error) {
	return j.GetUntil(ctx, u, resource, nil)
}

// GetUntil is Get, but reads no further, and closes the connection, once enough says of the beginning of the body that
// the rest is of no use. It is called with growing beginnings up to 256 KiB, and for no body that ends before them; the
// response is Truncated then. What resource would not keep whole is not read further than that either.
func (j *Job) GetUntil(
	ctx context.Context, u weburl.URL, resource Resource, enough func(beginning []byte) bool,
) (*Response, error) {
	rule := resource.rule(j.client.limits)
	rule.enough = enough
	if err := j.spend(rule.class); err != nil {
		return nil, err
	}
	ctx, cancel := j.within(ctx)
	defer cancel()
	fetch := func(ctx context.Context) (*Response, error) { return j.exchange(ctx, u, rule) }
	response, err := j.client.kept.get(ctx, j.client, u, resource, fetch)
	if err == nil && response.stopped && (enough == nil || !enough(response.Body)) {
		return fetch(ctx) // what was enough for another page is not for this one
	}
	return response, err
}

// exchange fetches u in one of the job's slots.
func (j *Job) exchange(ctx context.Context, u weburl.URL, rule rule) (*Response, error) {
	select {
	case j.slots <- struct{}{}:
		defer func() { <-j.slots }()
	case <-ctx.Done():
		return nil, explain(ctx, u.Hostname(), ctx.Err())
	}
	e := exchange{Client: j.client, owner: j.Owner, rule: rule, language: j.language(), left: rule.time}
	return e.follow(ctx, u)
}

// within returns ctx, cut off at the end of the job.
func (j *Job) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancelCause := context.WithCancelCause(ctx)
	stop := context.AfterFunc(j.ctx, func() { cancelCause(j.ctx.Err()) })
	end, _ := j.ctx.Deadline() // a job has one
	ctx, cancelTime := context.WithDeadline(ctx, end)
	return ctx, func() {
		cancelTime()
		stop()
		cancelCause(context.Canceled)
	}
}

// spend takes one request from the job's budget. Redirects and retries take none.
func (j *Job) spend(class class) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.requests >= j.client.limits.JobRequests {
		return upstream("The page needs more requests than are made for one page.", nil)
	}
	if most := class.most(); most > 0 && j.byClass[class] >= most {
		return upstream("The page needs more pictures than are fetched for one page.", nil)
	}
	j.requests++
	j.byClass[class]++
	return nil
}

// language returns the Accept-Language to send: only characters that such a header is made of.
func (j *Job) language() string {
	if j.Language == "" || len(j.Language) > 100 {
		return "en"
	}
	for _, b := range []byte(j.Language) {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9':
		case b == '-', b == ',', b == ';', b == '=', b == '.', b == '*', b == ' ':
		default:
			return "en"
		}
	}
	return j.Language
}

// noted returns err, after telling the audit log when it is a refusal. On an installation for one machine, whose user
// is its operator, the refusal says which setting opens an address.
func (c *Client) noted(ctx context.Context, host string, err error) error {
	if !errors.Is(err, ErrRefused) {
		return err
	}
	if c.onRefused != nil {
		c.onRefused(ctx, host)
	}
	if c.local {
		return apperr.Wrap(apperr.BadRequest, RefusedDetail+" "+refusedHint, err)
	}
	return err
}
