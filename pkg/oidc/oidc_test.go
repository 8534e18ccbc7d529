package oidc

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"masthead/pkg/apperr"
)

// server answers in place of a provider.
type server func(r *http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (s server) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func answer(status int, body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(body),
		Header: http.Header{"Content-Type": {"application/json"}, "Location": {"https://issuer.example/elsewhere"}},
	}
}

const issuer = "https://issuer.example"

// document is a discovery document, with one part replaced.
func document(old, with string) string {
	return strings.Replace(`{"issuer": "https://issuer.example", "authorization_endpoint": "https://issuer.example/a",
		"token_endpoint": "https://issuer.example/t", "jwks_uri": "https://issuer.example/k"}`, old, with, 1)
}

func TestProvider_badServersAreAnError(t *testing.T) {
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	discovery := func(text string) server {
		return func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK, strings.NewReader(text)), nil
		}
	}
	after := func(next server) server {
		return func(r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "well-known") {
				return discovery(document("", ""))(r)
			}
			return next(r)
		}
	}
	endless := func(*http.Request) (*http.Response, error) {
		return answer(http.StatusOK, io.MultiReader(strings.NewReader(`{"issuer": "`), spaces{})), nil
	}
	for name, s := range map[string]server{
		"dead": func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
		"cut off": func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK, iotest.TimeoutReader(strings.NewReader(document("", "")))), nil
		},
		"slow":        hang,
		"endless":     endless,
		"redirecting": func(*http.Request) (*http.Response, error) { return answer(http.StatusFound, http.NoBody), nil },
		"an error": func(*http.Request) (*http.Response, error) {
			return answer(http.StatusInternalServerError, http.NoBody), nil
		},
		"no JSON":           discovery("<html>"),
		"another issuer":    discovery(document(issuer, "https://other.example")),
		"keys by http":      discovery(document("https://issuer.example/k", "http://issuer.example/k")),
		"token by http":     discovery(document("https://issuer.example/t", "http://issuer.example/t")),
		"sign-in by script": discovery(document("https://issuer.example/a", "javascript:alert(1)")),
		"no keys":           discovery(document("https://issuer.example/k", "")),
		"endless token":     after(endless),
		"slow token":        after(hang),
		"redirecting token": after(func(*http.Request) (*http.Response, error) { return answer(http.StatusFound, http.NoBody), nil }),
		"empty token":       after(discovery("{}")),
		"a deep token":      after(discovery(strings.Repeat("[", 900_000))),
	} {
		p := New(Config{Issuer: issuer, ClientID: "us", ClientSecret: "secret"}, "https://us.example/back", s)
		p.client.Timeout = 50 * time.Millisecond
		if name != "slow" && name != "slow token" {
			p.client.Timeout = time.Minute
		}
		_, err := p.Finish(t.Context(), Attempt{State: "state", Nonce: "nonce", Verifier: "verifier"}, "code")
		known := (*apperr.Error)(nil)
		if !errors.As(err, &known) || known.Code != apperr.UpstreamFailed || strings.Contains(known.Detail, "issuer") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// spaces never ends.
type spaces struct{}

// Read implements [io.Reader].
func (spaces) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

// TestProvider_waitsForNoMoreThanItHasSlots fills the slots with sign-ins at a provider that doesn't answer.
func TestProvider_waitsForNoMoreThanItHasSlots(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	p := New(Config{Issuer: issuer, ClientID: "us", ClientSecret: "secret"}, "https://us.example/back",
		server(func(r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "well-known") {
				return answer(http.StatusOK, strings.NewReader(document("", ""))), nil
			}
			entered <- struct{}{}
			<-release
			return answer(http.StatusOK, strings.NewReader("{}")), nil
		}))
	ended := make(chan error)
	for range maxAtOnce {
		go func() {
			_, err := p.Finish(t.Context(), Attempt{Nonce: "nonce"}, "code")
			ended <- err
		}()
		<-entered
	}
	if _, err := p.Finish(t.Context(), Attempt{Nonce: "nonce"}, "code"); apperr.CodeOf(err) != apperr.Unavailable {
		t.Errorf("one more: got %v, want UNAVAILABLE", err)
	}
	close(release)
	for range maxAtOnce {
		if err := <-ended; apperr.CodeOf(err) != apperr.UpstreamFailed {
			t.Errorf("got %v", err)
		}
	}
}

func TestConfig_validate(t *testing.T) {
	full := Config{Issuer: issuer, ClientID: "us", ClientSecret: "secret"}
	for name, c := range map[string]struct {
		cfg  Config
		want bool
	}{
		"nothing":              {Config{}, true},
		"everything":           {full, true},
		"with a path":          {Config{issuer + "/realms/one", "us", "secret"}, true},
		"on this machine":      {Config{"http://127.0.0.1:9000", "us", "secret"}, true},
		"by http":              {Config{"http://issuer.example", "us", "secret"}, false},
		"by http at a name":    {Config{"http://localhost:9000", "us", "secret"}, false},
		"no address":           {Config{"issuer", "us", "secret"}, false},
		"a query":              {Config{issuer + "?a=b", "us", "secret"}, false},
		"a user":               {Config{"https://a:b@issuer.example", "us", "secret"}, false},
		"without a client":     {Config{issuer, "", "secret"}, false},
		"without a secret":     {Config{issuer, "us", ""}, false},
		"without an issuer":    {Config{"", "us", "secret"}, false},
		"only another setting": {Config{"", "", "secret"}, false},
	} {
		if err := c.cfg.Validate(); (err == nil) != c.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
