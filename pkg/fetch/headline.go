package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// Headline says briefly, as the headline of a page for people, why a page couldn't be read.
func Headline(err error) string {
	var dns *net.DNSError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var status StatusError
	switch {
	case errors.As(err, &status):
		switch status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons:
			return "The site blocked our request"
		}
		return fmt.Sprintf("The page returned %d", int(status))
	case errors.As(err, &dns) && dns.IsNotFound:
		return "This address doesn’t exist"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return "The site blocked our request"
	case errors.As(err, &authority), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &verification):
		return "The connection isn’t secure"
	case !errors.Is(err, ErrUpstream):
		return "This isn’t a web page"
	}
	return "The site didn’t respond"
}
