package css

import (
	"slices"
	"strings"
	"testing"
)

// wordsOf returns the texts in a node in their order, markers among them.
func wordsOf(n *Node) (list []string) {
	for _, c := range n.Children {
		if t := strings.TrimSpace(c.Data); t != "" {
			list = append(list, t)
		}
		list = append(list, wordsOf(c)...)
	}
	return list
}

// TestStyle_quotes_areThoseOfTheLanguage has the marks that Chromium draws.
func TestStyle_quotes_areThoseOfTheLanguage(t *testing.T) {
	const nested = "<q>a<q>b<q>c</q></q></q>"
	for open, want := range map[string]string{
		"<p>": "“a‘b‘c’’”", "<p lang=de-AT>": "„a‚b‚c‘‘“", "<p lang=FR-CH>": "«a‹b‹c››»", "<p lang=zh-TW>": "“a‘b‘c’’”",
		"<p lang=ja style='quotes:\"<\" \">\"'>": "<a<b<c>>>", "<p lang=ja>": "「a『b『c』』」",
		"<p style='quotes:none'>": "abc", "<p lang=sv style='quotes:none'><b style='quotes:auto'>": "”a’b’c’’”",
	} {
		root, warnings := styled(t, open+nested)
		if got := strings.Join(wordsOf(root), ""); got != want || len(warnings) > 0 {
			t.Errorf("%s: %s, %v, want %s", open, got, warnings, want)
		}
	}
}

func TestStyle_counters_areThoseOfTheirPlace(t *testing.T) {
	for name, c := range map[string]struct{ document, want string }{
		"headings": {`<style>h3{counter-increment:h}h3::before{content:counter(h,upper-roman) "."}</style>
			<h3></h3><h3></h3><h3 style="counter-increment:h 5"></h3><h3 style="counter-set:h 40"></h3>`, "I. II. VII. XL."},
		"hidden elements": {`<style>p{counter-increment:n}p::after{content:counter(n)}</style>
			<p><p style="display:none"><p>`, "1 2"},
		"nested": {`<style>ol{list-style:none;counter-reset:n}li{counter-increment:n}li::before{content:counters(n,"-")}</style>
			<ol><li><ol><li><li></ol><li></ol>`, "1 1-1 1-2 2"},
		"unknown":      {`<style>p::before{content:counter(x) counter(x,unheard)}</style><p>`, "00"},
		"pseudo":       {`<style>p::before{counter-increment:a 3;content:"b"}p::after{content:counter(a)}</style><p>`, "b 3"},
		"list items":   {`<ol start=3><li><li value=9><li></ol><ol reversed><li><li></ol>`, "3. 9. 10. 2. 1."},
		"list styles":  {`<ol style="list-style:lower-greek inside"><li><li></ol><ol style="list-style-type:'> '"><li></ol>`, "α. β. >"},
		"markers":      {`<style>li::marker{content:"(" counter(list-item) ")"}</style><ul><li><li></ul>`, "(1) (2)"},
		"no marker":    {`<style>li::marker{content:none}</style><ul><li>a</ul><ul style="list-style:none"><li>b</ul>`, "a b"},
		"step of list": {`<ol><li style="counter-increment:list-item 4"><li></ol>`, "4. 5."},
	} {
		root, warnings := styled(t, c.document)
		if got := strings.Join(wordsOf(root), " "); got != c.want || len(warnings) > 0 {
			t.Errorf("%s: %q, want %q; %v", name, got, c.want, warnings)
		}
	}
	deep := strings.Repeat("<ol><li>", 60)
	root, _ := styled(t, `<style>ol{counter-reset:n}li::before{content:counters(n,"`+strings.Repeat("x", 300)+`")}</style>`+deep)
	for _, w := range wordsOf(root) {
		if len(w) > maxCounted {
			t.Fatalf("a counter has %d bytes", len(w))
		}
	}
	_, warnings := styled(t, `<style>p{counter-reset:`+strings.Repeat("a ", maxCounters+1)+`;counter-set:3}</style><p>`)
	if len(warnings) != 2 {
		t.Errorf("too many counters, and a number as a name: %v", warnings)
	}
}

func TestStyle_marker_hasAStyleOfItsOwn(t *testing.T) {
	root, _ := styled(t, `<style>li{color:red}li::marker{color:blue;font-weight:700}</style><ul><li>a</ul>`)
	item := find(root, "li")
	m := item.Children[0]
	if m.Kind != MarkerNode || m.Style.Color.B != 255 || m.Style.FontWeight != 700 || item.Style.Color.R != 255 ||
		!m.Symbol.Symbol() {
		t.Errorf("the marker is %+v of %+v", m.Style.Text, item.Style.Color)
	}
}

// letterOf returns the texts of a document's first paragraph, with the letter that has a style of its own in brackets.
func letterOf(n *Node, red bool) string {
	var b strings.Builder
	for _, c := range n.Children {
		own := c.Kind == ElementNode && c.Style.Color.R == 255 && c.Tag == ""
		if own && !red {
			b.WriteString("[")
		}
		b.WriteString(c.Data + letterOf(c, red || own))
		if own && !red {
			b.WriteString("]")
		}
	}
	return b.String()
}

func TestStyle_firstLetter_isAnElement(t *testing.T) {
	for in, want := range map[string]string{
		"<p>word</p>": "[w]ord", "<p>  two words</p>": "  [t]wo words", "<p>“Quoted”</p>": "[“Q]uoted”",
		"<p>e\u0301te</p>": "[e\u0301]te", "<p>a</p>": "[a]", "<p>(<b>b</b></p>": "[(]b",
		"<p><i> </i><b>bold</b></p>": " [b]old", "<p><img>a</p>": "a", "<p><br>a</p>": "a", "<p></p>": "",
		"<p><span style=float:left>x</span>y</p>": "x[y]", "<p style=display:flex>a</p>": "a", "<p>A, b</p>": "[A,] b",
		"<p>日本</p>": "[日]本",
	} {
		root, warnings := styled(t, "<style>p::first-letter{color:red}</style>"+in)
		if got := letterOf(find(root, "p"), false); got != want || len(warnings) > 0 {
			t.Errorf("%s: %q, want %q; %v", in, got, want, warnings)
		}
	}
	root, _ := styled(t, "<style>p:first-letter{color:red}div::first-letter{font-size:40px}</style><div><p>ab</p></div>")
	texts := wordsOf(root)
	if !slices.Equal(texts, []string{"a", "b"}) {
		t.Errorf("of two blocks, the texts are %q", texts)
	}
}
