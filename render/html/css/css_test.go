package css

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"masthead/render/html/css/media"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
)

// styled returns the root of a document with its styles, and the warnings.
func styled(t testing.TB, document string) (*Node, []Warning) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	top := root.FirstChild
	for top.Type != html.ElementNode {
		top = top.NextSibling
	}
	sheet := NewSheet()
	var sheets func(n *html.Node)
	sheets = func(n *html.Node) {
		if n.Data == "style" && n.FirstChild != nil {
			sheet.Parse(n.FirstChild.Data, 1, 1)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			sheets(c)
		}
	}
	sheets(top)
	doc := NewDocument(top, sheet, func(*html.Node) (int, int) { return 1, 1 })
	node, warnings, err := doc.Style(t.Context(), Options{View: media.Viewport{Width: 1200, Height: 630}})
	if err != nil {
		t.Fatal(err)
	}
	return node, warnings
}

// find returns the first element with a tag.
func find(n *Node, tag string) *Node {
	if n.Tag == tag {
		return n
	}
	for _, c := range n.Children {
		if f := find(c, tag); f != nil {
			return f
		}
	}
	return nil
}

// computed returns the style of the first <i> of a document.
func computed(t testing.TB, document string) *Style {
	t.Helper()
	root, _ := styled(t, document)
	n := find(root, "i")
	if n == nil {
		t.Fatalf("%s: no <i>", document)
	}
	return n.Style
}

func TestStyle_cascade(t *testing.T) {
	for _, c := range []struct{ sheet, inline string }{
		{"i{order:1} i{order:7}", ""},
		{".k{order:7} i{order:1}", ""},
		{"#k{order:7} .k.k.k{order:1}", ""},
		{"i{order:7!important} #k{order:1}", "order:2"},
		{"i{order:1}", "order:7"},
		{"i{order:1!important} #k{order:2!important}", "order:7!important;order:3"},
		{"i{order:7} i{order:nonsense}", ""},
		{"@layer a{#k{order:1}} i{order:7}", ""},
		{"@layer b,a; @layer a{i{order:7}} @layer b{#k{order:1}}", ""},
		{"@layer a{i{order:7!important}} #k{order:1!important}", ""},
		{"@media (min-width:1000px){i{order:7}} @media (max-width:1000px){i{order:1}}", ""},
		{"@media (aspect-ratio > 1) and (height <= 630px){i{order:7}}", ""},
		{"@media (400px <= width < 1200px){i{order:1}} @media not all and (orientation:portrait){i{order:7}}", ""},
		{"@supports (display:grid) and (not (foo:bar)){i{order:7}} @supports (order:x){i{order:1}}", ""},
		{"div{& i{order:7}} i{order:1}", ""},
		{"div{.k{order:7} order:2}", ""},
		{":is(#x, i){order:7} .k{order:1}", ""},
		{"i{--n:7;order:var(--n)}", ""},
		{"i{order:var(--no, 7)}", ""},
		{"div{--n:7} i{--m:var(--n);order:calc(var(--m))}", ""},
		{"i{order:1;order:var(--no)} i{order:7}", ""},
		{"div{order:7} i{order:inherit}", ""},
		{":nth-child(1 of #none, .k){order:7} i.k{order:1}", ""},
	} {
		st := computed(t, `<style>`+c.sheet+`</style><div><i class=k id=k style="`+c.inline+`">x</i></div>`)
		if st.Order != 7 {
			t.Errorf("%s, %s: order is %d", c.sheet, c.inline, st.Order)
		}
	}
}

func TestStyle_revert_goesBackToTheBrowsers(t *testing.T) {
	root, _ := styled(t, `<style>*{margin:0;font:400 10px Inter} h1{font-size:revert;font-weight:revert;margin:revert}
		p{all:revert;display:inline} em{font-style:normal;color:red} em{font-style:revert-layer;color:revert}</style>
		<h1>h</h1><p>p</p><em>e</em>`)
	h1, p, em := find(root, "h1").Style, find(root, "p").Style, find(root, "em").Style
	if h1.FontSize != 20 || h1.FontWeight != 700 || h1.Margin.Top.Px != 13.4 {
		t.Errorf("h1 has %v px, weight %d and a margin of %v", h1.FontSize, h1.FontWeight, h1.Margin.Top.Px)
	}
	if p.Margin.Top.Px != 10 || p.Display != DisplayInline {
		t.Errorf("p has a margin of %v and the display %v", p.Margin.Top.Px, p.Display)
	}
	if !em.Italic || em.Color.R != 0 {
		t.Errorf("em is italic: %v, and its color is %v", em.Italic, em.Color)
	}
}

