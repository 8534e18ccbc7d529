// Package identity owns what the context says about a request: who is calling, from where, the request's id, and for
// pictures the query as it was sent. Beside it, contexts carry deadlines (package db) and traces (audit.WithProgress).
package identity

import (
	"context"
	"net/netip"

	"masthead/pkg/apperr"
)

// What tells credentials apart before anybody looks at them.
const (
	// KeyPrefix begins every API key. Secret scanners know it.
	KeyPrefix = "og_live_"
	// CookieName is the cookie that carries an access token.
	CookieName = "access_token"
)

// Carrier is how the credential came.
type Carrier int

// The carriers. None is an anonymous caller.
const (
	None Carrier = iota
	Bearer
	Cookie
	Key
	// Project is a signed-in account that acts in-process for one of its projects, as a key of the project would.
	Project
)

// Caller is who sent a request. Its zero value is anonymous.
type Caller struct {
	// UserID is the account, or the owner of the key; "" for an anonymous caller.
	UserID string
	// SessionID is the session of a bearer token or cookie.
	SessionID string
	// KeyID is the API key.
	KeyID string
	// KeyProjectID is the one project of a scoped key, or of a caller via [Project]; "" for a key of all projects.
	KeyProjectID string
	// Admin says whether the account may do an operator's work.
	Admin bool
	// LacksFactor says that the account would be an admin's if the session had given a second factor.
	LacksFactor bool
	// Plan is the plan of the account: free, plus or pro.
	Plan string
	// Via is how the credential came.
	Via Carrier
	// Address is the client's; set for anonymous callers too.
	Address netip.Addr
	// Agent is the User-Agent of an anonymous caller, in at most 256 bytes: what a client says of itself.
	Agent string
	// ResourceID is a UUID for what the request makes, the same whenever the request is sent again with its
	// Idempotency-Key; "" for a request without one.
	ResourceID string
}

// Anonymous says whether nobody is signed in.
func (c Caller) Anonymous() bool { return c.UserID == "" }

// RequireAdmin returns FORBIDDEN unless the caller is an admin.
func (c Caller) RequireAdmin() error {
	switch {
	case c.LacksFactor:
		return apperr.New(apperr.Forbidden, "This installation requires a second factor of admins, and this session was "+
			"opened without one. Set one up (POST /users/me/totp), or sign in with it.")
	case !c.Admin:
		return apperr.New(apperr.Forbidden, "Only an admin may do this.")
	}
	return nil
}

// Network is what counts as one place that calls come from: the IPv4 address, or the /64 of an IPv6 address, which is
// what one customer of a provider gets.
func (c Caller) Network() string {
	network := NetworkOf(c.Address)
	if !network.IsValid() || network.IsSingleIP() {
		return network.Addr().String()
	}
	return network.String()
}

// NetworkOf is the network of an address: see [Caller.Network]. It is not valid when the address is not.
func NetworkOf(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked()
	}
	return netip.PrefixFrom(address, address.BitLen())
}

// Gone is the response to a caller whose account was deleted after the credential had been looked at. The cause is for
// the log.
func Gone(cause error) error {
	return apperr.Wrap(apperr.Unauthorized, "The account of these credentials no longer exists.", cause)
}

type contextKey int

const (
	callerKey contextKey = iota
	requestIDKey
	queryKey
	mediaTypeKey
)

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey, c)
}

// CallerOf returns the caller; an anonymous one when none is known.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey).(Caller)
	return c
}

// WithRequestID returns a context that carries the request's id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey, id)
}

// RequestIDOf returns the request's id, or "" outside a request.
func RequestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey).(string)
	return id
}

// WithQuery returns a context that carries the query of the request as it was sent.
func WithQuery(ctx context.Context, query string) context.Context {
	return context.WithValue(ctx, queryKey, query)
}

// QueryOf returns the query of the request as it was sent; "" for requests of which nobody wants to know it.
func QueryOf(ctx context.Context) string {
	query, _ := ctx.Value(queryKey).(string)
	return query
}

// mediaTypes are those of a response.
type mediaTypes struct {
	chosen   string
	accepted []string
}

// WithMediaType returns a context that carries the media type of the response that the client asks for, and all those
// of the operation that it accepts.
func WithMediaType(ctx context.Context, chosen string, accepted ...string) context.Context {
	return context.WithValue(ctx, mediaTypeKey, mediaTypes{chosen, accepted})
}

// AcceptedOf returns the media types of the operation that the client accepts; none for operations that have only one.
func AcceptedOf(ctx context.Context) []string {
	of, _ := ctx.Value(mediaTypeKey).(mediaTypes)
	return of.accepted
}

// MediaTypeOf returns the media type that the client asks for, such as "text/csv"; "" for operations that have only
// one.
func MediaTypeOf(ctx context.Context) string {
	of, _ := ctx.Value(mediaTypeKey).(mediaTypes)
	return of.chosen
}
