package mustache

import (
	"regexp"
	"strings"

	"masthead/render/html/css/colors"
)

// place is where a value stands in a document.
type place uint8

const (
	inText      place = iota
	inAttribute       // of any other kind
	inStyle           // a style sheet or style attribute: a color or a number
	inAddress         // an attribute with an address, or url() in a style attribute: that of a picture
	inSheetURL        // url() in a style sheet, where nothing is escaped
	inTag             // elsewhere in a tag, outside of quotation marks: nothing is accepted
)

// tracker follows a document up to a tag of the template.
type tracker struct {
	tag       string // the open tag read so far, from < on; empty outside
	quote     byte   // of the attribute being read
	attribute string
	raw       string // style or script, whose end tag is awaited
	tail      string // of raw text, to find its end
	before    string // the last bytes read, to find url(
}

// value notes that a value stands here.
func (t *tracker) value() {
	if t.tag != "" && t.quote == 0 {
		t.tag += "x"
	}
}

// place returns the place of a value.
func (t *tracker) place() place {
	isURL := openURL.MatchString(t.before)
	switch {
	case t.raw == "style" && isURL:
		return inSheetURL
	case t.raw != "":
		return inStyle
	case t.tag == "" || strings.HasPrefix(t.tag, "<!--"):
		return inText
	case t.quote == 0:
		return inTag
	}
	switch t.attribute {
	case "style":
		if isURL {
			return inAddress
		}
		return inStyle
	case "src", "href", "xlink:href", "srcset":
		return inAddress
	}
	if strings.HasPrefix(t.attribute, "on") {
		return inTag
	}
	return inAttribute
}

// spaces are those of HTML.
const spaces = " \t\n\r\f"

// attributeOf returns the name of the attribute whose value begins after tag, or "".
func attributeOf(tag string) string {
	before, ok := strings.CutSuffix(strings.TrimRight(tag, spaces), "=")
	if !ok {
		return ""
	}
	before = strings.TrimRight(before, spaces)
	return strings.ToLower(before[strings.LastIndexAny(before, spaces+`"'<>/=`)+1:])
}

// maxTag is how much of a tag is kept, so that a long one isn't copied for each of its bytes.
const maxTag = 512

// add appends a byte to the tag. Of several spaces one is kept, and of a long tag its name and its end, which has the
// name of an attribute before its value.
func (t *tracker) add(c byte) {
	if strings.IndexByte(spaces, c) >= 0 && strings.IndexByte(spaces, t.tag[len(t.tag)-1]) >= 0 {
		return
	}
	if len(t.tag) >= maxTag {
		t.tag = t.tag[:64] + t.tag[len(t.tag)-maxTag/2:]
	}
	t.tag += string(c)
}

// maxBefore is more than url( takes with a quotation mark and spaces.
const maxBefore = 16

// read follows text.
func (t *tracker) read(text string) {
	t.before += text[max(len(text)-maxBefore, 0):]
	t.before = t.before[max(len(t.before)-maxBefore, 0):]
	for i := range len(text) {
		c := text[i]
		switch {
		case t.raw != "":
			t.tail += string(c)
			if end := "</" + t.raw; len(t.tail) >= len(end) && strings.EqualFold(t.tail[len(t.tail)-len(end):], end) {
				t.raw, t.tail, t.tag = "", "", end
			}
			if len(t.tail) > 16 {
				t.tail = t.tail[len(t.tail)-16:]
			}
		case t.tag == "":
			if c == '<' {
				t.tag = "<"
			}
		case strings.HasPrefix(t.tag, "<!--"):
			t.tag += string(c)
			if strings.HasSuffix(t.tag, "-->") {
				t.tag = ""
			} else if len(t.tag) > 64 {
				t.tag = "<!--" + t.tag[len(t.tag)-2:]
			}
		case t.quote != 0:
			if c == t.quote {
				t.quote, t.attribute = 0, ""
			}
		case c == '"' || c == '\'':
			t.attribute, t.quote = attributeOf(t.tag), c
			t.add(c)
		case c == '>':
			t.shut()
		default:
			t.add(c)
			if !opensTag(t.tag) {
				t.tag = ""
			}
		}
	}
}

// opensTag reports whether < begins a tag.
func opensTag(s string) bool {
	if len(s) < 2 {
		return true
	}
	c := s[1] | 0x20
	return c >= 'a' && c <= 'z' || s[1] == '/' || s[1] == '!' || s[1] == '?'
}

// shut ends a tag.
func (t *tracker) shut() {
	name := strings.ToLower(strings.TrimPrefix(t.tag, "<"))
	if i := strings.IndexAny(name, " \t\n\r\f/"); i >= 0 {
		name = name[:i]
	}
	t.tag = ""
	if name == "style" || name == "script" {
		t.raw = name
	}
}

var (
	openURL    = regexp.MustCompile(`(?i)\burl\(\s*["']?$`)
	colorValue = regexp.MustCompile(`(?i)^(#[0-9a-f]{3,8}|` +
		`(rgb|hsl|hwb|oklch|oklab|lch|lab)a?\([\d\s.,%/+deg-]{1,80}\))$`)
	number  = regexp.MustCompile(`(?i)^[+-]?(\d{1,9}(\.\d{1,9})?|\.\d{1,9})(%|[a-z]{1,5})?$`)
	address = regexp.MustCompile(`^([\w./-][\w./~%+,=&;?#:@-]*)?$`)
	dataURL = regexp.MustCompile(`^data:image/[\w.+-]+(;[\w=-]+)*,[\w+/=%.~-]*$`)
)

// accepts reports whether a value may stand in a place, and what could.
func (p place) accepts(s string) (ok bool, wanted string) {
	switch p {
	case inStyle:
		ok = s == "" || colorValue.MatchString(s) || number.MatchString(s) || colors.Named(s)
		return ok, "a color or a number"
	case inAddress, inSheetURL:
		script := strings.HasPrefix(strings.ToLower(s), "javascript:")
		ok = !script && address.MatchString(s) && !strings.HasPrefix(s, "data:") || dataURL.MatchString(s)
		return ok, "the address of a picture"
	case inTag:
		return false, "put in quotation marks"
	}
	return true, ""
}
