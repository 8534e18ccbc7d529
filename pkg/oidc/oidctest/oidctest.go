// Package oidctest is a local OpenID Connect provider for tests: discovery, keys, and the code flow with PKCE, with
// faults on demand.
package oidctest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"masthead/pkg/oidc"
)

// The client that the provider knows.
const (
	ClientID     = "masthead"
	ClientSecret = "a secret of the client"
)

// Person is who signs in.
type Person struct {
	Subject, Email, Name string
	Verified             any // email_verified; nil leaves it out
}

// Provider is a running provider. Its fields are changed between sign-ins only.
type Provider struct {
	*httptest.Server
	// Person signs in at every sign-in, without being asked.
	Person Person
	// Claims changes the claims of an ID token, if it isn't nil.
	Claims func(claims map[string]any)
	// Sign signs an ID token; nil is RS256 with the key that the provider publishes.
	Sign func(claims map[string]any) string
	// Discovery changes the discovery document, if it isn't nil.
	Discovery func(document map[string]any)
	// Fault handles a path in place of the provider, if it has one.
	Fault map[string]http.HandlerFunc
	// AnyVerifier accepts every PKCE verifier, and AnyCode a code again, as a faulty provider does.
	AnyVerifier, AnyCode bool

	t     testing.TB
	key   *rsa.PrivateKey
	mu    sync.Mutex
	codes map[string]url.Values // of the request to authorize
	calls map[string]int
}

var makeKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// New runs a provider on loopback until the test ends.
func New(t testing.TB) *Provider {
	t.Helper()
	key, err := makeKey()
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{
		t: t, key: key, codes: map[string]url.Values{}, calls: map[string]int{}, Fault: map[string]http.HandlerFunc{},
		Person: Person{Subject: "ada", Email: "ada@example.com", Name: "Ada Lovelace", Verified: true},
	}
	mux := http.NewServeMux()
	for path, handle := range map[string]http.HandlerFunc{
		"/.well-known/openid-configuration": p.discovery, "/authorize": p.authorize, "/token": p.token, "/keys": p.keys,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p.mu.Lock()
			p.calls[path]++
			fault := p.Fault[path]
			p.mu.Unlock()
			if fault != nil {
				fault(w, r)
				return
			}
			handle(w, r)
		})
	}
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// Config is the configuration of a client.
func (p *Provider) Config() oidc.Config {
	return oidc.Config{Issuer: p.URL, ClientID: ClientID, ClientSecret: ClientSecret}
}

// Calls is how often a path was requested.
func (p *Provider) Calls(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[path]
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	document := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
	}
	if p.Discovery != nil {
		p.Discovery(document)
	}
	p.write(w, document)
}

// authorize signs the person in and sends the browser back.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	if asked.Get("client_id") != ClientID || asked.Get("response_type") != "code" ||
		asked.Get("code_challenge_method") != "S256" || asked.Get("code_challenge") == "" || asked.Get("nonce") == "" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = asked
	p.mu.Unlock()
	back := url.Values{"code": {code}, "state": {asked.Get("state")}, "session_state": {"of the provider"}}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound) //nolint:gosec // to the tested one
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	code := r.PostFormValue("code")
	p.mu.Lock()
	asked, found := p.codes[code]
	if !p.AnyCode {
		delete(p.codes, code)
	}
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case id != ClientID || secret != url.QueryEscape(ClientSecret):
		p.refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	case !found || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri"),
		!p.AnyVerifier && subtle.ConstantTimeCompare([]byte(challenge), []byte(asked.Get("code_challenge"))) != 1:
		p.refuse(w, http.StatusBadRequest, "invalid_grant")
		return
	}
	now := time.Now()
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": p.Person.Subject, "nonce": asked.Get("nonce"), "iat": now.Unix(),
		"exp": now.Add(5 * time.Minute).Unix(), "email": p.Person.Email, "name": p.Person.Name,
	}
	if p.Person.Verified != nil {
		claims["email_verified"] = p.Person.Verified
	}
	if p.Claims != nil {
		p.Claims(claims)
	}
	sign := p.Sign
	if sign == nil {
		sign = p.RS256
	}
	p.write(w, map[string]any{"access_token": "unused", "token_type": "Bearer", "id_token": sign(claims)})
}

func (p *Provider) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	p.write(w, map[string]any{"error": code})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.write(w, map[string]any{"keys": []any{map[string]any{
		"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one",
		"n": base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes()),
	}}})
}

func (p *Provider) write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Log("the client hung up:", err)
	}
}

// RS256 signs an ID token with the key that the provider publishes.
func (p *Provider) RS256(claims map[string]any) string { return p.signRSA(p.key, claims) }

// Foreign signs an ID token with a key that the provider doesn't publish, under the same name.
func (p *Provider) Foreign(claims map[string]any) string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	return p.signRSA(key, claims)
}

func (p *Provider) signRSA(key *rsa.PrivateKey, claims map[string]any) string {
	text := p.unsigned("RS256", claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		p.t.Error(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// None returns an ID token with the algorithm none.
func (p *Provider) None(claims map[string]any) string { return p.unsigned("none", claims) + "." }

// HS256 signs an ID token with the client's secret.
func (p *Provider) HS256(claims map[string]any) string {
	text := p.unsigned("HS256", claims)
	sum := hmac.New(sha256.New, []byte(ClientSecret))
	sum.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}

func (p *Provider) unsigned(algorithm string, claims map[string]any) string {
	header, err1 := json.Marshal(map[string]any{"alg": algorithm, "kid": "one", "typ": "JWT"})
	body, err2 := json.Marshal(claims)
	if err1 != nil || err2 != nil {
		p.t.Error(err1, err2)
	}
	return base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(body)
}
