package svg_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/picture/svg"
)

func seeds(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) == 0 {
		f.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, c := range refused {
		if len(c.document) < 4096 {
			f.Add([]byte(c.document))
		}
	}
	for _, more := range []string{
		head + `<style>@import url(x);@im@import;port "y";a{fil/**/ter:url(#a);b:url("data:x")}</style></svg>`,
		head + `<g style="filter:x;fill:url(  'http://a' )" xlink:href="#a" :href="file:///a" a:href="b"/></svg>`,
		head + `<a href="javascript:x"><use href=" #a"/></a><set/><x:script xmlns:x="http://www.w3.org/2000/svg"/></svg>`,
	} {
		f.Add([]byte(more))
	}
}

// FuzzSVG: whatever a document is, what is handed to the engine holds elements that are drawn, and references to
// itself alone.
func FuzzSVG(f *testing.F) {
	seeds(f)
	for _, document := range heavy {
		if len(document) < 4096 {
			f.Add([]byte(document))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := svg.Clean(data)
		if err != nil {
			if !errors.Is(err, svg.ErrDamaged) && !errors.Is(err, svg.ErrTooLarge) && !errors.Is(err, svg.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		if !(d.Width > 0 && d.Height > 0) {
			t.Fatalf("its size is %v×%v", d.Width, d.Height)
		}
		cleaned := d.XML(64, 64)
		decoder := xml.NewDecoder(strings.NewReader(cleaned))
		for {
			token, err := decoder.RawToken()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in %q", err, cleaned)
			}
			if start, ok := token.(xml.StartElement); ok {
				checkElement(t, start)
			}
			switch token.(type) {
			case xml.ProcInst, xml.Directive, xml.Comment:
				t.Fatalf("%T in %q", token, cleaned)
			}
		}
		again, err := svg.Clean([]byte(cleaned))
		if err != nil {
			if errors.Is(err, svg.ErrTooLarge) {
				return // written out it may be longer than a document may be
			}
			t.Fatalf("%v of %q", err, cleaned)
		}
		if twice := again.XML(64, 64); len(twice) > len(cleaned) {
			t.Fatalf("cleaned again it is %q, not %q", twice, cleaned)
		}
	})
}

func checkElement(t *testing.T, start xml.StartElement) {
	t.Helper()
	const gone = "|script|foreignObject|image|feImage|feTurbulence|animate|set|"
	if start.Name.Space != "" || strings.Contains(gone, "|"+start.Name.Local+"|") {
		t.Fatalf("element %v", start.Name)
	}
	for _, a := range start.Attr {
		name, value := a.Name.Local, strings.ToLower(a.Value)
		switch {
		case a.Name.Space != "", strings.HasPrefix(name, "on"), name == "filter" && !strings.HasPrefix(value, "url(#"):
			t.Fatalf("attribute %v", a)
		case name == "href" && !strings.HasPrefix(value, "#"):
			t.Fatalf("it refers to %q", value)
		case name != "id" && strings.Contains(strings.ReplaceAll(value, "url(#", ""), "url("):
			t.Fatalf("%s refers to %q", name, value)
		}
	}
}

// FuzzDraw: the engine ends with a picture or an error, and leaves the program as it was.
func FuzzDraw(f *testing.F) {
	seeds(f)
	e := engine(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := svg.Clean(data)
		if err != nil {
			return
		}
		img, err := e.Draw(context.Background(), d, 24, 16)
		switch {
		case err == nil && (img.Rect.Dx() != 24 || img.Rect.Dy() != 16):
			t.Fatalf("it draws %v", img.Rect)
		case err != nil && !errors.Is(err, svg.ErrDamaged) && !errors.Is(err, svg.ErrTimeout) && !errors.Is(err, svg.ErrNothing):
			t.Fatal(err)
		}
	})
}
