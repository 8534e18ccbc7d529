package page

import (
	"bytes"

	"masthead/pkg/cleantext"
)

// maxStyleBytes is the maximum length read of a page's style elements, maxSheetBytes that of a style sheet.
const (
	maxStyleBytes = 128 << 10
	maxSheetBytes = 500_000
)

// Limits of what is kept of style sheets.
const (
	maxProperties = 64
	maxButtons    = 16
	maxValue      = 128
	maxSelector   = 80
)

// Brand has the colors of a page as written: [ParseColor] parses them, other packages choose.
type Brand struct {
	// ThemeColors are the theme-color elements in order.
	ThemeColors []ThemeColor
	// MaskIcon is the color of the mask-icon link, Tile the msapplication-TileColor.
	MaskIcon, Tile string
	// Style is from the style elements and the style attributes of links and buttons.
	Style Style
}

// ThemeColor is a meta element with that name.
type ThemeColor struct {
	Value string
	// Media is its media query: "(prefers-color-scheme: dark)", or "".
	Media string
}

// Style has the brand colors and fonts of a style sheet.
type Style struct {
	// Properties are the custom properties ("--brand: #f40") in order, the first value of each name.
	Properties []CustomProperty
	// Buttons are backgrounds of buttons and links, the first of each color.
	Buttons []Background
	// FontFamily is the first font-family of html, body or :root.
	FontFamily string
}

// Background is the background of a button or link. Selector is as written, cut to 80 characters; "style" for an
// attribute.
type Background struct{ Selector, Value string }

// CustomProperty is a CSS custom property. Name has no leading dashes and keeps its case.
type CustomProperty struct{ Name, Value string }

// ReadStyle reads a style sheet, at most 500 KB of it. It looks for a few declarations without validating the rest.
// This takes half a millisecond (BenchmarkReadStyle) and runs for every page with style elements. The grammar of a
// library (tdewolff/parse 2.8.3) took 20 times as long for them.
func ReadStyle(css []byte) Style {
	var s Style
	s.read(limit(css, maxSheetBytes))
	return s
}

// style handles the content of a style element.
func (r *reader) style(b []byte) {
	b = limit(b, r.css)
	r.css -= len(b)
	r.page.Brand.Style.read(b)
}

// inlineStyle reads the background from the style attribute of a link or button.
func (r *reader) inlineStyle() {
	buttons := &r.page.Brand.Style.Buttons
	if len(*buttons) >= maxButtons {
		return
	}
	if v, ok := r.sc.attr("style"); ok && len(v) <= 4<<10 {
		if bg := background(v); len(bg) > 0 {
			*buttons = append(*buttons, Background{"style", cleanAttr(bg)})
		}
	}
}

// brandColors collects the colors in meta and link elements.
func (p *Page) brandColors() {
	p.Brand.Tile = cleantext.Clean(p.Meta.Get("msapplication-tilecolor"), maxValue)
	for i := range p.Icons {
		if icon := &p.Icons[i]; icon.Rel == "mask-icon" && icon.Color != "" {
			p.Brand.MaskIcon = cleantext.Clean(icon.Color, maxValue)
			return
		}
	}
}

// read iterates over the rules of css, including nested blocks (media queries), since a rule begins after any brace.
func (s *Style) read(css []byte) {
	css = withoutComments(css)
	for {
		opens := bytes.IndexByte(css, '{')
		if opens < 0 {
			return
		}
		selector := css[:opens]
		if i := bytes.LastIndexAny(selector, ";}"); i >= 0 {
			selector = selector[i+1:]
		}
		css = css[opens+1:]
		n := 0
		for n < len(css) && css[n] != '{' && css[n] != '}' {
			n++
		}
		if n == len(css) {
			return
		}
		if css[n] == '}' {
			s.rule(bytes.TrimSpace(selector), css[:n])
			css = css[n+1:]
		} else if i := bytes.LastIndexByte(css[:n], ';'); i >= 0 { // a nested rule: declarations may come before it
			s.rule(bytes.TrimSpace(selector), css[:i])
			css = css[i+1:]
		}
	}
}

// withoutComments returns css with a space for each comment, or css itself without comments.
func withoutComments(css []byte) []byte {
	at := bytes.Index(css, []byte("/*"))
	if at < 0 {
		return css
	}
	clean := make([]byte, 0, len(css))
	for at >= 0 {
		clean = append(append(clean, css[:at]...), ' ')
		end := bytes.Index(css[at+2:], []byte("*/"))
		if end < 0 {
			return clean // it extends to the end
		}
		css = css[at+2+end+2:]
		at = bytes.Index(css, []byte("/*"))
	}
	return append(clean, css...)
}

