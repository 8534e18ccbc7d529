package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/tracing"
	"masthead/pkg/wire"
)

// maxFields is the maximum number of invalid parts that a response lists.
const maxFields = 20

// writeError answers a request with err: a browser gets a page for an address that doesn't exist, or that it opened to
// sign in; everything else is a problem.
func (s *Server) writeError(err error, c echo.Context) {
	if errors.Is(err, echo.ErrNotFound) && s.deps.NotFound != nil && readsPages(c.Request()) && !c.Response().Committed {
		if err = s.SessionOrNone(s.deps.NotFound)(c); err == nil {
			return
		}
	}
	if s.deps.Refused != nil && readsPages(c.Request()) && !c.Response().Committed {
		answered, failed := s.deps.Refused(c, faultOf(err))
		if answered && failed == nil {
			return
		}
		err = errors.Join(err, failed)
	}
	if !c.Response().Committed {
		s.metrics.errors.WithLabelValues(string(faultOf(err).Code)).Inc()
	}
	writeProblem(err, c)
}

// readsPages reports whether a browser requests a page: its Accept contains HTML.
func readsPages(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
}

// writeProblem answers a request with err as application/problem+json (RFC 9457). All errors become responses here, and
// what clients must not see is logged here.
func writeProblem(err error, c echo.Context) {
	ctx := c.Request().Context()
	if c.Response().Committed {
		slog.ErrorContext(ctx, "request failed after its response began", "request_id", identity.RequestIDOf(ctx), "err", err)
		return
	}
	fault := faultOf(err)
	if fault.Code == apperr.MethodNotAllowed {
		fault = namingMethods(c)
	}
	meaning := fault.Code.Meaning()
	if meaning.Status >= 500 && !errors.Is(err, context.Canceled) && callOf(ctx) == nil { // a call returns its error
		level := slog.LevelError
		if fault.Code == apperr.UpstreamFailed {
			level = slog.LevelWarn // a fault of the page, not of ours
		}
		slog.Log(ctx, level, "request failed",
			"request_id", identity.RequestIDOf(ctx), "code", string(fault.Code), "err", err)
	}
	body := gen.Problem{
		Type: "about:blank", Title: meaning.Title, Status: meaning.Status, Detail: fault.Detail,
		Code: gen.ErrorCode(fault.Code), RequestId: identity.RequestIDOf(ctx), ExistingId: wire.UUIDOrNull(fault.ExistingID),
	}
	if id := tracing.ID(ctx); id != "" {
		body.TraceId = &id
	}
	if len(fault.Fields) > 0 {
		fields := make([]gen.FieldError, len(fault.Fields))
		for i, f := range fault.Fields {
			fields[i].Pointer, fields[i].Detail = f.Pointer, f.Detail
		}
		body.Errors = &fields
	}
	h := c.Response().Header()
	if fault.Code == apperr.RateLimited || fault.Code == apperr.Unavailable || fault.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(fault.RetryAfter.Seconds())))))
	}
	if fault.Code == apperr.Unauthorized {
		h.Set(echo.HeaderWWWAuthenticate, `Bearer realm="Masthead"`) // for both kinds of credentials (RFC 6750, 3)
	}
	h.Set(echo.HeaderContentType, "application/problem+json")
	h.Set(echo.HeaderCacheControl, "no-store")
	c.Response().WriteHeader(meaning.Status)
	encoder := json.NewEncoder(c.Response())
	encoder.SetEscapeHTML(false) // messages are also for people
	if err := encoder.Encode(body); err != nil {
		slog.DebugContext(ctx, "the client left before its response", "request_id", identity.RequestIDOf(ctx), "err", err)
	}
}

// namingMethods returns the error for a method that the address doesn't support, and sets the Allow header if the
// router hasn't.
func namingMethods(c echo.Context) *apperr.Error {
	h := c.Response().Header()
	if h.Get(echo.HeaderAllow) == "" {
		h.Set(echo.HeaderAllow, allowed(c))
	}
	h.Set(echo.HeaderAllow, withHead(h.Get(echo.HeaderAllow)))
	methods := strings.Split(h.Get(echo.HeaderAllow), ", ")
	methods = slices.DeleteFunc(methods, func(m string) bool { return m == http.MethodOptions })
	if len(methods) == 0 {
		return apperr.New(apperr.MethodNotAllowed, "This address supports OPTIONS only.")
	}
	return apperr.New(apperr.MethodNotAllowed, "This address supports "+humanize.And(methods)+".")
}

// allowed lists the methods of exactly this address. The router does so itself, unless the address also matches the
// pattern of another operation, as /images/generate matches /images/{imageId}.
func allowed(c echo.Context) string {
	methods := []string{http.MethodOptions}
	for _, r := range c.Echo().Routes() {
		if r.Path == c.Request().URL.Path {
			methods = append(methods, r.Method)
		}
	}
	slices.Sort(methods)
	return strings.Join(slices.Compact(methods), ", ")
}

// internalDetail is the message of internal errors.
const internalDetail = "Something went wrong here. Quote the request id when you ask for help."

func unavailable(detail string, retryAfter time.Duration) *apperr.Error {
	return &apperr.Error{Code: apperr.Unavailable, Detail: detail, RetryAfter: retryAfter}
}

// faultOf converts err to what the client sees: an error of ours, one of the framework, or one of the validation.
func faultOf(err error) *apperr.Error {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return fault
	}
	if db.IsUnavailable(err) {
		return unavailable("The service cannot reach its storage. Try again in a moment.", 5*time.Second)
	}
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return tooLarge(over.Limit)
	}
	if errors.Is(err, context.Canceled) {
		// The client has left, or this node is shutting down: neither is a fault of ours.
		return unavailable("The request was canceled. Try again in a moment.", time.Second)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return unavailable("The request took too long. Try again in a moment.", time.Second)
	}
	var framework *echo.HTTPError
	if !errors.As(err, &framework) {
		return apperr.New(apperr.Internal, internalDetail)
	}
	if framework.Internal != nil {
		if fault := validationFault(framework.Internal); fault != nil {
			return fault
		}
	}
	switch framework.Code {
	case http.StatusNotFound:
		return apperr.New(apperr.NotFound, "There is nothing at this address. /swagger lists what there is.")
	case http.StatusMethodNotAllowed:
		// writeProblem adds the methods.
		return apperr.New(apperr.MethodNotAllowed, "This address does not support this method.")
	case http.StatusRequestEntityTooLarge:
		return tooLarge(maxBodyBytes)
	case http.StatusUnsupportedMediaType:
		return apperr.New(apperr.UnsupportedMediaType, bodyNotJSON)
	case http.StatusBadRequest:
		return apperr.New(apperr.BadRequest, "The request is not valid.")
	}
	return apperr.New(apperr.OfStatus(framework.Code), internalDetail)
}

// validationFault converts the errors of the request validation. It returns nil if err isn't one.
func validationFault(err error) *apperr.Error {
	var fields []apperr.Field
	for _, e := range flatten(err) {
		fields = append(fields, fieldsOf(e)...)
	}
	if len(fields) == 0 {
		return nil
	}
	slices.SortStableFunc(fields, func(a, b apperr.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
	fields = slices.Compact(fields)
	if len(fields) > maxFields {
		fields = fields[:maxFields]
	}
	return apperr.InvalidFields(fields)
}

// flatten returns the individual errors of a MultiError, at most a few hundred.
func flatten(err error) []error {
	many, ok := err.(openapi3.MultiError) //nolint:errorlint // its As method matches any error inside
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range many {
		if all = append(all, flatten(e)...); len(all) > 200 {
			break
		}
	}
	return all
}
