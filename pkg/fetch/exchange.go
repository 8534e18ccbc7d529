package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// Response is the response, with any status.
type Response struct {
	// URL is where the response came from, after all redirects.
	URL    weburl.URL
	Status int
	// Header is the final response's, without Set-Cookie. Content-Encoding and Content-Length are as sent.
	Header http.Header
	// ContentType is that header with its parameters, or "".
	ContentType string
	// Body is decoded from gzip, and cut at the limit of its [Resource].
	Body []byte
	// Size is the number of decoded bytes. If Truncated, it is the full size given by the server if Sized, and otherwise a
	// lower bound.
	Size  int64
	Sized bool
	// Truncated means that Body is only the beginning: it was too long or broke off. Broken means that it broke off: the
	// next request may return all of it.
	Truncated, Broken bool
	// Redirects are the hops before URL, in order.
	Redirects []Redirect

	stopped bool // Body is a beginning that was enough
}

// Redirect is one hop: the requested address and its redirect status.
type Redirect struct {
	URL    weburl.URL
	Status int
}

// Err returns nil if the status is below 300, otherwise an [ErrUpstream] with the status and the time of Retry-After.
func (r *Response) Err() error {
	if r.Status < 300 {
		return nil
	}
	status := strings.TrimSpace(strconv.Itoa(r.Status) + " " + http.StatusText(r.Status))
	e := apperr.Wrap(apperr.UpstreamFailed, r.URL.Hostname()+" answered with status "+status+".", StatusError(r.Status))
	e.RetryAfter, _ = retryAfter(r.Header)
	return e
}

// StatusError is an unusable response status, 300 or higher. It is an [ErrUpstream].
type StatusError int

// Error returns the status in words.
func (e StatusError) Error() string { return "answered with status " + strconv.Itoa(int(e)) }

// Is matches [ErrUpstream].
func (e StatusError) Is(target error) bool { return target == ErrUpstream }

// maxRedirectBody is how much of a redirect's body is read to reuse its connection.
const maxRedirectBody = 64 << 10

// exchange fetches one resource, with redirects and retries.
type exchange struct {
	*Client
	owner    string
	rule     rule
	language string
	agent    string
	// left is the remaining time of the resource. Waiting for a host's turn or a slot doesn't count: only the job limits
	// that.
	left time.Duration
}

// reply is an open response. Its body must be read within ctx, and leave must be called afterwards.
type reply struct {
	*http.Response
	ctx   context.Context
	leave func()
}

// follow fetches u and follows its redirects. Every hop is checked like the first. ctx ends with the job.
func (e *exchange) follow(ctx context.Context, u weburl.URL) (*Response, error) {
	var hops []Redirect
	for {
		from, err := e.origin.source(u)
		if err != nil {
			return nil, err
		}
		resp, err := e.request(ctx, from)
		if err != nil {
			return nil, e.withRefusal(ctx, from.Hostname(), explain(ctx, from.Hostname(), err))
		}
		if location := resp.Header.Get("Location"); !isRedirect(resp.StatusCode) || location == "" {
			defer resp.leave()
			return e.receive(resp, u, hops)
		}
		discard(resp)
		hops = append(hops, Redirect{u, resp.StatusCode})
		if len(hops) > e.rule.redirects {
			return nil, upstream(fmt.Sprintf("The %s redirects more than %d times.", e.rule.noun, e.rule.redirects), nil)
		}
		next, err := u.Resolve(resp.Header.Get("Location"))
		if err == nil {
			next, err = e.origin.public(next)
		}
		if err != nil {
			return nil, upstream(u.Hostname()+" redirects to an address that is not a valid web address.", err)
		}
		u = next
	}
}

// receive reads the final response.
func (e *exchange) receive(resp *reply, u weburl.URL, hops []Redirect) (*Response, error) {
	r := e.rule
	body, err := readContent(resp.ctx, resp.Response, r)
	_ = resp.Body.Close() // everything needed has been read
	switch {
	case errors.Is(err, errTooLarge):
		return nil, upstream(fmt.Sprintf("The %s is larger than %d KB.", r.noun, r.count/1000), err)
	case errors.Is(err, errEncoding):
		return nil, upstream(u.Hostname()+" sent the "+r.noun+" in an encoding other than gzip.", err)
	case err != nil:
		return nil, explain(resp.ctx, u.Hostname(), err)
	}
	resp.Header.Del("Set-Cookie")
	return &Response{
		URL: u, Status: resp.StatusCode, Header: resp.Header, ContentType: resp.Header.Get("Content-Type"),
		Body: body.body, Size: body.size, Truncated: body.truncated, Broken: body.broken, Redirects: hops,
		Sized: body.sized, stopped: body.stopped,
	}, nil
}

