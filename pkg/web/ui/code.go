package ui

import (
	"html/template"
	"regexp"
	"strings"
)

// Code returns code as HTML with its parts marked: important names as <i>, values as <b>. It knows markup, JSON, a
// shell's lines and lines of "Key: value"; everything else is unchanged. It escapes its input.
func Code(text string) template.HTML {
	text = strings.TrimRight(text, "\n")
	var b strings.Builder
	switch trimmed := strings.TrimLeft(text, " \n"); {
	case strings.HasPrefix(trimmed, "<"):
		markup(&b, text)
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		marked(&b, text, jsonParts)
	case strings.HasPrefix(trimmed, "curl "), strings.HasPrefix(trimmed, "masthead "), strings.HasPrefix(trimmed, "# "):
		marked(&b, text, shellParts)
	default:
		marked(&b, text, lineParts)
	}
	return template.HTML(b.String()) //nolint:gosec // all of it was escaped
}

// Program returns the code of any language as HTML, with its strings as <b>. It escapes its input.
func Program(text string) template.HTML {
	var b strings.Builder
	marked(&b, strings.TrimRight(text, "\n"), stringParts)
	return template.HTML(b.String()) //nolint:gosec // all of it was escaped
}

// A pattern's groups: 1 is plain, 2 is a name, 3 is a value.
var (
	tagParts   = regexp.MustCompile(`(\s(?:property|name|itemprop|rel|http-equiv)=)("[^"]*")|(?:\s[\w:-]+=)("[^"]*")`)
	jsonParts  = regexp.MustCompile(`("(?:[^"\\]|\\.)*")\s*:|("@(?:[^"\\]|\\.)*")|("(?:[^"\\]|\\.)*"|-?\d[\d.]*)`)
	shellParts = regexp.MustCompile(
		`(?m)(^\s*#.*$|^curl|^masthead)|(\s--?[a-zA-Z-]+|\shttps?://\S+| \\$)|("[^"]*"|'[^']*')`)
	stringParts = regexp.MustCompile("(x^)|(x^)|(\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`\n]*`)")
	lineParts   = regexp.MustCompile(`(?m)(^[\w-]+:)|(^#.*$)|([ \t].*$)`)
)

// markup marks the elements of HTML; the text of a script is treated as JSON.
func markup(b *strings.Builder, text string) {
	for text != "" {
		open := strings.IndexByte(text, '<')
		if open != 0 {
			if open < 0 {
				open = len(text)
			}
			if body := text[:open]; strings.HasPrefix(strings.TrimSpace(body), "{") {
				marked(b, body, jsonParts)
			} else {
				b.WriteString(template.HTMLEscapeString(body))
			}
			text = text[open:]
			continue
		}
		end := strings.IndexByte(text, '>') + 1
		if end == 0 {
			end = len(text)
		}
		marked(b, text[:end], tagParts)
		text = text[end:]
	}
}

// marked writes text and marks the matches of a pattern: its second group as a name, its third as a value.
func marked(b *strings.Builder, text string, pattern *regexp.Regexp) {
	at := 0
	write := func(end int, element string) {
		if end <= at {
			return
		}
		part := template.HTMLEscapeString(text[at:end])
		if element != "" {
			part = "<" + element + ">" + part + "</" + element + ">"
		}
		b.WriteString(part)
		at = end
	}
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		if m[4] >= 0 {
			write(m[4], "")
			write(m[5], "i")
		} else if m[6] >= 0 {
			write(m[6], "")
			write(m[7], "b")
		}
	}
	write(len(text), "")
}
