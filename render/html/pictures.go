package html

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxPictures is how many pictures a design may show.
const maxPictures = 12

var inCSS = regexp.MustCompile(`(?i)(?:url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]*))\s*\))`)

// picturesIn returns the addresses of pictures in a document.
func picturesIn(source string) (all []string) {
	add := func(address string) {
		address = strings.TrimSpace(address)
		if address != "" && !strings.HasPrefix(address, "#") && len(all) < maxPictures && !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	styles := func(css string) {
		for _, m := range inCSS.FindAllStringSubmatch(css, -1) {
			add(m[1] + m[2] + m[3])
		}
	}
	z, inStyle := html.NewTokenizer(strings.NewReader(source)), false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.TextToken:
			if inStyle {
				styles(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			inStyle = t.Data == "style"
			for _, a := range t.Attr {
				switch {
				case a.Key == "style":
					styles(a.Val)
				case t.Data == "img" && a.Key == "src", t.Data == "image" && strings.HasSuffix(a.Key, "href"):
					add(a.Val)
				}
			}
		case html.EndTagToken:
			inStyle = false
		}
	}
}
