package svg_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	xdraw "image/draw"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
	"masthead/render/golden"
)

// shared is one engine for all tests.
var shared = sync.OnceValues(func() (*svg.Engine, error) {
	e := svg.New(svg.Config{Dir: testenv.CacheDir(), Faces: faces()})
	return e, e.Ready(context.Background())
})

// faces are those of the program.
func faces() (files [][]byte) {
	for _, name := range []string{"inter-400", "inter-700"} {
		data, err := os.ReadFile("../../../fonts/" + name + ".ttf")
		if err != nil {
			panic(err)
		}
		files = append(files, data)
	}
	return files
}

func engine(t testing.TB) *svg.Engine {
	t.Helper()
	e, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func clean(t testing.TB, document string) *svg.Document {
	t.Helper()
	d, err := svg.Clean([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// draw draws as often as it takes for a machine that others keep busy.
func draw(t testing.TB, document string, w, h int) *image.NRGBA {
	t.Helper()
	d := clean(t, document)
	for range 20 {
		img, err := engine(t).Draw(context.Background(), d, w, h)
		if errors.Is(err, svg.ErrTimeout) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	t.Fatal(svg.ErrTimeout)
	return nil
}

func TestDraw_logos(t *testing.T) {
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) < 5 {
		t.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := clean(t, string(data))
			golden.Image(t, name, draw(t, string(data), int(128*d.Width/d.Height), 128))
		})
	}
}

// red is a document of one opaque red square.
const red = head + `<rect width="100" height="100" fill="#ff0000"/></svg>`

// TestDraw_whatItHolds_isAsTheStandardSays has documents whose pixel in the middle tells.
func TestDraw_whatItHolds_isAsTheStandardSays(t *testing.T) {
	full := `width="100" height="100"`
	for name, c := range map[string]struct {
		document string
		want     color.NRGBA
	}{
		"plain":        {red, color.NRGBA{255, 0, 0, 255}},
		"half":         {head + `<rect ` + full + ` fill="#f00" fill-opacity=".5"/></svg>`, color.NRGBA{255, 0, 0, 128}},
		"currentColor": {head + `<g color="#00ff00"><rect ` + full + ` fill="currentColor"/></g></svg>`, color.NRGBA{0, 255, 0, 255}},
		"style sheet":  {head + `<style><![CDATA[ /* a > b */ .a { fill: #00f } ]]></style><rect class="a" ` + full + `/></svg>`, color.NRGBA{0, 0, 255, 255}},
		"xlink":        {head + `<rect id="a" ` + full + ` fill="#f00"/><use xlink:href="#a"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"a prefix":     {`<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><s:rect width="9" height="9" fill="#f00"/></s:svg>`, color.NRGBA{255, 0, 0, 255}},
		"no namespace": {`<svg width="9" height="9"><rect width="9" height="9" fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"latin 1":      {`<?xml version="1.0" encoding="iso-8859-1"?><svg viewBox="0 0 9 9"><g id="` + "\xe9" + `"/><rect width="9" height="9" fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"no size":      {`<svg xmlns="http://www.w3.org/2000/svg"><rect width="300" height="150" fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"a size in %":  {`<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 9 9"><rect width="9" height="9" fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"a huge size":  {`<svg xmlns="http://www.w3.org/2000/svg" width="900000000" height="900000000"><rect width="1000000000" height="1000000000" fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		// What is left out leaves the rest.
		"image":                 {head + `<rect ` + full + ` fill="#f00"/><image ` + full + ` href="data:image/png;base64,iVBORw0KGgo="/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"external image":        {head + `<rect ` + full + ` fill="#f00"/><image ` + full + ` xlink:href="file:///etc/passwd"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"filter":                {head + `<filter id="f"><feFlood flood-color="#0f0"/></filter><rect filter="url(#f)" ` + full + ` fill="#f00"/></svg>`, color.NRGBA{0, 255, 0, 255}},
		"filter in a style":     {head + `<filter id="f"><feFlood flood-color="#0f0"/></filter><rect style="filter:url(#f);fill:#f00" ` + full + `/></svg>`, color.NRGBA{0, 255, 0, 255}},
		"filter in a sheet":     {head + `<style>rect{fill:#f00;filter:url(#f)}</style><filter id="f"><feFlood flood-color="#0f0"/></filter><rect ` + full + `/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"filter of other parts": {head + `<filter id="f"><feFlood flood-color="#0f0"/><feTurbulence/></filter><rect filter="url(#f)" ` + full + ` fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"no such filter":        {head + `<rect filter="url(#f)" ` + full + ` fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"entities":              {`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ink '#f00'> ]><svg xmlns="&ns_svg;" viewBox="0 0 100 100"><rect ` + full + ` fill="&ink;"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"script":                {head + `<script>document.write("x")</script><rect onload="x()" ` + full + ` fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"foreignObject":         {head + `<rect ` + full + ` fill="#f00"/><foreignObject ` + full + `><rect ` + full + ` fill="#0f0"/></foreignObject></svg>`, color.NRGBA{255, 0, 0, 255}},
		"elements of elsewhere": {head + `<rect ` + full + ` fill="#f00"/><x:rect xmlns:x="urn:x" ` + full + ` fill="#0f0"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"external use":          {head + `<rect ` + full + ` fill="#f00"/><use href="https://example.com/a.svg#b"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"unused entities":       {`<!DOCTYPE svg [<!ENTITY a "b">]>` + red, color.NRGBA{255, 0, 0, 255}},
		"empty words":           {head + `<text> </text><rect ` + full + ` fill="#f00"/></svg>`, color.NRGBA{255, 0, 0, 255}},
		"an external fill":      {head + `<rect ` + full + ` fill="#f00"/><rect ` + full + ` fill="url(https://example.com/#a)"/></svg>`, color.NRGBA{255, 0, 0, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			img := draw(t, c.document, 40, 40)
			if got := img.NRGBAAt(20, 20); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestClean_refused(t *testing.T) {
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			if _, err := svg.Clean([]byte(c.document)); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// hung is how long a drawing may take on a machine that is busy with everything else.
const hung = 30 * time.Second

func TestDraw_heavy_isBounded(t *testing.T) {
	e := engine(t)
	for name, document := range heavy {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			d, err := svg.Clean([]byte(document))
			if err != nil {
				t.Log(err)
				return
			}
			_, err = e.Draw(context.Background(), d, 160, 160)
			took := time.Since(start)
			t.Log(took, err)
			// Which of the errors it is may depend on how fast the machine is.
			if err != nil && !errors.Is(err, svg.ErrTimeout) && !errors.Is(err, svg.ErrDamaged) &&
				!errors.Is(err, svg.ErrUnsupported) {
				t.Error(err)
			}
			if took > hung {
				t.Errorf("it took %v", took)
			}
		})
	}
	if got := draw(t, red, 8, 8).NRGBAAt(4, 4); got != (color.NRGBA{255, 0, 0, 255}) {
		t.Errorf("afterwards %v is drawn", got)
	}
}

// TestClean_manyFilters_neverReachTheEngine has eight thousand, each of which would hold it up.
func TestClean_manyFilters_neverReachTheEngine(t *testing.T) {
	given := clean(t, filters(8_000)).XML(160, 160)
	if strings.Contains(given, "filter") || strings.Contains(given, "feGaussianBlur") || !strings.Contains(given, "<rect") {
		t.Errorf("the engine is given %d bytes: %.300s", len(given), given)
	}
}

// TestDraw_words are drawn in faces of ours, whatever family they name, and refused by an engine without any.
func TestDraw_words(t *testing.T) {
	const document = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 140">` +
		`<rect width="200" height="140" rx="24" fill="#0f766e"/>` +
		`<text x="100" y="62" font-size="52" text-anchor="middle" fill="#fff" font-family="Helvetica, Arial" font-weight="700">A<tspan fill="#fde047">g</tspan>é</text>` +
		`<text x="100" y="104" font-size="26" text-anchor="middle" fill="#fff" style="font-family:serif">Привет, №&#160;12</text></svg>`
	golden.Image(t, "words", draw(t, document, 400, 280))
	e := svg.New(svg.Config{Lazy: true})
	defer func() { _ = e.Close() }()
	if _, err := e.Draw(context.Background(), clean(t, document), 8, 8); !errors.Is(err, svg.ErrUnsupported) {
		t.Errorf("without a face: got %v, want %v", err, svg.ErrUnsupported)
	}
}

// TestDrawSizes_areThoseOfOneDrawingEach compares sizes that one instance draws with those that have one each.
func TestDrawSizes_areThoseOfOneDrawingEach(t *testing.T) {
	d := clean(t, red)
	sizes := []image.Point{{16, 16}, {64, 48}, {512, 512}}
	drawn, err := engine(t).DrawSizes(context.Background(), d, sizes...)
	if err != nil || len(drawn) != len(sizes) {
		t.Fatalf("got %d pictures, %v", len(drawn), err)
	}
	for i, size := range sizes {
		if fault, _ := golden.Compare(drawn[i], draw(t, red, size.X, size.Y)); fault != "" {
			t.Errorf("%v: %s", size, fault)
		}
	}
}

// TestDrawLong_whatTakesTooLongIsSmaller draws a document that the engine may not have the time for.
func TestDrawLong_whatTakesTooLongIsSmaller(t *testing.T) {
	slow := clean(t, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">`+
		strings.Repeat(`<g opacity=".9"><rect width="99" height="49"/></g>`, 5)+`</svg>`)
	img, err := engine(t).DrawLong(context.Background(), slow, 512, nil)
	for range 20 {
		if !errors.Is(err, svg.ErrTimeout) {
			break
		}
		img, err = engine(t).DrawLong(context.Background(), slow, 512, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if w, h := img.Rect.Dx(), img.Rect.Dy(); w != 2*h || w != 512 && w != 192 {
		t.Errorf("got %dx%d, want 512x256 or 192x96", w, h)
	}
	quick, err := engine(t).DrawLong(context.Background(), clean(t, red), 64, nil)
	if err != nil || max(quick.Rect.Dx(), quick.Rect.Dy()) != 64 {
		t.Errorf("got %v, %v, want 64 pixels", quick, err)
	}
}

// TestDrawLong_drawingsShareTheTime draws one document in vain, and another over and over.
func TestDrawLong_drawingsShareTheTime(t *testing.T) {
	e := svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute, Time: 200 * time.Millisecond})
	t.Cleanup(func() { _ = e.Close() })
	var spent svg.Stopwatch
	if _, err := e.DrawLong(t.Context(), clean(t, heavy["fine dashes"]), 512, &spent); !errors.Is(err, svg.ErrTimeout) {
		t.Errorf("got %v, want that it takes too long", err)
	}
	was := spent.Duration()
	quick := clean(t, red)
	if _, err := e.DrawLong(t.Context(), quick, 8, &spent); !errors.Is(err, svg.ErrTimeout) || spent.Duration() != was {
		t.Errorf("once the time is over: got %v after %v more, want nothing drawn", err, spent.Duration()-was)
	}
	spent = svg.Stopwatch{}
	drawings := 0
	var err error
	for ; err == nil; drawings++ {
		before := spent.Duration()
		if _, err = e.DrawLong(t.Context(), quick, 512, &spent); err == nil && spent.Duration() <= before {
			t.Fatal("a drawing took no time")
		}
	}
	if !errors.Is(err, svg.ErrTimeout) {
		t.Errorf("after %d drawings: got %v, want that the time is over", drawings, err)
	}
}

// TestClean_omitted names what isn't drawn, and nothing else.
func TestClean_omitted(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"nothing":           {`<rect width="9" height="9"/><title>A</title><metadata/><script/>`, ""},
		"foreignObject":     {`<rect width="9" height="9"/><foreignObject><p/></foreignObject>`, "foreignObject"},
		"a picture, a film": {`<image href="a.png"/><video/><image/>`, "a picture, a video"},
		"a shadow":          {`<filter id="f"><feDropShadow dx="1"/></filter><g filter="url(#f)"/>`, ""},
		"a cloud":           {`<filter id="f"><feTurbulence/></filter><g filter="url(#f)"/>`, "a filter"},
		"a function":        {`<g style="filter: drop-shadow(0 0 2px red)"/>`, "a filter"},
		"in a sheet":        {`<style>g{filter:blur(2px)}</style><g/>`, "a filter"},
		"emoji":             {`<text y=".9em" font-size="90">🎯</text>`, ""},
		"other scripts":     {`<text>日本</text>`, "text in characters that there is no font for"},
	} {
		d := clean(t, head+c.content+"</svg>")
		if d.Omitted != c.want {
			t.Errorf("%s: got %q, want %q", name, d.Omitted, c.want)
		}
	}
	_, err := engine(t).Draw(context.Background(), clean(t, head+`<foreignObject><p>A</p></foreignObject></svg>`), 8, 8)
	if !errors.Is(err, svg.ErrNothing) || errors.Is(err, svg.ErrDamaged) {
		t.Errorf("nothing but foreignObject: got %v, want %v", err, svg.ErrNothing)
	}
}

// TestDraw_asSitesWriteIt draws icons in the ways that many sites write them, beside each other.
func TestDraw_asSitesWriteIt(t *testing.T) {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">`
	const shadow = `<filter id="s"><feDropShadow dx="4" dy="6" stdDeviation="4" flood-color="#7c2d12" flood-opacity=".6"/></filter>`
	documents := []string{
		open + `<text y=".9em" font-size="90">🎯</text></svg>`,
		open + `<text x="50%" y="50%" font-size="80" text-anchor="middle" dominant-baseline="central">👩‍🚀</text></svg>`,
		open + `<style>text{font-size:20px}</style><rect width="100" height="100" rx="20" fill="#fde68a"/>` +
			`<g font-size="40"><text x="5" y="60"><tspan>🚀</tspan>🌙</text></g></svg>`,
		open + shadow + `<g filter="url(#s)"><circle cx="46" cy="44" r="34" fill="#f97316"/></g></svg>`,
		open + shadow + `<rect x="20" y="20" width="56" height="56" rx="9" style="fill:#0ea5e9;filter:url(#s)"/></svg>`,
		open + `<filter id="s"><feGaussianBlur stdDeviation="3"/></filter><circle cx="50" cy="50" r="30" fill="#16a34a" filter="url(#s)"/></svg>`,
	}
	sheet := image.NewNRGBA(image.Rect(0, 0, 128*len(documents), 128))
	for i, document := range documents {
		img := draw(t, document, 120, 120)
		xdraw.Draw(sheet, img.Rect.Add(image.Pt(128*i+4, 4)), img, image.Point{}, xdraw.Src)
	}
	golden.Image(t, "sites", sheet)
}
