package ui

import (
	"errors"
	"regexp"
	"strings"

	"masthead/pkg/apperr"
)

// addressError is a typed text that isn't an address, with a suggestion.
type addressError struct{ proposal string }

func (*addressError) Error() string { return "not an address" }

// ProposalFor returns the address suggested for an error of [AddressOf], or "".
func ProposalFor(err error) string {
	var fault *addressError
	if errors.As(err, &fault) {
		return fault.proposal
	}
	return ""
}

var (
	webScheme   = regexp.MustCompile(`(?i)^https?://`)
	otherScheme = regexp.MustCompile(`^([a-zA-Z][a-zA-Z+.-]*):/*(.*)$`)
	hostLike    = regexp.MustCompile(`^[^\s/@:]+\.[^\s/@:.]{2,}(:\d+)?(/\S*)?$`)
	portFirst   = regexp.MustCompile(`^\d+(/|$)`)
)

// AddressOf parses the typed address of a page, with or without a scheme.
func AddressOf(typed string) (string, error) {
	if typed == "" {
		return "", apperr.New(apperr.BadRequest, "Enter the address of a page.")
	}
	if webScheme.MatchString(typed) {
		return typed, nil
	}
	if m := otherScheme.FindStringSubmatch(typed); m != nil && !portFirst.MatchString(m[2]) {
		fault := &addressError{}
		if hostLike.MatchString(m[2]) {
			fault.proposal = "https://" + m[2]
		}
		return "", apperr.Wrap(apperr.BadRequest, "This isn’t a web address.", fault)
	}
	return "https://" + strings.TrimLeft(typed, "/"), nil
}

// HasScheme reports whether a typed address says that it is of the web. Otherwise [AddressOf] adds https.
func HasScheme(typed string) bool { return webScheme.MatchString(typed) }
