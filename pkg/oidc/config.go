package oidc

import (
	"errors"
	"net/netip"
	"net/url"
)

// Config has the operator's settings for sign-in with an OpenID Connect provider. Without an issuer there is none.
type Config struct {
	Issuer       string `name:"oidc-issuer" env:"MASTHEAD_OIDC_ISSUER" placeholder:"https://…" help:"Issuer of an OpenID Connect provider that people can sign in with, such as https://accounts.google.com. Its redirect address is MASTHEAD_BASE_URL/auth/oidc/callback."`
	ClientID     string `name:"oidc-client-id" env:"MASTHEAD_OIDC_CLIENT_ID" placeholder:"…" help:"The client ID that the provider gave this service."`
	ClientSecret string `name:"oidc-client-secret" env:"MASTHEAD_OIDC_CLIENT_SECRET" placeholder:"…" help:"The client secret that the provider gave this service."`
}

// Enabled reports whether there is a provider.
func (c Config) Enabled() bool { return c.Issuer != "" }

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	if c == (Config{}) {
		return nil
	}
	var faults []error
	u, err := url.Parse(c.Issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || !c.secure(c.Issuer) {
		faults = append(faults, errors.New("MASTHEAD_OIDC_ISSUER must be an https address without a query, exactly as the "+
			"provider spells it"))
	}
	if c.ClientID == "" || c.ClientSecret == "" {
		faults = append(faults, errors.New("MASTHEAD_OIDC_CLIENT_ID and MASTHEAD_OIDC_CLIENT_SECRET are needed with "+
			"MASTHEAD_OIDC_ISSUER"))
	}
	return errors.Join(faults...)
}

// Address returns the host and port of the issuer, the one server that may be at a private address.
func (c Config) Address() string {
	u, err := url.Parse(c.Issuer)
	if err != nil {
		return ""
	}
	return address(u)
}

// Host returns the host of the issuer, by which people know it; "" without one.
func (c Config) Host() string {
	u, err := url.Parse(c.Issuer)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// secure reports whether an address is https, or that of an issuer on this machine.
func (c Config) secure(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	loopback, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" ||
		u.Scheme == "http" && err == nil && loopback.IsLoopback() && address(u) == c.Address()
}
