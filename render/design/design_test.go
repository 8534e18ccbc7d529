package design_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"masthead/render"
	"masthead/render/design"
	"masthead/render/html"
	"masthead/render/palette"
)

func sample(t testing.TB) map[string]any {
	t.Helper()
	r, ok := render.Sample("editorial")
	if !ok {
		t.Fatal("there is no sample")
	}
	return r.Facts()
}

// TestFill_parsesOnce fills in other texts and colors: what the design keeps doesn't grow.
func TestFill_parsesOnce(t *testing.T) {
	d, err := design.Compile(`<body style="color:var(--text)">{{title}}{{#author}}<p>{{author}}{{/author}}`, sample(t))
	if err != nil {
		t.Fatal(err)
	}
	kept := d.Size()
	for i := range 30 {
		facts := map[string]any{"title": fmt.Sprint("Title ", i), "author": fmt.Sprint("Author ", i)}
		if _, err := d.Fill(facts, map[string]string{"--text": fmt.Sprintf("#0000%02x", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if now := d.Size(); kept == 0 || now != kept {
		t.Errorf("the design takes %d bytes after 30 pages, and %d before", now, kept)
	}
}

// TestCompile_limits has each limit reached, and where the error says that it is.
func TestCompile_limits(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   string // the beginning of the error
	}{
		"whole":       {"<h1>{{title}}</h1>", ""},
		"256 KB":      {"<p>" + strings.Repeat("x", design.MaxBytes-3), ""},
		"a byte more": {"<p>" + strings.Repeat("x", design.MaxBytes-2), "The document has 262145 bytes"},
		"elements":    {"<b></b>\n" + strings.Repeat("<i></i>", html.MaxElements-4), ""},
		"one more": {"<b></b>\n" + strings.Repeat("<i></i>", html.MaxElements),
			"Line 2, column 34973: The document is too large"},
		"depth":      {strings.Repeat("<b>\n<div>", 40), "Line 32, column 6: The document is too large: elements are"},
		"not closed": {"<p>" + strings.Repeat("<b>", 3) + "<i><u>" + strings.Repeat("\n<p>x", 700), ""},
		"opened again": {"<p>" + unclosed(60) + strings.Repeat("\n<p>x", 20_000),
			"Line 835, column 4: The document is too large: too many"},
		"rules":         {"<style>\n" + strings.Repeat("a{order:1}\n", 2001) + "</style>", "Line 2002, column 2: The document is too large"},
		"as filled":     {"{{#items}}" + strings.Repeat("x", design.MaxBytes/2-10) + "{{/items}}", "With its values, the document has more"},
		"partial":       {"<p>\n{{>header}}", "Line 2: Partials"},
		"open":          {"<p>\n\n{{#title}}", "Line 3: The section title isn't closed"},
		"text in style": {"<p>\n<b style='width:{{title}}'>", "Line 2: The value of {{title}} must be a color or a number"},
		"in a tag":      {"<b {{title}}>", "Line 1: {{title}} stands in a tag"},
		"bytes":         {"<p>\nab\xff", "Line 2, column 3: This isn't valid UTF-8."},
		"NUL":           {"a\x00", "Line 1, column 2: This isn't valid UTF-8."},
		"empty":         {" \n", "The document is empty."},
	} {
		_, err := design.Compile(c.source, sample(t))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: got %v", name, err)
			}
			continue
		}
		var fault *design.Error
		if !errors.As(err, &fault) || !strings.HasPrefix(fault.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// unclosed returns n different elements that aren't closed.
func unclosed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<b id=%d>", i)
	}
	return b.String()
}

// TestDraw_bounds has documents that take long to draw, and one whose layers take too much memory.
func TestDraw_bounds(t *testing.T) {
	slow := "<body style='margin:0'>" + strings.Repeat("<div style='position:absolute;inset:0;"+
		"backdrop-filter:blur(90px);background:#0001'></div>", 900)
	var zigzag strings.Builder // whose lines cross most pixels of each row
	zigzag.WriteString("<svg width=1200 height=630 viewBox='0 0 1200 630'><path d='M0 0")
	for i := range 20000 {
		fmt.Fprintf(&zigzag, "L%d %d", i*37%1200, i*91%630)
	}
	zigzag.WriteString("'/></svg>")
	deep := strings.Repeat("<div style='opacity:.99;width:2000px;height:2000px;background:#0001'>", 4) + "x"
	for name, c := range map[string]struct{ source, fault, warning string }{
		"time": {slow, "more than a second", ""}, "path": {zigzag.String(), "more than a second", ""}, "memory": {deep, "", "Effects are nested too deep"},
	} {
		d, err := design.Compile(c.source, nil)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := d.Fill(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := doc.Paint(t.Context(), design.Options{Width: 2048, Height: 2048})
		var fault *design.Error
		if errors.As(err, &fault) != (c.fault != "") || fault != nil && !strings.Contains(fault.Message, c.fault) {
			t.Errorf("%s: got %v, want %q", name, err, c.fault)
		}
		if c.warning != "" && (len(warnings) != 1 || !strings.HasPrefix(warnings[0].Message, c.warning)) {
			t.Errorf("%s: got %v, want %q", name, warnings, c.warning)
		}
	}
}

func TestDraw_factsAndPictures(t *testing.T) {
	d, err := design.Compile(`<body style="margin:0;background:var(--background)"><img src="{{icon}}"
		style="position:absolute;left:0;top:0;width:50px;height:50px"><div style="position:absolute;left:100px;top:0;width:50px;
		height:50px;background:url('brand.png') 0 0/cover"></div>{{#data.on}}<p style="position:absolute;left:200px;top:0;
		margin:0;width:50px;height:50px;background:{{data.color}}"></p>{{/data.on}}`, sample(t))
	if err != nil {
		t.Fatal(err)
	}
	data, canonical, err := design.ParseData([]byte(` {"on": true, "color": "#00ff00"} `))
	if err != nil || string(canonical) != `{"color":"#00ff00","on":true}` {
		t.Fatalf("got %s, %v", canonical, err)
	}
	facts := map[string]any{"icon": render.IconAddress, "data": data}
	doc, err := d.Fill(facts, map[string]string{"--background": "#0000ff"})
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Pictures(); !slices.Equal(got, []string{render.IconAddress, "brand.png"}) {
		t.Errorf("got the pictures %q", got)
	}
	plain := func(c color.NRGBA) design.Image {
		img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
		for i := range 16 {
			img.SetNRGBA(i%4, i/4, c)
		}
		return html.Raster(img)
	}
	red, white := color.NRGBA{255, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}
	img, warnings, err := doc.Paint(t.Context(), design.Options{Width: 300, Height: 200, Images: map[string]design.Image{
		render.IconAddress: plain(red), "brand.png": plain(white),
	}})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	for x, want := range map[int]color.NRGBA{
		25: red, 125: white, 225: {0, 255, 0, 255}, 75: {0, 0, 255, 255},
	} {
		if got := color.NRGBAModel.Convert(img.At(x, 25)); got != want {
			t.Errorf("at %d: got %v, want %v", x, got, want)
		}
	}
	for _, bad := range []string{`[1]`, `1`, `{} {}`, `{"a":` + strings.Repeat("[", 17) + strings.Repeat("]", 17) + "}",
		`{"a":"` + strings.Repeat("x", design.MaxData) + `"}`} {
		if _, _, err := design.ParseData([]byte(bad)); err == nil {
			t.Errorf("%.30s is accepted", bad)
		}
	}
}

// TestProperties_contrast has accents from all around, dark and light.
func TestProperties_contrast(t *testing.T) {
	for hex := uint32(0); hex < 1<<24; hex += 0x071333 {
		for _, dark := range []bool{true, false} {
			p := design.Properties(palette.New(palette.RGB(hex), dark), palette.RGB(^hex&0xffffff))
			for _, pair := range [][2]string{
				{"--text", "--background"}, {"--muted", "--background"}, {"--text", "--surface"}, {"--muted", "--surface"},
				{"--text", "--surface-2"}, {"--muted", "--surface-2"}, {"--accent", "--background"}, {"--on-accent", "--accent"},
				{"--secondary", "--background"}, {"--on-secondary", "--secondary"}, {"--on-brand", "--brand"},
			} {
				a, err := palette.ParseHex(p[pair[0]])
				b, err2 := palette.ParseHex(p[pair[1]])
				if c := palette.Contrast(a, b); err != nil || err2 != nil || c < palette.MinText {
					t.Errorf("#%06x, dark %v: %v is %s on %s, %.2f:1", hex, dark, pair, p[pair[0]], p[pair[1]], c)
				}
			}
		}
	}
}

func TestPictureBox_memory(t *testing.T) {
	for _, c := range []struct {
		card image.Point
		n    int
		want image.Point
	}{
		{image.Pt(1200, 630), 1, image.Pt(1200, 630)}, {image.Pt(1200, 630), 12, image.Pt(918, 482)},
		{image.Pt(2048, 2048), 12, image.Pt(410, 410)},
	} {
		got := design.PictureBox(c.card, c.n)
		if used := 4 * (got.X*got.Y*c.n + c.card.X*c.card.Y); used > 25<<20 || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%d pictures on %v: got %v, want %v; %d MB", c.n, c.card, got, c.want, used>>20)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("<style>a{color:{{accent}}}</style><h1 style='--fit:20px 40px / 2'>{{title}}{{#items}}<b>{{.}}</b>{{/items}}", `{"a":[1]}`)
	f.Add("<img src='{{icon}}'><svg><image href='x'/></svg>{{=<% %>=}}<%data.a%>", `{"a":"<b>"}`)
	facts := sample(f)
	f.Fuzz(func(t *testing.T, source, raw string) {
		if len(source) > 5000 {
			return
		}
		d, err := design.Compile(source, facts)
		if err != nil {
			return
		}
		data, _, err := design.ParseData([]byte(raw))
		if err != nil {
			return
		}
		doc, err := d.Fill(map[string]any{"title": "A", "data": data}, nil)
		if err != nil {
			return
		}
		_, _, _ = doc.Paint(t.Context(), design.Options{Width: 200, Height: 200})
	})
}
