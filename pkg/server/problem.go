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
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// maxFields bounds how many faulty parts of one request a response names.
const maxFields = 20

// writeError answers a request with err: a browser that asks for an address at which there is nothing gets a page, and
// everything else is a problem.
func (s *Server) writeError(err error, c echo.Context) {
	if errors.Is(err, echo.ErrNotFound) && s.deps.NotFound != nil && readsPages(c.Request()) && !c.Response().Committed {
		if err = s.deps.NotFound(c); err == nil {
			return
		}
	}
	writeProblem(err, c)
}

// readsPages reports whether a request is a browser's for a page: its Accept names HTML.
func readsPages(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
}

// writeProblem answers a request with err as application/problem+json (RFC 9457). It is the only place that turns
// errors into responses, and it logs what the client is not told.
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
		h.Set(echo.HeaderWWWAuthenticate, `Bearer realm="Masthead"`) // of both kinds of credentials (RFC 6750, 3)
	}
	h.Set(echo.HeaderContentType, "application/problem+json")
	h.Set(echo.HeaderCacheControl, "no-store")
	c.Response().WriteHeader(meaning.Status)
	encoder := json.NewEncoder(c.Response())
	encoder.SetEscapeHTML(false) // a sentence is for people to read too
	if err := encoder.Encode(body); err != nil {
		slog.DebugContext(ctx, "the client left before its response", "request_id", identity.RequestIDOf(ctx), "err", err)
	}
}

// namingMethods returns the error for a method that the address does not support, and sets the Allow header where the
// router has not.
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
	return apperr.New(apperr.MethodNotAllowed, "This address supports "+and(methods)+".")
}

// allowed lists the methods of exactly this address. The router does so itself, unless the address fits the pattern
// of another operation too, as /images/generate does that of /images/{imageId}.
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

// internalDetail is what is told of a fault of ours.
const internalDetail = "Something went wrong here. Quote the request id when you ask for help."

func unavailable(detail string, retryAfter time.Duration) *apperr.Error {
	return &apperr.Error{Code: apperr.Unavailable, Detail: detail, RetryAfter: retryAfter}
}

// faultOf finds what the client is to be told about err: an error of ours, one of the framework, or one of the
// validation.
func faultOf(err error) *apperr.Error {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return fault
	}
	if db.IsUnavailable(err) {
		return unavailable("The service cannot reach its storage; try again in a moment.", 5*time.Second)
	}
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return tooLarge(over.Limit)
	}
	if errors.Is(err, context.Canceled) {
		// The client has left, or this node is shutting down: in either case no fault of ours.
		return unavailable("The request was given up; try again in a moment.", time.Second)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return unavailable("This took too long; try again in a moment.", time.Second)
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
		return apperr.New(apperr.MethodNotAllowed, "This address does not support this method.") // named by writeProblem
	case http.StatusRequestEntityTooLarge:
		return tooLarge(maxBodyBytes)
	case http.StatusUnsupportedMediaType:
		return apperr.New(apperr.UnsupportedMediaType, bodyNotJSON)
	case http.StatusBadRequest:
		return apperr.New(apperr.BadRequest, "The request is not valid.")
	}
	return apperr.New(apperr.OfStatus(framework.Code), internalDetail)
}

// validationFault reads the errors of the request validation. It returns nil when err is none of
// the validation.
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

// flatten returns the single errors of a MultiError, at most a few hundred.
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
