package page

import "bytes"

// maxTokens is the maximum number of tokens per document: tags, runs of text and comments together. Source:
// docs/security.md#decoding.
const maxTokens = 200_000

// maxAttrs is the maximum number of attributes kept per tag; the rest are skipped.
const maxAttrs = 128

type tokenKind uint8

const (
	endOfDocument tokenKind = iota
	textToken
	startTag
	endTag
)

// scanner splits an in-memory document into tags and runs of text, by the tokenizer states of the HTML standard
// (13.2.5). It skips comments, doctypes and processing instructions. Nothing is copied: a token is a pair of offsets.
//
// It is ten times as fast as the tokenizer of golang.org/x/net/html (BenchmarkTokenizer: 2.1 against 0.2 GB/s), agrees
// with its tokens (FuzzScanner), and needs no buffer: there, a tag longer than the buffer's limit would end the whole
// pass.
//
// After the start tag of a raw text element the caller must call rawText before next.
type scanner struct {
	src []byte
	pos int
	// tokens counts the tokens read; stopped means that it reached maxTokens.
	tokens  int
	stopped bool
	// foreign means that the next token is in SVG or MathML, where CDATA sections exist.
	foreign bool

	// The current token.
	start, end  int // of the whole token, in bytes of src
	elem        element
	name        span
	selfClosing bool
	attrs       []attribute
}

// span is a half-open range of bytes in the source.
type span struct{ from, to int }

// attribute is a raw name and value, neither collapsed nor decoded.
type attribute struct{ name, value span }

// Classes of bytes inside a tag.
const (
	isSpace    = 1 << iota // ends a name or an unquoted value
	endsName               // ends an attribute name
	endsTag                // ends a tag name
	endsValue              // ends an unquoted value
	isLetter               // begins a tag name
	foldsUpper             // A to Z
)

var class = func() (t [256]uint8) {
	for _, c := range " \t\n\f\r" {
		t[c] |= isSpace | endsName | endsTag | endsValue
	}
	t['/'] |= endsName | endsTag
	t['>'] |= endsName | endsTag | endsValue
	t['='] |= endsName
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= isLetter
		t[c-'a'+'A'] |= isLetter | foldsUpper
	}
	return t
}()

// next reads one token and returns its kind. A tag that is cut off by the end of the document is dropped, as in the
// standard.
func (s *scanner) next() tokenKind {
	for {
		if s.tokens >= maxTokens {
			s.stopped = s.pos < len(s.src)
			return endOfDocument
		}
		s.tokens++
		if s.pos >= len(s.src) {
			return endOfDocument
		}
		if s.src[s.pos] == '<' && s.pos+1 < len(s.src) {
			switch c := s.src[s.pos+1]; {
			case class[c]&isLetter != 0:
				if s.tag(s.pos + 1) {
					return startTag
				}
				return endOfDocument
			case c == '/' && s.pos+2 < len(s.src):
				if class[s.src[s.pos+2]]&isLetter != 0 {
					if s.tag(s.pos + 2) {
						return endTag
					}
					return endOfDocument
				}
				s.pos = after(s.src, s.pos+2, '>')
				continue
			case c == '!':
				s.declaration()
				continue
			case c == '?':
				s.pos = after(s.src, s.pos+2, '>')
				continue
			}
		}
		s.text()
		return textToken
	}
}

// text reads up to the next '<' that begins markup.
func (s *scanner) text() {
	s.start = s.pos
	i := s.pos + 1
	for i < len(s.src) {
		j := bytes.IndexByte(s.src[i:], '<')
		if j < 0 || i+j+1 >= len(s.src) {
			break
		}
		i += j
		c := s.src[i+1]
		if class[c]&isLetter != 0 || c == '!' || c == '?' || c == '/' && i+2 < len(s.src) {
			s.pos, s.end = i, i
			return
		}
		i++
	}
	s.pos, s.end = len(s.src), len(s.src)
}

// declaration skips "<!" and what follows: a comment, a doctype, a CDATA section of foreign content (its text isn't
// needed) or garbage.
func (s *scanner) declaration() {
	i := s.pos + 2
	rest := s.src[i:]
	if s.foreign && bytes.HasPrefix(rest, []byte("[CDATA[")) {
		if j := bytes.Index(rest, []byte("]]>")); j >= 0 {
			s.pos = i + j + 3
			return
		}
		s.pos = len(s.src)
		return
	}
	if !bytes.HasPrefix(rest, []byte("--")) {
		s.pos = after(s.src, i, '>')
		return
	}
	i += 2
	if bytes.HasPrefix(s.src[i:], []byte(">")) {
		s.pos = i + 1
		return
	}
	if bytes.HasPrefix(s.src[i:], []byte("->")) {
		s.pos = i + 2
		return
	}
	for {
		j := bytes.Index(s.src[i:], []byte("--"))
		if j < 0 {
			s.pos = len(s.src)
			return
		}
		i += j + 2
		switch {
		case bytes.HasPrefix(s.src[i:], []byte(">")):
			s.pos = i + 1
			return
		case bytes.HasPrefix(s.src[i:], []byte("!>")):
			s.pos = i + 2
			return
		}
		i--
	}
}

