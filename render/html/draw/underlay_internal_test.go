package draw

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	"masthead/render/html/css"
	"masthead/render/html/raster"
)

// pages are documents with a text, TEXT, and how many steps are below what isn't put off on the first page.
var pages = map[string]struct {
	steps  int
	source string
}{
	"gradients and glows": {4, `<body style="margin:0;background:radial-gradient(circle at 20% 30%,#f0a,transparent 60%),
		linear-gradient(100deg,#012,#346)"><div style="position:absolute;z-index:-1;width:120px;height:90px;left:150px;
		top:60px;border-radius:50%;background:#fc0;filter:blur(14px)"></div><div style="position:absolute;z-index:-1;inset:9px;
		outline:3px dotted #fff8;box-shadow:0 4px 12px #000a"></div><h1 style="color:#fff">TEXT</h1>`},
	"a box as wide as its text": {3, `<body style="background:linear-gradient(30deg,#fff,#ccd)"><div style="width:200px;
		height:20px;background:#999a"></div><p style="width:fit-content;background:#6cf8;box-shadow:0 2px 9px #0008">TEXT`},
	"a drawing": {2, `<body style="background:linear-gradient(15deg,#fff,#aad)"><svg width=80 height=60 viewBox="0 0 8 6"
		style="border-radius:9px"><filter id=f><feGaussianBlur stdDeviation=".4"/></filter><rect width=8 height=6 fill=red />
		<circle cx=4 cy=3 r=2 filter="url(#f)" fill=currentColor /></svg><p>TEXT`},
	"contexts that only order": {4, `<body style="background:linear-gradient(50deg,#fde,#eef)"><main style="position:relative;
		z-index:1;transform:rotate(4deg)"><div style="height:30px;background:#c3c8"></div><div style="height:12px;opacity:.4;
		background:#000"><b style="display:block;width:9px;height:9px;background:red;mix-blend-mode:screen"></b></div>
		<div style="height:9px;backdrop-filter:blur(4px) invert(1)"></div><p style=position:relative>TEXT</p></main>`},
	"text in a group":         {1, `<body style="background:linear-gradient(9deg,#fde,#eef)"><p style="opacity:.5;background:#fc08">TEXT`},
	"text as a clip":          {1, `<body style="background:linear-gradient(9deg,#fde,#eef)"><p style="color:transparent;background:linear-gradient(red,blue) text">TEXT`},
	"a picture":               {2, `<body style="background:linear-gradient(9deg,#fde,#eef)"><hr><img src=x><i style="opacity:.5">TEXT`},
	"a picture in a group":    {2, `<body style="background:linear-gradient(9deg,#fde,#eef)"><div style="opacity:.5"><img src=x></div><hr>TEXT`},
	"a picture as background": {0, `<body style="background:url(x),linear-gradient(9deg,#fde,#eef)"><hr>TEXT`},
	"round corners that clip": {4, `<body style="background:linear-gradient(9deg,#fde,#eef)"><div style="overflow:hidden;
		border-radius:20px;height:90px;position:relative;z-index:-1"><div style="background:#0f08;height:50px;width:200px;
		overflow:hidden;border-radius:9px 0;transform:rotate(3deg)"><div style="background:#f008;height:40px"></div></div>
		<div style="opacity:.5;background:#00f;height:30px"></div></div>TEXT`},
	"round corners of another height": {2, `<body style="background:linear-gradient(9deg,#fde,#eef)"><div style="overflow:hidden;
		border-radius:20px;width:fit-content;position:relative"><div style="position:absolute;inset:5px;background:#f06;
		z-index:-1"></div><h1>TEXT</h1></div>`},
	"a path that clips": {1, `<body style="background:linear-gradient(9deg,#fde,#eef)"><div style="clip-path:circle(40%);
		height:90px"><div style="overflow:hidden;border-radius:9px;background:#f06;height:60px">TEXT</div></div>`},
	"an emoji":      {2, `<body style="background:linear-gradient(9deg,#fde,#eef)">🎉<hr>TEXT`},
	"nothing below": {0, `<body style="color:#0008"><p>TEXT<hr style="filter:blur(2px)">`},
	"no text":       {2, `<body style="background:linear-gradient(9deg,#fde,#eef)"><hr>`},
}

// drawn draws a document that isn't flat.
func drawn(t *testing.T, root *css.Node, kept *Cache) []uint8 {
	t.Helper()
	in := inputOf(t, root)
	in.Kept = kept
	out, err := Draw(t.Context(), *in)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	return slices.Clone(out.Image.(*image.RGBA).Pix)
}

