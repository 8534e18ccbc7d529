package selector_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	. "masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

func TestSelector_Match(t *testing.T) {
	const body = `<div id=a class="x y" data-k="one two" lang=en><p>1</p><p class=m>2</p><i>3</i><b></b></div>`
	i := find(t, body, "i")
	for source, want := range map[string]bool{
		"i": true, "p": false, "*": true, "#a i": true, "#b i": false, ".x.y > i": true, "body > i": false,
		"p + i": true, "p ~ i": true, "b ~ i": false, "p:first-child ~ i": true, "i:nth-child(3)": true,
		"i:nth-child(odd)": true, "i:nth-child(2n)": false, "i:nth-last-child(2)": true, "i:not(.m)": true,
		"i:not(i)": false, ":is(b, i)": true, "[data-k~=two] i": true, "[data-k|=one] i": false, "[data-k^=one] i": true,
		"[data-k$='two'] i": true, "[data-k*='e t'] i": true, "[DATA-K] i": true, "div:has(> b) i": true,
		"div:has(u) i": false, ":root i": true, "i:only-of-type": true, "i:last-of-type": true, "i:first-child": false,
		"i:hover": false, "div:lang(en) i": true, ":where(#a) i": true, "i:nth-child(-n+3)": true, "i:nth-child(n+4)": false,
		"i:nth-child(1 of :not(p))": true,
	} {
		list, unknown := Parse(value.Parse(source), nil)
		if unknown != "" || len(list) != 1 {
			t.Fatalf("%s has %d selectors, and %q", source, len(list), unknown)
		}
		if got := list[0].Match(i, nil); got != want {
			t.Errorf("%s matches: %v, want %v", source, got, want)
		}
	}
}

// find returns the first element with a tag.
func find(t *testing.T, document, tag string) *Element {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	for e := range NewTree(doc.LastChild, func(*html.Node) (line, column int) { return 1, 1 }).All() {
		if e.Tag == tag {
			return e
		}
	}
	t.Fatalf("there is no <%s>", tag)
	return nil
}

func TestSelector_Match_forgivingLists(t *testing.T) {
	i := find(t, "<i>x", "i")
	for source, want := range map[string]bool{":is(:nonsense, i)": true, "i:is(:nonsense)": false} {
		list, unknown := Parse(value.Parse(source), nil)
		if unknown != "" || list[0].Match(i, nil) != want {
			t.Errorf("%s: %q, want a match: %v", source, unknown, want)
		}
	}
}

func TestParse_specificity(t *testing.T) {
	for source, want := range map[string][3]int{
		"*": {}, "#a .b[c] d": {1, 2, 1}, ":is(#a, b)": {1, 0, 0}, ":where(#a)": {}, "a:not(.b)::before": {0, 1, 2},
		":nth-child(2 of #a)": {1, 1, 0}, "a:hover": {0, 1, 1},
	} {
		list, unknown := Parse(value.Parse(source), nil)
		if unknown != "" || list[0].Specificity != want {
			t.Errorf("%s is %+v (%q), want %v", source, list, unknown, want)
		}
	}
}

func TestParse_nested(t *testing.T) {
	parents, _ := Parse(value.Parse("div, #no"), nil)
	i := find(t, "<div class=k><i class=m>x</i></div><p></p>", "i")
	for source, want := range map[string]bool{"i": true, "& > .m": true, "p i": false, ".k&  i": true, ".n& i": false} {
		list, unknown := Parse(value.Parse(source), parents)
		if unknown != "" || len(list) != 1 || list[0].Match(i, nil) != want {
			t.Errorf("%s in div: %q, want a match: %v", source, unknown, want)
			continue
		}
		if Depth(list) != 1 || list[0].Specificity[0] != 1 {
			t.Errorf("%s has the depth %d and the specificity %v", source, Depth(list), list[0].Specificity)
		}
	}
}

// TestParse_isBounded holds the limits: selectors of a list, parts of a selector, selectors in others.
func TestParse_isBounded(t *testing.T) {
	for source, want := range map[string]bool{
		strings.Repeat("a,", 63) + "a": true, strings.Repeat("a,", 64) + "a": false,
		strings.Repeat("a ", 64): true, strings.Repeat("a ", 65): false,
		strings.Repeat(":not(", 4) + "a" + strings.Repeat(")", 4): true,
		strings.Repeat(":not(", 5) + "a" + strings.Repeat(")", 5): false,
		"": false, "a >": false, "> a": false, "a::before b": false, "a:": false, "a:nonsense": false, "[a~b]": false, "i:not(:nonsense)": false,
	} {
		if _, unknown := Parse(value.Parse(source), nil); unknown == "" != want {
			t.Errorf("%.40s: %q, want it to be read: %v", source, unknown, want)
		}
	}
}

// FuzzParse reads any selectors, also as nested ones, and matches all elements of a small document.
func FuzzParse(f *testing.F) {
	f.Add("a > b:nth-child(2n+1 of .x) ~ [c^='d' i]::after, :is(#e, :has(+ f))", "& g, h&")
	f.Add(":not(:where(*)):lang(en)", ".a")
	f.Fuzz(func(t *testing.T, source, nested string) {
		parents, unknown := Parse(value.Parse(source), nil)
		if unknown != "" {
			return
		}
		list, _ := Parse(value.Parse(nested), parents)
		i := find(t, "<div id=a class=x lang=en><p c=d>1</p><i>2</i><b></b></div>", "i")
		for _, s := range append(list, parents...) {
			id, class, tag := s.Subject()
			if s.Match(i, nil) && (id != "" || class != "" || tag != "" && tag != "i") {
				t.Errorf("%q, %q: the subject is %q, %q, %q", source, nested, id, class, tag)
			}
		}
	})
}
