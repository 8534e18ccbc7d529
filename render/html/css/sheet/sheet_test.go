package sheet_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"masthead/render/html/css/media"
	"masthead/render/html/css/selector"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

// grammar knows two properties, supports what begins with a block, and no containers.
type grammar struct{ value.Units }

func (grammar) Known(name string) bool        { return name == "color" || name == "width" }
func (grammar) Supports(v []value.Value) bool { return v[0].Kind == value.Block }

func (grammar) Container([]value.Value) (media.Condition, bool) { return nil, false }

// found returns the values of a property of the element i, from the lightest rule to the heaviest.
func found(t *testing.T, styles, property string) (values []string, s *sheet.Sheet) {
	t.Helper()
	s = sheet.New(grammar{})
	s.Parse(styles, 3, 10)
	doc, err := html.Parse(strings.NewReader(`<!doctype html><main class="a"><i id="x" class="b">x</i></main>`))
	if err != nil {
		t.Fatal(err)
	}
	index := sheet.NewIndex(s.Rules, media.Viewport{Width: 1200, Height: 630})
	for e := range selector.NewTree(doc.LastChild, func(*html.Node) (line, column int) { return 1, 1 }).All() {
		if e.Tag != "i" {
			continue
		}
		for _, m := range index.Find(e, "", meter.New(t.Context())) {
			for _, d := range m.Rule.Declarations {
				if d.Name == property {
					values = append(values, value.Format(d.Values))
				}
			}
		}
	}
	return values, s
}

func TestFind_growingWeight(t *testing.T) {
	for styles, want := range map[string]string{
		"i{color:red}i{color:blue}":                                  "red blue",
		"#x{color:red}.b{color:blue}i{color:lime}*{color:tan}":       "tan lime blue red",
		".a{color:red;i&{color:blue}& .b{width:1px;color:tan}}":      "tan",
		".a{color:red}main .b{color:blue}p .b{color:tan}":            "blue",
		"@supports (x){i{color:red}}@supports x{i{color:blue}}":      "red",
		"i{color:red;}}i{color:blue}":                                "red",
		"i{unknown:red;color:blue;color}":                            "blue",
		"i::before{color:red}":                                       "",
		"i{COLOR:Red}":                                               "Red",
		"@font-face{color:red}@import 'a.css';@layer b;i{color:tan}": "tan",
	} {
		values, _ := found(t, styles, "color")
		if got := strings.Join(values, " "); got != want {
			t.Errorf("%s: got %q, want %q", styles, got, want)
		}
	}
}

func TestSheet_declarations(t *testing.T) {
	_, s := found(t, "i{color:var(--a) ! important}@layer one{i{--A: f(1, g(2)) }}@layer two{i{width:0}}", "")
	if len(s.Rules) != 3 || s.Rules[0].Layer != 0 || s.Rules[1].Layer != 1 || s.Rules[2].Layer != 2 {
		t.Fatalf("%+v", s.Rules)
	}
	d := s.Rules[0].Declarations[0]
	if !d.Important || !d.Vars || d.Name != "color" || d.Line != 3 || d.Column != 12 {
		t.Errorf("%+v", d)
	}
	if d = s.Rules[1].Declarations[0]; d.Name != "--A" || d.Vars || d.Important || d.Size < 4 {
		t.Errorf("%+v", d)
	}
}

func TestSheet_saysWhatIsIgnored(t *testing.T) {
	for styles, want := range map[string]string{
		"@import 'a.css';":               "@import is not followed: put the styles into the document.",
		"\n @keyframes x{}":              "@keyframes has no effect on a picture.",
		"@container (width){i{width:0}}": "A condition of @container is not supported: its rules are ignored.",
		"i{color}":                       "A declaration can't be read: it is ignored.",
	} {
		_, s := found(t, styles, "")
		if len(s.Warnings) != 1 || s.Warnings[0].Message != want {
			t.Errorf("%s: %+v", styles, s.Warnings)
		}
	}
	if _, s := found(t, "\n @page{}", ""); s.Warnings[0].Line != 4 || s.Warnings[0].Column != 2 {
		t.Errorf("%+v", s.Warnings)
	}
	_, s := found(t, strings.Repeat("i{width:0}", sheet.MaxRules+1), "")
	line, column, over := s.Over()
	if !over || line != 3 || column != 10+10*sheet.MaxRules+1 || len(s.Rules) != sheet.MaxRules {
		t.Errorf("%d:%d %v, %d rules", line, column, over, len(s.Rules))
	}
}
