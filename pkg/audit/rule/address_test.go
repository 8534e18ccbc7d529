package rule

import (
	"testing"
)

func TestComparableURL(t *testing.T) {
	for a, b := range map[string]string{
		"https://www.Example.com:443/a/?utm_source=x&b=1&gclid=2#f": "http://example.com/a?b=1",
		"https://example.com/%7Euser":                               "https://example.com/~user",
		"https://example.com/%c3%a4":                                "https://example.com/%C3%A4",
		"https://example.com":                                       "https://example.com/",
	} {
		if comparableURL(a) != comparableURL(b) {
			t.Errorf("got %q and %q, want them equal", comparableURL(a), comparableURL(b))
		}
	}
	if comparableURL("https://example.com/a?b=1") == comparableURL("https://example.com/a?b=2") {
		t.Error("two queries are not one page")
	}
}
