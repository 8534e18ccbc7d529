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

// Fault is a way in which a provider fails.
type Fault string

// The faults.
const (
	None Fault = "none"
	// Slow answers no sooner than any client waits.
	Slow Fault = "slow"
	// Busy is 429, Broken 500, Unauthorised 401: the last with a part of the key in its words, as real ones have.
	Busy         Fault = "429"
	Broken       Fault = "500"
	Unauthorised Fault = "401"
	// Policy refuses the prompt.
	Policy Fault = "policy"
	// Garbage is an answer that is no JSON, Empty one without a picture, Garbled one whose picture is none.
	Garbage Fault = "garbage"
	Empty   Fault = "empty"
	Garbled Fault = "garbled"
	// Cut ends the connection in the middle of the answer.
	Cut Fault = "cut"
	// Huge is an answer that has no end.
	Huge Fault = "huge"
	// Redirect sends the client, and with it the key, elsewhere.
	Redirect Fault = "redirect"
	// ByAddress is none: it answers with the picture's address, though the picture itself was asked for.
	ByAddress Fault = "url"
	// Strict is none either: it refuses to be told the form of its answer, as some models do.
	Strict Fault = "strict"
	// Schema is a text that is JSON, but not of the form that was asked for; Refusal one in which the model declines.
	// Pictures know neither.
	Schema  Fault = "schema"
	Refusal Fault = "refusal"
)

// Faults are all of them.
var Faults = []Fault{
	None, Slow, Busy, Broken, Unauthorised, Policy, Garbage, Empty, Garbled, Cut, Huge, Redirect, ByAddress, Strict,
	Schema, Refusal,
}

// ParseFault reads the name of a fault; "" is none.
func ParseFault(name string) (Fault, error) {
	if name == "" {
		return None, nil
	}
	if !slices.Contains(Faults, Fault(name)) {
		return None, fmt.Errorf("there is no fault %q; there are: %v", name, Faults)
	}
	return Fault(name), nil
}

// faultIn returns the fault that a prompt names: "fault:policy".
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

// slowness outlasts the time that anybody waits for a picture.
const slowness = 2 * time.Minute

// fail answers as the fault says; it is false for one that spoils the answer only later, or not at all.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, fault Fault) bool {
	switch fault {
	case Slow:
		return !sleep(r.Context(), slowness)
	case Busy:
		w.Header().Set("Retry-After", "20")
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "", "Rate limit reached for images per minute.")
	case Broken:
		refuse(w, http.StatusInternalServerError, "server_error", "", "The server had an error while it drew your picture.")
	case Unauthorised:
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

// cut sends the first half of an answer and ends the connection.
func cut(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body[:len(body)/2])
	if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return // it is cut already
	}
	panic(http.ErrAbortHandler)
}

// refuse answers with an error of the wire format.
func refuse(w http.ResponseWriter, status int, code, param, message string) {
	fault := map[string]any{"message": message, "type": "invalid_request_error", "code": code, "param": nil}
	if param != "" {
		fault["param"] = param
	}
	body, err := json.Marshal(map[string]any{"error": fault})
	if err != nil {
		panic(err) // of texts
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client left; there is nobody to tell
}