func TestStyle_values(t *testing.T) {
	for declaration, want := range map[string]func(s *Style) any{
		"width:50px":                          func(s *Style) any { return s.Width == value.Px(50) },
		"width:calc(50% - 2em)":               func(s *Style) any { return s.Width.Resolve(100) == 10 },
		"width:min(50%, 30px)":                func(s *Style) any { return s.Width.Resolve(100) == 30 && s.Width.Resolve(20) == 10 },
		"width:clamp(10px, 50%, 40px)":        func(s *Style) any { return s.Width.Resolve(100) == 40 && s.Width.Resolve(2) == 10 },
		"width:calc((10px + 2vw) * 2)":        func(s *Style) any { return s.Width == value.Px(68) },
		"width:calc(2 * min(10%, 5px) + 1px)": func(s *Style) any { return s.Width.Resolve(1000) == 11 },
		"width:-5px":                          func(s *Style) any { return s.Width.IsAuto() },
		"font-size:2em;width:2em":             func(s *Style) any { return s.Width == value.Px(80) },
		"width:10rem;font-size:9px":           func(s *Style) any { return s.Width == value.Px(160) },
		"margin:1px 2px 3px": func(s *Style) any {
			return s.Margin.Top == value.Px(1) && s.Margin.Right == value.Px(2) && s.Margin.Bottom == value.Px(3) &&
				s.Margin.Left == value.Px(2)
		},
		"inset:auto 4px":        func(s *Style) any { return s.Inset.Top.IsAuto() && s.Inset.Left == value.Px(4) },
		"border:solid":          func(s *Style) any { return s.Border.Top.Width == 3 && s.Border.Top.Color.Current },
		"border:.4px solid red": func(s *Style) any { return s.Border.Left.Width == 1 },
		"border-width:5px":      func(s *Style) any { return s.Border.Left.Width == 0 },
		"border-radius:10px 50% / 4px": func(s *Style) any {
			return s.Radius.TopRight.X.Percent == 50 && s.Radius.TopRight.Y.Px == 4
		},
		"flex:2":                               func(s *Style) any { return s.FlexGrow == 2 && s.FlexShrink == 1 && s.FlexBasis.HasPercent() },
		"flex:none":                            func(s *Style) any { return s.FlexGrow == 0 && s.FlexShrink == 0 && s.FlexBasis.IsAuto() },
		"flex:1 1 30%":                         func(s *Style) any { return s.FlexBasis.Percent == 30 },
		"place-items:center end":               func(s *Style) any { return s.AlignItems == AlignCenter && s.JustifyItems == AlignEnd },
		"gap:4px 8px":                          func(s *Style) any { return s.RowGap.Px == 4 && s.ColumnGap.Px == 8 },
		"font:italic 700 20px/1.5 Inter,serif": func(s *Style) any { return s.Italic && s.LineHeight.Px == 30 && s.FontFamily[0] == "inter" },
		"line-height:150%":                     func(s *Style) any { return s.LineHeight.Px == 30 && s.LineHeight.Number == 0 },
		"font-weight:bolder":                   func(s *Style) any { return s.FontWeight == 700 },
		"background:url(a.png) right 5px top / cover": func(s *Style) any {
			l := s.Background[0]
			return l.Image.URL == "a.png" && l.Size.Cover && l.X.Resolve(100) == 95
		},
		"background:red linear-gradient(to top left, red 10%, 30%, blue)": func(s *Style) any {
			g := s.Background[0].Image.Gradient
			return g.Corner && len(g.Stops) == 3 && g.Stops[1].Hint && s.BackgroundColor.R == 255
		},
		"box-shadow:inset 1px 2px 3px 4px red, 0 0 currentcolor": func(s *Style) any { return len(s.BoxShadow) == 2 && s.BoxShadow[0].Inset && s.BoxShadow[0].Spread == 4 },
		"transform:translate(50%, 1px) rotate(90deg)":            func(s *Style) any { return len(s.Transform) == 2 && s.Transform[0].X.Percent == 50 },
		"filter:blur(2px) brightness(50%)":                       func(s *Style) any { return s.Filter[0].Amount == 2 && s.Filter[1].Amount == .5 },
		"grid-template-columns:repeat(2, [a] 1fr 10px) auto":     func(s *Style) any { return len(s.Grid.Columns) == 5 && s.Grid.ColumnLines[2][0] == "a" },
		"grid-area:2 / span 3":                                   func(s *Style) any { return s.Grid.RowStart.Line == 2 && s.Grid.ColumnStart.Span == 3 },
		"clip-path:polygon(0 0, 100% 0, 50% 100%)":               func(s *Style) any { return len(s.ClipPath.Points) == 3 },
		"text-decoration:underline wavy red 2px": func(s *Style) any {
			return s.Decoration.Underline && s.Decoration.Style == LineWavy && s.Decoration.Thickness == value.Px(2)
		},
		"overflow:hidden visible":                func(s *Style) any { return s.OverflowY == OverflowHidden },
		"font-feature-settings:'tnum', 'liga' 0": func(s *Style) any { return fmt.Sprint(s.Features) == "[{tnum 1} {liga 0}]" },
		"font-variant:small-caps tabular-nums":   func(s *Style) any { return fmt.Sprint(s.Features) == "[{smcp 1} {tnum 1}]" && s.SmallCaps },
		"aspect-ratio:16/9":                      func(s *Style) any { return s.AspectRatio.Ratio == 16.0/9 },
		"mask:linear-gradient(#000, #0000) center / 50% no-repeat": func(s *Style) any {
			return len(s.Mask) == 1 && s.Mask[0].RepeatX == RepeatNone && s.Mask[0].Size.W.Percent == 50
		},
		"direction:rtl;margin-inline:1px 2px":             func(s *Style) any { return s.Margin.Right == value.Px(1) && s.Margin.Left == value.Px(2) },
		"padding-inline-start:3px;direction:rtl":          func(s *Style) any { return s.Padding.Right.Px == 3 && s.Padding.Left.Px == 0 },
		"direction:rtl;border-start-end-radius:4px":       func(s *Style) any { return s.Radius.TopLeft.X.Px == 4 },
		"border-inline:solid;border-inline-width:1px 2px": func(s *Style) any { return s.Border.Left.Width == 1 && s.Border.Right.Width == 2 },
		"transform:perspective(400px) translateX(1px)":    func(s *Style) any { return len(s.Transform) == 1 },
		"all:initial": func(s *Style) any { return s.FontSize == 16 && !s.Italic },
	} {
		st := computed(t, `<div style="font-size:20px"><i style="`+declaration+`">x</i></div>`)
		if want(st) != true {
			t.Errorf("%s: %+v", declaration, st)
		}
	}
}

