package rule

import (
	"net/url"
	"slices"

	"masthead/pkg/weburl"
)

// This file has the exceptions for pages on localhost: rules that such a page can't satisfy aren't checked, and fixes
// use its future public address.

// samplePublic is the assumed public origin of pages on localhost in fixes.
const samplePublic = "https://example.com"

// NotChecked is a rule that couldn't be checked in the page's location. It doesn't count.
type NotChecked struct {
	ID       string
	Category Category
	Title    string
	// Reason explains why, in a sentence.
	Reason string
}

// The reasons for rules that weren't checked.
const (
	noHTTPS  = "The page is on localhost, which needs no https."
	noPublic = "The page is on localhost, so its public address is not known."
)

// noPublic says why something wasn't compared with the page's public address and, if the page names that, how it is.
func (f *facts) noPublic() string {
	if f.quiet || f.publicOrigin == samplePublic {
		return noPublic
	}
	return "The page is on localhost; " + f.published() + " checks it under its public address."
}

// published is the command that reads a page on localhost from there under its public address.
func (f *facts) published() string {
	here, err := url.Parse(f.final)
	if err != nil {
		return ""
	}
	return "masthead audit " + f.name(f.final) + " --origin " + here.Scheme + "://" + here.Host
}

// unchecked is the verdict on a rule that can't apply in the page's location.
func unchecked(reason string) verdict { return verdict{state: notApplicable, reason: reason} }

// notChecked returns the unchecked rules, sorted by ID.
func (s *set) notChecked(verdicts []verdict) []NotChecked {
	var list []NotChecked
	for i, r := range s.byID {
		if reason := verdicts[i].reason; reason != "" {
			list = append(list, NotChecked{ID: r.ID, Category: r.Category, Title: r.Title, Reason: reason})
		}
	}
	return slices.Clip(list)
}

// onLoopback reports whether an address is on this machine.
func onLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, err := weburl.ParseHost(u.Hostname())
	return err == nil && host.IsLoopback()
}

// elsewhere reports whether the page is on localhost and an address isn't, so that they can't be compared.
func (f *facts) elsewhere(address string) bool { return f.loopback && !onLoopback(address) }

// setPublic determines whether the page is on localhost, and its future address: the canonical address, otherwise
// og:url.
func (f *facts) setPublic() {
	if f.loopback = onLoopback(f.final); !f.loopback {
		return
	}
	f.publicOrigin = samplePublic
	for _, address := range []string{f.canonical(), f.ogURL} {
		u, err := url.Parse(address)
		if err == nil && u.Host != "" && formOf(address) >= absoluteHTTP && !onLoopback(address) {
			f.publicOrigin = "https://" + u.Host
			return
		}
	}
}

// name returns an address for a text beside code: as the code writes it.
func (f *facts) name(address string) string { return f.show(f.publicly(address)) }

// publicly returns the address for a fix: that of the published page for one on localhost.
func (f *facts) publicly(address string) string {
	if !f.loopback || !onLoopback(address) {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host = "", ""
	return f.publicOrigin + u.String()
}
