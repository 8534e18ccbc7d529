package page

import (
	"bytes"
	"regexp"
	"strings"

	"masthead/pkg/cleantext"
)

// Limits of code blocks.
const (
	maxCodeBlocks   = 12
	maxCodeBytes    = 4 << 10 // of text with character references
	maxCodeLines    = 8       // that are shown
	minCodeLines    = 3       // of a block
	maxCodeLine     = 120     // characters
	sessionTabWidth = 4
	codeTabWidth    = 2
)

// Code is the beginning of a code block. The zero value is none.
type Code struct {
	Lines    []string // at most 8, without their common indentation
	First    int      // number of the first of them in the block, from 1
	Language string   // as the block's class names it, in lower case, or ""
}

// codeBlocks reads the code blocks of the main content, one after the other.
type codeBlocks struct {
	open     bool
	read     int
	language string // of the open block, as its class names it, in lower case, or ""
	buf      []byte
	session  []string // of the first block
	code     Code     // of the first one that is code
}

// startCode begins a code block. A quotation with one isn't anybody's words.
func (c *content) startCode(s *scanner) {
	c.quoteCode = c.quoteCode || c.quote.open
	b := &c.code
	b.end()
	if c.comments || c.besides() || b.read == maxCodeBlocks || b.code.Lines != nil {
		return
	}
	b.open, b.read, b.language, b.buf = true, b.read+1, "", b.buf[:0]
	b.name(s)
}

// end ends an open block.
func (b *codeBlocks) end() {
	if !b.open {
		return
	}
	b.open = false
	text := decodeText(b.buf)
	session := b.sessionIn(text)
	if b.read == 1 {
		b.session = session
	}
	if session == nil && b.code.Lines == nil {
		b.code = codeIn(text, b.language)
	}
}

// add adds text to an open block, with its line breaks.
func (b *codeBlocks) add(text []byte) {
	if b.open {
		b.buf = append(b.buf, limit(text, maxCodeBytes-len(b.buf))...)
	}
}

// name reads the language from the class of the tag at s, unless it is known: language-bash, lang-sh, or console alone.
func (b *codeBlocks) name(s *scanner) {
	if !b.open || b.language != "" {
		return
	}
	list, _ := s.attr("class")
	for len(list) > 0 {
		var token []byte
		token, list = field(list)
		token = bytes.ToLower(limit(token, 40))
		for _, prefix := range [...]string{"language-", "lang-", "highlight-source-"} {
			if name, ok := bytes.CutPrefix(token, []byte(prefix)); ok {
				b.language = string(name)
				return
			}
		}
		if shells[string(token)] {
			b.language = string(token)
		}
	}
}

// shells are the names that sessions of shells have as languages, and notCode those of what isn't code.
var (
	shells = map[string]bool{
		"sh": true, "bash": true, "zsh": true, "fish": true, "shell": true, "console": true, "shell-session": true,
		"shellsession": true, "sh-session": true, "powershell": true, "ps1": true, "pwsh": true, "terminal": true,
	}
	notCode = map[string]bool{
		"text": true, "txt": true, "plaintext": true, "none": true, "output": true, "log": true, "mermaid": true,
		"ascii": true, "plain": true, "nohighlight": true,
	}
)

// knownCommand matches the beginning of a line that is surely a command.
var knownCommand = regexp.MustCompile(`^(npm|npx|yarn|pnpm|pip3?|pipx|go (get|install|run|build)|git|curl|wget|brew|` +
	`docker|cargo|apt|apt-get|dnf|sudo|kubectl|gem|composer) [a-z-]`)

// keyPattern matches what looks like a key. secret matches lines of a session that may have a secret, and secretCode
// code that may: there, the words alone are names of variables.
const keyPattern = `\b(sk|pk|ghp|gho|xox[bp]|AKIA|og_live)[_-]?[0-9A-Za-z]{8,}|-----BEGIN`

var (
	secret = regexp.MustCompile(`(?i)(token|secret|passw|api[_-]?key|authorization|bearer|credential|private[_-]?key)|` +
		keyPattern)
	secretCode = regexp.MustCompile(`(?i)(token|secret|passw|api[_-]?key|authorization|bearer|credential|` +
		`private[_-]?key)[^"'` + "`" + `]{0,40}["'` + "`" + `][^"'\s` + "`" + `]{8,}|bearer [0-9a-z._-]{8,}|` + keyPattern)
)

