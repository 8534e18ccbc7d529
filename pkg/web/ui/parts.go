package ui

import (
	"html/template"
	"strings"
)

// This file writes the smallest parts of pages, which a list has in every row. A template takes ten times as long for
// each: it looks up and escapes one value after the other.

// mark is the icon of a severity, 9 px: filled, half, outlined, a check mark.
func mark(severity any) template.HTML {
	name := template.HTMLEscaper(severity)
	width, path := "9", `<path d="M.5.5h8v8h-8z" fill="none" stroke="currentColor"/>`
	switch name {
	case "pass":
		width, path = "12", `<path d="M1 4.5 4.2 8 11 .8" fill="none" stroke="currentColor" stroke-width="1.3"/>`
	case "error":
		path = `<path d="M0 0h9v9H0z" fill="currentColor"/>`
	case "warning":
		path += `<path d="M0 0h9L0 9z" fill="currentColor"/>`
	}
	return template.HTML(`<svg class="` + name + `" width="` + width + //nolint:gosec // the name is escaped
		`" height="9" aria-hidden="true" focusable="false" viewBox="0 0 ` + width + ` 9">` + path + `</svg>`)
}

// Severity returns a severity as icon and words.
func Severity(severity, words any) template.HTML {
	return template.HTML(`<span class="sev `+template.HTMLEscaper(severity)+`">`) + //nolint:gosec // both are escaped
		mark(severity) + template.HTML(template.HTMLEscaper(words)+`</span>`) //nolint:gosec // as above
}

// Score returns a score with its letter, or a dash if the score is "".
func Score(score, grade string) template.HTML {
	text := `<span class="faint">–</span><span class="hidden">no score yet</span>`
	if score != "" {
		text = template.HTMLEscapeString(score) + "<em>" + template.HTMLEscapeString(grade) + "</em>"
	}
	return template.HTML(`<span class="score num">` + text + `</span>`) //nolint:gosec // both are escaped
}

// Change returns the change of a score by a number of points, in the words of text.
func Change(points int, text string) template.HTML {
	class := "faint"
	switch {
	case points < 0:
		class = "error"
	case points > 0:
		class = "pass"
	}
	text = template.HTMLEscapeString(text)
	return template.HTML(`<span class="num ` + class + `">` + text + `</span>`) //nolint:gosec // it is escaped
}

// options returns the options of a choice, of which the one with the value chosen is selected.
func options(all []Option, chosen string) template.HTML {
	var b strings.Builder
	for _, o := range all {
		b.WriteString(`<option value="` + template.HTMLEscapeString(o.Value) + `"`)
		if o.Value == chosen {
			b.WriteString(` selected`)
		}
		b.WriteString(`>` + template.HTMLEscapeString(o.Text) + `</option>`)
	}
	return template.HTML(b.String()) //nolint:gosec // values and texts are escaped
}
