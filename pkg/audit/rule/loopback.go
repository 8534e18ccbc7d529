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

// UncheckedRule is a rule that couldn't be checked in the page's location. It doesn't count.
type UncheckedRule struct {
	ID       string
	Category Category
	Title    string
	// Reason explains why, in a sentence.
	Reason string
}

// The reasons for rules that weren't checked.
const (
	NoHTTPS  = "The page is on localhost, which needs no https."
	noPublic = "The page is on localhost, so its public address is not known."
)

// NoPublic says why something wasn't compared with the page's public address and, if the page names that, how it is.
func (f *Facts) NoPublic() string {
	if f.Quiet || f.PublicOrigin == samplePublic {
		return noPublic
	}
	return "The page is on localhost; " + f.Published() + " checks it under its public address."
}

// Published is the command that reads a page on localhost from there under its public address.
func (f *Facts) Published() string {
	here, err := url.Parse(f.Final)
	if err != nil {
		return ""
	}
	return "masthead audit " + f.ShowURL(f.Final) + " --origin " + here.Scheme + "://" + here.Host
}

// Unchecked is the verdict on a rule that can't apply in the page's location.
func Unchecked(reason string) Verdict { return Verdict{State: NotApplicable, Reason: reason} }

// notChecked returns the unchecked rules, sorted by ID.
func (s *Set) notChecked(verdicts []Verdict) []UncheckedRule {
	var list []UncheckedRule
	for i, r := range s.byID {
		if reason := verdicts[i].Reason; reason != "" {
			list = append(list, UncheckedRule{ID: r.ID, Category: r.Category, Title: r.Title, Reason: reason})
		}
	}
	return slices.Clip(list)
}

// OnLoopback reports whether an address is on this machine.
func OnLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, err := weburl.ParseHost(u.Hostname())
	return err == nil && host.IsLoopback()
}

// Elsewhere reports whether the page is on localhost and an address isn't, so that they can't be compared.
func (f *Facts) Elsewhere(address string) bool { return f.Loopback && !OnLoopback(address) }

// setPublic determines whether the page is on localhost, and its future address: the canonical address, otherwise
// og:url.
func (f *Facts) setPublic() {
	if f.Loopback = OnLoopback(f.Final); !f.Loopback {
		return
	}
	f.PublicOrigin = samplePublic
	for _, address := range []string{f.Canonical(), f.OGURL} {
		u, err := url.Parse(address)
		if err == nil && u.Host != "" && FormOf(address) >= AbsoluteHTTP && !OnLoopback(address) {
			f.PublicOrigin = "https://" + u.Host
			return
		}
	}
}

// ShowURL returns an address for a text beside code: as the code writes it.
func (f *Facts) ShowURL(address string) string { return f.Show(f.Publicly(address)) }

// Publicly returns the address for a fix: that of the published page for one on localhost.
func (f *Facts) Publicly(address string) string {
	if !f.Loopback || !OnLoopback(address) {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host = "", ""
	return f.PublicOrigin + u.String()
}
