package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"masthead/pkg/apperr"
)

var (
	// ErrRefused is matched by every error about a target that may not be reached. Such an error is an apperr BAD_REQUEST
	// with the detail [RefusedDetail], plus a hint on a [Config.Local] installation.
	ErrRefused = errors.New("target refused")

	// ErrUpstream is matched by every error about a target that couldn't be fetched. Such an error is an apperr
	// UPSTREAM_FAILED whose detail says what was wrong with the server.
	ErrUpstream = errors.New("target could not be fetched")

	// ErrTooOften is matched by errors about a target whose fetching limit is used up. It says nothing about the target,
	// and its RetryAfter says when to try again. It is an [ErrUpstream].
	ErrTooOften = fmt.Errorf("%w: fetched too often", ErrUpstream)
)

// RefusedDetail is the one message for every forbidden target: private by name, address, port or redirect, whether or
// not anything listens there.
const RefusedDetail = "This address cannot be fetched: only public web pages can."

// refusedHint is appended if the reader operates the service.
const refusedHint = "To open addresses of your own, restart the service with MASTHEAD_FETCH_ALLOW, " +
	"such as MASTHEAD_FETCH_ALLOW=127.0.0.1/32:3000 for a site on this machine."

// refused returns the error for a forbidden target. The violated rule is only logged.
func refused(rule string) error {
	return apperr.Wrap(apperr.BadRequest, RefusedDetail, fmt.Errorf("%w: %s", ErrRefused, rule))
}

// upstream returns the error for a target that couldn't be fetched. The cause, if any, is only logged.
func upstream(detail string, cause error) error {
	if cause == nil {
		return apperr.Wrap(apperr.UpstreamFailed, detail, ErrUpstream)
	}
	return apperr.Wrap(apperr.UpstreamFailed, detail, fmt.Errorf("%w: %w", ErrUpstream, cause))
}

// errClosed is matched by errors about a host that a breaker blocks because it didn't respond.
var errClosed = fmt.Errorf("%w: closed by a breaker", ErrUpstream)

// upstreamBusy is an [ErrUpstream] with the time until a retry makes sense, in whole seconds.
func upstreamBusy(detail string, cause error, retryAfter time.Duration) error {
	e := apperr.Wrap(apperr.UpstreamFailed, detail, cause)
	e.RetryAfter = time.Duration(wholeSeconds(retryAfter)) * time.Second
	return e
}

// wholeSeconds rounds a pause up, to at least one second.
func wholeSeconds(d time.Duration) int { return int(max(math.Ceil(d.Seconds()), 1)) }

// explain turns the error of a lookup, a connection or an exchange with host into an error for the client. Refusals and
// already explained errors pass unchanged; a canceled ctx returns its own error, which is nobody's fault.
func explain(ctx context.Context, host string, err error) error {
	var known *apperr.Error
	switch {
	case errors.As(err, &known):
		return known // without the wrapper of the dialer
	case errors.Is(context.Cause(ctx), context.Canceled):
		return fmt.Errorf("fetch from %s: %w", host, context.Canceled)
	case ctx.Err() != nil:
		return upstream(host+" did not respond in time.", context.DeadlineExceeded)
	}
	if ours(err) {
		e := apperr.Wrap(apperr.Unavailable, "The server is busy. Try again in a moment.", err)
		e.RetryAfter = placeTime
		return e
	}
	return upstream(sentence(host, err), &reportedError{err})
}

// Unreached reports whether err is for a host that didn't respond: it could not be reached, the TLS connection failed,
// or it sent nothing in time. Another port or scheme of it may respond. A name without an address doesn't count.
func Unreached(err error) bool {
	var reported *reportedError
	var name *net.DNSError
	switch {
	case !errors.Is(err, ErrUpstream), errors.As(err, &name):
		return false
	case errors.As(err, &reported), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errClosed):
		return true
	}
	return false
}

// BadCertificate reports whether err is for a host whose certificate isn't valid for it.
func BadCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	return errors.As(err, &verify)
}

// ours reports whether an error is a lack of file descriptors here, which says nothing about the server.
func ours(err error) bool { return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) }

// reportedError is a fault of a server that net/http reports. Its text is for the log, so it omits everything that the
// server sent, such as the header in "malformed MIME header line".
type reportedError struct{ cause error }

// Error returns the text of the cause if it comes from the system, otherwise the names of its types.
func (e *reportedError) Error() string {
	var network *net.OpError
	var name *net.DNSError
	switch {
	case errors.As(e.cause, &name):
		return name.Error()
	case errors.As(e.cause, &network):
		return network.Error()
	case errors.Is(e.cause, io.EOF), errors.Is(e.cause, io.ErrUnexpectedEOF):
		return "it broke off"
	}
	kinds := fmt.Sprintf("%T", e.cause)
	for inner := errors.Unwrap(e.cause); inner != nil; inner = errors.Unwrap(inner) {
		kinds += fmt.Sprintf(" of %T", inner)
	}
	return kinds
}

// Unwrap returns the cause.
func (e *reportedError) Unwrap() error { return e.cause }

// sentence explains to a user why the exchange with host failed.
func sentence(host string, err error) string {
	var (
		dns     *net.DNSError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		timeout net.Error
		network *net.OpError
		text    = err.Error() // for faults without a type in the standard library
		secure  = "The secure connection to " + host + " failed: "
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "There is no address for the host name " + host + "."
	case errors.As(err, &dns):
		return "The host name " + host + " could not be looked up."
	case errors.As(err, &name):
		return secure + "its certificate is for another name."
	case errors.As(err, &unknown):
		return secure + "its certificate is not signed by a known authority."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return secure + "its certificate has expired or is not valid yet."
	case errors.As(err, &invalid), errors.As(err, &verify):
		return secure + "its certificate is not valid."
	case errors.As(err, &record), strings.Contains(text, "tls: ") && strings.Contains(text, "protocol version"):
		return secure + "it does not support TLS 1.2 or later."
	case strings.Contains(text, "tls: "):
		return secure + "the two sides could not agree."
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return host + " did not respond in time."
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "header list larger"):
		return host + " sent too many headers."
	case errors.As(err, &network) && network.Op == "dial":
		return host + " could not be reached."
	default:
		return host + " closed the connection or sent an invalid response."
	}
}