func TestStyle_tree(t *testing.T) {
	root, _ := styled(t, `<style>i::before{content:"a" attr(title)} i::after{content:none} u{display:none}</style>
		<ol start=3><li>x</ol><i title=b>c<br><u>no</u><script>no</script></i><q>d<q>e</q></q><q></q>`)
	var b strings.Builder
	var walk func(n *Node)
	walk = func(n *Node) {
		b.WriteString(n.Tag + strings.TrimSpace(n.Data) + "(")
		for _, c := range n.Children {
			walk(c)
		}
		b.WriteString(")")
	}
	walk(find(root, "body"))
	want := "body(ol(li(3.()x()))i((ab())c()br())q((“())d()q((‘())e()(’()))(”()))q((“())(”())))"
	if got := b.String(); got != want {
		t.Errorf("the tree is %s, want %s", got, want)
	}
}

func TestStyle_warnings(t *testing.T) {
	for document, want := range map[string]string{
		"<i style='foo:1'>":     "The property foo is not supported.",
		"<i style='width:red'>": "The value of width is not supported: red",
		"<i style='grid-template-rows:repeat(auto-fill,9px) 1fr'>":                  "The value of grid-template-rows is not supp",
		"<i style='grid-template-rows:repeat(auto-fill,minmax(0,auto)) 1fr'>":       "The value of grid-template-rows is not supp",
		"<i style='grid-template-rows:repeat(auto-fill,9px) repeat(auto-fit,9px)'>": "The value of grid-template-rows is not",
		"<i style='animation:x 1s'>":                                                "animation has no effect",
		"<style>@import 'a.css';</style>":                                           "@import is not followed",
		"<style>i::selection{}</style>":                                             "::selection is not supported",
		"<script>1</script>":                                                        "<script> is not run.",
		"<video></video>":                                                           "<video> is not drawn.",
		"<style>@font-face{src:url(a)}</style>":                                     "@font-face is not loaded",
		`<i style='font-variation-settings:"slnt" 9'>`:                              "The value of font-variation-settings",
		"<i style='contain:layout paint'>":                                          "The property contain is not supported.",
		"<ruby>a<rt>b</ruby>":                                                       "<rt> is drawn as plain text.",
		"<details><summary>a</summary>b</details>":                                  "<details> is drawn open.",
	} {
		_, warnings := styled(t, document)
		if len(warnings) != 1 || !strings.Contains(warnings[0].Message, want) {
			t.Errorf("%s: %v, want %q", document, warnings, want)
		}
	}
	if _, warnings := styled(t, "<details open style='contain:layout style;cursor:pointer;-moz-foo:1;transition:all 1s;"+
		`font-variation-settings:"wght" 9'>`); len(warnings) > 0 {
		t.Errorf("harmless properties are told: %v", warnings)
	}
}

