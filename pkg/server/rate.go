package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// This file counts requests: by address before anything is asked of them, by account once it is known whose they are.
// Source: the service's decisions, "Rate limits and quotas", and security requirements, "Limits and quotas".

// rateExtension of an operation names its bucket. Every operation has one. Of other extensions only optionalExtension
// and bodyExtension are known: another one would ask for something that nobody does.
const rateExtension = "x-rate-bucket"

// bucket is what an operation's requests are counted in.
type bucket string

const (
	// bucketAuth is a window for each address, which those who guess passwords would soon fill.
	bucketAuth bucket = "auth"
	// bucketPlan is the window of an account's plan, over all its keys and sessions; for a caller without one, a window
	// of the least plan for each address.
	bucketPlan bucket = "plan"
	// bucketPreview is a window for each account.
	bucketPreview bucket = "preview"
	// bucketPublic is, for each address and project, a window of the plan of the project's owner.
	bucketPublic bucket = "public"
	// bucketBreaker counts on the breaker alone.
	bucketBreaker bucket = "breaker"
	// bucketNone counts nothing: what supervisors ask must be answered.
	bucketNone bucket = "none"
)

// Plans tells what the plans allow.
type Plans interface {
	// RequestsPerMinute is what the window of a plan holds; that of the least plan for a name that there is not.
	RequestsPerMinute(plan string) int64
	// OfPublic returns the project that a public id is of, or is one of its images', and the plan of its owner; two empty
	// texts where there is none.
	OfPublic(ctx context.Context, publicID string) (projectID, plan string)
	// OfOwner returns the plan of an account as it was lately; "" where there is none. It waits for the database only when
	// OfPublic has found none of the account's public ids.
	OfOwner(ctx context.Context, ownerID string) (plan string)
}

// rates counts the requests of one process.
type rates struct {
	cfg   Config
	plans Plans
	// breaker is of addresses; refused counts the requests of an address whose credentials were refused.
	breaker, refused *limit.Breaker
	// The windows of each bucket have a table of their own, so that nobody's addresses push accounts out.
	auth, accounts, anonymous, preview, public *limit.Window
	crawlers                                   []string // in lower case
	metrics                                    *metrics
}

func newRates(cfg Config, deps Deps, m *metrics) *rates {
	cfg = cfg.withDefaults()
	breaker := deps.Breaker
	if breaker == nil {
		breaker = cfg.NewBreaker()
	}
	r := &rates{
		cfg: cfg, plans: deps.Plans, breaker: breaker, metrics: m,
		refused: limit.NewBreaker(cfg.BreakerRPM, cfg.BreakerRPM),
		auth:    limit.NewWindow(), accounts: limit.NewWindow(), anonymous: limit.NewWindow(),
		preview: limit.NewWindow(), public: limit.NewWindow(),
	}
	for _, name := range cfg.Crawlers {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			r.crawlers = append(r.crawlers, name)
		}
	}
	return r
}

// bucketOf returns the bucket that the document names for an operation.
func bucketOf(op *openapi3.Operation) (bucket, error) {
	for key := range op.Extensions {
		if key != rateExtension && key != optionalExtension && key != bodyExtension {
			return "", fmt.Errorf("%s is not known", key)
		}
	}
	name, _ := op.Extensions[rateExtension].(string)
	switch b := bucket(name); b {
	case bucketAuth, bucketPlan, bucketPreview, bucketPublic, bucketBreaker, bucketNone:
		return b, nil
	}
	if op.Extensions[rateExtension] == nil {
		return "", fmt.Errorf("%s is missing: every operation names its bucket", rateExtension)
	}
	return "", fmt.Errorf("%s: there is no bucket %v", rateExtension, op.Extensions[rateExtension])
}

// byAddress returns what counts the requests of a bucket before anybody looks at their credentials.
func (r *rates) byAddress(b bucket) echo.MiddlewareFunc {
	switch b {
	case bucketNone:
		return func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	case bucketAuth:
		return r.signingIn
	case bucketPlan, bucketPreview:
		return r.guessing
	case bucketPublic:
		return func(next echo.HandlerFunc) echo.HandlerFunc { return r.broken(r.ofProject(next)) }
	}
	return r.broken
}

// unlessCounted leaves count out for a call whose page was counted already.
func unlessCounted(b bucket, count echo.MiddlewareFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		counted := count(next)
		return func(c echo.Context) error {
			if in := callOf(c.Request().Context()); in != nil && !in.counts(b) {
				return next(c)
			}
			return counted(c)
		}
	}
}

// byAccount returns what counts the requests of a bucket once it is known whose they are; nil where it does not matter.
func (r *rates) byAccount(b bucket) echo.MiddlewareFunc {
	switch b {
	case bucketPlan:
		return r.ofPlan
	case bucketPreview:
		return r.previews
	}
	return nil
}

// others counts what is none of the operations, which have buckets of their own: web pages, and addresses at which
// there is nothing.
func (r *rates) others(known operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		counted := r.broken(next)
		return func(c echo.Context) error {
			if known[c.Path()][c.Request().Method] != "" {
				return next(c)
			}
			return counted(c)
		}
	}
}

