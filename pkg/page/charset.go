package page

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// sniffBytes is how far into a document its encoding may be declared. The 1024 bytes of the HTML standard aren't
// enough: real pages declare it later.
const sniffBytes = 16_384

// Encoding is how the bytes of a page were decoded and what the page declared. Names are those of the WHATWG Encoding
// Standard in lower case ("utf-8", "windows-1252", "gbk").
type Encoding struct {
	// Name is the encoding that was used.
	Name string
	// Source is what determined it: "bom", "header", "meta" or "bytes".
	Source string
	// Header and Meta are the encodings in the Content-Type header and in the first usable meta element, or "".
	Header, Meta string
	// MetaEnd is the byte offset after that meta element.
	MetaEnd int
	// Valid reports whether the body has no byte sequence that is invalid in that encoding.
	Valid bool
}

// decode returns body as valid UTF-8, and its encoding. The result shares memory with body if nothing had to change.
func decode(body []byte, contentType string) ([]byte, Encoding) {
	var e Encoding
	e.Header = nameOf(charsetParam([]byte(contentType)))
	e.Meta, e.MetaEnd = declared(body)
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		e.Name, e.Source, body = "utf-8", "bom", body[3:]
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		e.Name, e.Source, body = "utf-16le", "bom", body[2:]
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		e.Name, e.Source, body = "utf-16be", "bom", body[2:]
	}
	valid, multi := validUTF8(body)
	switch {
	case e.Name != "":
	case e.Header != "":
		e.Name, e.Source = e.Header, "header"
	case e.Meta == "utf-8" || e.Meta != "" && (!valid || !multi):
		e.Name, e.Source = e.Meta, "meta"
	case valid:
		e.Name, e.Source = "utf-8", "bytes"
	default:
		e.Name, e.Source = "windows-1252", "bytes"
	}
	if e.Name == "utf-8" {
		e.Valid = valid
		if !valid {
			return repair(body), e
		}
		return wholeRunes(body), e
	}
	body = convert(body, e.Name)
	e.Valid = !bytes.Contains(body, []byte("\uFFFD"))
	return body, e
}

// validUTF8 reports whether b is UTF-8, and whether it has a multibyte sequence. A sequence that is cut off at the end
// of b is allowed, since bodies are read up to a limit.
func validUTF8(b []byte) (valid, multi bool) {
	b = wholeRunes(b)
	if !utf8.Valid(b) {
		return false, false
	}
	for len(b) >= 8 { // eight bytes at a time: most pages have long stretches of ASCII
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&0x80 != 0 {
			return true, true
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return true, true
		}
	}
	return true, false
}

// wholeRunes returns b without a sequence that is cut off at its end.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// repair returns b with each invalid UTF-8 sequence replaced by U+FFFD, counted as the Encoding Standard does.
func repair(b []byte) []byte {
	out, err := unicode.UTF8.NewDecoder().Bytes(b)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return out
}

// convert decodes b from the named encoding. Invalid byte sequences become U+FFFD.
func convert(b []byte, name string) []byte {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return repair(b)
	}
	if e, ok := enc.(*charmap.Charmap); ok {
		return convertSingleByte(b, e)
	}
	if name == "gbk" {
		enc = simplifiedchinese.GB18030 // the Encoding Standard uses its decoder for gbk
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return repair(b)
	}
	return out
}

// convertSingleByte decodes b with m and copies runs of ASCII at once.
func convertSingleByte(b []byte, m *charmap.Charmap) []byte {
	var table [128][]byte
	buf := make([]byte, 0, 128*utf8.UTFMax)
	for i := range table {
		n := len(buf)
		buf = utf8.AppendRune(buf, m.DecodeByte(byte(0x80+i)))
		table[i] = buf[n:]
	}
	high := 0
	for _, c := range b {
		high += int(c >> 7)
	}
	out := make([]byte, 0, len(b)+2*high)
	for i := 0; i < len(b); {
		j := i
		for j < len(b) && b[j] < utf8.RuneSelf {
			j++
		}
		out = append(out, b[i:j]...)
		for ; j < len(b) && b[j] >= utf8.RuneSelf; j++ {
			out = append(out, table[b[j]-0x80]...)
		}
		i = j
	}
	return out
}

// declared returns the encoding of the first meta element, within sniffBytes, that names an existing one, and the
// offset after that element. It works on the undecoded bytes: markup is ASCII in every encoding that can be declared
// this way.
func declared(body []byte) (name string, end int) {
	if len(body) > sniffBytes {
		body = body[:sniffBytes]
	}
	s := scanner{src: body}
	for {
		switch s.next() {
		case endOfDocument:
			return "", 0
		case startTag:
			if s.elem == elemMeta {
				if name := metaCharset(&s); name != "" {
					return name, s.end
				}
			} else if s.elem.raw() {
				s.rawText(s.elem)
			}
		}
	}
}

// metaCharset returns the encoding that the meta element at s names: its charset attribute, or the text after
// "charset=" in its content (or value).
func metaCharset(s *scanner) string {
	name := ""
	if v, ok := s.attr("charset"); ok {
		name = nameOf(v)
	}
	for _, attr := range [...]string{"content", "value"} {
		if v, ok := s.attr(attr); ok && name == "" {
			name = nameOf(charsetParam(v))
		}
	}
	switch name {
	case "utf-16le", "utf-16be":
		return "utf-8" // in UTF-16, the declaration would have been unreadable
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// charsetParam returns the label after "charset=" in b, by the algorithm of the HTML standard (2.4.4), or nil.
func charsetParam(b []byte) []byte {
	const word = "charset"
	for i := 0; i+len(word) < len(b); i++ {
		if !equalFold(b[i:i+len(word)], word) {
			continue
		}
		rest := bytes.TrimLeft(b[i+len(word):], " \t\n\f\r")
		if len(rest) == 0 || rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \t\n\f\r")
		if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
			n := bytes.IndexByte(rest[1:], rest[0])
			if n < 0 {
				return nil
			}
			return rest[1 : 1+n]
		}
		if n := bytes.IndexAny(rest, " \t\n\f\r;,"); n >= 0 {
			rest = rest[:n]
		}
		return rest
	}
	return nil
}

// nameOf returns the encoding name of a label, or "" for labels that are unknown, too long, or stand for the
// replacement encoding. UTF-7 isn't a known label.
func nameOf(label []byte) string {
	label = bytes.Trim(label, " \t\n\f\r")
	if len(label) == 0 || len(label) > 32 {
		return ""
	}
	if equalFold(label, "utf-8") || equalFold(label, "utf8") {
		return "utf-8"
	}
	enc, err := htmlindex.Get(string(label))
	if err != nil || enc == encoding.Replacement {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return ""
	}
	return name
}
