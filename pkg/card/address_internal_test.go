package card

import (
	"testing"

	"masthead/pkg/weburl"
)

func TestTitleOf_lastReadablePartOfThePath(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.example.com/":                                "example.com",
		"https://example.com/blog/how-we-began.html":              "How we began",
		"https://example.com/2026/03/12/":                         "example.com",
		"https://example.com/posts/12345":                         "Posts",
		"https://example.com/docs/index.html":                     "Docs",
		"https://example.com/%C3%BCber-uns":                       "Über uns",
		"https://example.com/%E6%96%87%E5%AD%97":                  "文字",
		"https://example.com/a%00b_c":                             "Ab c",
		"https://example.com/v1.2.3-release?utm=x#top":            "V1.2.3 release",
		"https://example.com/%E2%80%AE%E2%80%AEevil":              "Evil",
		"https://example.com/release%2Fnotes":                     "Release/notes",
		"https://example.com/why-we-left-the-cloud-and-came-back": "Why we left the cloud and came back",
	} {
		u, err := weburl.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := titleOf(u); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}
