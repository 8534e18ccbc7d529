package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// RequestOption changes a request before it is sent.
type RequestOption func(*http.Request)

// Bearer sends a token or a key.
func Bearer(token string) RequestOption { return Header("Authorization", "Bearer "+token) }

// Header sets a header.
func Header(key, value string) RequestOption {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

// Get sends a GET.
func (s *Service) Get(path string, options ...RequestOption) *Response {
	s.t.Helper()
	return s.Send(http.MethodGet, path, nil, options...)
}

// Post sends a POST; see [Service.Send] for body.
func (s *Service) Post(path string, body any, options ...RequestOption) *Response {
	s.t.Helper()
	return s.Send(http.MethodPost, path, body, options...)
}

// Metrics returns what the service's monitor shows; its configuration gives that an address.
func (s *Service) Metrics() string {
	s.t.Helper()
	ask, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.App.MonitorAddr()+"/metrics", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := s.Client.Do(ask)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		s.t.Fatalf("metrics: got %d, %v: %.300s", r.StatusCode, err, text)
	}
	return string(text)
}

// Send sends a request and validates the response. body is sent as it is when it is a string, else as JSON; nil sends
// none.
func (s *Service) Send(method, path string, body any, options ...RequestOption) *Response {
	s.t.Helper()
	var content []byte
	switch v := body.(type) {
	case nil:
	case string:
		content = []byte(v)
	default:
		var err error
		if content, err = json.Marshal(v); err != nil {
			s.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.Base+path, bytes.NewReader(content))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, option := range options {
		option(r)
	}
	received, err := s.Client.Do(r)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer received.Body.Close()
	got, err := io.ReadAll(received.Body)
	if err != nil {
		s.t.Fatalf("%s %s: read the response: %v", method, path, err)
	}
	response := &Response{t: s.t, what: method + " " + path, Status: received.StatusCode, Header: received.Header, Body: got}
	s.validate(r, response)
	return response
}

// validate checks a response against the document, and what holds for every response besides.
func (s *Service) validate(r *http.Request, got *Response) {
	s.t.Helper()
	if got.Header.Get("X-Request-Id") == "" {
		s.t.Errorf("%s: no X-Request-Id", got.what)
	}
	if got.Header.Get("X-Content-Type-Options") != "nosniff" {
		s.t.Errorf("%s: no nosniff", got.what)
	}
	find := *r
	if find.Method == http.MethodHead {
		find.Method = http.MethodGet
	}
	route, params, err := s.router.FindRoute(&find)
	if err != nil {
		return // a web page, or an address that is not there
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: &find, PathParams: params, Route: route},
		Status:                 got.Status,
		Header:                 got.Header,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true, ExcludeResponseBody: r.Method == http.MethodHead,
		},
	}
	input.SetBodyBytes(got.Body)
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		s.t.Errorf("%s: status %d breaks the document: %v\n%.500q", got.what, got.Status, err, got.Body)
	}
	want, limited := route.Operation.Extensions["x-rate-bucket"] != "none", got.Header.Get("X-RateLimit-Reset") != ""
	if limited != want {
		s.t.Errorf("%s: status %d: rate headers %v, want %v", got.what, got.Status, limited, want)
	}
}

// Response is what came back.
type Response struct {
	Status int
	Header http.Header
	Body   []byte

	t    testing.TB
	what string // method and path of the request
}

// Want fails the test when the status is another.
func (r *Response) Want(status int) *Response {
	r.t.Helper()
	if r.Status != status {
		r.t.Fatalf("%s: got status %d, want %d: %.500q", r.what, r.Status, status, r.Body)
	}
	return r
}

// WantProblem fails the test when the response is no problem with the code.
func (r *Response) WantProblem(status int, code string) *Response {
	r.t.Helper()
	r.Want(status)
	if got := r.Text("code"); got != code || r.Header.Get("Content-Type") != "application/problem+json" {
		r.t.Errorf("%s: got code %q as %s, want %q as a problem", r.what, got, r.Header.Get("Content-Type"), code)
	}
	return r
}

// Value returns the member at a path such as "items.0.id"; nil when there is none.
func (r *Response) Value(path string) any {
	r.t.Helper()
	var v any
	if err := json.Unmarshal(r.Body, &v); err != nil {
		r.t.Fatalf("%s: no JSON: %v: %.500q", r.what, err, r.Body)
	}
	for part := range strings.SplitSeq(path, ".") {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(parent) {
				return nil
			}
			v = parent[i]
		default:
			return nil
		}
	}
	return v
}

// Text returns the text at a path; "" when there is none.
func (r *Response) Text(path string) string {
	r.t.Helper()
	s, _ := r.Value(path).(string)
	return s
}

// Path returns path and query of the address at a path, to be asked of the service.
func (r *Response) Path(member string) string {
	r.t.Helper()
	u, err := url.Parse(r.Text(member))
	if err != nil {
		r.t.Fatal(err)
	}
	return u.RequestURI()
}
