package payments_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/jobs"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
)

// scriptedServer is a server that gives one answer after another, the last one again and again.
type scriptedServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

func newScriptedServer(t *testing.T, answers []http.HandlerFunc) *scriptedServer {
	s := &scriptedServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.mu.Lock()
		s.requests = append(s.requests, r)
		answer := answers[min(len(s.requests), len(answers))-1]
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// got returns the requests that arrived.
func (s *scriptedServer) got() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func answers(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func closes(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// TestRequests_areSentAgain expects a request to be sent once more where that may help, with the same key, and not
// where it can't.
func TestRequests_areSentAgain(t *testing.T) {
	const good, advice = `{"id":"bps_1","url":"https://stripe.example/portal"}`, "Stripe-Should-Retry"
	refused := `{"error":{"type":"invalid_request_error","code":"missing","param":"customer"}}`
	elsewhere := newScriptedServer(t, []http.HandlerFunc{answers(200, good)})
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		shop := newShop(t, d)
		shop.customer()
		type script = []http.HandlerFunc
		for name, test := range map[string]struct {
			answers script
			sent    int
			fails   string // a part of the error, "" for none
		}{
			"answered":         {script{answers(200, good)}, 1, ""},
			"closed once":      {script{closes, answers(200, good)}, 2, ""},
			"closed":           {script{closes}, 2, "EOF"},
			"down once":        {script{answers(503, "<p>"), answers(200, good)}, 2, ""},
			"down":             {script{answers(503, "<p>")}, 2, "503 Service Unavailable: the answer isn't"},
			"in conflict once": {script{answers(409, "{}"), answers(200, good)}, 2, ""},
			"refused":          {script{answers(400, refused, "Request-Id", "req_1")}, 1, "customer: req_1"},
			"advised to":       {script{answers(429, "{}", advice, "true"), answers(200, good)}, 2, ""},
			"advised not to":   {script{answers(500, "{}", advice, "false")}, 1, "500"},
			"not JSON":         {script{answers(200, "<p>")}, 1, "invalid character"},
			"without end":      {script{answers(200, `{"url":"`+strings.Repeat("x", 17<<20))}, 1, "more than 16777216"},
			"redirected":       {script{answers(307, "", "Location", elsewhere.URL)}, 1, "307"},
		} {
			t.Run(name, func(t *testing.T) {
				server := newScriptedServer(t, test.answers)
				cfg := config(shop.stripe)
				cfg.URL = server.URL + "/"
				service := payments.New(cfg, payments.Deps{
					DB: d, Users: shop.users, Jobs: jobs.NewWorker(d, time.Millisecond, nil),
				})
				url, err := service.Portal(t.Context(), shop.caller)
				if test.fails == "" && (err != nil || url != "https://stripe.example/portal") {
					t.Errorf("got %s, %v", url, err)
				}
				fails := apperr.CodeOf(err) == apperr.Unavailable && strings.Contains(fmt.Sprint(err), test.fails)
				if test.fails != "" && !fails {
					t.Errorf("got %v, want unavailable, with %q", err, test.fails)
				}
				if err != nil && strings.Contains(fmt.Sprintf("%+v", err), cfg.SecretKey) {
					t.Errorf("the error has the secret key: %v", err)
				}
				got := server.got()
				if len(got) != test.sent {
					t.Errorf("sent %d times, want %d", len(got), test.sent)
				}
				for _, r := range got {
					first, h := got[0].Header, r.Header
					if h.Get("Authorization") != "Bearer sk_test_1" || h.Get("Stripe-Version") == "" ||
						h.Get("Idempotency-Key") == "" || h.Get("Idempotency-Key") != first.Get("Idempotency-Key") ||
						r.URL.Path != "/v1/billing_portal/sessions" ||
						r.PostForm.Get("return_url") != "https://masthead.example/dashboard/billing" {
						t.Errorf("sent %v to %s with %v", h, r.URL, r.PostForm)
					}
				}
			})
		}
		if got := elsewhere.got(); len(got) > 0 {
			t.Errorf("the key went elsewhere: %v", got)
		}
	})
}

// TestReceive_eachSignature expects events to be taken with a signature by Stripe that is at most five minutes old.
func TestReceive_eachSignature(t *testing.T) {
	body := []byte(`{"id":"evt_1","object":"event"}`)
	now := time.Now()
	signed := func(secret string, at time.Time) string { return stripetest.SignAt(body, secret, at) }
	right := signed(stripetest.Secret, now)
	at, signature, _ := strings.Cut(right, ",")
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		for name, test := range map[string]struct {
			header string
			ok     bool
		}{
			"signed":                 {right, true},
			"by the previous secret": {signed("whsec_previous", now), true},
			"one of two":             {at + ",v1=00ff," + signature, true},
			"with an old scheme":     {at + ",v0=00ff," + signature, true},
			"with spaces":            {at + ", " + signature, true},
			"four minutes ago":       {signed(stripetest.Secret, now.Add(-4*time.Minute)), true},
			"six minutes ago":        {signed(stripetest.Secret, now.Add(-6*time.Minute)), false},
			"by somebody else":       {signed("whsec_other", now), false},
			"by an empty secret":     {signed("", now), false},
			"of another time":        {fmt.Sprintf("t=%d,%s", now.Unix()-1, signature), false},
			"in another scheme":      {at + ",v0=" + strings.TrimPrefix(signature, "v1="), false},
			"without a time":         {signature, false},
			"without a signature":    {at, false},
			"cut":                    {right[:len(right)-2], false},
			"empty":                  {"", false},
		} {
			err := s.Receive(t.Context(), body, test.header)
			if test.ok && err != nil || !test.ok && apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%s: got %v, want taken: %t", name, err, test.ok)
			}
			err = s.Receive(t.Context(), append(bytes.Clone(body), ' '), test.header)
			if apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%s, with another body: got %v", name, err)
			}
		}
		for _, text := range []string{`{}`, `{"id":7}`, `{"id":"evt_2"`, ``} {
			err := s.Receive(t.Context(), []byte(text), stripetest.Sign([]byte(text), stripetest.Secret))
			if apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%s: got %v", text, err)
			}
		}
	})
}

// FuzzSignature expects a header to be taken only if it has the signature of its time and the body, and that of
// Stripe's own library for this body and time to be taken.
func FuzzSignature(f *testing.F) {
	at := time.Unix(1790000000, 0)
	body, secret := []byte(`{"id":"evt_1","object":"event"}`), "whsec_test"
	right := "t=1790000000,v1=00ba81aba90a4cf87c6f87127da13e8e98cddfe214e9e97b0fdfc547be8acead"
	if err := payments.CheckSignature(body, right, secret, at); err != nil {
		f.Fatal(err)
	}
	for _, header := range []string{right, "", "t=,v1=", "t=-1,v1=0", "v1=00,t=1790000000", "t=1,t=2,v1=,v1=zz,=,,"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if payments.CheckSignature(body, header, secret, at) != nil {
			return
		}
		for part := range strings.SplitSeq(header, ",") {
			if name, stamp, _ := strings.Cut(strings.TrimSpace(part), "="); name == "t" {
				hash := hmac.New(sha256.New, []byte(secret))
				fmt.Fprintf(hash, "%s.%s", stamp, body)
				if strings.Contains(strings.ToLower(header), hex.EncodeToString(hash.Sum(nil))) {
					return
				}
			}
		}
		t.Errorf("%q is taken", header)
	})
}
