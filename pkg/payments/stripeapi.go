package payments

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// This file has what package payments needs of Stripe's API (https://docs.stripe.com/api): forms are sent, JSON comes
// back. Stripe's own library has one package with a type for each of its thousands of objects, which takes nearly as
// long to compile as SQLite. stripe-mock, which knows Stripe's OpenAPI document, checks these requests in the tests.

const (
	// stripeURL is the address of Stripe's API.
	stripeURL = "https://api.stripe.com"
	// apiVersion is the version of the API that requests ask for (https://docs.stripe.com/api/versioning).
	apiVersion = "2026-05-27.dahlia"
	// requestTime bounds a request to Stripe.
	requestTime = 10 * time.Second
	// retries is how often a request is sent again after a failure of the network or of Stripe.
	retries = 1
	// maxPause bounds the pause before a request is sent again: half of it or more, since many may fail at once.
	maxPause = time.Second
	// maxAnswer bounds an answer, in bytes. A page of 100 subscriptions with their invoices has about one million.
	maxAnswer = 16 << 20
)

// stripeAPI sends requests to Stripe. It is safe for concurrent use.
type stripeAPI struct {
	client *http.Client
	base   string // without a slash at the end
	key    string
}

func newStripeAPI(base, key string, transport http.RoundTripper) *stripeAPI {
	return &stripeAPI{
		client: &http.Client{
			Timeout: requestTime, Transport: transport,
			// Stripe doesn't redirect, and the key is for nobody else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: strings.TrimRight(base, "/"), key: key,
	}
}

// get reads an object, or a list, into an object of our own.
func (a *stripeAPI) get(ctx context.Context, path string, query url.Values, into any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return a.call(ctx, http.MethodGet, path, nil, "", into)
}

// send makes a change, at most once for each key, and reads its result into an object of our own. Without a key, it is
// made once although it may be sent twice.
func (a *stripeAPI) send(ctx context.Context, method, path string, form url.Values, key string, into any) error {
	return a.call(ctx, method, path, form, cmp.Or(key, uuid.NewString()), into)
}

// call sends a request until it is answered, and at most 1+retries times. It returns a *refusal for an answer that is
// an error.
func (a *stripeAPI) call(ctx context.Context, method, path string, form url.Values, key string, into any) error {
	for attempt := 0; ; attempt++ {
		again, err := a.once(ctx, method, path, form, key, into)
		if err == nil || !again || attempt == retries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(maxPause/2 + rand.N(maxPause/2)):
		}
	}
}

// once sends a request. again reports whether it may succeed when it is sent again.
func (a *stripeAPI) once(
	ctx context.Context, method, path string, form url.Values, key string, into any,
) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, method, a.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return false, err
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("Stripe-Version", apiVersion)
	r.Header.Set("User-Agent", "Masthead")
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	answer, err := a.client.Do(r)
	if err != nil {
		return ctx.Err() == nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return ctx.Err() == nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return retriable(answer), refusalOf(answer, body)
	}
	if len(body) > maxAnswer {
		return false, fmt.Errorf("stripe: an answer has more than %d bytes", maxAnswer)
	}
	return false, json.Unmarshal(body, into)
}

// retriable reports whether a request with this answer may succeed when it is sent again
// (https://docs.stripe.com/error-low-level).
func retriable(answer *http.Response) bool {
	if advice, err := strconv.ParseBool(answer.Header.Get("Stripe-Should-Retry")); err == nil {
		return advice
	}
	return answer.StatusCode == http.StatusConflict || answer.StatusCode >= http.StatusInternalServerError
}

// refusal is an answer of Stripe's that is an error (https://docs.stripe.com/api/errors).
type refusal struct {
	Status  int
	Request string // Stripe's name for the request, for its support
	Fault   struct {
		Type    string `json:"type"`
		Code    string `json:"code"`
		Param   string `json:"param"`
		Message string `json:"message"`
	} `json:"error"`
}

func refusalOf(answer *http.Response, body []byte) *refusal {
	r := &refusal{Status: answer.StatusCode, Request: answer.Header.Get("Request-Id")}
	if json.Unmarshal(body, r) != nil {
		r.Fault.Message = "the answer isn't JSON"
	}
	return r
}

func (r *refusal) Error() string {
	text := fmt.Sprintf("stripe: %d %s", r.Status, http.StatusText(r.Status))
	for _, part := range []string{r.Fault.Type, r.Fault.Code, r.Fault.Param, r.Fault.Message, r.Request} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// expandable is a field of an object that has the ID of another one, or the other one if the request expands it
// (https://docs.stripe.com/api/expanding_objects).
type expandable[T any] struct {
	ID     string
	Object T // zero if only the ID is there
}

// UnmarshalJSON reads either form.
func (e *expandable[T]) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &e.ID)
	}
	var named struct {
		ID string `json:"id"`
	}
	err := errors.Join(json.Unmarshal(text, &named), json.Unmarshal(text, &e.Object))
	e.ID = named.ID
	return err
}

var errSignature = errors.New("stripe: no signature of the body with this secret")

// checkSignature reports an error unless header, a Stripe-Signature, has a signature of body with secret that was made
// at most tolerance before now (https://docs.stripe.com/webhooks#verify-manually).
func checkSignature(body []byte, header, secret string, now time.Time) error {
	var at string
	var signatures [][]byte
	for part := range strings.SplitSeq(header, ",") { // openapi.yaml bounds the header
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			at = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				signatures = append(signatures, signature)
			}
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return errors.New("stripe: the signature has no time")
	}
	if now.Sub(time.Unix(seconds, 0)) > tolerance {
		return errors.New("stripe: the signature is too old")
	}
	hash := hmac.New(sha256.New, []byte(secret))
	hash.Write([]byte(at + "."))
	hash.Write(body)
	want := hash.Sum(nil)
	for _, signature := range signatures {
		if hmac.Equal(signature, want) {
			return nil
		}
	}
	return errSignature
}
