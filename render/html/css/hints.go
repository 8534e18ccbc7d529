package css

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// language applies the attributes lang and dir.
func (s *styling) language(e *selector.Element) {
	b := &s.builder
	if lang, ok := e.Attr("lang"); ok && len(lang) < 64 {
		b.text.Lang, b.textDirty = lang, true
	}
	if dir, ok := e.Attr("dir"); ok {
		rtl := strings.EqualFold(dir, "rtl") || strings.EqualFold(dir, "auto") && startsRTL(e.Node)
		b.text.Direction, b.textDirty = LTR, true
		if rtl {
			b.text.Direction = RTL
		}
		b.st.UnicodeBidi = BidiIsolate
	}
}

// startsRTL reports whether the first strong letter in a node is written from right to left.
func startsRTL(n *html.Node) bool {
	rtl, found := false, false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode && !found {
			for _, r := range n.Data {
				if unicode.IsLetter(r) {
					rtl = unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko,
						unicode.Adlam)
					found = true
					break
				}
			}
		}
		for c := n.FirstChild; c != nil && !found; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return rtl
}

// hints applies the attributes that stand for styles: colors of drawings in the first pass, then sizes of pictures.
func (s *styling) hints(e *selector.Element, pass int) {
	b := &s.builder
	if pass == 0 {
		if v, ok := e.Attr("color"); ok && e.Tag == "svg" {
			b.apply("color", value.Parse(strings.TrimSpace(v)))
		}
		return
	}
	switch e.Tag {
	case "img", "svg", "video", "canvas", "iframe":
	default:
		return
	}
	for name, field := range map[string]*value.Size{"width": &b.st.Width, "height": &b.st.Height} {
		v, ok := e.Attr(name)
		if !ok {
			continue
		}
		list := value.Parse(strings.TrimSpace(v))
		if len(list) != 1 || list[0].Kind != value.Number || list[0].Num < 0 {
			continue
		}
		if list[0].Unit == "" {
			*field = value.Px(list[0].Num)
		} else if l, ok := b.length(&list[0]); ok {
			*field = value.Size{Kind: value.Fixed, Length: l}
		}
	}
	if w, h := attrPx(e, "width"), attrPx(e, "height"); e.Tag == "img" && w > 0 && h > 0 {
		b.st.AspectRatio = AspectRatio{Ratio: w / h, Auto: true}
	}
}

// attrCount reads a number of columns or rows, 0 for none. Source: HTML, 4.9.11.
func attrCount(e *selector.Element, name string) int {
	v, _ := e.Attr(name)
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, 1000)
}

func attrPx(e *selector.Element, name string) float64 {
	v, _ := e.Attr(name)
	n, unit := value.NumberOf(strings.TrimSpace(v))
	if unit != "" && unit != "px" {
		return 0
	}
	return max(n, 0)
}
