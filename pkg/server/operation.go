package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/tracing"
)

// This file runs operations of the document in-process, through the same routes and middleware as requests.

// Operation is an operation of the document that the program itself runs. A call passes everything that precedes the
// operation on the wire: its security, the limits and the validation of its input, its rate limit, Idempotency-Key. The
// caller is the one in the context.
type Operation struct {
	server           *Server
	id, method, path string
}

// Input is the content of a request for an operation.
type Input struct {
	// Path has the parameters of the path by name, unescaped.
	Path  map[string]string
	Query url.Values
	// Header has the parameters in headers, such as Idempotency-Key.
	Header http.Header
	// Body is sent as JSON: a []byte or json.RawMessage unchanged, any other value encoded. An io.Reader has raw bytes,
	// for operations that take them, with their Content-Type in Header. nil sends no body.
	Body any
	// ProjectID lets a signed-in caller act for one of their projects, as an API key of that project would: operations
	// that take keys accept the call, and refuse other projects. It has no effect for callers with a key.
	ProjectID string
}

// Output is the response of an operation that succeeded.
type Output struct {
	Status int
	Header http.Header
	Body   []byte
}

// Decode parses the JSON body into a value of its type in gen.
func (o *Output) Decode(into any) error {
	if err := json.Unmarshal(o.Body, into); err != nil {
		return fmt.Errorf("read the response of an operation: %w", err)
	}
	return nil
}

// Operation returns the document's operation with an ID. It panics at startup if there is none.
func (s *Server) Operation(id string) *Operation {
	for route, methods := range s.operations {
		for method, known := range methods {
			if known == id && !strings.HasPrefix(route, "/api/") {
				return &Operation{server: s, id: id, method: method, path: route}
			}
		}
	}
	panic("server: there is no operation " + id)
}

// Session puts the caller of a page into its context, from the cookie or a bearer token. A caller without a session, or
// with an expired cookie, is anonymous.
func (s *Server) Session(next echo.HandlerFunc) echo.HandlerFunc { return s.optionalSession(next) }

// SessionOrNone is [Server.Session] for a page that everyone may see: a session that can't be read, because the
// database is away, counts as none.
func (s *Server) SessionOrNone(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		caller, err := s.optionalCaller(c)
		if err != nil {
			caller = callerAt(c)
		}
		c.SetRequest(c.Request().WithContext(identity.WithCaller(c.Request().Context(), caller)))
		return next(c)
	}
}

// Run runs the operation for the caller in ctx, for agents and batches. Like a request, it counts against the
// operation's rate limit and has its own time for the database.
//
// A response of 400 or above is returned as an error: an *apperr.Error with the response's content, or the original
// error for an internal one.
func (o *Operation) Run(ctx context.Context, in Input) (*Output, error) {
	return o.run(db.ForRequest(ctx), in, &call{projectID: in.ProjectID})
}

// Form is like [Operation.Run] for a form sent by one of our pages: it rejects forms from elsewhere, and gives the
// page's response the headers of the rate limit and the operation's cookies. A form counts once, even if its page runs
// the operation again.
func (o *Operation) Form(page echo.Context, in Input) (*Output, error) {
	if err := o.server.FromHere(page); err != nil {
		return nil, err
	}
	h, by := page.Response().Header(), aForm
	if again := "ran " + o.id; page.Get(again) == nil {
		page.Set(again, true)
	} else {
		by = aPage
	}
	out, err := o.run(page.Request().Context(), in, &call{from: by, page: h, projectID: in.ProjectID})
	if err != nil {
		return nil, err
	}
	for _, cookie := range out.Header.Values(echo.HeaderSetCookie) {
		h.Add(echo.HeaderSetCookie, cookie)
	}
	return out, nil
}

// Read is like [Operation.Run] for a page that shows the response of a GET operation. Only the page counts, on the
// breaker, as every page does.
func (o *Operation) Read(page echo.Context, in Input) (*Output, error) {
	if o.method != http.MethodGet {
		return nil, o.notRead()
	}
	return o.run(page.Request().Context(), in, &call{from: aPage, projectID: in.ProjectID})
}

func (o *Operation) notRead() error { return fmt.Errorf("read by %s: it is a %s", o.id, o.method) }

// run sends the request through the inner routes.
func (o *Operation) run(ctx context.Context, in Input, c *call) (out *Output, err error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, callKey{}, c), requestTime)
	defer cancel()
	if identity.RequestIDOf(ctx) == "" {
		ctx = identity.WithRequestID(ctx, uuid.Must(uuid.NewV7()).String())
	}
	ctx, span := tracing.Start(ctx, "operation "+o.id)
	defer func() { span.End(err) }()
	r, err := o.request(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", o.id, err)
	}
	held := &heldResponse{ResponseWriter: headers{}}
	o.server.inner.ServeHTTP(held, r)
	switch {
	case c.err != nil:
		return nil, explained(c.err)
	case held.status == 0 && !c.taken:
		return nil, fmt.Errorf("run %s: it gave no response", o.id)
	case held.status >= http.StatusBadRequest:
		return nil, faultIn(held)
	}
	return &Output{Status: held.status, Header: held.Header(), Body: held.body.Bytes()}, nil
}

