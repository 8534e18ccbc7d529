package rule

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
)

// EscapedText is a text that was escaped twice.
type EscapedText struct {
	Name, Written, Meant string // its tag, what readers see, and what they should see
	Code                 string // the element with what they should see, or ""
}

// EscapedTwice returns the texts of the page that were escaped twice: those of Open Graph and X, the title element and
// the meta description.
func (f *Facts) EscapedTwice() (texts []EscapedText) {
	if title := First(f.Page.Titles); f.showsEscapes(title) {
		meant := page.WithoutReferences(title)
		t := EscapedText{Name: "The title", Written: title, Meant: meant}
		if what, _ := Unclean(meant); what == "" && !garbled(meant) {
			t.Code = "<title>" + html.EscapeString(cleantext.Clean(meant, MaxTag)) + "</title>"
		}
		texts = append(texts, t)
	}
	for i := range f.Page.Meta {
		pair := &f.Page.Meta[i]
		og := strings.HasPrefix(pair.Key, "og:")
		switch text := isText[pair.Key]; {
		case pair.Escaped && (text && !aboutMarkup.MatchString(pair.Once) || og && !text):
		case !text || !f.showsEscapes(pair.Value):
			continue
		}
		meant := pair.Value
		if isText[pair.Key] {
			meant = page.WithoutReferences(meant)
		}
		name := f.Show(pair.Key)
		if name == "description" {
			name = "The meta description"
		}
		t := EscapedText{Name: name, Written: cmp.Or(pair.Once, pair.Value), Meant: meant}
		switch what, _ := Unclean(meant); {
		case what != "" || pair.Attr == page.ByItemProp || !plainKey.MatchString(pair.Key):
		case strings.HasPrefix(pair.Key, "og:image"):
			if f.OG != nil {
				t.Code = f.GroupOf(f.OG, f.OG.URL, page.WithoutReferences(f.OGAlt))
			}
		default:
			t.Code = f.Filled(pair.Attr.String(), pair.Key, meant)
		}
		texts = append(texts, t)
	}
	return texts
}

// plainKey matches the names of tags that code can have.
var plainKey = regexp.MustCompile(`^[a-z0-9:_.-]+$`)

// MaxEscaped is the maximum number of texts in one piece of code.
const MaxEscaped = 16

// isText has the tags whose values readers see as text.
var isText = map[string]bool{
	"og:title": true, "og:description": true, "og:site_name": true, "og:image:alt": true, "description": true,
	"twitter:title": true, "twitter:description": true, "twitter:image:alt": true,
}

// aboutMarkup matches texts about references, which then are meant.
var aboutMarkup = regexp.MustCompile(`(?i)html|xml|entit|escap|markup`)

var namedReference = regexp.MustCompile(`&[a-zA-Z][a-zA-Z0-9]*;`)

// showsEscapes reports whether readers see character references in a text, on a page that isn't about them. One that
// is has them in its headings, too.
func (f *Facts) showsEscapes(text string) bool {
	if !strings.Contains(text, "&") || page.WithoutReferences(text) == text || aboutMarkup.MatchString(text) {
		return false
	}
	named := namedReference.FindAllString(text, -1)
	return !slices.ContainsFunc(f.Page.Headings, func(h page.Heading) bool {
		return slices.ContainsFunc(named, func(n string) bool { return n != "&amp;" && strings.Contains(h.Text, n) })
	})
}

var anyTag = regexp.MustCompile(`</?[a-zA-Z][a-zA-Z0-9-]*(\s[^<>]*)?/?>`)

// First returns the first of texts, or "".
func First(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// Unclean says what is wrong with a value, or "", and what to do about it.
func Unclean(value string) (fault, remedy string) {
	switch {
	case strings.Contains(value, "<") && anyTag.MatchString(value):
		return "has HTML in it", "Write plain text, without HTML"
	case !page.Leftover(value):
		return "", ""
	case strings.ContainsAny(value, "{}[]$"):
		return "has placeholders of a template in it", "Fill in the template"
	}
	return "is what programs print for a missing value", "Fill in the value"
}
