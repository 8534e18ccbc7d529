package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/fair"
	"masthead/pkg/identity"
)

// Limits of request bodies.
const (
	maxBodyBytes = 64 << 10
	maxBodyDepth = 32
	// maxDrainBytes is how much of a rejected body is read and discarded, within the time limit of a body: a client that
	// sends all of it before reading would otherwise see its connection break instead of the response.
	maxDrainBytes = 16 << 20
)

const bodyNotJSON = "Send the body as JSON, with Content-Type: application/json."

// tooLarge is the error for a body of more than most bytes.
func tooLarge(most int64) *apperr.Error {
	size := strconv.FormatInt(most, 10) + " bytes"
	switch {
	case most%(1<<20) == 0:
		size = strconv.FormatInt(most>>20, 10) + " MiB"
	case most%(1<<10) == 0:
		size = strconv.FormatInt(most>>10, 10) + " KiB"
	}
	return apperr.New(apperr.PayloadTooLarge, "The body is larger than "+size+".")
}

// bodyExtension of an operation is the maximum size of its body in bytes. A body that the document only describes as
// JSON is validated; any other is passed on as raw bytes.
const bodyExtension = "x-max-body-bytes"

// onlyJSON reports whether an operation documents nothing but JSON as its body.
func onlyJSON(op *openapi3.Operation) bool {
	content := op.RequestBody.Value.Content
	return len(content) == 1 && content[echo.MIMEApplicationJSON] != nil
}

// isRaw reports whether an operation takes its body as raw bytes.
func isRaw(op *openapi3.Operation) bool {
	return op.Extensions[bodyExtension] != nil && op.RequestBody != nil && !onlyJSON(op)
}

// bodyOf returns the middleware that limits the bodies of an operation, or nil for an operation without a body.
func (s *Server) bodyOf(op *openapi3.Operation) (echo.MiddlewareFunc, error) {
	limit := op.Extensions[bodyExtension]
	if op.RequestBody == nil {
		if limit != nil {
			return nil, errors.New(bodyExtension + " is for operations with a body")
		}
		return nil, nil //nolint:nilnil // no error, and no body
	}
	body := op.RequestBody.Value
	if limit == nil {
		for kind := range body.Content {
			if kind != echo.MIMEApplicationJSON {
				return nil, fmt.Errorf("%s: a body that is not JSON needs its limit, %s", kind, bodyExtension)
			}
		}
		return jsonBody(maxBodyBytes), nil
	}
	most, ok := limit.(float64)
	if !ok || most < 1 || most != math.Trunc(most) {
		return nil, fmt.Errorf("%s must be a number of bytes, not %v", bodyExtension, limit)
	}
	if onlyJSON(op) {
		return s.largeBody(int64(most)), nil
	}
	if isRepeatable(op) { // its digest would need a body that hasn't been read
		return nil, errors.New(idempotencyKey + " is not for operations that take raw bytes")
	}
	return rawBody(int64(most), body), nil
}

// rawBody passes a limited body through unchanged: only the operation reads it, for example to verify a signature of
// its bytes or to split an upload. Reading beyond the limit fails with [http.MaxBytesError], which becomes
// PAYLOAD_TOO_LARGE.
func rawBody(most int64, body *openapi3.RequestBody) echo.MiddlewareFunc {
	kinds := slices.Sorted(maps.Keys(body.Content))
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if r.ContentLength > most {
				drain(r)
				return tooLarge(most)
			}
			if r.ContentLength == 0 {
				if body.Required {
					return apperr.New(apperr.BadRequest, "The body is required.")
				}
				return next(c)
			}
			kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
			if err != nil || body.Content.Get(kind) == nil {
				drain(r)
				return apperr.New(apperr.UnsupportedMediaType, "Send the body with Content-Type: "+strings.Join(kinds, " or ")+".")
			}
			whole := r.Body
			r.Body = http.MaxBytesReader(c.Response(), whole, most)
			err = next(c)
			var over *http.MaxBytesError
			if errors.As(err, &over) {
				r.Body = whole
				drain(r)
			}
			return err
		}
	}
}

// jsonBody passes only limited, well-formed JSON to the validation, which otherwise would read any amount of it, accept
// anything after the value, and recurse as deep as it is nested.
func jsonBody(most int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if r.ContentLength > most {
				drain(r)
				return tooLarge(most)
			}
			kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
			if err != nil || kind != echo.MIMEApplicationJSON {
				drain(r)
				return apperr.New(apperr.UnsupportedMediaType, bodyNotJSON)
			}
			body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, most))
			if err != nil {
				var over *http.MaxBytesError
				if errors.As(err, &over) {
					drain(r)
					return err
				}
				return apperr.Wrap(apperr.BadRequest, "The body could not be read to its end.", err)
			}
			if err := checkJSON(body); err != nil {
				return err
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.ContentLength = int64(len(body))
			return next(c)
		}
	}
}

// Limits of the requests with large JSON bodies that are read at a time: each takes some twenty times its size in
// memory until it is done.
const (
	largeBodies      = 4
	largeBodiesOf    = 2 // of one account
	largeBodiesQueue = 64
	largeBodyWait    = 10 * time.Second
)

func newLargeBodies() *fair.Pool {
	return fair.NewPool(fair.Limits{
		Slots: largeBodies, OwnerSlots: largeBodiesOf, Queue: largeBodiesQueue, OwnerQueue: largeBodiesQueue / 8,
		Wait: largeBodyWait, Displace: true,
	})
}

// largeBody is jsonBody for up to most bytes, in turns: a body is read once the request has a slot, which it keeps.
func (s *Server) largeBody(most int64) echo.MiddlewareFunc {
	limit := jsonBody(most)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		limited := limit(next)
		return func(c echo.Context) error {
			ctx := c.Request().Context()
			leave, err := s.largeBodies.Enter(ctx, identity.CallerOf(ctx).UserID)
			if errors.Is(err, fair.ErrFull) || errors.Is(err, fair.ErrWaited) {
				busy := apperr.Wrap(apperr.Unavailable, "Too many large requests are being read; try again in a moment.", err)
				busy.RetryAfter = time.Second
				return busy
			}
			if err != nil {
				return err
			}
			defer leave()
			return limited(c)
		}
	}
}

// drain reads the rest of a rejected body, unless its client waits for permission to send it or it is too large even
// for that.
func drain(r *http.Request) {
	if r.ContentLength > maxDrainBytes || r.Header.Get("Expect") != "" {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDrainBytes) // it is rejected in any case
}
