// Package oidc signs people in at an OpenID Connect provider that the operator has chosen: the authorization code flow
// with PKCE (RFC 7636) and a nonce. It knows no accounts.
//
// Nothing of the provider is trusted beyond what its discovery document and its signatures say: responses are bounded
// in bytes and time, redirects aren't followed, and only the issuer's own host may be at a private address.
package oidc

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
)

const (
	// requestTime and maxResponse bound each request to the provider.
	requestTime = 10 * time.Second
	maxResponse = 1 << 20
	// discoveredFor is how long the discovery document is used.
	discoveredFor = time.Hour
	// maxAtOnce is how many sign-ins wait for the provider at a time.
	maxAtOnce = 16
	// maxSubject is the longest subject. Source: OpenID Connect Core 1.0, 2.
	maxSubject = 255
)

// Provider is an OpenID Connect provider. It is safe for concurrent use.
type Provider struct {
	cfg      Config
	redirect string
	client   *http.Client
	slots    chan struct{}
	one      singleflight.Group
	now      func() time.Time

	mu    sync.Mutex
	found *discovery
}

// discovery is what a provider says about itself.
type discovery struct {
	provider *oidc.Provider
	endpoint oauth2.Endpoint
	at       time.Time
}

// New returns the provider of cfg, which is valid and enabled. redirect is our address to which it sends browsers back.
// transport sends the requests to it: see [Config.Address].
func New(cfg Config, redirect string, transport http.RoundTripper) *Provider {
	return &Provider{
		cfg: cfg, redirect: redirect, slots: make(chan struct{}, maxAtOnce), now: time.Now,
		client: &http.Client{
			Transport: boundedTransport{transport}, Timeout: requestTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Attempt is a sign-in that has begun. Its browser alone has it, and all of it is needed to finish.
type Attempt struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
}

// Identity is who signed in at a provider.
type Identity struct {
	// Issuer and Subject identify the person for good.
	Issuer  string `json:"issuer"`
	Subject string `json:"subject"`
	// Email is "" unless the provider reports it as verified.
	Email string `json:"email,omitempty"`
	Name  string `json:"name,omitempty"`
}

// Begin returns the provider's address to send the browser to, or UPSTREAM_FAILED.
func (p *Provider) Begin(ctx context.Context) (address string, a Attempt, err error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", Attempt{}, err
	}
	a = Attempt{State: random(), Nonce: random(), Verifier: oauth2.GenerateVerifier()}
	return p.asClient(found).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), a, nil
}

// Finish returns who signed in, with the code that the provider gave the browser. It returns BAD_REQUEST for a code
// that the provider doesn't accept, UPSTREAM_FAILED if it responds with anything that can't be verified or doesn't
// respond, and UNAVAILABLE if too many sign-ins wait for it.
func (p *Provider) Finish(ctx context.Context, a Attempt, code string) (Identity, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		err := apperr.New(apperr.Unavailable, "Too many people are signing in at the moment. Try again.")
		err.RetryAfter = requestTime
		return Identity{}, err
	}
	found, err := p.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := p.asClient(found).Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
		return Identity{}, apperr.Wrap(apperr.BadRequest,
			"This sign-in was used already, or has expired. Start it again.", err)
	}
	if err != nil {
		return Identity{}, failed(fmt.Errorf("exchange a code: %w", err))
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := found.provider.VerifierContext(ctx, &oidc.Config{ClientID: p.cfg.ClientID, Now: p.now}).
		Verify(ctx, raw)
	if err != nil {
		return Identity{}, failed(fmt.Errorf("verify an ID token: %w", err))
	}
	return p.identity(verified, a)
}

// identity checks what the library leaves to its users, and returns who an ID token is about.
// Source: OpenID Connect Core 1.0, 3.1.3.7.
func (p *Provider) identity(token *oidc.IDToken, a Attempt) (Identity, error) {
	var claims struct {
		Email    string `json:"email"`
		Verified any    `json:"email_verified"` // some providers send text
		Name     string `json:"name"`
		Party    string `json:"azp"`
	}
	if err := token.Claims(&claims); err != nil {
		return Identity{}, failed(fmt.Errorf("read an ID token: %w", err))
	}
	switch {
	case a.Nonce == "" || subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.Nonce)) != 1:
		return Identity{}, failed(errors.New("the ID token has another nonce"))
	case len(token.Audience) > 1 && claims.Party == "", claims.Party != "" && claims.Party != p.cfg.ClientID:
		return Identity{}, failed(errors.New("the ID token is for another party"))
	case token.Subject == "" || len(token.Subject) > maxSubject:
		return Identity{}, failed(errors.New("the ID token has no usable subject"))
	}
	who := Identity{Issuer: p.cfg.Issuer, Subject: token.Subject, Name: claims.Name}
	if claims.Verified == true || claims.Verified == "true" {
		who.Email = claims.Email
	}
	return who, nil
}

// asClient returns us as a client of OAuth 2.
func (p *Provider) asClient(found *discovery) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.cfg.ClientID, ClientSecret: p.cfg.ClientSecret, RedirectURL: p.redirect, Endpoint: found.endpoint,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// discover returns what the provider says about itself, which it reads at most once at a time. If it can't be read
// again, the last one is used.
func (p *Provider) discover(ctx context.Context) (*discovery, error) {
	p.mu.Lock()
	found := p.found
	p.mu.Unlock()
	if found != nil && p.now().Sub(found.at).Abs() < discoveredFor {
		return found, nil
	}
	result := p.one.DoChan("", func() (any, error) {
		// Others wait for the result too, so it doesn't end with this caller. The client bounds it.
		next, err := p.read(context.WithoutCancel(ctx))
		if err == nil {
			p.mu.Lock()
			p.found = next
			p.mu.Unlock()
		}
		return next, err
	})
	select {
	case <-ctx.Done():
		return nil, failed(ctx.Err())
	case r := <-result:
		if r.Err == nil {
			return r.Val.(*discovery), nil
		}
		if found != nil {
			return found, nil
		}
		return nil, failed(r.Err)
	}
}

func (p *Provider) read(ctx context.Context) (*discovery, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("discover the provider: %w", err)
	}
	var more struct {
		Keys    string   `json:"jwks_uri"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, fmt.Errorf("read the discovery document: %w", err)
	}
	endpoint := provider.Endpoint()
	for _, address := range []string{endpoint.AuthURL, endpoint.TokenURL, more.Keys} {
		if !p.cfg.secure(address) {
			return nil, fmt.Errorf("the discovery document names the address %q, which is not https", address)
		}
	}
	// The library would find out with a second request, which repeats the code.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if more.Methods != nil && !slices.Contains(more.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &discovery{provider: provider, endpoint: endpoint, at: p.now()}, nil
}

// failed returns the error for a provider that can't be used. The cause is only logged.
func failed(cause error) error {
	return apperr.Wrap(apperr.UpstreamFailed, "The sign-in provider didn't respond as it should. Try again, or sign in "+
		"with your password.", cause)
}

// random returns 256 random bits as text.
func random() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails: see package crypto/rand
	return base64.RawURLEncoding.EncodeToString(raw)
}

// boundedTransport bounds the bytes of responses.
type boundedTransport struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (b boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &limitedBody{response.Body, maxResponse}
	return response, nil
}

// limitedBody is a body of which at most left bytes are read.
type limitedBody struct {
	io.ReadCloser
	left int
}

var errTooLong = errors.New("the provider's response is too long")

// Read implements [io.Reader].
func (l *limitedBody) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// address returns the host and port of an address.
func address(u *url.URL) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}
