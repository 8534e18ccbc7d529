package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// This file counts requests: by address before anything else, by account once it is known. Source:
// docs/security.md#limits-and-quotas.

// rateExtension of an operation names its bucket. Every operation has one.
const rateExtension = "x-rate-bucket"

// extensions are all that operations may have: an unknown one would have no effect.
var extensions = []string{rateExtension, optionalExtension, bodyExtension, maintenanceExtension}

// bucket is the limit that an operation's requests count against.
type bucket string

const (
	// bucketAuth is a window per address, which password guessing would soon fill.
	bucketAuth bucket = "auth"
	// bucketPlan is the window of an account's plan, over all its keys and sessions; for anonymous callers, a window of
	// the smallest plan per address.
	bucketPlan bucket = "plan"
	// bucketPreview is a window per account.
	bucketPreview bucket = "preview"
	// bucketDesigns is a window per account, for drawing designs that are being written.
	bucketDesigns bucket = "designs"
	// bucketPublic is a window of the plan of the project's owner, per address and project.
	bucketPublic bucket = "public"
	// bucketBreaker counts only on the breaker.
	bucketBreaker bucket = "breaker"
	// bucketNone counts nothing: health checks must always be answered.
	bucketNone bucket = "none"
)

// Plans returns the limits of plans.
type Plans interface {
	// RequestsPerMinute is the size of a plan's window; that of the smallest plan for an unknown name.
	RequestsPerMinute(plan string) int64
	// OfPublic returns the project of a public ID of a project or image, and the plan of its owner, or two empty strings.
	OfPublic(ctx context.Context, publicID string) (projectID, plan string)
	// OfOwner returns the plan of an account, possibly slightly outdated, or "". It waits for the database only if
	// OfPublic hasn't found any of the account's public IDs.
	OfOwner(ctx context.Context, ownerID string) (plan string)
}

// rates counts the requests of one process.
type rates struct {
	cfg   Config
	plans Plans
	// breaker counts by address; refused counts the rejected credentials of an address.
	breaker, refused *limit.Breaker
	// The windows of each bucket have a table of their own, so that many addresses don't evict accounts.
	auth, accounts, anonymous, preview, designs, public *limit.Window
	crawlers                                            []string // in lower case
	metrics                                             *metrics
}

func newRates(cfg Config, deps Deps, m *metrics) *rates {
	cfg = cfg.withDefaults()
	breaker := deps.Breaker
	if breaker == nil {
		breaker = cfg.NewBreaker(deps.Limits)
	}
	r := &rates{
		cfg: cfg, plans: deps.Plans, breaker: breaker, metrics: m,
		refused: deps.Limits.Breaker("refused", cfg.BreakerRPM, cfg.BreakerRPM),
		auth:    deps.Limits.Window("auth"), accounts: deps.Limits.Window("accounts"),
		anonymous: deps.Limits.Window("anonymous"), preview: deps.Limits.Window("preview"),
		designs: deps.Limits.Window("designs"),
		public:  deps.Limits.Synced("public"),
	}
	for _, name := range cfg.Crawlers {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			r.crawlers = append(r.crawlers, name)
		}
	}
	return r
}

// bucketOf returns the bucket of an operation in the document.
func bucketOf(op *openapi3.Operation) (bucket, error) {
	for key := range op.Extensions {
		if !slices.Contains(extensions, key) {
			return "", fmt.Errorf("%s is unknown", key)
		}
	}
	name, _ := op.Extensions[rateExtension].(string)
	switch b := bucket(name); b {
	case bucketAuth, bucketPlan, bucketPreview, bucketDesigns, bucketPublic, bucketBreaker, bucketNone:
		return b, nil
	}
	if op.Extensions[rateExtension] == nil {
		return "", fmt.Errorf("%s is missing: every operation names its bucket", rateExtension)
	}
	return "", fmt.Errorf("%s: there is no bucket %v", rateExtension, op.Extensions[rateExtension])
}

// byAddress returns the middleware that counts the requests of a bucket before their credentials are checked.
func (r *rates) byAddress(b bucket) echo.MiddlewareFunc {
	switch b {
	case bucketNone:
		return func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	case bucketAuth:
		return r.signingIn
	case bucketPlan, bucketPreview, bucketDesigns:
		return r.guessing
	case bucketPublic:
		return func(next echo.HandlerFunc) echo.HandlerFunc { return r.broken(r.ofProject(next)) }
	}
	return r.broken
}

// unlessCounted skips count for a call whose page was already counted.
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

