// Package ui has the common parts of all web pages of the program: the design tokens, fonts and style sheets, the
// components as templates, and their scripts. A page brings its own template and sheet, without colors and fonts of its
// own. The pages work without their scripts, and load nothing from elsewhere.
//
// Files: css/tokens.css colors and lengths, css/type.css text and sections, css/controls.css buttons and inputs,
// css/code.css code with its copy button, css/chrome.css the bar, css/use.css how to use an image, css/print.css
// printing; html/*.html the components, one file per group, parts.go the smallest ones; js/head.js what must run before
// the first paint, js/page.js what all pages have, js/swap.js what htmx may do; js/editor.js the editor of designs;
// js/htmx.min.js htmx itself, from the npm package that .ci/tools/htmx pins.
package ui

import (
	"embed"
	"html/template"
	"regexp"
	"strings"
	"sync"
)

//go:embed css/*.css html/*.html js/*.js
var files embed.FS

// MaxStyle is the maximum size of a page's style in bytes.
const MaxStyle = 24_000

// Head is the content of a page's head.
type Head struct {
	// Nonce is on the styles and scripts, and in the policy of the response.
	Nonce              string
	Title, Description string
	// Canonical is the page's own address, or "". NoIndex excludes it from search engines.
	Canonical string
	NoIndex   bool
	// FormsTo are the origins, other than the page's own, that its forms lead to, with spaces between them.
	FormsTo string
	// Card is the picture that the page is shared with, or nil.
	Card  *Card
	Style template.CSS
	// Inline means that the page is a self-contained file: its style contains the fonts, and it has no links to the
	// service.
	Inline bool
	// SignedIn means that the page is shown to someone with a session, so that its bar leads to the dashboard.
	SignedIn bool
}

// Card is a picture that a page is shared with.
type Card struct {
	URL, ContentType, Alt string
	Width, Height         int
}

// Preloads are the addresses of the fonts for the first paint.
func (h Head) Preloads() []string {
	if h.Inline {
		return nil
	}
	return preloads()
}

var preloads = sync.OnceValue(func() []string {
	return []string{FaceURL("instrument-serif-400"), FaceURL("inter-400")}
})

// HeadScript runs before the first paint: it marks that scripts work, and applies the chosen theme.
func (h Head) HeadScript() template.JS { return Script("head") }

// Script returns concatenated scripts of js/.
func Script(names ...string) template.JS {
	if len(names) == 1 {
		return script(names[0])
	}
	var all strings.Builder
	for _, name := range names {
		all.WriteString(string(script(name)))
	}
	return template.JS(all.String()) //nolint:gosec // files of ours
}

func script(name string) template.JS {
	if known, ok := scripts.Load(name); ok {
		return known.(template.JS) //nolint:forcetypeassert // stored below
	}
	text := template.JS(file("js/" + name + ".js")) //nolint:gosec // a file of ours
	scripts.Store(name, text)
	return text
}

// scripts has the files of js/ that were read, by their names.
var scripts sync.Map

// Style returns the style of a page: the fonts with their addresses, the named sheets of css/, and then the page's own,
// minified.
func Style(own string, sheets ...string) template.CSS { return style(faceRules(FaceURL), own, sheets) }

// InlineStyle is Style with embedded fonts.
func InlineStyle(own string, sheets ...string) template.CSS {
	return style(faceRules(faceData), own, sheets)
}

func style(faces, own string, sheets []string) template.CSS {
	var all strings.Builder
	all.WriteString(faces)
	for _, name := range sheets {
		all.WriteString(file("css/" + name + ".css"))
	}
	all.WriteString(own)
	all.WriteString(file("css/print.css"))
	return template.CSS(minify(all.String())) //nolint:gosec // files of ours
}

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/`)
	spaces   = regexp.MustCompile(`\s+`)
	around   = regexp.MustCompile(` ?([{};,>~]) ?|(:) `)
)

// minify removes comments and insignificant spaces from a sheet.
func minify(css string) string {
	css = spaces.ReplaceAllString(comments.ReplaceAllString(css, ""), " ")
	css = around.ReplaceAllString(css, "$1$2")
	return strings.TrimSpace(strings.ReplaceAll(css, ";}", "}"))
}

// Templates returns a new set with the components of html/, to which a page adds its own. more are additional
// functions.
func Templates(more template.FuncMap) *template.Template {
	own := template.FuncMap{
		"code": Code, "program": Program, "dict": dict, "script": Script, "mark": mark, "severity": Severity, "score": Score,
		"number": Number, "options": options,
	}
	t := template.New("").Funcs(own).Funcs(more)
	return template.Must(t.ParseFS(files, "html/*.html"))
}

// dict builds the argument of a component with several values.
func dict(pairs ...any) map[string]any {
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1] //nolint:forcetypeassert // templates are ours, and run in tests
	}
	return m
}

// file returns an embedded file; a missing one is a bug that shows at startup.
func file(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("ui: " + err.Error())
	}
	return string(data)
}
