package page_test

import (
	"strings"
	"testing"

	"masthead/pkg/page"
)

func TestRobots_allows(t *testing.T) {
	const file = "\xef\xbb\xbf# comment\r\nUser-agent: *\r\nDisallow: /private # not this\r\nAllow: /private/open\r\n\r\n" +
		"User-Agent: Twitterbot/1.0\nuser-agent: facebookexternalhit\nDisallow:\n\n" +
		"User-agent: Googlebot\nDisallow: /*.pdf$\nDisallow: /a%3cb\nDisallow: /search*q=\nnonsense\n" +
		"User-agent: googlebot\nDisallow: /more\nUser-agent: closed\nDisallow: /\nAllow: /$\n"
	robots := page.ParseRobots([]byte(file))
	for _, c := range []struct {
		agent, path string
		allowed     bool
		rule        string
		line        int
	}{
		{"Other", "/", true, "", 0},
		{"Other", "/private/x", false, "Disallow: /private", 3},
		{"Other", "/privateer", false, "Disallow: /private", 3},
		{"Other", "/private/open/x", true, "Allow: /private/open", 4},
		{"Twitterbot", "/private", true, "", 0},
		{"facebookexternalhit", "/private", true, "", 0},
		{"Googlebot", "/private", true, "", 0}, // a crawler that is named follows its own groups alone
		{"Googlebot", "/x/y.pdf", false, "Disallow: /*.pdf$", 11},
		{"Googlebot", "/x/y.pdf?page=1", true, "", 0},
		{"Googlebot", "/a%3Cb", false, "Disallow: /a%3cb", 12},
		{"Googlebot", "/search?x=1&q=2", false, "Disallow: /search*q=", 13},
		{"Googlebot", "/more", false, "Disallow: /more", 16},
		{"Closed", "/", true, "Allow: /$", 19},
		{"Closed", "/x", false, "Disallow: /", 18},
	} {
		allowed, by := robots.Allows(c.agent, c.path)
		rule := ""
		if by.Line != 0 {
			rule = by.String()
		}
		if allowed != c.allowed || rule != c.rule || by.Line != c.line {
			t.Errorf("%s %s: got %v by %q, line %d, want %v by %q, line %d",
				c.agent, c.path, allowed, rule, by.Line, c.allowed, c.rule, c.line)
		}
	}
}

func TestRobots_ofTwoEquallyLongRules_thatWhichAllowsWins(t *testing.T) {
	for _, file := range []string{
		"user-agent: *\nallow: /a\ndisallow: /a", "user-agent: *\ndisallow: /a\nallow: /a",
	} {
		robots := page.ParseRobots([]byte(file))
		if allowed, _ := robots.Allows("Googlebot", "/a"); !allowed {
			t.Errorf("%q: got disallowed, want allowed", file)
		}
	}
}

func FuzzParseRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b*c$\nAllow: /%e2%82%ac\n"), "/a%zz?b")
	f.Add([]byte("user-agent:\n:\n\ndisallow"+strings.Repeat(": /*a", 50)), strings.Repeat("/a", 50))
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		robots := page.ParseRobots(body)
		allowed, by := robots.Allows("Googlebot", path)
		if allowed != (by.Line == 0 || by.Allow) {
			t.Errorf("got %v by %+v", allowed, by)
		}
	})
}
