package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
)

// Bounds of a request body. Source: security requirements, "Staying up".
const (
	maxBodyBytes = 64 << 10
	maxBodyDepth = 32
	// maxDrainBytes is how much of a body that is refused is read and thrown away, within the time of a body: a
	// client that sends all of it before it reads would see its connection break instead of the response.
	maxDrainBytes = 16 << 20
)

const (
	bodyTooLarge = "The body is larger than 64 KiB."
	bodyNotJSON  = "Send the body as JSON, with Content-Type: application/json."
)

// jsonBody lets only bounded, well-formed JSON through to the validation, which would otherwise read any amount of
// it, take anything that follows the value, and recurse as deep as it is nested.
func jsonBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength > maxBodyBytes {
			drain(r)
			return apperr.New(apperr.PayloadTooLarge, bodyTooLarge)
		}
		kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
		if err != nil || kind != echo.MIMEApplicationJSON {
			drain(r)
			return apperr.New(apperr.UnsupportedMediaType, bodyNotJSON)
		}
		body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxBodyBytes))
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
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

// drain reads the rest of a body that is refused, unless its client waits to be asked for it or it is too much even
// for that.
func drain(r *http.Request) {
	if r.ContentLength > maxDrainBytes || r.Header.Get("Expect") != "" {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDrainBytes) // it is refused in any case
}

// checkJSON accepts exactly one JSON value, nested at most maxBodyDepth deep, whose objects name no member twice: two
// readers could take different ones.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) {
		// The decoder would replace it in silence: what is kept would not be what was sent.
		return apperr.New(apperr.BadRequest, "The body is not valid JSON: it is not all UTF-8.")
	}
	type level struct {
		names map[string]bool // nil in an array
		name  bool            // whether the next token is a name
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var open []level
	for {
		token, err := decoder.Token()
		if err != nil {
			return notJSON(body, err)
		}
		top := len(open) - 1
		switch delim, isDelim := token.(json.Delim); {
		case isDelim && (delim == '{' || delim == '['):
			if top >= 0 && open[top].names != nil {
				open[top].name = true
			}
			if len(open) == maxBodyDepth {
				return apperr.New(apperr.BadRequest, fmt.Sprintf("The body is nested more than %d deep.", maxBodyDepth))
			}
			next := level{}
			if delim == '{' {
				next = level{names: map[string]bool{}, name: true}
			}
			open = append(open, next)
		case isDelim:
			open = open[:top]
		case top >= 0 && open[top].name:
			name, _ := token.(string)
			if open[top].names[name] {
				return apperr.New(apperr.BadRequest,
					fmt.Sprintf("The body has %.40q twice in one object; give it once.", name))
			}
			open[top].names[name], open[top].name = true, false
		case top >= 0 && open[top].names != nil:
			open[top].name = true
		}
		if len(open) == 0 {
			break
		}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return apperr.New(apperr.BadRequest, "The body must be one JSON value, and goes on after it.")
	}
	return nil
}

// notJSON says where a body stops being JSON. What stands there is not repeated: it may be a secret.
func notJSON(body []byte, cause error) error {
	detail := "The body is not valid JSON."
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		detail = "The body is empty; send a JSON object."
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF):
		detail = "The body is not valid JSON: it ends too early."
	case errors.As(cause, &syntax):
		detail = fmt.Sprintf("The body is not valid JSON: the fault is near byte %d.", syntax.Offset)
	}
	return apperr.Wrap(apperr.BadRequest, detail, cause)
}
