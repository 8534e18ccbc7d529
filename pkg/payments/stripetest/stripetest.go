// Package stripetest is a fake Stripe for tests, on loopback. It keeps customers, checkouts, subscriptions and charges
// in memory, answers the requests that package payments makes, and honors idempotency keys. What happens to a
// subscription is up to the test ([Stripe.Put]), and so is when events of it are sent ([Stripe.Event], [Sign]).
package stripetest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"
)

// Secret signs the events.
const Secret = "whsec_test"

// Object is an object of Stripe, as JSON.
type Object = map[string]any

// Stripe is the fake. It is safe for concurrent use.
type Stripe struct {
	// URL is its address.
	URL string

	mu      sync.Mutex
	objects map[string]Object // by id
	order   []string          // ids as they were made
	keys    map[string]savedResponse
	serial  int
	down    bool
	around  func(r *http.Request, answered bool) error
	mock    http.Handler
	refused []string // by the mock
}

// savedResponse is the response to an idempotency key.
type savedResponse struct{ form, id string }

// New starts a fake, which ends with the test.
func New(t testing.TB) *Stripe {
	s := &Stripe{objects: map[string]Object{}, keys: map[string]savedResponse{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/customers", s.create("cus", func(url.Values) Object { return Object{"object": "customer"} }))
	mux.HandleFunc("POST /v1/checkout/sessions", s.create("cs", func(form url.Values) Object {
		return Object{"object": "checkout.session", "customer": form.Get("customer"), "status": "open",
			"price": form.Get("line_items[0][price]"), "mode": form.Get("mode"),
			"success_url": form.Get("success_url"), "cancel_url": form.Get("cancel_url")}
	}))
	mux.HandleFunc("POST /v1/billing_portal/sessions", s.create("bps", func(form url.Values) Object {
		return Object{"object": "billing_portal.session", "customer": form.Get("customer")}
	}))
	mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", s.change("open", Object{"status": "expired"}))
	mux.HandleFunc("DELETE /v1/subscriptions/{id}", s.change("", Object{"status": "canceled"}))
	mux.HandleFunc("GET /v1/checkout/sessions/{id}", s.change("", nil))
	mux.HandleFunc("GET /v1/charges/{id}", s.change("", nil))
	mux.HandleFunc("GET /v1/subscriptions", s.list("subscription"))
	mux.HandleFunc("GET /v1/charges", s.list("charge"))
	mux.HandleFunc("GET /v1/disputes", s.list("dispute"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.call(r, false) != nil {
			panic(http.ErrAbortHandler)
		}
		done := httptest.NewRecorder()
		s.mu.Lock()
		if s.down {
			fail(done, http.StatusServiceUnavailable, "api_error", "down")
		} else {
			s.behind(mux, done, r)
		}
		s.mu.Unlock()
		if s.call(r, true) != nil {
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), done.Header())
		w.WriteHeader(done.Code)
		_, _ = w.Write(done.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Down makes all requests fail, or no longer.
func (s *Stripe) Down(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Around calls fn with each request: before it is carried out, and once more before it is answered. If fn returns an
// error, the connection is closed instead. nil stops it.
func (s *Stripe) Around(fn func(r *http.Request, answered bool) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.around = fn
}

// Mock puts a stateless mock of Stripe behind the fake, such as stripe-mock: requests that it refuses are refused, and
// listed in [Stripe.Refused]. Its answers have all fields of Stripe's, and those of the fake take their place.
func (s *Stripe) Mock(mock http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mock = mock
}

// Refused returns the requests that the mock has refused, with its answers.
func (s *Stripe) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// behind answers a request by the fake with the mock behind it, if there is one.
func (s *Stripe) behind(fake http.Handler, w *httptest.ResponseRecorder, r *http.Request) {
	if s.mock == nil {
		fake.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusBadRequest, "invalid_request_error", "body")
		return
	}
	again := r.Clone(r.Context())
	r.Body, again.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
	full := httptest.NewRecorder()
	s.mock.ServeHTTP(full, again)
	if full.Code != http.StatusOK {
		s.refused = append(s.refused, fmt.Sprintf("%s %s %s: %d %s", r.Method, r.URL, body, full.Code, full.Body))
		maps.Copy(w.Header(), full.Header())
		w.WriteHeader(full.Code)
		_, _ = w.Write(full.Body.Bytes())
		return
	}
	own := httptest.NewRecorder()
	fake.ServeHTTP(own, r)
	maps.Copy(w.Header(), own.Header())
	w.WriteHeader(own.Code)
	var all, some Object
	if own.Code == http.StatusOK && json.Unmarshal(full.Body.Bytes(), &all) == nil &&
		json.Unmarshal(own.Body.Bytes(), &some) == nil {
		_ = json.NewEncoder(w).Encode(over(all, some))
		return
	}
	_, _ = w.Write(own.Body.Bytes())
}

// over returns all with the fields of some. The elements of a list are over the first one of the other list.
func over(all, some Object) Object {
	done := maps.Clone(all)
	for field, value := range some {
		done[field] = value
		switch value := value.(type) {
		case Object:
			if whole, ok := all[field].(Object); ok {
				done[field] = over(whole, value)
			}
		case []any:
			whole, _ := all[field].([]any)
			list := slices.Clone(value)
			for i := range list {
				element, ok := list[i].(Object)
				if len(whole) == 0 || !ok {
					break
				}
				if first, ok := whole[0].(Object); ok {
					list[i] = over(first, element)
				}
			}
			done[field] = list
		}
	}
	return done
}

func (s *Stripe) call(r *http.Request, answered bool) error {
	s.mu.Lock()
	fn := s.around
	s.mu.Unlock()
	if fn == nil {
		return nil
	}
	return fn(r, answered)
}

// Put changes fields of an object, or makes it.
func (s *Stripe) Put(id string, fields Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(id, fields)
}

func (s *Stripe) put(id string, fields Object) {
	if s.objects[id] == nil {
		s.objects[id] = Object{"id": id}
		s.order = append(s.order, id)
	}
	maps.Copy(s.objects[id], fields)
}

// Remove forgets an object, and the idempotency key that it was made with.
func (s *Stripe) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, id)
	maps.DeleteFunc(s.keys, func(_ string, of savedResponse) bool { return of.id == id })
	s.order = slices.DeleteFunc(s.order, func(other string) bool { return other == id })
}

// All returns the objects of a kind, such as checkout.session, oldest first.
func (s *Stripe) All(kind string) (all []Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.order {
		if s.objects[id]["object"] == kind {
			all = append(all, maps.Clone(s.objects[id]))
		}
	}
	return all
}

// Subscription returns the fields of a subscription.
func Subscription(customer, status, price string) Object {
	now := time.Now()
	return Object{
		"object": "subscription", "customer": customer, "status": status, "created": now.Unix(),
		"items": Object{"object": "list", "data": []Object{{"id": "si_1", "object": "subscription_item",
			"current_period_end": now.Add(30 * 24 * time.Hour).Unix(),
			"price":              Object{"id": price, "object": "price", "recurring": Object{"interval": "month"}}}}},
	}
}

// Unpaid returns the fields of a subscription whose payment failed at a time.
func Unpaid(at time.Time) Object {
	return Object{"status": "past_due", "latest_invoice": Object{
		"id": "in_1", "object": "invoice", "created": at.Unix(), "hosted_invoice_url": "https://stripe.example/in_1",
	}}
}

// Event returns an event about an object as it is now.
func (s *Stripe) Event(id, kind, object string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(Object{
		"id": id, "object": "event", "type": kind, "api_version": "2020-08-27", "data": Object{"object": s.objects[object]},
	})
	if err != nil {
		panic(err) // objects are JSON
	}
	return text
}

// Sign returns the Stripe-Signature of a body.
func Sign(body []byte, secret string) string { return SignAt(body, secret, time.Now()) }

// SignAt returns the Stripe-Signature of a body that was sent at a time.
func SignAt(body []byte, secret string, at time.Time) string {
	hash := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(hash, "%d.%s", at.Unix(), body)
	return fmt.Sprintf("t=%d,v1=%x", at.Unix(), hash.Sum(nil))
}

func (s *Stripe) create(prefix string, fields func(url.Values) Object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.ParseForm() != nil {
			fail(w, http.StatusBadRequest, "invalid_request_error", "form")
			return
		}
		key, form := r.Header.Get("Idempotency-Key"), r.Form.Encode()
		if made, again := s.keys[key]; again && key != "" {
			if made.form != form {
				fail(w, http.StatusBadRequest, "idempotency_error", "another request had this key")
				return
			}
			answer(w, s.objects[made.id])
			return
		}
		s.serial++
		id := fmt.Sprintf("%s_%d", prefix, s.serial)
		s.put(id, fields(r.Form))
		s.put(id, Object{"url": "https://stripe.example/" + id})
		s.keys[key] = savedResponse{form, id}
		answer(w, s.objects[id])
	}
}

// change changes an object that has a status, any if that is "".
func (s *Stripe) change(from string, fields Object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found := s.objects[r.PathValue("id")]
		if found == nil || from != "" && found["status"] != from {
			fail(w, http.StatusBadRequest, "invalid_request_error", "no such object in this status")
			return
		}
		maps.Copy(found, fields)
		shown := maps.Clone(found)
		for _, field := range r.URL.Query()["expand[0]"] {
			if id, ok := found[field].(string); ok {
				shown[field] = s.objects[id]
			}
		}
		answer(w, shown)
	}
}

func (s *Stripe) list(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found := []Object{}
		for _, id := range s.order {
			if o := s.objects[id]; o["object"] == kind && o["customer"] == of(r, "customer") && o["charge"] == of(r, "charge") {
				found = append([]Object{o}, found...)
			}
		}
		answer(w, Object{"object": "list", "data": found, "has_more": false, "url": r.URL.Path})
	}
}

// of returns a parameter of a list, nil for none.
func of(r *http.Request, name string) any {
	if value := r.FormValue(name); value != "" {
		return value
	}
	return nil
}

func answer(w http.ResponseWriter, o Object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o)
}

func fail(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(Object{"error": Object{"type": kind, "message": message}})
}
