// Package fetch is the only client for addresses from users: pages, their icons, images, manifests and robots.txt
// files, and every redirect on the way. No other package may open a connection for such an address; a test over the
// module's source enforces this.
//
// A [weburl.URL] has the accepted form in its one spelling. It passes three gates. The guard refuses names, ports and
// addresses outside the public web; it checks every address of a name. The dialer connects to exactly the addresses
// that were checked, and its Control hook checks the address of the socket once more. The host limiter keeps us polite.
// Then the response is read within the limits of time, bytes and redirects of its [Resource].
//
// No host or owner can use up what others need. Each exchange waits for its host's turn without holding anything, and
// then for a slot in the pool of all exchanges; a host has few turns, and an owner at most half of the slots. A host
// that doesn't respond gets no requests for a while.
//
// To fetch a new kind of resource, add a Resource and its line to the table in resource.go.
package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/tracing"
	"masthead/pkg/weburl"
)

// Client fetches. It is safe for concurrent use, keeps no cookies, and ignores the proxy variables of the environment.
type Client struct {
	limits    Limits
	userAgent string
	origin    Origin
	kept      *Memory
	onRefused func(ctx context.Context, host string)
	local     bool
	dialer    *dialer
	hostLimit *hostLimiter
	places    *pool
	breakers  *breakers
	transport *http.Transport
	metrics   *metrics
}

// New returns a client, or the error of [Config.Validate].
//
// onRefused, if not nil, is called for the audit log when a target is refused. It gets the normalized host, never more
// of the URL, and may be called by many goroutines.
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

// newTransport returns a transport whose every connection goes through d. Connections are reused: each was checked when
// it was opened, and its destination can't change.
func newTransport(d *dialer, limits Limits) *http.Transport {
	return &http.Transport{
		Proxy:       nil, // a proxy would connect in our place, unchecked
		DialContext: d.dial,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(256),
		},
		TLSHandshakeTimeout:    limits.TLSTime,
		ResponseHeaderTimeout:  limits.HeaderTime,
		MaxResponseHeaderBytes: int64(limits.HeaderBytes),
		DisableCompression:     true, // we request gzip and count its output ourselves
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20, MaxReceiveBufferPerConnection: 4 << 20},
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    limits.exemptParallel(),
		IdleConnTimeout:        30 * time.Second,
		ReadBufferSize:         8 << 10,
	}
}

// Close closes idle connections. Running requests continue.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Job is the fetching for one piece of work: a page and everything it refers to. Its requests share a deadline and a
// budget, and four run concurrently. It is safe for concurrent use.
type Job struct {
	// Language is sent as Accept-Language; "en" if it is empty or not valid in a header. It must be set before the first
	// Get.
	Language string
	// Owner is the ID of the user whose work this is, and whose jobs share limits; "" for anonymous callers. It must be
	// set before the first Get.
	Owner string
	// UserAgent, if not "", is sent instead of the client's. It must be set before the first Get, and valid in a header.
	UserAgent string
	// Kept, if not nil, caches responses in place of the client's. It must be set before the first Get.
	Kept *Memory

	client *Client
	// ctx is the scope of the whole job. A job is nothing but a scope, which is why it may store one.
	ctx   context.Context
	slots chan struct{}

	mu       sync.Mutex
	requests int
	byClass  [numClasses]int
}

// jobParallel is the maximum number of concurrent requests per job.
const jobParallel = 4

// NewJob starts a job, which ends with ctx, after Limits.JobTime, or when the returned function is called. That
// function must be called; it cancels running requests of the job.
func (c *Client) NewJob(ctx context.Context) (*Job, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.JobTime)
	return &Job{client: c, ctx: ctx, slots: make(chan struct{}, jobParallel)}, cancel
}

// JobTime is the time limit of a job.
func (c *Client) JobTime() time.Duration { return c.limits.JobTime }

// Get fetches u and follows its redirects, within the limits of resource and the rest of the job's.
//
// A target that may not be reached, directly or after a redirect, is [ErrRefused]; a failure of the server is
// [ErrUpstream]; UNAVAILABLE means that too many requests are running already. A status of 400 and above isn't an error
// here: see [Response.Err]. If ctx or the job is canceled, its error is returned.
func (j *Job) Get(ctx context.Context, u weburl.URL, resource Resource) (*Response, error) {
	return j.GetUntil(ctx, u, resource, nil)
}

// GetUntil is like Get, but stops reading and closes the connection once enough reports that the rest of the body isn't
// needed. enough is called with growing beginnings up to 256 KiB, and not for bodies that end before them; the response
// is then Truncated. A body that resource wouldn't keep whole isn't read further than that either.
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
	ctx, span := tracing.Start(ctx, "fetch")
	span.Text("server.address", u.Hostname())
	fetch := func(ctx context.Context) (*Response, error) { return j.exchange(ctx, u, rule) }
	response, err := cmp.Or(j.Kept, j.client.kept).get(ctx, j.client, u, resource, fetch)
	if err == nil && response.stopped && (enough == nil || !enough(response.Body)) {
		response, err = fetch(ctx) // what was enough for another page may not be for this one
	}
	if err == nil {
		span.Number("http.response.status_code", response.Status)
		span.Number("http.response.body.size", len(response.Body))
	}
	span.End(err)
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
	e := exchange{Client: j.client, owner: j.Owner, rule: rule, language: j.language(), left: rule.time,
		agent: cmp.Or(j.UserAgent, j.client.userAgent)}
	return e.follow(ctx, u)
}

// within returns ctx, limited by the end of the job.
func (j *Job) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancelCause := context.WithCancelCause(ctx)
	stop := context.AfterFunc(j.ctx, func() { cancelCause(j.ctx.Err()) })
	end, _ := j.ctx.Deadline() // every job has one
	ctx, cancelTime := context.WithDeadline(ctx, end)
	return ctx, func() {
		cancelTime()
		stop()
		cancelCause(context.Canceled)
	}
}

// spend takes one request from the job's budget. Redirects and retries are free.
func (j *Job) spend(class class) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.requests >= j.client.limits.JobRequests {
		return upstream("The page needs more requests than the limit for one page.", nil)
	}
	if most := class.most(); most > 0 && j.byClass[class] >= most {
		return upstream("The page needs more pictures than the limit for one page.", nil)
	}
	j.requests++
	j.byClass[class]++
	return nil
}

// language returns the Accept-Language to send, with only characters that are valid in this header.
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

// withRefusal returns err after recording refusals in the audit log. On an installation for one machine, whose user is
// its operator, the refusal says which setting opens an address.
func (c *Client) withRefusal(ctx context.Context, host string, err error) error {
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
