package page

import (
	"bytes"
	"regexp"
	"strings"

	"masthead/pkg/cleantext"
)

// Limits of the first code block.
const (
	maxCodeBytes    = 4 << 10 // of text with character references
	maxSessionLines = 8
	maxSessionLine  = 120 // characters
	tabWidth        = 4
)

// codeBlock is the first code block of the main content.
type codeBlock struct {
	open, found bool
	language    string // as its class names it, in lower case, or ""
	buf         []byte
}

// startCode begins the first code block. A quotation with one isn't anybody's words.
func (c *content) startCode(s *scanner) {
	c.quoteCode = c.quoteCode || c.quote.open
	if c.code.found || c.comments || c.besides() {
		return
	}
	c.code.open, c.code.found = true, true
	c.code.name(s)
}

// add adds text to an open block, with its line breaks.
func (b *codeBlock) add(text []byte) {
	if b.open {
		b.buf = append(b.buf, limit(text, maxCodeBytes-len(b.buf))...)
	}
}

// name reads the language from the class of the tag at s, unless it is known: language-bash, lang-sh, or console alone.
func (b *codeBlock) name(s *scanner) {
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

// shells are the names that sessions of shells have as languages.
var shells = map[string]bool{
	"sh": true, "bash": true, "zsh": true, "fish": true, "shell": true, "console": true, "shell-session": true,
	"shellsession": true, "sh-session": true, "powershell": true, "ps1": true, "pwsh": true, "terminal": true,
}

// knownCommand matches the beginning of a line that is surely a command.
var knownCommand = regexp.MustCompile(`^(npm|npx|yarn|pnpm|pip3?|pipx|go (get|install|run|build)|git|curl|wget|brew|` +
	`docker|cargo|apt|apt-get|dnf|sudo|kubectl|gem|composer) [a-z-]`)

// secret matches lines that may have a secret.
var secret = regexp.MustCompile(`(?i)(token|secret|passw|api[_-]?key|authorization|bearer|credential|private[_-]?key)` +
	`|\b(sk|pk|ghp|gho|xox[bp]|AKIA|og_live)[_-]?[0-9A-Za-z]{8,}`)

// session returns the lines of the block if it is a session of a shell, which its language says, or its first line: one
// with the prompt “$”, or a known command. A block of another language isn't one.
func (b *codeBlock) session() []string {
	var lines []string
	for line := range strings.SplitSeq(decodeText(b.buf), "\n") {
		if line = codeLine(line); line == "" && len(lines) == 0 {
			continue
		}
		lines = append(lines, line)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
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
		if !secret.MatchString(line) && len(shown) < maxSessionLines {
			shown = append(shown, line)
		}
	}
	if strings.Join(shown, "") == "" {
		return nil
	}
	return shown
}

// codeLine returns a line cleaned like all text, but with its indentation and the spaces between columns.
func codeLine(line string) string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", strings.Repeat(" ", tabWidth)), " \r")
	parts := strings.Split(line, " ")
	for i, part := range parts {
		parts[i] = cleantext.Clean(part, maxSessionLine)
	}
	line = strings.Join(parts, " ")
	if runes := []rune(line); len(runes) > maxSessionLine {
		line = string(runes[:maxSessionLine])
	}
	return strings.TrimRight(line, " ")
}