// tag reads a tag whose name begins at i. It returns false if the document ends inside it.
func (s *scanner) tag(i int) bool {
	src := s.src
	s.start, s.selfClosing, s.attrs = s.pos, false, s.attrs[:0]
	from := i
	for i < len(src) && class[src[i]]&endsTag == 0 {
		i++
	}
	s.name = span{from, i}
	s.elem = elementOf(src[from:i])
	for {
		for i < len(src) && class[src[i]]&isSpace != 0 {
			i++
		}
		if i >= len(src) {
			break
		}
		switch src[i] {
		case '>':
			s.pos, s.end = i+1, i+1
			return true
		case '/':
			i++
			if i < len(src) && src[i] == '>' {
				s.selfClosing = true
			}
			continue
		}
		i = s.attribute(i)
	}
	s.pos = len(src)
	return false
}

// attribute reads an attribute whose name begins at i and returns the offset after it.
func (s *scanner) attribute(i int) int {
	src := s.src
	a := attribute{name: span{from: i}}
	i++ // a '=' here is part of the name
	for i < len(src) && class[src[i]]&endsName == 0 {
		i++
	}
	a.name.to = i
	j := i
	for j < len(src) && class[src[j]]&isSpace != 0 {
		j++
	}
	if j < len(src) && src[j] == '=' {
		i = j + 1
		for i < len(src) && class[src[i]]&isSpace != 0 {
			i++
		}
		if i >= len(src) {
			return i
		}
		switch c := src[i]; c {
		case '"', '\'':
			n := bytes.IndexByte(src[i+1:], c)
			if n < 0 {
				return len(src)
			}
			a.value = span{i + 1, i + 1 + n}
			i += n + 2
		default: // a '>' here ends the tag: the value is empty
			a.value.from = i
			for i < len(src) && class[src[i]]&endsValue == 0 {
				i++
			}
			a.value.to = i
		}
	}
	if len(s.attrs) < maxAttrs {
		s.attrs = append(s.attrs, a)
	}
	return i
}

// attr returns the raw value of the first attribute with that name (in lower case), and whether there is one.
func (s *scanner) attr(name string) ([]byte, bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if a.name.to-a.name.from == len(name) && equalFold(s.src[a.name.from:a.name.to], name) {
			return s.src[a.value.from:a.value.to], true
		}
	}
	return nil, false
}

// rawText reads the content of a raw text or RCDATA element whose start tag was just read, up to its end tag, which
// remains the next token. Without an end tag the content is the rest of the document. It returns the content's range.
func (s *scanner) rawText(e element) span {
	content := span{from: s.pos}
	switch e {
	case elemPlaintext:
		s.pos = len(s.src)
	case elemScript:
		s.pos = s.scriptEnd(s.pos)
	default:
		i := s.pos
		for {
			i = s.indexEndTag(i, s.src[s.name.from:s.name.to])
			if i < 0 {
				s.pos = len(s.src)
				break
			}
			if s.delimited(i + 2 + s.name.to - s.name.from) {
				s.pos = i
				break
			}
			i += 2
		}
	}
	content.to = s.pos
	return content
}

// scriptEnd returns the offset of the end tag of the script whose content begins at i. In it, "<!--" hides a nested
// "<script>…</script>" until "-->" (the script data escaped and double escaped states).
func (s *scanner) scriptEnd(i int) int {
	escaped, double := false, false
	for {
		j := bytes.IndexByte(s.src[i:], '<')
		if j < 0 {
			j = len(s.src) - i
		}
		if escaped {
			if k := bytes.Index(s.src[i:i+j], []byte("-->")); k >= 0 {
				escaped, double = false, false
				i += k + 3
				continue
			}
		}
		i += j
		if i >= len(s.src) {
			return i
		}
		rest := s.src[i+1:]
		switch {
		case len(rest) > 6 && rest[0] == '/' && equalFold(rest[1:7], "script") && s.delimited(i+8):
			if !double {
				return i
			}
			double = false
			i += 8
		case escaped && !double && len(rest) > 5 && equalFold(rest[:6], "script") && s.delimited(i+7):
			double = true
			i += 7
		case !escaped && bytes.HasPrefix(rest, []byte("!--")):
			escaped = true
			i += 2 // the dashes may already be part of "-->"
		default:
			i++
		}
	}
}

// indexEndTag returns the offset of the next "</" + name, ignoring case, at or after i, or -1.
func (s *scanner) indexEndTag(i int, name []byte) int {
	for {
		j := bytes.IndexByte(s.src[i:], '<')
		if j < 0 {
			return -1
		}
		i += j
		rest := s.src[i+1:]
		if len(rest) > len(name) && rest[0] == '/' && bytes.EqualFold(rest[1:1+len(name)], name) {
			return i
		}
		i++
	}
}

// delimited reports whether the byte at i ends a tag name.
func (s *scanner) delimited(i int) bool {
	return i < len(s.src) && class[s.src[i]]&endsTag != 0
}

// after returns the offset after the first c at or after i, or the length of b.
func after(b []byte, i int, c byte) int {
	if i < len(b) {
		if j := bytes.IndexByte(b[i:], c); j >= 0 {
			return i + j + 1
		}
	}
	return len(b)
}

// equalFold reports whether b, with ASCII letters folded to lower case, equals lower.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range len(lower) {
		c := b[i]
		if class[c]&foldsUpper != 0 {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
