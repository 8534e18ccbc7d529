package opinion

import (
	"regexp"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/weburl"
)

// This file finds addresses in texts: those that a model mentions, and those of the page.

// withScheme matches addresses with a scheme; named matches host names and what follows them.
var (
	withScheme = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*://|\b(?:javascript|vbscript|data|blob|mailto|tel):)` +
		`[^\s<>"“”«»]+`)
	named = regexp.MustCompile(`(?:[\pL\pN](?:[\pL\pN-]*[\pL\pN])?\.)+[\pL][\pL\pN-]*[\pL\pN]\.?(?::\d+)?` +
		`(?:[/?#@][^\s<>"“”«»]*)?`)
	numbers = regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?(?:/[^\s<>"“”«»]*)?`)
)

// always are hosts that any text about metadata may mention.
var always = []string{"schema.org", "ogp.me"}

// addressesIn returns the addresses in a text, normalized for comparison.
func addressesIn(text string) []string {
	var found []string
	for _, address := range withScheme.FindAllString(text, -1) {
		found = append(found, compared(address))
	}
	for _, address := range named.FindAllString(withScheme.ReplaceAllString(text, " "), -1) {
		if a := compared(address); strings.Contains(a, "/") || isHost(hostIn(a)) {
			found = append(found, a)
		}
	}
	for _, address := range numbers.FindAllString(withScheme.ReplaceAllString(text, " "), -1) {
		found = append(found, compared(address))
	}
	return found
}

// compared normalizes an address for comparison: lowercase, without http or https, "www." and trailing punctuation.
func compared(address string) string {
	a := strings.ToLower(strings.TrimRight(address, ".,;:!?)]}'’*_`…"))
	a = strings.TrimPrefix(strings.TrimPrefix(a, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(a, "www."), "/")
}

// hostIn returns the host of a normalized address.
func hostIn(a string) string {
	if end := strings.IndexAny(a, "/?#:@"); end >= 0 {
		a = a[:end]
	}
	return strings.TrimSuffix(a, ".")
}

// isHost reports whether a dotted name can be a host: its suffix allows registrations. "Node.js" isn't one.
func isHost(name string) bool {
	host, err := weburl.ParseHost(name)
	return err != nil || host.Registrable() // what is no name of a host is no word of a sentence either
}

// addressesOf returns the addresses in a report and its page's text, and their hosts.
func addressesOf(r *audit.Report, text string) map[string]bool {
	known := map[string]bool{}
	add := func(text string) {
		for _, a := range addressesIn(text) {
			known[a] = true
			known[hostIn(a)] = true
		}
	}
	for _, t := range []string{
		r.URL, r.FinalURL, text, r.Metadata.Title, r.Metadata.Description, r.Metadata.SiteName, r.Metadata.Image,
		r.Metadata.URL, r.Metadata.Favicon,
	} {
		add(t)
	}
	for i := range r.Redirects {
		add(r.Redirects[i].URL)
	}
	for i := range r.Tags {
		add(r.Tags[i].Value)
	}
	for i := range r.Shared.Tags {
		add(r.Shared.Tags[i].Value)
	}
	for i := range r.Pictures {
		add(r.Pictures[i].URL)
		add(r.Pictures[i].FinalURL)
	}
	for _, host := range always {
		known[host] = true
	}
	return known
}

// strange reports whether a text mentions an address that isn't on the page.
func (c *checker) strange(text string) bool {
	for _, a := range addressesIn(text) {
		if !c.known[a] && !strings.HasPrefix(a, "schema.org/") {
			return true
		}
	}
	return false
}
