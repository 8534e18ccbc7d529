package server

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/db"
	"masthead/pkg/idempotency"
	"masthead/pkg/identity"
)

// This file answers requests that are sent again with their Idempotency-Key.

const (
	idempotencyKey = "Idempotency-Key"
	replayed       = "Idempotency-Replayed"
	// settleTime is the time limit of storing a response, which continues if its client has left.
	settleTime = 3 * time.Second
)

// keptHeaders are stored with a response; the others belong to the individual request.
var keptHeaders = []string{echo.HeaderContentType, echo.HeaderLocation, "Content-Location"}

// isRepeatable reports whether an operation takes the header.
func isRepeatable(op *openapi3.Operation) bool {
	return op.Parameters.GetByInAndName(openapi3.ParameterInHeader, idempotencyKey) != nil
}

// repeatable stores the response to a request with an Idempotency-Key, and returns it when the request is sent again.
// What the document declares as a password is shown once: a repeat gets 200 without it.
func (s *Server) repeatable(op *openapi3.Operation) echo.MiddlewareFunc {
	once := secretsOf(op)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			key := c.Request().Header.Get(idempotencyKey)
			ctx := c.Request().Context()
			caller := identity.CallerOf(ctx)
			if key == "" || caller.Anonymous() {
				return next(c)
			}
			digests, err := requestDigests(op.OperationID, caller.KeyProjectID, c, s.deps.RepeatKeys)
			if err != nil {
				return err
			}
			attempt, kept, err := s.deps.Repeats.Begin(ctx, idempotency.Request{
				OwnerID: caller.UserID, Key: key, Digest: digests[0], Earlier: digests[1:],
			})
			if err != nil {
				return err
			}
			if kept != nil {
				// A response stored by an earlier version may have its own format.
				return replay(c, withoutSecrets(*kept, once))
			}
			caller.ResourceID = attempt.ResourceID
			c.SetRequest(c.Request().WithContext(identity.WithCaller(ctx, caller)))
			return settle(c, attempt, next, once)
		}
	}
}

// replay sends a stored response.
func replay(c echo.Context, kept idempotency.Answer) error {
	h := c.Response().Header()
	for name, values := range kept.Header {
		h[name] = values
	}
	h.Set(replayed, "true")
	c.Response().WriteHeader(kept.Status)
	_, err := c.Response().Write(kept.Body)
	return err
}

// settle runs the request and stores the response before the client gets it, so that a repeat always returns what the
// client knows. secrets are the members of its body that are shown once.
func settle(c echo.Context, attempt *idempotency.Attempt, next echo.HandlerFunc, secrets []string) (err error) {
	held := &heldResponse{ResponseWriter: c.Response().Writer}
	c.Response().Writer = held
	ctx := db.Detached(c.Request().Context())
	outliving, end := outlivingClient(c.Request().Context())
	defer end()
	c.SetRequest(c.Request().WithContext(outliving))
	done := false
	defer func() {
		c.Response().Writer = held.ResponseWriter
		if !done { // a panic
			release(ctx, attempt)
		}
	}()
	if err := next(c); err != nil {
		c.Error(err)
	}
	done = true
	if !keeps(held.status, held.Header()) {
		release(ctx, attempt)
		return held.send()
	}
	answer := idempotency.Answer{Status: held.status, Header: http.Header{}, Body: held.body.Bytes()}
	for _, name := range keptHeaders {
		if values := held.Header().Values(name); len(values) > 0 {
			answer.Header[name] = values
		}
	}
	answer = withoutSecrets(answer, secrets)
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if err := attempt.Keep(ctx, answer); err != nil {
		// The operation is done, and a repeat finds its result by ID.
		slog.ErrorContext(ctx, "response not stored", "request_id", identity.RequestIDOf(ctx), "err", err)
	}
	return held.send()
}

// outlivingClient returns a context with the deadline of ctx that doesn't end when the client leaves: a client that
// lost its connection sends the request again, and should find the response instead of having it done, and charged,
// twice.
func outlivingClient(ctx context.Context) (context.Context, context.CancelFunc) {
	outliving := context.WithoutCancel(ctx)
	if until, ok := ctx.Deadline(); ok {
		return context.WithDeadline(outliving, until)
	}
	return context.WithCancel(outliving)
}