// TestStyle_hostile draws what could take forever.
func TestStyle_hostile(t *testing.T) {
	laughs := "<style>:root{--a:x x x x x x x x x x;"
	for c := 'b'; c < 'z'; c++ {
		laughs += fmt.Sprintf("--%c:%s;", c, strings.Repeat(fmt.Sprintf("var(--%c) ", c-1), 10))
	}
	for name, document := range map[string]string{
		"variables":  laughs + "} i{content:var(--y);width:var(--y)}</style><i>x",
		"cycle":      "<style>i{--a:var(--b);--b:var(--a);width:var(--a)}</style><i>x",
		"selectors":  "<style>" + strings.Repeat("b ", 60) + "i{order:7}</style>" + strings.Repeat("<b>", 60) + "<i>x",
		"siblings":   "<style>" + strings.Repeat("b ~ ", 60) + "i{order:7}</style>" + strings.Repeat("<b></b>", 1000) + "<i>x",
		"brackets":   "<style>i{width:" + strings.Repeat("calc(", 1000) + "1px</style><i>x",
		"has":        "<style>" + strings.Repeat(":has(i) ", 50) + "i{order:7}</style>" + strings.Repeat("<b>", 60) + "<i>x",
		"rules":      "<style>" + strings.Repeat("i{order:1}", sheet.MaxRules+10) + "</style><i>x",
		"nesting":    "<style>" + strings.Repeat("i{&{", 200) + "</style><i>x",
		"repetition": "<style>i{grid-template-columns:repeat(1000000,1fr)}</style><i>x",
		"selector":   "<style>" + strings.Repeat(":not(", 100) + "i{order:7}</style><i>x",
	} {
		if computed(t, document) == nil {
			t.Errorf("%s: no style", name)
		}
	}
}

func FuzzStyle(f *testing.F) {
	f.Add("i{width:calc(1px + 2%)} @media (width>1px){b{color:color-mix(in oklch, red, #fff 20%)}}", "margin:1px var(--x, 2em)")
	f.Add(":root{--a:var(--b, 1)} a:nth-child(2n+1 of .x)>b::after{content:'x' attr(y)}", "background:url(x) 0 0/cover,red")
	f.Add("i{grid:[a] 'x y' 1fr [b] / repeat(auto-fill, minmax(1px, 1fr));mask:conic-gradient(red, blue)}", "font:1px/2 a")
	f.Add("i{clip-path:shape(from 0 0, curve to 1% 1px with 0 0 / 1px 1px, arc to 0 0 of 1px, close)}", "clip-path:path('M0 0a1 1 0 11 1 1z')")
	f.Add("div{container:a b / size} @container a not (height<=1px){b{width:2cqmax} @container (orientation:portrait){i{top:0}}}", "")
	f.Fuzz(func(t *testing.T, sheet, inline string) {
		root, err := html.Parse(strings.NewReader("<div><i class=x>a</i><b id=y>c</b></div>"))
		if err != nil || len(sheet)+len(inline) > 10_000 {
			return
		}
		top := root.FirstChild
		body := top.LastChild
		body.FirstChild.Attr = []html.Attribute{{Key: "style", Val: inline}}
		s := NewSheet()
		s.Parse(sheet, 1, 1)
		doc := NewDocument(top, s, func(*html.Node) (int, int) { return 1, 1 })
		if _, _, err := doc.Style(t.Context(), Options{View: media.Viewport{Width: 1200, Height: 630}}); err != nil {
			t.Fatal(err)
		}
	})
}
