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

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
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

// bodyExtension of an operation means that it takes raw bytes, up to its value.
const bodyExtension = "x-max-body-bytes"

// isRaw reports whether an operation takes its body as raw bytes.
func isRaw(op *openapi3.Operation) bool { return op.Extensions[bodyExtension] != nil }

// bodyOf returns the middleware that limits the bodies of an operation, or nil for an operation without a body.
func bodyOf(op *openapi3.Operation) (echo.MiddlewareFunc, error) {
	if op.RequestBody == nil {
		if isRaw(op) {
			return nil, errors.New(bodyExtension + " is for operations with a body")
		}
		return nil, nil //nolint:nilnil // no error, and no body
	}
	body := op.RequestBody.Value
	if !isRaw(op) {
		for kind := range body.Content {
			if kind != echo.MIMEApplicationJSON {
				return nil, fmt.Errorf("%s: a body that is not JSON needs its limit, %s", kind, bodyExtension)
			}
		}
		return jsonBody, nil
	}
	most, ok := op.Extensions[bodyExtension].(float64)
	if !ok || most < 1 || most != math.Trunc(most) {
		return nil, fmt.Errorf("%s must be a number of bytes, not %v", bodyExtension, op.Extensions[bodyExtension])
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
func jsonBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength > maxBodyBytes {
			drain(r)
			return tooLarge(maxBodyBytes)
		}
		kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
		if err != nil || kind != echo.MIMEApplicationJSON {
			drain(r)
			return apperr.New(apperr.UnsupportedMediaType, bodyNotJSON)
		}
		body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxBodyBytes))
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

// drain reads the rest of a rejected body, unless its client waits for permission to send it or it is too large even
// for that.
func drain(r *http.Request) {
	if r.ContentLength > maxDrainBytes || r.Header.Get("Expect") != "" {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDrainBytes) // it is rejected in any case
}