// keeps reports whether repeats get this response, too: not if the request was invalid, or if a retry may succeed
// later.
func keeps(status int, header http.Header) bool {
	if header.Get("Retry-After") != "" {
		return false
	}
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

func release(ctx context.Context, attempt *idempotency.Attempt) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if err := attempt.Release(ctx); err != nil {
		slog.WarnContext(ctx, "request not forgotten", "request_id", identity.RequestIDOf(ctx), "err", err)
	}
}

// requestDigests returns, for each key, a digest that is equal for equal requests: HMAC-SHA-256 over operation,
// address, conditions, the validated body (white space and the order of members don't matter), the scope of the API
// key, so that no key gets the response to what it may not do, and the media types that the client accepts unless it
// gets JSON, so that a picture doesn't answer a request for a record. Passwords are included, since a different
// password makes it a different request; without the HMAC key, the database can't be used to guess passwords.
func requestDigests(operation, scope string, c echo.Context, keys [][]byte) (digests []string, err error) {
	var body []byte
	if validated, ok := c.Request().Body.(interface{ ValidatedValue() any }); ok {
		if body, err = json.Marshal(validated.ValidatedValue()); err != nil {
			return nil, fmt.Errorf("digest a request: %w", err)
		}
	}
	parts := []string{
		operation, strings.Join(c.ParamValues(), "/"), c.Request().Header.Get(ifNoneMatch), string(body),
	}
	if scope != "" {
		parts = append(parts, scope)
	}
	if chosen := identity.MediaTypeOf(c.Request().Context()); chosen != "" && chosen != echo.MIMEApplicationJSON {
		parts = append(parts, "accepts "+strings.Join(identity.AcceptedOf(c.Request().Context()), ", "))
	}
	form, err := json.Marshal(parts)
	if err != nil {
		return nil, fmt.Errorf("digest a request: %w", err)
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		_, _ = mac.Write(form) // a hash never fails
		digests = append(digests, hex.EncodeToString(mac.Sum(nil)))
	}
	return digests, nil
}

// heldResponse holds back a response until it is sent.
type heldResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements [http.ResponseWriter].
func (h *heldResponse) WriteHeader(status int) { h.status = status }

// Write implements [http.ResponseWriter].
func (h *heldResponse) Write(b []byte) (int, error) { return h.body.Write(b) }

func (h *heldResponse) send() error {
	if h.status == 0 {
		return errors.New("an operation gave no response")
	}
	h.ResponseWriter.WriteHeader(h.status)
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	return err
}

// secretShownOnce is the notice in a response without its secret, up to the path of what has the secret.
const secretShownOnce = "The secret was shown once, in the first response to this request. " +
	"If it is lost, get a new one: POST "

// secretsOf returns the members of an operation's responses that are shown once.
func secretsOf(op *openapi3.Operation) []string {
	var secrets []string
	for _, response := range op.Responses.Map() {
		for _, content := range response.Value.Content {
			secrets = append(secrets, passwordsIn(content)...)
		}
	}
	return secrets
}

// passwordsIn returns the members of an object that the document declares as passwords.
func passwordsIn(content *openapi3.MediaType) (names []string) {
	if content.Schema == nil || content.Schema.Value == nil {
		return nil
	}
	for name, property := range content.Schema.Value.Properties {
		if property.Value.Format == "password" {
			names = append(names, name)
		}
	}
	return names
}

// withoutSecrets returns a successful response as a repeat gets it if the original contained a secret: without the
// secret, with a notice that says so, and as 200, since a repeat creates nothing.
func withoutSecrets(a idempotency.Answer, secrets []string) idempotency.Answer {
	if len(secrets) == 0 || a.Status >= http.StatusMultipleChoices {
		return a
	}
	a.Status = http.StatusOK
	var object map[string]any
	if err := json.Unmarshal(a.Body, &object); err != nil {
		a.Body = nil // rather no body than one with a secret
		return a
	}
	for _, name := range secrets {
		if object[name] != nil {
			object["notice"] = secretShownOnce + a.Header.Get(echo.HeaderLocation) + "/rotate."
		}
		delete(object, name)
	}
	body, err := json.Marshal(object)
	if err != nil {
		body = nil
	}
	a.Body = body
	return a
}
