// Package address judges addresses of /og of a project: whether their signatures are valid, and until when they are.
package address

import (
	"net/url"
	"strconv"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/projects"
	"masthead/pkg/signed"
)

// Check checks the signature and the expiry of an address of a project, and returns the time in Unix seconds from
// which it is refused; 0 if it never is. A signature is checked wherever there is one.
func Check(project projects.Project, query string, now time.Time) (until int64, err error) {
	sent, err := url.ParseQuery(query)
	if err != nil {
		return 0, apperr.Wrap(apperr.BadRequest, "The query of the address can't be read.", err)
	}
	if until, err = signed.Until(sent); err != nil {
		return 0, apperr.Invalid("query.exp", "exp must be a time in Unix seconds.")
	}
	switch {
	case sent.Get(signed.Signature) == "":
		if project.RequireSignature {
			return 0, apperr.New(apperr.Forbidden, "This project requires signed addresses, and this one has no sig.")
		}
	case !signed.Valid(project.SigningKeys, sent):
		return 0, apperr.New(apperr.Forbidden, "The signature of this address is not valid: a parameter was changed, or its "+
			"key is no longer used.")
	}
	if until != 0 && now.Unix() >= until {
		return 0, apperr.New(apperr.Forbidden,
			"This address expired at "+time.Unix(until, 0).UTC().Format(time.RFC3339)+".")
	}
	return until, nil
}

// CacheUntil returns how long clients may cache a picture whose address expires: for usual seconds at most.
func CacheUntil(until int64, usual time.Duration, now time.Time) string {
	left := min(until-now.Unix(), int64(usual/time.Second))
	return "public, max-age=" + strconv.FormatInt(max(left, 0), 10)
}