// byAccount returns the middleware that counts the requests of a bucket once their caller is known, or nil if the
// bucket doesn't depend on it.
func (r *rates) byAccount(b bucket) echo.MiddlewareFunc {
	switch b {
	case bucketPlan:
		return r.ofPlan
	case bucketPreview:
		return r.previews
	case bucketDesigns:
		return r.ofDesigns
	}
	return nil
}

// others counts requests that match no operation, since operations have buckets of their own: web pages, and addresses
// that don't exist. Routes in ownLimit count themselves.
func (r *rates) others(known operations, ownLimit map[string]bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		counted := r.broken(next)
		return func(c echo.Context) error {
			if known[c.Path()][c.Request().Method] != "" || ownLimit[c.Request().Method+" "+c.Path()] {
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

func (r *rates) ofDesigns(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		return r.take(c, next, r.designs, callerAt(c).UserID, r.cfg.DesignsRPM, ofAccount)
	}
}

// ofProject counts requests by address and project. Crawlers are exempt: the breaker handles clients that only pretend
// to be one.
func (r *rates) ofProject(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		// For crawlers, too, so that the plan is in memory when the picture is. See serveKept.
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
		if over, ok := c.Request().Context().Value(overLimitKey{}).(overLimit); ok { // already counted in serveKept
			setRate(c, over.result)
			return r.tooMany(over.result, over.of)
		}
		result := r.breaker.Take(callerAt(c).Network())
		setRate(c, result)
		if result.Reached {
			return r.tooMany(result, byBreaker)
		}
		return next(c)
	}
}

// guessing blocks addresses that keep sending invalid credentials. Requests with valid credentials don't count: no
// limit per address may be below a plan's.
func (r *rates) guessing(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		network := callerAt(c).Network()
		result := r.refused.Peek(network)
		setRate(c, result)
		if result.Reached {
			return r.tooMany(result, byRefusals)
		}
		err := next(c)
		if callerAt(c).Anonymous() && apperr.CodeOf(err) == apperr.Unauthorized {
			setRate(c, r.refused.Take(network))
		}
		return err
	}
}

// callerAt is the caller of a request as known so far.
func callerAt(c echo.Context) identity.Caller { return identity.CallerOf(c.Request().Context()) }

// cause is the limit that a request exceeds, as named in metrics.
type cause string

const (
	ofAddress  cause = "address"
	ofAccount  cause = "account"
	byBreaker  cause = "breaker"
	byRefusals cause = "refused credentials"
)

// take counts a request in a window, and passes it on unless it exceeds the limit.
func (r *rates) take(
	c echo.Context, next echo.HandlerFunc, w *limit.Window, key string, most int64, of cause,
) error {
	result, err := w.Take(c.Request().Context(), key, most)
	if err != nil {
		return err
	}
	setRate(c, result)
	if result.Reached {
		return r.tooMany(result, of)
	}
	return next(c)
}

func (r *rates) tooMany(result limit.Result, of cause) error {
	r.metrics.limited.WithLabelValues(string(of)).Inc()
	sentence := "Too many requests from your address. Try again after the seconds in Retry-After."
	if of == ofAccount {
		sentence = "Too many requests from your account. Try again after the seconds in Retry-After, or upgrade your plan."
	}
	return &apperr.Error{Code: apperr.RateLimited, Detail: sentence, RetryAfter: time.Until(result.Reset)}
}

// The names of the headers in net/http's canonical form, so that they need no conversion per response.
var (
	limitHeader     = http.CanonicalHeaderKey("X-RateLimit-Limit")
	remainingHeader = http.CanonicalHeaderKey("X-RateLimit-Remaining")
	resetHeader     = http.CanonicalHeaderKey("X-RateLimit-Reset")
)

// setRate sets the three headers, which are on every response of a rate-limited operation, including errors. A form's
// page gets them, too, before its response begins.
func setRate(c echo.Context, result limit.Result) {
	setRateIn(c.Response().Header(), result)
	if in := callOf(c.Request().Context()); in != nil && in.page != nil {
		setRateIn(in.page, result)
	}
}

func setRateIn(h http.Header, result limit.Result) {
	values := []string{
		strconv.FormatInt(result.Limit, 10), strconv.FormatInt(result.Remaining, 10), strconv.FormatInt(resetOf(result), 10),
	}
	h[limitHeader], h[remainingHeader], h[resetHeader] = values[0:1:1], values[1:2:2], values[2:3:3]
}

// resetOf is the end of the window in Unix seconds, rounded up, so that a client that waits for it isn't early.
func resetOf(result limit.Result) int64 {
	return result.Reset.Add(time.Second - time.Nanosecond).Unix()
}