// request creates the request that in describes.
func (o *Operation) request(ctx context.Context, in Input) (*http.Request, error) {
	path := parameter.ReplaceAllStringFunc(o.path, func(name string) string { return url.PathEscape(in.Path[name[1:]]) })
	if len(in.Query) > 0 {
		path += "?" + in.Query.Encode()
	}
	var body io.Reader
	asJSON := false
	switch value := in.Body.(type) {
	case nil:
	case io.Reader:
		body = value
	case []byte:
		body, asJSON = bytes.NewReader(value), true
	default:
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("encode the body: %w", err)
		}
		body, asJSON = bytes.NewReader(encoded), true
	}
	u, err := url.Parse(path)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	// Created without http.NewRequest, since only package fetch may make requests that could be sent.
	r := (&http.Request{
		Method: o.method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: http.NoBody,
	}).WithContext(ctx)
	if body != nil {
		r.Body, r.ContentLength = io.NopCloser(body), -1
		if known, ok := body.(interface{ Len() int }); ok {
			r.ContentLength = int64(known.Len())
		}
	}
	for name, values := range in.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	if asJSON {
		r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	}
	return r, nil
}

// headers are the head of a response that stays in memory.
type headers http.Header

// Header implements [http.ResponseWriter].
func (h headers) Header() http.Header { return http.Header(h) }

// Write implements [http.ResponseWriter].
func (headers) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements [http.ResponseWriter].
func (headers) WriteHeader(int) {}

// explained returns the error of an operation as an *apperr.Error with its cause. Internal errors are unchanged.
func explained(err error) error {
	var already *apperr.Error
	if errors.As(err, &already) {
		return err
	}
	fault := faultOf(err)
	if fault.Code == apperr.Internal {
		return err
	}
	wrapped := apperr.Wrap(fault.Code, fault.Detail, err)
	wrapped.Fields, wrapped.RetryAfter, wrapped.ExistingID = fault.Fields, fault.RetryAfter, fault.ExistingID
	return wrapped
}

// faultIn reads the problem of a response stored for an Idempotency-Key, whose error isn't available.
func faultIn(held *heldResponse) error {
	var problem gen.Problem
	if err := json.Unmarshal(held.body.Bytes(), &problem); err != nil {
		return fmt.Errorf("read the problem of an operation, status %d: %w", held.status, err)
	}
	fault := apperr.New(apperr.Code(problem.Code), problem.Detail)
	if problem.Errors != nil {
		for _, f := range *problem.Errors {
			fault.Fields = append(fault.Fields, apperr.Field{Pointer: f.Pointer, Detail: f.Detail})
		}
	}
	if seconds, err := strconv.Atoi(held.Header().Get("Retry-After")); err == nil {
		fault.RetryAfter = time.Duration(seconds) * time.Second
	}
	if problem.ExistingId != nil {
		fault.ExistingID = problem.ExistingId.String()
	}
	return fault
}

// from is the kind of in-process caller.
type from int

const (
	anAgent from = iota // counts like a request
	aForm
	aPage
)

// call is an operation run in-process. It is in the context of its request.
type call struct {
	from      from
	projectID string
	page      http.Header // of the page's response for a form; otherwise nil
	err       error       // the operation's error
	// into is where the response is to be put as it is, or nil; taken means that it is there.
	into  any
	taken bool
}

type callKey struct{}

// callOf returns the call of a request, or nil for one from the wire.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// counts reports whether a call counts in a bucket. A page's request has already been counted on the breaker.
func (in *call) counts(b bucket) bool {
	return in.from == anAgent || in.from == aForm && b != bucketBreaker
}

// caller returns the caller of an operation with these security requirements: the page's caller, if one of the
// requirements accepts that credential.
func (in *call) caller(who identity.Caller, requirements openapi3.SecurityRequirements) (identity.Caller, error) {
	byKey := who.Via == identity.Key || who.Via == identity.Project
	for _, requirement := range requirements {
		_, takesKey := requirement[schemeKey]
		_, takesSession := requirement[schemeBearer]
		switch {
		case who.Anonymous():
		case takesKey && byKey, takesSession && !byKey && in.projectID == "":
			return who, nil
		case takesKey && in.projectID != "":
			return identity.Caller{
				UserID: who.UserID, KeyProjectID: in.projectID, Plan: who.Plan, Via: identity.Project, Address: who.Address,
			}, nil
		}
	}
	if who.Anonymous() {
		return identity.Caller{}, apperr.New(apperr.Unauthorized, "Sign in first.")
	}
	if byKey || in.projectID != "" {
		return identity.Caller{}, apperr.New(apperr.Unauthorized, "This operation needs a session, not an API key.")
	}
	return identity.Caller{}, apperr.New(apperr.Unauthorized, "This operation needs an API key, or one of your projects.")
}

// forgetCaller removes the caller from a call of an operation that ignores credentials: only the address stays.
func forgetCaller(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		if callOf(ctx) != nil {
			known := identity.CallerOf(ctx)
			anonymous := identity.Caller{Address: known.Address, Agent: known.Agent}
			c.SetRequest(c.Request().WithContext(identity.WithCaller(ctx, anonymous)))
		}
		return next(c)
	}
}

// newInner returns the routes of the operations for in-process calls. It omits what a connection needs, such as
// compression, the request's ID and its log line.
func newInner() *echo.Echo {
	inner := echo.New()
	inner.HTTPErrorHandler = func(err error, c echo.Context) {
		callOf(c.Request().Context()).err = err
		writeProblem(err, c) // for its status, which determines whether the response is stored for an Idempotency-Key
	}
	inner.Use(recoverPanics)
	return inner
}