// retryPause is the pause before the second attempt, plus up to as much again at random.
const retryPause = 150 * time.Millisecond

// request makes a request for u, and a second one if the first couldn't connect or the response says that the fault is
// temporary. The caller must call leave of the reply.
func (e *exchange) request(ctx context.Context, u weburl.URL) (resp *reply, err error) {
	for try := 1; ; try++ {
		resp, err = e.once(ctx, u)
		if try == 2 || ctx.Err() != nil {
			return resp, err
		}
		pause := retryPause + rand.N(retryPause)
		var connect *connectError
		switch {
		case errors.As(err, &connect) && !errors.Is(err, ErrRefused):
		case err != nil:
			return nil, err
		case passes(resp.StatusCode):
			asked, _ := retryAfter(resp.Header)
			pause = max(pause, asked)
		default:
			return resp, nil
		}
		if !fits(ctx, pause) || pause > e.left/2 {
			return resp, err
		}
		if err == nil {
			discard(resp)
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		e.left -= pause
	}
}

// once makes one request when it has its turn, and records a pause that the host asks for.
func (e *exchange) once(ctx context.Context, u weburl.URL) (*reply, error) {
	d, err := e.admit(ctx, u)
	if err != nil {
		return nil, err
	}
	p, err := e.takePass(ctx, u, d)
	if err != nil {
		return nil, err
	}
	bounded, stop := e.timed(ctx)
	leave := func() {
		stop()
		p.leave()
	}
	w := &watch{}
	began := time.Now()
	resp, err := e.transport.RoundTrip(e.newRequest(w.watching(bounded), u))
	p.done(w.outcome(err, ctx.Err() == nil || time.Since(began) >= e.limits.patience()))
	if err != nil {
		leave()
		return nil, err
	}
	if resp.StatusCode < 200 {
		// After "switching protocols" the connection would be ours, without any deadline.
		_ = resp.Body.Close()
		leave()
		return nil, fmt.Errorf("final status %d", resp.StatusCode)
	}
	resp.Body = &meter{resp.Body, p.spend}
	if !d.exempt && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable) {
		if pause, ok := retryAfter(resp.Header); ok {
			e.hostLimit.rest(d, pause)
		}
	}
	return &reply{resp, bounded, leave}, nil
}

// admit checks u's host by its addresses.
func (e *exchange) admit(ctx context.Context, u weburl.URL) (destination, error) {
	ctx, stop := e.timed(ctx)
	defer stop()
	addrs, exempt, err := e.dialer.admit(ctx, u.Host(), u.Port())
	if err != nil {
		return destination{}, err
	}
	return destinationOf(u, addrs, exempt), nil
}

// timed returns ctx, limited to the remaining time of the resource. stop subtracts the time that has passed.
func (e *exchange) timed(ctx context.Context) (bounded context.Context, stop func()) {
	began := time.Now()
	bounded, cancel := context.WithTimeout(ctx, e.left)
	return bounded, func() {
		cancel()
		e.left -= time.Since(began)
	}
}

func (e *exchange) newRequest(ctx context.Context, u weburl.URL) *http.Request {
	return (&http.Request{
		Method: http.MethodGet,
		URL:    u.URL(),
		Header: http.Header{
			"User-Agent":      {e.agent},
			"Accept":          {e.rule.accept},
			"Accept-Language": {e.language},
			"Accept-Encoding": {"gzip"},
		},
	}).WithContext(ctx)
}

// discard closes a response whose body isn't needed. A short body is read, so that the connection can be reused.
func discard(resp *reply) {
	if resp.ContentLength > 0 && resp.ContentLength <= maxRedirectBody {
		_, _ = io.CopyN(io.Discard, resp.Body, resp.ContentLength) // on failure the connection isn't reused
	}
	_ = resp.Body.Close()
	resp.leave()
}

// passes reports whether a status means a temporary fault.
func passes(status int) bool {
	return slices.Contains([]int{
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, status)
}

func isRedirect(status int) bool {
	return slices.Contains([]int{301, 302, 303, 307, 308}, status)
}

// retryAfter returns the time in a Retry-After header; ok is false without a valid one.
func retryAfter(h http.Header) (d time.Duration, ok bool) {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0), true
	}
	return 0, false
}