// sessionIn returns the lines of a block if it is a session of a shell, which its language says, or its first line: one
// with the prompt “$”, or a known command. A block of another language isn't one.
func (b *codeBlocks) sessionIn(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = codeLine(line, sessionTabWidth); line == "" && len(lines) == 0 {
			continue
		}
		lines = append(lines, line)
	}
	lines = withoutBlankEnd(lines)
	switch {
	case len(lines) == 0:
		return nil
	case shells[b.language]:
	case b.language != "" && b.language != "text" && b.language != "plaintext" && b.language != "none":
		return nil
	case !strings.HasPrefix(lines[0], "$ ") && !knownCommand.MatchString(lines[0]):
		return nil
	}
	var shown []string
	for _, line := range lines {
		if !secret.MatchString(line) && len(shown) < maxCodeLines {
			shown = append(shown, line)
		}
	}
	if strings.Join(shown, "") == "" {
		return nil
	}
	return shown
}

func withoutBlankEnd(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// preamble matches the lines that code begins with before it does something: comments and imports.
var preamble = regexp.MustCompile(`^\s*$|^\s*(//|/\*|\*|--|<!--|# |#!|#$|;;|%)|^\s*(import|from|using|use|package|` +
	`namespace|#include|#!\[|"use |'use |<\?php|require|@import|extern crate)\b|= *require\(`)

// codeIn returns the code of a block's text: what can't be told from prose, or may have a secret, isn't any.
func codeIn(text, language string) Code {
	var lines []string
	said, marks := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		line = codeLine(line, codeTabWidth)
		lines = append(lines, line)
		if line != "" {
			said++
		}
		if strings.ContainsAny(line, ";{}()=<>[]") {
			marks++
		}
	}
	if said < minCodeLines || notCode[language] || language == "" && marks < 2 || secretCode.MatchString(text) {
		return Code{}
	}
	first := afterPreamble(lines)
	lines = lines[first:]
	lines = withoutBlankEnd(lines[:min(len(lines), maxCodeLines)])
	return Code{Lines: withoutIndent(lines), First: first + 1, Language: cleanLanguage(language)}
}

// afterPreamble returns the index of the first line that says something, or else of the first one that isn't blank.
func afterPreamble(lines []string) int {
	blank := 0
	for blank < len(lines)-1 && lines[blank] == "" {
		blank++
	}
	inside := false // of a list of imports
	for i := blank; i < len(lines); i++ {
		line := lines[i]
		switch {
		case inside:
			inside = !strings.HasPrefix(line, ")") && !strings.HasPrefix(line, "}")
		case preamble.MatchString(line):
			inside = strings.HasSuffix(line, "(") || strings.HasSuffix(line, "{")
		default:
			if said := 0; len(lines)-i >= minCodeLines {
				for _, rest := range lines[i:] {
					if rest != "" {
						said++
					}
				}
				if said >= minCodeLines {
					return i
				}
			}
			return blank
		}
	}
	return blank
}

// withoutIndent removes the indentation that all lines share.
func withoutIndent(lines []string) []string {
	indent := -1
	for _, line := range lines {
		if n := len(line) - len(strings.TrimLeft(line, " ")); line != "" && (indent < 0 || n < indent) {
			indent = n
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(max(indent, 0), len(line)):]
	}
	return out
}

// cleanLanguage returns the name of a language if it can be one.
func cleanLanguage(name string) string {
	if len(name) > 20 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+#-_") != "" {
		return ""
	}
	return name
}

// codeLine returns a line cleaned like all text, but with its indentation and the spaces between columns.
func codeLine(line string, tab int) string {
	line = strings.ReplaceAll(line, "\u00A0", " ")
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", strings.Repeat(" ", tab)), " \r")
	parts := strings.Split(line, " ")
	for i, part := range parts {
		parts[i] = cleantext.Clean(part, maxCodeLine)
	}
	line = strings.Join(parts, " ")
	if runes := []rune(line); len(runes) > maxCodeLine {
		line = string(runes[:maxCodeLine])
	}
	return strings.TrimRight(line, " ")
}
