package rule

import (
	"net/url"
	"slices"

	"masthead/pkg/weburl"
)

// This file owns what differs for a page on localhost: the rules that such a page cannot keep are not checked, and
// fixes name the address that it has once it is published.

// samplePublic is where pages on localhost are published, as far as fixes know.
const samplePublic = "https://example.com"

// NotChecked is a rule that could not be checked where the page is. It counts nowhere.
type NotChecked struct {
	ID       string
	Category Category
	Title    string
	// Reason says why, in a sentence.
	Reason string
}

// The reasons for rules that were not checked.
const (
	noHTTPS  = "The page is on localhost, which needs no https."
	noPublic = "The page is on localhost, so its public address is not known."
	noImage  = "The image is on localhost, which needs no https."
)

// unchecked is the verdict on a rule that cannot hold where the page is.
func unchecked(reason string) verdict { return verdict{state: notApplicable, reason: reason} }

// notChecked returns the rules that were not checked, sorted by their ids.
func (s *set) notChecked(verdicts []verdict) []NotChecked {
	var list []NotChecked
	for i, r := range s.byID {
		if reason := verdicts[i].reason; reason != "" {
			list = append(list, NotChecked{ID: r.ID, Category: r.Category, Title: r.Title, Reason: reason})
		}
	}
	return slices.Clip(list)
}

// onLoopback reports whether an address is one of this machine alone.
func onLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, err := weburl.ParseHost(u.Hostname())
	return err == nil && host.IsLoopback()
}

// elsewhere reports whether the page is on localhost and an address is not, so that nothing can be said about how the
// two go together.
func (f *facts) elsewhere(address string) bool { return f.loopback && !onLoopback(address) }

// setPublic finds out whether the page is on localhost, and what it says about where it will be: the canonical address,
// else og:url.
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

// publicly returns the address to put into a fix: that of the published page for one on localhost.
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

// host returns the host of the page for a fix, with its port.
func (f *facts) host() string {
	u, err := url.Parse(f.publicly(f.final))
	if err != nil {
		return ""
	}
	return u.Host
}