// signingIn counts requests by address.
func (r *rates) signingIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		return r.take(c, next, r.auth, callerAt(c).Network(), r.cfg.AuthRPM, ofAddress)
	}
}

// ofPlan counts requests by account.
func (r *rates) ofPlan(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		caller := callerAt(c)
		most := r.plans.RequestsPerMinute(caller.Plan)
		if caller.Anonymous() {
			return r.take(c, next, r.anonymous, caller.Network(), most, ofAddress)
		}
		return r.take(c, next, r.accounts, caller.UserID, most, ofAccount)
	}
}

func (r *rates) previews(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		return r.take(c, next, r.preview, callerAt(c).UserID, r.cfg.PreviewRPM, ofAccount)
	}
}

// ofProject counts requests by address and project. A crawler passes: that it may only say that it is one is what the
// breaker is for.
func (r *rates) ofProject(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		// For crawlers too, so that the plan is in memory when the picture is. See serveKept.
		project, plan := r.plans.OfPublic(c.Request().Context(), publicIDOf(c))
		if r.isCrawler(c.Request().UserAgent()) {
			return next(c)
		}
		return r.take(c, next, r.public, callerAt(c).Network()+" "+project, r.plans.RequestsPerMinute(plan), ofAddress)
	}
}

func (r *rates) isCrawler(agent string) bool {
	agent = strings.ToLower(agent)
	for _, name := range r.crawlers {
		if strings.Contains(agent, name) {
			return true
		}
	}
	return false
}

// broken counts requests by address on the breaker.
func (r *rates) broken(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if refused, ok := c.Request().Context().Value(refusedKey{}).(refused); ok { // it was counted in serveKept
			setRate(c, refused.told)
			return r.tooMany(refused.told, refused.of)
		}
		told := r.breaker.Take(callerAt(c).Network())
		setRate(c, told)
		if told.Reached {
			return r.tooMany(told, byBreaker)
		}
		return next(c)
	}
}

// guessing refuses addresses that go on sending credentials which are not good. Requests whose credentials are good do
// not count: no limit of an address may be below a plan.
func (r *rates) guessing(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		network := callerAt(c).Network()
		told := r.refused.Peek(network)
		setRate(c, told)
		if told.Reached {
			return r.tooMany(told, byRefusals)
		}
		err := next(c)
		if callerAt(c).Anonymous() && apperr.CodeOf(err) == apperr.Unauthorized {
			setRate(c, r.refused.Take(network))
		}
		return err
	}
}

// callerAt is the caller of a request as it is known by now.
func callerAt(c echo.Context) identity.Caller { return identity.CallerOf(c.Request().Context()) }

// cause is what refuses a request for its rate, as metrics name it.
type cause string

const (
	ofAddress  cause = "address"
	ofAccount  cause = "account"
	byBreaker  cause = "breaker"
	byRefusals cause = "refused credentials"
)

// take counts a request in a window, and lets it through unless it is one too many.
func (r *rates) take(
	c echo.Context, next echo.HandlerFunc, w *limit.Window, key string, most int64, of cause,
) error {
	told, err := w.Take(c.Request().Context(), key, most)
	if err != nil {
		return err
	}
	setRate(c, told)
	if told.Reached {
		return r.tooMany(told, of)
	}
	return next(c)
}

func (r *rates) tooMany(told limit.Result, of cause) error {
	r.metrics.limited.WithLabelValues(string(of)).Inc()
	sentence := "Too many requests from your address; try again after the seconds in Retry-After."
	if of == ofAccount {
		sentence = "Too many requests of your account; try again after the seconds in Retry-After, or ask for a larger plan."
	}
	return &apperr.Error{Code: apperr.RateLimited, Detail: sentence, RetryAfter: time.Until(told.Reset)}
}

// The names of the headers as net/http spells them, which spares it to find that out for each response.
var (
	limitHeader     = http.CanonicalHeaderKey("X-RateLimit-Limit")
	remainingHeader = http.CanonicalHeaderKey("X-RateLimit-Remaining")
	resetHeader     = http.CanonicalHeaderKey("X-RateLimit-Reset")
)

// setRate writes the three headers, which stand on every response of an operation that is limited, errors included. A
// form's page gets them too, before it begins its response.
func setRate(c echo.Context, told limit.Result) {
	setRateIn(c.Response().Header(), told)
	if in := callOf(c.Request().Context()); in != nil && in.page != nil {
		setRateIn(in.page, told)
	}
}

func setRateIn(h http.Header, told limit.Result) {
	values := []string{
		strconv.FormatInt(told.Limit, 10), strconv.FormatInt(told.Remaining, 10), strconv.FormatInt(resetOf(told), 10),
	}
	h[limitHeader], h[remainingHeader], h[resetHeader] = values[0:1:1], values[1:2:2], values[2:3:3]
}

// resetOf is the end of the window in Unix seconds, rounded up: a client that waits for it comes after the end.
func resetOf(told limit.Result) int64 {
	return told.Reset.Add(time.Second - time.Nanosecond).Unix()
}
