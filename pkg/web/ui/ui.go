// Package ui owns what all web pages of the program are made of: the tokens, faces and sheets of style, the components
// as templates, and the scripts that add to them. A page brings its own template and sheet; it knows no colour and no
// face by itself. The pages work without their scripts, and nothing in them loads from elsewhere.
//
// What each file owns: css/tokens.css colours and lengths, css/type.css text and sections, css/controls.css what is
// pressed and filled in, css/code.css code with its copy button, css/chrome.css the bar, css/print.css paper;
// html/*.html the components, one file a group; js/head.js what must run before the first paint, js/page.js the rest.
package ui

import (
	"embed"
	"html/template"
	"regexp"
	"strings"
)

//go:embed css/*.css html/*.html js/*.js
var files embed.FS

// MaxStyle is how many bytes the style of a page may have. Source: the design of the pages, "Tokens".
const MaxStyle = 24_000

// Head is what the head of a page says.
type Head struct {
	// Nonce stands on the styles and scripts, and in the policy of the response.
	Nonce              string
	Title, Description string
	// Canonical is the page's own address; "" for none. NoIndex keeps it out of search engines.
	Canonical string
	NoIndex   bool
	// Card is the picture that the page is shared with; nil for none.
	Card  *Card
	Style template.CSS
	// Inline says that the page is a file on its own: it has its faces in its style, and leads nowhere.
	Inline bool
}

// Card is a picture that a page is shared with.
type Card struct {
	URL, ContentType, Alt string
	Width, Height         int
}

// Preloads are the addresses of the faces that the first paint shows.
func (h Head) Preloads() []string {
	if h.Inline {
		return nil
	}
	return []string{FaceURL("instrument-serif-400"), FaceURL("inter-400")}
}

// HeadScript is what runs before the first paint: it says that there are scripts, and takes the theme that was chosen.
func (h Head) HeadScript() template.JS { return Script("head") }

// Script returns scripts of js/, one after the other.
func Script(names ...string) template.JS {
	var all strings.Builder
	for _, name := range names {
		all.WriteString(file("js/" + name + ".js"))
	}
	return template.JS(all.String()) //nolint:gosec // files of ours
}

// Style returns the style of a page: the faces at their addresses, the sheets of css/ by their names, and then the
// page's own, all without what only people read.
func Style(own string, sheets ...string) template.CSS { return style(faceRules(FaceURL), own, sheets) }

// InlineStyle is Style with the faces in it.
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
	around   = regexp.MustCompile(` ?([{};,]) ?|(:) `)
)

// minify takes comments and spaces that say nothing out of a sheet.
func minify(css string) string {
	css = spaces.ReplaceAllString(comments.ReplaceAllString(css, ""), " ")
	css = around.ReplaceAllString(css, "$1$2")
	return strings.TrimSpace(strings.ReplaceAll(css, ";}", "}"))
}

// Templates returns a new set with the components of html/, to which a page adds its own. more are further functions.
func Templates(more template.FuncMap) *template.Template {
	t := template.New("").Funcs(template.FuncMap{"code": Code, "dict": dict, "script": Script}).Funcs(more)
	return template.Must(t.ParseFS(files, "html/*.html"))
}

// dict makes the value of a component that takes several.
func dict(pairs ...any) map[string]any {
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1] //nolint:forcetypeassert // templates are ours, and run in tests
	}
	return m
}

// file returns an embedded file; one that is missing is a fault of the program, which its first run shows.
func file(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("ui: " + err.Error())
	}
	return string(data)
}