// write replaces the texts of a document that aren't white space.
func write(n *css.Node, s string) {
	if n.Kind == css.TextNode && strings.TrimSpace(n.Data) != "" && !strings.Contains(n.Data, "🎉") {
		n.Data = s
	}
	for _, c := range n.Children {
		write(c, s)
	}
}

// TestUnderlay_laterPages_areAsTheirTwin compares pages of a document with those that are painted without any before.
func TestUnderlay_laterPages_areAsTheirTwin(t *testing.T) {
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, kept := styledOf(t, page.source), &Cache{}
			for i, s := range []string{"One", "One", "One", "Another", "One", "Another", "One", "A third, and long"} {
				write(root, s)
				if !bytes.Equal(drawn(t, root, kept), drawn(t, root, nil)) {
					t.Fatalf("page %d differs", i)
				}
			}
			if page.steps == 0 {
				if len(kept.unders) > 0 {
					t.Error("something is kept")
				}
				return
			}
			first := kept.unders[len(kept.unders)-1]
			steps := slices.DeleteFunc(slices.Clone(first.keys), func(k stepKey) bool { return k.kind >= within })
			if len(steps) != page.steps || !slices.ContainsFunc(kept.unders, func(u keptUnder) bool { return u.pix != nil }) {
				t.Errorf("%d steps are kept, of %d variants; want %d", len(steps), len(kept.unders), page.steps)
			}
		})
	}
}

// What isn't the same, pixel for pixel, isn't taken for it.
func TestUnderlay_ofOtherPages_isNotUsed(t *testing.T) {
	const source = `<body style="background:linear-gradient(9deg,#fde,#eef)"><svg width=80 height=60><rect width=50 height=50
		fill=red /></svg><div style="filter:blur(3px);height:20px;background:#0088"></div>TEXT`
	kept := &Cache{}
	root := styledOf(t, source)
	for range 3 {
		drawn(t, root, kept)
	}
	var drawings func(n *css.Node)
	drawings = func(n *css.Node) {
		if n.Kind == css.DrawingNode {
			n.Source = strings.Replace(n.Source, "red", "blue", 1)
		}
		for _, c := range n.Children {
			drawings(c)
		}
	}
	drawings(root)
	if !bytes.Equal(drawn(t, root, kept), drawn(t, root, nil)) {
		t.Error("a drawing with another text is that of before")
	}
	other := styledOf(t, strings.Replace(source, "#0088", "#0808", 1))
	if !bytes.Equal(drawn(t, other, kept), drawn(t, other, nil)) {
		t.Error("a box in other colors is that of before")
	}
	if n := len(kept.unders); n != 3 {
		t.Errorf("%d underlays are kept", n)
	}
}

// What is kept is bounded: fragments, variants, bytes.
func TestUnderlay_isBounded(t *testing.T) {
	kept := &Cache{}
	for _, n := range []int{maxSteps - 3, maxSteps} {
		root := styledOf(t, `<body style="background:linear-gradient(9deg,#fde,#eef)"><div style="opacity:.5">`+
			strings.Repeat("<p></p>", n)+`</div><b style=position:relative>TEXT`)
		for range 2 {
			if !bytes.Equal(drawn(t, root, kept), drawn(t, root, nil)) {
				t.Fatal("the pictures differ")
			}
		}
	}
	if all, few := len(kept.unders[1].keys), len(kept.unders[0].keys); all != maxSteps-1 || few != 1 {
		t.Errorf("%d and %d fragments are kept, want %d and 1", all, few, maxSteps-1)
	}
	kept = &Cache{}
	for _, side := range []int{400, 500, 600, 700, 800, 900, 1000, 1100} {
		l := raster.NewLayer(image.Rect(0, 0, side, side))
		for i := range l.Pix {
			l.Pix[i] = uint8(i >> 10)
		}
		keys := []stepKey{{depth: side}}
		for again := range 3 {
			pix, before := kept.underlay(keys, l.R)
			if before != (again > 0) || (pix != nil) != (again == 2 && len(l.Pix) <= maxKeptBytes/2) {
				t.Errorf("%d px, page %d: kept %t, painted before %t", side, again, pix != nil, before)
			}
			if before && pix == nil {
				kept.keepUnderlay(keys, l)
			}
			if pix == nil {
				continue
			}
			copied := raster.NewLayer(l.R)
			pix.copyTo(copied)
			if !bytes.Equal(copied.Pix, l.Pix) {
				t.Errorf("%d px: the copy differs", side)
			}
			copied.Release()
		}
		l.Release()
		sum := 0
		for _, u := range kept.unders {
			sum += u.size()
		}
		if len(kept.unders) > maxKeptUnders || kept.bytes > maxKeptBytes || kept.bytes != sum {
			t.Errorf("%d bytes of %d underlays are kept, counted as %d", sum, len(kept.unders), kept.bytes)
		}
	}
}