// rule reads the declarations of one rule.
func (s *Style) rule(selector, body []byte) {
	for i := 0; len(s.Properties) < maxProperties; {
		j := bytes.Index(body[i:], []byte("--"))
		if j < 0 {
			break
		}
		i += j
		before := bytes.TrimRight(body[:i], " \t\n\f\r")
		if !beginsDeclaration(before) {
			i += 2 // a use of the property, or part of a name
			continue
		}
		name, value, ok := bytes.Cut(declaration(body[i+2:]), []byte(":"))
		if i += 2; ok {
			s.property(bytes.TrimSpace(name), bytes.TrimSpace(value))
		}
	}
	if len(s.Buttons) < maxButtons && bytes.Contains(body, []byte("background")) && selectsButton(selector) {
		if bg := background(body); len(bg) > 0 {
			s.button(selector, string(bg))
		}
	}
	if s.FontFamily == "" && selectsRoot(selector) {
		if v := valueOf(body, "font-family"); len(v) <= maxValue {
			s.FontFamily = string(v)
		}
	}
}

func (s *Style) button(selector []byte, value string) {
	for i := range s.Buttons {
		if s.Buttons[i].Value == value {
			return
		}
	}
	s.Buttons = append(s.Buttons, Background{cleantext.Clean(string(selector), maxSelector), value})
}

func (s *Style) property(name, value []byte) {
	if len(name) == 0 || len(name) > 64 || len(value) == 0 || len(value) > maxValue ||
		bytes.HasPrefix(name, []byte("wp--preset")) {
		return
	}
	for i := range s.Properties {
		if s.Properties[i].Name == string(name) {
			return
		}
	}
	if branded(name) || colorLike(value) {
		s.Properties = append(s.Properties, CustomProperty{string(name), string(value)})
	}
}

// branded reports whether a property's name suggests a brand or background color.
func branded(name []byte) bool {
	folded := bytes.ToLower(name)
	for _, word := range [...]string{"brand", "primary", "accent", "background", "theme"} {
		if bytes.Contains(folded, []byte(word)) {
			return true
		}
	}
	return false
}

// colorLike reports whether value is a literal color.
func colorLike(value []byte) bool {
	if c := value[0]; c != '#' && class[c]&isLetter == 0 || bytes.HasPrefix(value, []byte("var(")) {
		return false
	}
	_, ok := ParseColor(string(value))
	return ok
}

// beginsDeclaration reports whether a declaration can follow before, the trimmed start of a list of declarations.
func beginsDeclaration(before []byte) bool {
	return len(before) == 0 || before[len(before)-1] == ';' || bytes.HasSuffix(before, []byte("*/"))
}

// declaration returns b up to the end of its first declaration. Overlong ones are cut, so that sheets of unfinished
// declarations aren't read over and over.
func declaration(b []byte) []byte {
	b = limit(b, 4*maxValue)
	if i := bytes.IndexAny(b, ";}"); i >= 0 {
		return b[:i]
	}
	return b
}

// background returns the value of background-color or background in a list of declarations, if it is a color.
func background(body []byte) []byte {
	for _, name := range [...]string{"background-color", "background"} {
		if v := valueOf(body, name); len(v) > 0 && len(v) <= maxValue &&
			(colorLike(v) || bytes.HasPrefix(v, []byte("var(--"))) {
			return v
		}
	}
	return nil
}

// valueOf returns the value of a property in a list of declarations, without "!important", or nil if it isn't declared.
func valueOf(body []byte, name string) []byte {
	for i := 0; ; {
		j := bytes.Index(body[i:], []byte(name))
		if j < 0 {
			return nil
		}
		i += j
		end := i + len(name)
		before := bytes.TrimRight(body[:i], " \t\n\f\r")
		rest := bytes.TrimLeft(body[end:], " \t\n\f\r")
		if beginsDeclaration(before) && len(rest) > 0 && rest[0] == ':' {
			v := declaration(rest[1:])
			if k := bytes.IndexByte(v, '!'); k >= 0 {
				v = v[:k]
			}
			return bytes.TrimSpace(v)
		}
		i = end
	}
}

// selectsButton reports whether the selector matches links or buttons in their normal state.
func selectsButton(selector []byte) bool {
	if len(selector) == 0 || len(selector) > 512 || selector[0] == '@' {
		return false
	}
	has := func(part string) bool { return bytes.Contains(selector, []byte(part)) }
	if has(":hover") || has(":focus") || has(":active") || has(":disabled") || has("::") {
		return false
	}
	return string(selector) == "a" || has("button") || has(".btn") || has("submit") || has(".cta")
}

// selectsRoot reports whether the selector matches the page as a whole.
func selectsRoot(selector []byte) bool {
	rest := limit(selector, 256)
	for len(rest) > 0 {
		var part []byte
		part, rest, _ = bytes.Cut(rest, []byte(","))
		switch string(bytes.TrimSpace(part)) {
		case "body", "html", ":root":
			return true
		}
	}
	return false
}
