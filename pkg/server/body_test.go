package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
)

func TestCheckJSON_onlyOnePlainValuePasses(t *testing.T) {
	for body, good := range map[string]bool{
		`{}`: true, ` [1, {"a": null}, "x"] `: true, `"text"`: true, `1`: true,
		`{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}`:      true,
		strings.Repeat("[", 32) + strings.Repeat("]", 32): true,
		``: false, `{`: false, `{} {}`: false, `{}x`: false, `{"a": 1, "a": 2}`: false,
		`{"a": 1, "\u0061": 2}`: false, `[1,]`: false,
		strings.Repeat("[", 33) + strings.Repeat("]", 33): false, `{"a" 1}`: false, "\ufeff{}": false,
		"\"\xff\"": false, "{\"\xc3\x28\": 1}": false, "\"\xed\xa0\x80\"": false, "\"\xc0\xaf\"": false, `"ä😀"`: true,
	} {
		err := checkJSON([]byte(body))
		if (err == nil) != good || (err != nil && apperr.CodeOf(err) != apperr.BadRequest) {
			t.Errorf("%.40q: got %v, want good %v", body, err, good)
		}
	}
}

// FuzzCheckJSON holds that what passes is JSON, whatever it is.
func FuzzCheckJSON(f *testing.F) {
	f.Add(`{"url": "https://example.com/", "style": {"dark": true}, "list": [1, 2.5, null]}`)
	f.Add(`[[[[{"a":{}}]]]]`)
	f.Add(`{"a":1}{`)
	f.Add("{\n\"a\": \"\xff")
	f.Add("{\"a\": tru\u2028}")
	f.Fuzz(func(t *testing.T, body string) {
		err := checkJSON([]byte(body))
		switch {
		case err == nil && !json.Valid([]byte(body)):
			t.Errorf("%q passed", body)
		case err != nil && apperr.CodeOf(err) != apperr.BadRequest:
			t.Errorf("%q: %v", body, err)
		}
	})
}

