package fetch

import (
	"fmt"

	"masthead/pkg/weburl"
)

// Origin reads the pages of one site from another server, under the addresses of the site: a build that is served on
// this machine is read as what it is going to be. Only the connection differs. Responses, redirects and errors about
// their content name the addresses of the site.
type Origin struct {
	// Site is any address of the site. Its host and port are mapped, with both schemes where the port is a usual one.
	Site weburl.URL
	// From is any address of the server that is read instead.
	From weburl.URL
}

// validate reports an origin that lacks one of its addresses, or maps a host to itself.
func (o Origin) validate() error {
	switch {
	case o.Site.IsZero() && o.From.IsZero():
		return nil
	case o.Site.IsZero() || o.From.IsZero():
		return fmt.Errorf("an origin has two addresses: those of the site and of the server that it is read from")
	case sameServer(o.Site, o.From):
		return fmt.Errorf("%s is the site and the server that it is read from", o.From)
	}
	return nil
}

// source returns the address that u is read from: u itself unless it is of the site.
func (o Origin) source(u weburl.URL) (weburl.URL, error) {
	if o.Site.IsZero() || !sameServer(u, o.Site) {
		return u, nil
	}
	return u.On(o.From)
}

// public returns the address that a redirect to u means: that of the site when u is on the server that is read instead,
// which often knows no other name of itself.
func (o Origin) public(u weburl.URL) (weburl.URL, error) {
	if o.Site.IsZero() || !sameServer(u, o.From) {
		return u, nil
	}
	return u.On(o.Site)
}

// sameServer reports whether two addresses are on one host and port. Ports 80 and 443 are one: a site is reached by
// both.
func sameServer(a, b weburl.URL) bool {
	return a.Host() == b.Host() && usualPort(a.Port()) == usualPort(b.Port())
}

func usualPort(port uint16) uint16 {
	if port == 443 {
		return 80
	}
	return port
}
