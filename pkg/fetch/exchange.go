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

// Response is what came back, whatever its status.
type Response struct {
	// URL is where the response came from, after all redirects.
	URL    weburl.URL
	Status int
	// Header is the final response's, without Set-Cookie. Content-Encoding and Content-Length are those of the wire.
	Header http.Header
	// ContentType is the header of that name, parameters included; "" when there was none.
	ContentType string
	// Body is decoded from gzip, and cut where the limit of its [Resource] is.
	Body []byte
	// Size is the number of decoded bytes; when Truncated, the number known. Sized says of one that the other side gave
	// it, so that it is that of the whole; else there are at least so many.
	Size  int64
	Sized bool
	// Truncated says that Body is only the beginning: it was too long or broke off. Broken says that it broke off: the
	// next request may bring all of it.
	Truncated, Broken bool
	// Redirects are the hops before URL, in order.
	Redirects []Redirect

	stopped bool // Body is a beginning that was enough
}

// Redirect is one hop: the address that was asked and the status that sent us on.
type Redirect struct {
	URL    weburl.URL
	Status int
}

// Err returns nil when the status is below 300, and else an [ErrUpstream] that names it, with the time of Retry-After.
func (r *Response) Err() error {
	if r.Status < 300 {
		return nil
	}
	status := strings.TrimSpace(strconv.Itoa(r.Status) + " " + http.StatusText(r.Status))
	e := apperr.Wrap(apperr.UpstreamFailed, r.URL.Hostname()+" answered with status "+status+".", StatusError(r.Status))
	e.RetryAfter, _ = retryAfter(r.Header)
	return e
}

// StatusError is the status of a response that is of no use, 300 or more. It is an [ErrUpstream].
type StatusError int

// Error says the status.
func (e StatusError) Error() string { return "answered with status " + strconv.Itoa(int(e)) }

// Is matches [ErrUpstream].
func (e StatusError) Is(target error) bool { return target == ErrUpstream }

// maxRedirectBody is how much of a redirect's body is read, to keep its connection.
const maxRedirectBody = 64 << 10

// exchange is the fetching of one resource, with its redirects and retries.
type exchange struct {
	*Client
	owner    string
	rule     rule
	language string
	// left is what is left of the resource's time. Waiting for a host's turn or a place takes none of it: that is bounded
	// by the job alone.
	left time.Duration
}

// reply is a response under way. ctx is what its body must be read within; leave is called when that is done.
type reply struct {
	*http.Response
	ctx   context.Context
	leave func()
}

// follow fetches u and follows its redirects, every hop of which is judged like the first. ctx ends with the job.
func (e *exchange) follow(ctx context.Context, u weburl.URL) (*Response, error) {
	var hops []Redirect
	for {
		from, err := e.origin.source(u)
		if err != nil {
			return nil, err
		}
		resp, err := e.request(ctx, from)
		if err != nil {
			return nil, e.noted(ctx, from.Hostname(), explain(ctx, from.Hostname(), err))
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
	_ = resp.Body.Close() // what was wanted has been read
	switch {
	case errors.Is(err, errTooLarge):
		return nil, upstream(fmt.Sprintf("The %s is larger than %d KB.", r.noun, r.count/1000), err)
	case errors.Is(err, errEncoding):
		return nil, upstream(u.Hostname()+" sent the "+r.noun+" in an encoding that was not asked for; only gzip is.", err)
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

// retryPause is the pause before the second try, to which up to as much again is added.
const retryPause = 150 * time.Millisecond

// request makes one request for u, and a second one when the first could not connect or the response says that the
// fault will pass. The caller calls leave of the reply.
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

// once makes one request in its turn, and notes when the host asks to be left alone.
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
		// After "switching protocols" the connection would be ours, and no deadline would bound it any more.
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

// admit judges u's host by its addresses.
func (e *exchange) admit(ctx context.Context, u weburl.URL) (destination, error) {
	ctx, stop := e.timed(ctx)
	defer stop()
	addrs, exempt, err := e.dialer.admit(ctx, u.Host(), u.Port())
	if err != nil {
		return destination{}, err
	}
	return destinationOf(u, addrs, exempt), nil
}

// timed returns ctx, bounded by what is left of the resource's time, from which stop takes what has passed.
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
			"User-Agent":      {e.userAgent},
			"Accept":          {e.rule.accept},
			"Accept-Language": {e.language},
			"Accept-Encoding": {"gzip"},
		},
	}).WithContext(ctx)
}

// discard is done with a response whose body does not matter. A short one is read, so that the connection can be used
// again.
func discard(resp *reply) {
	if resp.ContentLength > 0 && resp.ContentLength <= maxRedirectBody {
		_, _ = io.CopyN(io.Discard, resp.Body, resp.ContentLength) // if it fails, the connection is not used again
	}
	_ = resp.Body.Close()
	resp.leave()
}

// passes reports whether the fault that a status tells of may be over in a moment.
func passes(status int) bool {
	return slices.Contains([]int{
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, status)
}

func isRedirect(status int) bool {
	return slices.Contains([]int{301, 302, 303, 307, 308}, status)
}

// retryAfter returns the time that a Retry-After header asks for; ok is false when there is none that can be read.
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