// rawDocument describes one operation that takes bytes as they are.
const rawDocument = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/hook": {"post": {
	"operationId": "hook", "security": [], "x-rate-bucket": "none", "x-max-body-bytes": 2048,
	"parameters": [{"name": "kind", "in": "query", "schema": {"type": "integer"}}],
	"requestBody": {"required": true, "content": {
		"application/json": {"schema": {"type": "object"}}, "image/*": {"schema": {"type": "string", "format": "binary"}}}},
	"responses": {"204": {"description": "d"}}}}}}`

// rawServer serves the operation of a document like rawDocument: it keeps what it reads in got.
func rawServer(t *testing.T, document string, got *string) (*Server, error) {
	t.Helper()
	parsed, err := openapi3.NewLoader().LoadFromData([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(Config{Addr: "127.0.0.1:0", AuthRPM: 20}, Deps{API: anAPI{}}, parsed)
	if err != nil {
		return nil, err
	}
	chains, err := s.chains(parsed)
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []*echo.Echo{s.echo, s.inner} {
		on.POST("/hook", func(c echo.Context) error {
			body, err := io.ReadAll(c.Request().Body)
			if *got = string(body); err != nil {
				return err
			}
			return c.NoContent(http.StatusNoContent)
		}, chains["hook"]...)
	}
	return s, nil
}

func TestRawBody_bytesArriveAsTheyWereSent(t *testing.T) {
	var got string
	s, err := rawServer(t, rawDocument, &got)
	if err != nil {
		t.Fatal(err)
	}
	const signed = "{ \"a\" : 1,\r\n\t\"a\":2,}\n" // no good JSON: nothing may parse it
	for name, c := range map[string]struct {
		kind, query, body string
		chunked           bool // without a Content-Length
		want              int
	}{
		"signed JSON":          {kind: "application/json; charset=utf-8", body: signed, want: 204},
		"a picture":            {kind: "image/png", body: "\x89PNG\x00\xff", want: 204},
		"as much as it may":    {kind: "image/png", body: strings.Repeat("x", 2048), want: 204},
		"in chunks":            {kind: "image/png", body: strings.Repeat("x", 2048), chunked: true, want: 204},
		"too much":             {kind: "image/png", body: strings.Repeat("x", 2049), want: 413},
		"too much in chunks":   {kind: "image/png", body: strings.Repeat("x", 2049), chunked: true, want: 413},
		"another type":         {kind: "text/plain", body: "x", want: 415},
		"no type":              {body: "x", want: 415},
		"nothing":              {kind: "image/png", want: 400},
		"a parameter is wrong": {kind: "image/png", query: "?kind=x", body: "x", want: 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/hook"+c.query, strings.NewReader(c.body))
			if c.chunked {
				r.ContentLength = -1
			}
			if c.kind != "" {
				r.Header.Set("Content-Type", c.kind)
			}
			got = ""
			answer := httptest.NewRecorder()
			s.ServeHTTP(answer, r)
			if answer.Code != c.want || c.want == 204 && got != c.body {
				t.Errorf("got %d %s and the bytes %q, want %d", answer.Code, answer.Body, got, c.want)
			}
			if c.want == 413 && !strings.Contains(answer.Body.String(), "larger than 2 KiB") {
				t.Errorf("got %s, want the limit named", answer.Body)
			}
		})
	}
	in := Input{Body: strings.NewReader(signed), Header: http.Header{"Content-Type": {"application/json"}}}
	if out, err := s.Operation("hook").Run(t.Context(), in); err != nil || out.Status != 204 || got != signed {
		t.Errorf("in-process: got %v %v and the bytes %q", out, err, got)
	}
	in.Body = io.LimitReader(strings.NewReader(strings.Repeat("x", 4096)), 4096) // of unknown length
	if _, err := s.Operation("hook").Run(t.Context(), in); apperr.CodeOf(err) != apperr.PayloadTooLarge {
		t.Errorf("in-process: got %v, want PAYLOAD_TOO_LARGE", err)
	}
}

func TestRawBody_documentThatBoundsNothingIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no limit":    {`"x-max-body-bytes": 2048,`, ``, "image/*: a body that is not JSON needs its limit"},
		"no number":   {`2048`, `"2 KiB"`, "must be a number of bytes, not 2 KiB"},
		"no bytes":    {`2048`, `0`, "must be a number of bytes, not 0"},
		"half a byte": {`2048`, `0.5`, "must be a number of bytes, not 0.5"},
		"idempotency": {`"parameters": [`, `"parameters": [{"name": "Idempotency-Key", "in": "header",
			"schema": {"type": "string"}},`, "Idempotency-Key"},
		"no body": {`"requestBody"`, `"x-body"`, "x-max-body-bytes is for operations with a body"},
	} {
		var got string
		changed := strings.Replace(rawDocument, c.old, c.new, 1)
		if name == "no body" {
			changed = strings.Replace(changed, `"x-body": {"required": true, "content": {
		"application/json": {"schema": {"type": "object"}}, "image/*": {"schema": {"type": "string", "format": "binary"}}}},`, "", 1)
		}
		if _, err := rawServer(t, changed, &got); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}

// TestLargeBody_fewAtATime sends JSON above the usual limit to an operation with a limit of its own, also while others
// hold the slots for it.
func TestLargeBody_fewAtATime(t *testing.T) {
	document := strings.Replace(rawDocument, `, "image/*": {"schema": {"type": "string", "format": "binary"}}`, "", 1)
	document = strings.Replace(document, "2048", "200000", 1)
	var got string
	s, err := rawServer(t, document, &got)
	if err != nil {
		t.Fatal(err)
	}
	send := func(body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		return answer
	}
	large := `{"a": "` + strings.Repeat("x", 150_000) + `"}`
	if answer := send(large); answer.Code != 204 || got != large {
		t.Errorf("got %d %s, want the body accepted", answer.Code, answer.Body)
	}
	if answer := send(`{"a": 1, "a": 2}`); answer.Code != 400 {
		t.Errorf("got %d for JSON with a duplicate member, want 400", answer.Code)
	}
	if answer := send(`{"a": "` + strings.Repeat("x", 200_000) + `"}`); answer.Code != 413 {
		t.Errorf("got %d above the limit, want 413", answer.Code)
	}
	var leave []func()
	for range largeBodiesOf {
		left, err := s.largeBodies.Enter(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, left)
	}
	waiting, stop := context.WithCancel(t.Context())
	var queue sync.WaitGroup
	for range largeBodiesQueue / 8 {
		queue.Go(func() { _, _ = s.largeBodies.Enter(waiting, "") })
	}
	for s.largeBodies.Len() < largeBodiesOf+largeBodiesQueue/8 {
		runtime.Gosched()
	}
	if answer := send(large); answer.Code != 503 || answer.Header().Get("Retry-After") != "1" {
		t.Errorf("got %d %s while others are read, want 503", answer.Code, answer.Body)
	}
	stop()
	queue.Wait()
	for _, left := range leave {
		left()
	}
	if answer := send(large); answer.Code != 204 {
		t.Errorf("got %d %s afterwards, want the body accepted", answer.Code, answer.Body)
	}
}
