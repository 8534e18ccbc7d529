package fetch

import (
	"fmt"

	"masthead/pkg/weburl"
)

// Origin reads the pages of one site from another server, under the site's addresses: a build served on this machine is
// read as the future site. Only the connection differs. Responses, redirects and errors about their content name the
// site's addresses.
type Origin struct {
	// Site is any address of the site. Its host and port are mapped, with both schemes if the port is a default one.
	Site weburl.URL
	// From is any address of the server that is read instead.
	From weburl.URL
}

// validate reports an origin without one of its addresses, or one that maps a host to itself.
func (o Origin) validate() error {
	switch {
	case o.Site.IsZero() && o.From.IsZero():
		return nil
	case o.Site.IsZero() || o.From.IsZero():
		return fmt.Errorf("an origin needs two addresses: the site's and the server's")
	case sameServer(o.Site, o.From):
		return fmt.Errorf("%s is both the site and the server", o.From)
	}
	return nil
}

// source returns the address that u is read from: u itself unless it is on the site.
func (o Origin) source(u weburl.URL) (weburl.URL, error) {
	if o.Site.IsZero() || !sameServer(u, o.Site) {
		return u, nil
	}
	return u.On(o.From)
}

// public returns the address that a redirect to u means: the site's if u is on the replacement server, which often
// knows only its own name.
func (o Origin) public(u weburl.URL) (weburl.URL, error) {
	if o.Site.IsZero() || !sameServer(u, o.From) {
		return u, nil
	}
	return u.On(o.Site)
}

// sameServer reports whether two addresses have the same host and port. Ports 80 and 443 count as the same: a site uses
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
