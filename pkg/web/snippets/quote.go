package snippets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"text/template"

	"masthead/pkg/card"
	"masthead/render"
)

// quotes are the functions of the templates. Each turns a value into a literal of a language; indent and indentRest
// only move lines.
var quotes = template.FuncMap{
	"html": html.EscapeString, "js": jsString, "quoted": plainString, "php": phpString, "shell": shellWord,
	"raw": rawString, "goString": strconv.Quote,
	"indent":     func(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") },
	"indentRest": func(text string) string { return strings.ReplaceAll(scriptSafe(text), "\n", "\n  ") },
}

// plainURL percent-encodes what a URL must not contain, and what ends a string or a tag in some language. The results
// are the same for every address that a browser requests.
func plainURL(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"'`$<>\\^{|}()", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// jsonOf returns a value as JSON, with its characters as they are.
func jsonOf(value any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		panic("snippets: " + err.Error()) // values are texts and structs of texts
	}
	return strings.TrimSpace(b.String())
}

// jsString returns a JavaScript string, which may stand in a script element and in the front matter of a component.
func jsString(text string) string { return scriptSafe(jsonOf(text, "")) }

// scriptSafe escapes in strings of JavaScript what would end the script that they are in: "</script>", "<!--", and the
// fence of front matter. Elsewhere in JSON these don't occur.
func scriptSafe(code string) string {
	return strings.NewReplacer("</", `<\/`, "<!", `\u003c!`, "---", `\u002d\u002d\u002d`).Replace(code)
}

// plainString returns a string of a template language in double quotes. Only addresses are strings there, in which
// [plainURL] has left nothing to escape.
func plainString(address string) string { return `"` + plainURL(address) + `"` }

// phpString returns a PHP string.
func phpString(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// shellWord returns a word of a POSIX shell.
func shellWord(text string) string {
	plain := text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:,@%+=", r)
	}) < 0
	if plain {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// rawString returns JSON as a raw string of Go, in which a backquote can't be.
func rawString(text string) string { return "`" + strings.ReplaceAll(text, "`", `\u0060`) + "`" }

// Request of POST /images/generate, without what is the default.
type (
	requestBody struct {
		URL       string          `json:"url"`
		ProjectID string          `json:"projectId"`
		Kind      string          `json:"kind,omitempty"`
		Template  string          `json:"template,omitempty"`
		Size      *sizeBody       `json:"size,omitempty"`
		Sizes     []sizeBody      `json:"sizes,omitempty"`
		Data      json.RawMessage `json:"data,omitempty"`
		Style     *styleBody      `json:"style,omitempty"`
		Content   *contentBody    `json:"content,omitempty"`
		AI        any             `json:"ai,omitempty"`
	}
	sizeBody struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	}
	styleBody struct {
		Accent      string     `json:"accent,omitempty"`
		Dark        *bool      `json:"dark,omitempty"`
		Font        string     `json:"font,omitempty"`
		AspectRatio string     `json:"aspectRatio,omitempty"`
		Logo        *card.Logo `json:"logo,omitempty"`
	}
	contentBody struct {
		Title       string `json:"title,omitempty"`
		Description string `json:"description,omitempty"`
		SiteName    string `json:"siteName,omitempty"`
		Eyebrow     string `json:"eyebrow,omitempty"`
		Author      string `json:"author,omitempty"`
		Date        string `json:"date,omitempty"`
	}
	modelBody struct {
		Model string `json:"model"`
	}
)

// body returns the request that draws an image for a project, as indented JSON.
func body(r card.Request, project string) string {
	b := requestBody{URL: r.URL, ProjectID: project, Template: r.Template}
	if r.Kind != card.OG {
		b.Kind = string(r.Kind)
	}
	if r.Kind == card.Custom {
		b.Size = &sizeBody{r.Size.X, r.Size.Y}
	}
	for _, size := range r.Sizes {
		b.Sizes = append(b.Sizes, sizeBody{size.X, size.Y})
	}
	if string(r.Data) != "{}" {
		b.Data = r.Data
	}
	style := styleBody{Accent: r.Style.Accent, Logo: r.Style.Logo}
	if !r.Style.Dark {
		style.Dark = &r.Style.Dark
	}
	if r.Style.Font != render.DefaultFont {
		style.Font = r.Style.Font
	}
	if r.Kind == card.BlogHero && r.Style.AspectRatio != render.DefaultAspectRatio {
		style.AspectRatio = r.Style.AspectRatio
	}
	if style != (styleBody{}) {
		b.Style = &style
	}
	texts := contentBody{
		r.Content.Title, r.Content.Description, r.Content.SiteName, r.Content.Eyebrow, r.Content.Author, r.Content.Date,
	}
	if texts != (contentBody{}) {
		b.Content = &texts
	}
	if r.AI != nil {
		b.AI = true
		if r.AI.Model == "pro" {
			b.AI = modelBody{r.AI.Model}
		}
	}
	return jsonOf(b, "  ")
}

// sizesFlag returns the value of --size, or "" for that of the kind.
func sizesFlag(r card.Request) string {
	first := card.OGSize
	if r.Kind == card.Custom {
		first = r.Size
	} else if len(r.Sizes) == 0 {
		return ""
	}
	names := []string{card.SizeName(first)}
	for _, size := range r.Sizes {
		names = append(names, card.SizeName(size))
	}
	return strings.Join(names, ",")
}

// flags returns the flags of the command line for an image, as words of a shell.
func flags(r card.Request) (all []string) {
	set := func(name, value, usual string) {
		if value != "" && value != usual {
			all = append(all, shellWord("--"+name+"="+value))
		}
	}
	if r.Kind != card.Custom {
		set("kind", string(r.Kind), string(card.OG))
	}
	set("size", sizesFlag(r), "")
	set("template", r.Template, render.DefaultTemplate)
	set("accent", strings.TrimPrefix(r.Style.Accent, "#"), "")
	if !r.Style.Dark {
		all = append(all, "--light")
	}
	set("font", r.Style.Font, render.DefaultFont)
	if r.Kind == card.BlogHero {
		set("aspect-ratio", r.Style.AspectRatio, render.DefaultAspectRatio)
	}
	if logo := r.Style.Logo; logo != nil {
		set("logo", logo.URL, "")
		set("logo-position", logo.Position, defaultCorner)
	}
	set("title", r.Content.Title, "")
	set("description", r.Content.Description, "")
	set("site-name", r.Content.SiteName, "")
	set("eyebrow", r.Content.Eyebrow, "")
	set("author", r.Content.Author, "")
	set("date", r.Content.Date, "")
	return all
}
