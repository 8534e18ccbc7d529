package card

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
)

// ofAddress returns a request that is filled in only from its page's address.
func ofAddress(r Request) Request {
	r.Content = Content{Title: titleOf(r.parsed.page), SiteName: Host(r.parsed.page)}
	r.Style.Logo, r.AI = nil, nil
	return r
}

// titleOf derives a title from the last part of an address's path that contains a letter: "/blog/how-we-began.html" is
// "How we began". Without one it is the host.
func titleOf(u weburl.URL) string {
	parts := strings.Split(u.URL().EscapedPath(), "/")
	for i := len(parts) - 1; i >= 0; i-- {
		part, err := url.PathUnescape(parts[i])
		if err != nil {
			continue
		}
		part = cleantext.Clean(strings.Map(spaced, withoutExtension(part)), cleantext.MaxTitle)
		if strings.IndexFunc(part, unicode.IsLetter) >= 0 && part != "index" {
			first, size := utf8.DecodeRuneInString(part)
			return string(unicode.ToTitle(first)) + part[size:]
		}
	}
	return Host(u)
}

// spaced maps characters that replace spaces in addresses to spaces.
func spaced(r rune) rune {
	if r == '-' || r == '_' || r == '+' {
		return ' '
	}
	return r
}

// withoutExtension removes a file extension such as ".html".
func withoutExtension(name string) string {
	if base, ext, ok := strings.Cut(name, "."); ok && base != "" && len(ext) <= 5 && !strings.Contains(ext, ".") {
		return base
	}
	return name
}
