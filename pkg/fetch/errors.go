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
	// ErrRefused is matched by every error about a target that may not be reached. Such an error is an apperr
	// BAD_REQUEST whose detail is always [RefusedDetail], and on a [Config.Local] installation one more sentence.
	ErrRefused = errors.New("target refused")

	// ErrUpstream is matched by every error about a target that could not be fetched. Such an error is an apperr
	// UPSTREAM_FAILED whose detail says what was wrong with the other side.
	ErrUpstream = errors.New("target could not be fetched")

	// ErrTooOften is matched by those errors about a target from which as much was fetched as may be for a while. It says
	// nothing about the target, and its RetryAfter says when to try again. It is an [ErrUpstream].
	ErrTooOften = fmt.Errorf("%w: fetched too often", ErrUpstream)
)

// RefusedDetail is the one sentence for every forbidden target: private by name, number, port or redirect, with or
// without somebody listening there.
const RefusedDetail = "This address cannot be fetched: only public web pages are."

// refusedHint follows it where the reader operates the service.
const refusedHint = "To open addresses of your own, restart the service with MASTHEAD_FETCH_ALLOW, " +
	"such as MASTHEAD_FETCH_ALLOW=127.0.0.1/32:3000 for a site on this machine."

// refused returns the error for a forbidden target. The rule that forbids it is for the log alone.
func refused(rule string) error {
	return apperr.Wrap(apperr.BadRequest, RefusedDetail, fmt.Errorf("%w: %s", ErrRefused, rule))
}

// upstream returns the error for a target that failed us. The cause, if any, is for the log.
func upstream(detail string, cause error) error {
	if cause == nil {
		return apperr.Wrap(apperr.UpstreamFailed, detail, ErrUpstream)
	}
	return apperr.Wrap(apperr.UpstreamFailed, detail, fmt.Errorf("%w: %w", ErrUpstream, cause))
}

// errClosed is matched by errors about a host that is not asked just now, since it did not answer.
var errClosed = fmt.Errorf("%w: closed by a breaker", ErrUpstream)

// upstreamBusy is an [ErrUpstream] with the time after which another try makes sense, in whole seconds.
func upstreamBusy(detail string, cause error, retryAfter time.Duration) error {
	e := apperr.Wrap(apperr.UpstreamFailed, detail, cause)
	e.RetryAfter = time.Duration(wholeSeconds(retryAfter)) * time.Second
	return e
}

// wholeSeconds rounds a pause up, to one second at least.
func wholeSeconds(d time.Duration) int { return int(max(math.Ceil(d.Seconds()), 1)) }

// explain turns what a lookup, a connection or an exchange with host ended with into an error for the client.
// Refusals and errors that are explained already pass; a cancelled ctx gives its own error, which is nobody's fault.
func explain(ctx context.Context, host string, err error) error {
	var known *apperr.Error
	switch {
	case errors.As(err, &known):
		return known // without what the dialer has wrapped round it
	case errors.Is(context.Cause(ctx), context.Canceled):
		return fmt.Errorf("fetch from %s: %w", host, context.Canceled)
	case ctx.Err() != nil:
		return upstream(host+" did not answer in time.", context.DeadlineExceeded)
	}
	if ours(err) {
		e := apperr.Wrap(apperr.Unavailable, "Too much is open here just now; try again in a moment.", err)
		e.RetryAfter = placeTime
		return e
	}
	return upstream(sentence(host, err), &reportedError{err})
}

// Unreached reports whether err is for a host that did not answer: it could not be reached, the secure connection
// failed, or it said nothing in time. Another port or scheme of it may answer. A name without an address has none.
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

// ours says whether an error is for a lack of descriptors here, which tells nothing about the other side.
func ours(err error) bool { return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) }

// reportedError is a fault that net/http reports of another side. Its text is for the log, so it is only one that
// repeats nothing of what that side sent, as "malformed MIME header line" does.
type reportedError struct{ cause error }

// Error is the text of the cause where that is the system's, else the names of its types.
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

// sentence says in a user's words why the exchange with host failed.
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
		text    = err.Error() // where the standard library has no type for a fault
		secure  = "The secure connection to " + host + " failed: "
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "There is no address for the name " + host + "."
	case errors.As(err, &dns):
		return "The name " + host + " could not be looked up."
	case errors.As(err, &name):
		return secure + "its certificate is for another name."
	case errors.As(err, &unknown):
		return secure + "its certificate is not signed by a known authority."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return secure + "its certificate has expired or is not valid yet."
	case errors.As(err, &invalid), errors.As(err, &verify):
		return secure + "its certificate is not valid."
	case errors.As(err, &record), strings.Contains(text, "tls: ") && strings.Contains(text, "protocol version"):
		return secure + "it does not speak TLS 1.2 or newer."
	case strings.Contains(text, "tls: "):
		return secure + "the two sides could not agree."
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return host + " did not answer in time."
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "header list larger"):
		return host + " sent more headers than are read."
	case errors.As(err, &network) && network.Op == "dial":
		return host + " could not be reached."
	default:
		return host + " broke off the connection or sent a response that could not be read."
	}
}
