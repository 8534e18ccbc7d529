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

var anyTag = regexp.MustCompile(`</?[a-zA-Z][a-zA-Z0-9-]*(\s[^<>]*)?/?>`)

var _ = register(Rule{
	ID: "og-clean-values", Category: OG, Severity: Warning, Weight: 1, Title: "Clean Open Graph " +
		"values", Sources: []Source{IND},
	When: "No og: value is escaped twice, has HTML tags or template placeholders ({{, }}, ${, [object Object]), " +
		"or is undefined, null or NaN, or what a generator of projects wrote (React App). Neither is the title element or " +
		"the meta description a placeholder, nor are these or the texts for X escaped twice, except on pages about markup. " +
		"Counts as much as og-title where a title or a description is a placeholder.",
	Fix:   "Escape each value once, and fill in the template.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		if tag, value, of := f.placeholder(); tag != "" {
			v := f.fail("%s is “%s”, which a template left there.", tag, f.show(value)).
				fix("Write the %s of the page in place of “%s”.", of, f.show(value))
			if v.weight = titleWeight; of == "title" {
				v.leftover = true
			}
			return v
		}
		for i := range f.page.Meta {
			pair := &f.page.Meta[i]
			if !strings.HasPrefix(pair.Key, "og:") {
				continue
			}
			if what, remedy := unclean(pair.Value); what != "" {
				return f.fail("%s %s: “%s”.", f.show(pair.Key), what, f.show(pair.Value)).
					fix("%s: %s is “%s”.", remedy, f.show(pair.Key), f.show(pair.Value))
			}
		}
		if twice := f.escapedTwice(); len(twice) > 0 {
			names, code := make([]string, len(twice)), make([]string, len(twice))
			for i := range twice {
				names[i], code[i] = twice[i].name, twice[i].code
			}
			if slices.Contains(code, "") || len(code) > maxEscaped {
				code = nil // it would not be the whole remedy
			}
			return f.fail("%s %s escaped twice: “%s”.", f.show(list(names)), verb(len(twice), "is", "are"),
				f.show(twice[0].written)).
				fix("Escape %s once, so that readers see “%s”:", verb(len(twice), "the value", "each value"),
					f.show(twice[0].meant)).paste(strings.Join(slices.Compact(code), "\n"))
		}
		return f.pass("The values of Open Graph are clean.")
	},
	apply: func(f *facts) {
		fill := func(value *string, sample string) {
			if page.Leftover(*value) {
				*value = sample
			}
		}
		f.titles, f.descriptions = slices.Clone(f.titles), slices.Clone(f.descriptions)
		for i := range f.titles {
			fill(&f.titles[i], sampleTitle)
		}
		for i := range f.descriptions {
			fill(&f.descriptions[i], sampleDescription)
		}
		fill(&f.ogTitle, sampleTitle)
		fill(&f.ogDescription, sampleDescription)
	},
})

// placeholder returns a title, or else a description, that a template left unfilled: its tag, its value, and which of
// the two it is.
func (f *facts) placeholder() (tag, value, of string) {
	for _, t := range [...]struct{ of, tag, value string }{
		{"title", "og:title", f.ogTitle}, {"title", "The title", first(f.titles)},
		{"description", "og:description", f.ogDescription}, {"description", "The meta description", first(f.descriptions)},
	} {
		if page.Leftover(t.value) {
			return t.tag, t.value, t.of
		}
	}
	return "", "", ""
}

// first returns the first of texts, or "".
func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// unclean says what is wrong with a value, or "", and what to do about it.
func unclean(value string) (fault, remedy string) {
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

// escapedText is a text that was escaped twice.
type escapedText struct {
	name, written, meant string // its tag, what readers see, and what they should see
	code                 string // the element with what they should see, or ""
}

// escapedTwice returns the texts of the page that were escaped twice: those of Open Graph and X, the title element and
// the meta description.
func (f *facts) escapedTwice() (texts []escapedText) {
	if title := first(f.page.Titles); f.showsEscapes(title) {
		meant := page.WithoutReferences(title)
		t := escapedText{name: "The title", written: title, meant: meant}
		if what, _ := unclean(meant); what == "" && !garbled(meant) {
			t.code = "<title>" + html.EscapeString(cleantext.Clean(meant, maxTag)) + "</title>"
		}
		texts = append(texts, t)
	}
	for i := range f.page.Meta {
		pair := &f.page.Meta[i]
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
		name := f.show(pair.Key)
		if name == "description" {
			name = "The meta description"
		}
		t := escapedText{name: name, written: cmp.Or(pair.Once, pair.Value), meant: meant}
		switch what, _ := unclean(meant); {
		case what != "" || pair.Attr == page.ByItemProp || !plainKey.MatchString(pair.Key):
		case strings.HasPrefix(pair.Key, "og:image"):
			if f.og != nil {
				t.code = f.groupOf(f.og, f.og.url, page.WithoutReferences(f.ogAlt))
			}
		default:
			t.code = f.filled(pair.Attr.String(), pair.Key, meant)
		}
		texts = append(texts, t)
	}
	return texts
}

// plainKey matches the names of tags that code can have.
var plainKey = regexp.MustCompile(`^[a-z0-9:_.-]+$`)

// maxEscaped is the maximum number of texts in one piece of code.
const maxEscaped = 16

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
func (f *facts) showsEscapes(text string) bool {
	if !strings.Contains(text, "&") || page.WithoutReferences(text) == text || aboutMarkup.MatchString(text) {
		return false
	}
	named := namedReference.FindAllString(text, -1)
	return !slices.ContainsFunc(f.page.Headings, func(h page.Heading) bool {
		return slices.ContainsFunc(named, func(n string) bool { return n != "&amp;" && strings.Contains(h.Text, n) })
	})
}
