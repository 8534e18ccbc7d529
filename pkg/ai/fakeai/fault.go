package fakeai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is a way in which the provider fails.
type Fault string

// The faults.
const (
	None Fault = "none"
	// Slow responds later than any client waits.
	Slow Fault = "slow"
	// Busy is status 429, Broken 500, Unauthorized 401, whose message quotes the key as those of real providers do.
	Busy         Fault = "429"
	Broken       Fault = "500"
	Unauthorized Fault = "401"
	// Policy refuses the prompt.
	Policy Fault = "policy"
	// Garbage is a response that isn't JSON, Empty one without a picture, Garbled one whose picture can't be decoded.
	Garbage Fault = "garbage"
	Empty   Fault = "empty"
	Garbled Fault = "garbled"
	// Cut closes the connection halfway through the response.
	Cut Fault = "cut"
	// Huge is an endless response.
	Huge Fault = "huge"
	// Redirect sends the client, and the key with it, to another address.
	Redirect Fault = "redirect"
	// ByAddress isn't a failure: it returns a URL although the request asked for the picture itself.
	ByAddress Fault = "url"
	// Strict isn't a failure either: it rejects parameters that choose the format of the response, as some models do.
	Strict Fault = "strict"
	// Schema is a text of JSON that violates the requested schema, Refusal one in which the model declines. They have no
	// effect on pictures.
	Schema  Fault = "schema"
	Refusal Fault = "refusal"
)

// Faults lists all faults.
var Faults = []Fault{
	None, Slow, Busy, Broken, Unauthorized, Policy, Garbage, Empty, Garbled, Cut, Huge, Redirect, ByAddress, Strict,
	Schema, Refusal,
}

// ParseFault parses the name of a fault; "" means None.
func ParseFault(name string) (Fault, error) {
	if name == "" {
		return None, nil
	}
	if !slices.Contains(Faults, Fault(name)) {
		return None, fmt.Errorf("unknown fault %q; use one of %v", name, Faults)
	}
	return Fault(name), nil
}

// faultIn returns the fault in a prompt, such as "fault:policy".
func faultIn(prompt string) (Fault, bool) {
	_, after, found := strings.Cut(prompt, "fault:")
	if !found {
		return None, false
	}
	name := strings.FieldsFunc(after, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if len(name) == 0 {
		return None, false
	}
	fault, err := ParseFault(name[0])
	return fault, err == nil
}

// slowness is longer than any client waits for a picture.
const slowness = 2 * time.Minute

// fail responds with the fault. It reports false if the fault shows only later in the response, or not at all.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, fault Fault) bool {
	switch fault {
	case Slow:
		return !sleep(r.Context(), slowness)
	case Busy:
		w.Header().Set("Retry-After", "20")
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "", "Rate limit reached for images per minute.")
	case Broken:
		refuse(w, http.StatusInternalServerError, "server_error", "", "The server had an error while it drew your picture.")
	case Unauthorized:
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		refuse(w, http.StatusUnauthorized, "invalid_api_key", "", "Incorrect API key provided: "+key)
	case Policy:
		refuse(w, http.StatusBadRequest, "content_policy_violation", "", "Your request was rejected by our safety system.")
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("<html>Bad gateway</html>"))
	case Empty:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"created": 1, "data": []}`))
	case Huge:
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write([]byte(`{"created": 1, "data": [{"b64_json": "`))
		for block := []byte(strings.Repeat("iVBORw0KGgo=", 4096)); err == nil; {
			_, err = w.Write(block)
		}
	case Redirect:
		http.Redirect(w, r, "/v1/images/generations?again", http.StatusTemporaryRedirect)
	default:
		return false
	}
	return true
}

// cut sends the first half of a response and closes the connection.
func cut(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body[:len(body)/2])
	if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return // already closed
	}
	panic(http.ErrAbortHandler)
}

// refuse responds with an error in OpenAI's format.
func refuse(w http.ResponseWriter, status int, code, param, message string) {
	fault := map[string]any{"message": message, "type": "invalid_request_error", "code": code, "param": nil}
	if param != "" {
		fault["param"] = param
	}
	body, err := json.Marshal(map[string]any{"error": fault})
	if err != nil {
		panic(err) // strings always marshal
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has disconnected
}
