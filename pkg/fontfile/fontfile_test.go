package fontfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-text/typesetting/font"

	"masthead/fonts"
)

func fileOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func interOf(t testing.TB, weight int) []byte {
	t.Helper()
	data, err := fonts.Find("inter", weight, false).Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// faceOf returns a face of a font that was read.
func faceOf(f Font, weight int) *fonts.Face {
	return fonts.NewSet([]fonts.File{{
		Family: f.Family, MinWeight: f.MinWeight, MaxWeight: f.MaxWeight, Italic: f.Italic, Data: f.Data,
	}}).Find(strings.ToUpper(f.Family), weight, false)
}

func TestRead_kinds(t *testing.T) {
	for name, want := range map[string]Font{
		"inter-400":                    {Ext: ".ttf", Family: "Inter", MinWeight: 400, MaxWeight: 400},
		"inter-600":                    {Ext: ".ttf", Family: "Inter", MinWeight: 600, MaxWeight: 600},
		"katex-caligraphic-bold.woff":  {Ext: ".ttf", Family: "KaTeX_Caligraphic", MinWeight: 700, MaxWeight: 700},
		"katex-caligraphic-bold.woff2": {Ext: ".ttf", Family: "KaTeX_Caligraphic", MinWeight: 700, MaxWeight: 700},
		"source-sans-variable.ttf":     {Ext: ".ttf", Family: "Source Sans Variable", MinWeight: 200, MaxWeight: 900},
		"cff.otf":                      {Ext: ".otf", Family: "CFFTest", MinWeight: 400, MaxWeight: 400, Italic: true},
	} {
		var file []byte
		switch name {
		case "inter-400":
			file = interOf(t, 400)
		case "inter-600":
			file = interOf(t, 600)
		default:
			file = fileOf(t, name)
		}
		got, err := Read(t.Context(), file)
		if err != nil || !Is(got.Data) || faceOf(got, 700).Check() != nil {
			t.Errorf("%s: got %d bytes, %v", name, len(got.Data), err)
		}
		again, err := Read(t.Context(), got.Data)
		if err == nil && again.Family != "" { // names aren't kept
			t.Errorf("%s: read again, it is of the family %q", name, again.Family)
		}
		got.Data = nil
		if got.Ext != want.Ext || got.Family != want.Family || got.MinWeight != want.MinWeight ||
			got.MaxWeight != want.MaxWeight || got.Italic != want.Italic {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// TestRead_woff2_hasTheOutlinesOfWOFF compares the glyphs of one font in two files.
func TestRead_woff2_hasTheOutlinesOfWOFF(t *testing.T) {
	var faces []*fonts.Face
	for _, ext := range []string{"woff", "woff2"} {
		f, err := Read(t.Context(), fileOf(t, "katex-caligraphic-bold."+ext))
		if err != nil {
			t.Fatal(err)
		}
		faces = append(faces, faceOf(f, 700))
	}
	one, two := faces[0].NewFont(), faces[1].NewFont()
	drawn := 0
	for gid := range font.GID(200) {
		first, ok := faces[0].Outline(one, gid)
		second, also := faces[1].Outline(two, gid)
		if ok != also || !slices.Equal(first, second) || ok && one.HorizontalAdvance(gid) != two.HorizontalAdvance(gid) {
			t.Errorf("glyph %d differs", gid)
		}
		if len(first) > 0 {
			drawn++
		}
	}
	if drawn < 20 {
		t.Errorf("%d glyphs are drawn", drawn)
	}
}

// TestRead_variable_isDrawnAtItsWeight compares the widths of a letter in two weights.
func TestRead_variable_isDrawnAtItsWeight(t *testing.T) {
	f, err := Read(t.Context(), fileOf(t, "source-sans-variable.ttf"))
	if err != nil {
		t.Fatal(err)
	}
	widths := map[int]float32{}
	for _, weight := range []int{100, 200, 900} {
		face := faceOf(f, weight)
		gid := font.GID(1)
		outline, _ := face.Outline(face.NewFont(), gid)
		for _, s := range outline {
			widths[weight] = max(widths[weight], s.Args[0].X)
		}
		if want := max(weight, 200); face.Weight != want {
			t.Errorf("at %d: got the weight %d, want %d", weight, face.Weight, want)
		}
	}
	if face := fonts.NewSet([]fonts.File{{
		Family: f.Family, MinWeight: f.MinWeight, MaxWeight: f.MaxWeight, Data: f.Data,
	}}).Varied(f.Family, 200, false, 880); face.Weight != 900 {
		t.Errorf("at 200, but varied to 880: got the weight %d, want 900", face.Weight)
	}
	if widths[100] != widths[200] || widths[900] == widths[200] || widths[200] == 0 {
		t.Errorf("got the widths %v", widths)
	}
}

// be16 returns numbers as a table has them.
func be16(numbers ...int) (out []byte) {
	for _, n := range numbers {
		out = binary.BigEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// repeated returns a table of many offsets to the same bytes.
func repeated(offset, n int) []byte { return bytes.Repeat(be16(offset), n) }

// multiple is a GSUB with a lookup of the given kind.
func lookups(kind int, subtable []byte) []byte {
	head := be16(1, 0, 10, 12, 14) // no script, no feature
	list := be16(0, 0, 1, 4, kind, 0, 1, 8)
	return append(append(head, list...), subtable...)
}

// TestRead_bounds has each bound reached by a font that is otherwise whole.
func TestRead_bounds(t *testing.T) {
	inter, err := unpack(interOf(t, 400))
	if err != nil {
		t.Fatal(err)
	}
	glyphs := orZero(reader(inter["maxp"]).u16(4))
	long := func(offsets ...int) (loca []byte) {
		for i := range glyphs + 1 {
			loca = binary.BigEndian.AppendUint32(loca, uint32(offsets[min(i, len(offsets)-1)]))
		}
		return loca
	}
	head := slices.Clone(inter["head"])
	head[51] = 1
	small := slices.Clone(head)
	binary.BigEndian.PutUint16(small[18:], 1000)
	cycle := append(be16(0xffff, 0, 0, 0, 0), be16(0, 0, 0)...) // glyph 0 is made of glyph 0
	far := append(append(be16(1, 0, 0, 0, 0), be16(0, 0)...), append([]byte{1}, be16(32767, 0)...)...)
	os2 := slices.Clone(inter["OS/2"])
	binary.BigEndian.PutUint16(os2[8:], restricted)
	const rulesets = 20000
	rules := append(be16(1, 6+2*rulesets, rulesets), repeated(6+2*rulesets+8, rulesets)...)
	rules = append(append(rules, be16(2, 0, 0, 0)...), append(be16(rulesets), repeated(2+2*rulesets, rulesets)...)...)
	rules = append(rules, be16(1, 0)...)
	sequence := append(be16(1, 8, 1, 14, 1, 1, 5, 100), make([]byte, 200)...)
	program := []byte{32, 10} // calls subroutine 0, which has the same number
	for name, c := range map[string]struct {
		change tables
		want   string
	}{
		"whole":   {tables{}, ""},
		"license": {tables{"OS/2": os2}, "The font's license flags"},
		"no name": {tables{"name": nil}, "The font doesn't say the name"},
		"cycle": {tables{"head": head, "glyf": cycle, "loca": long(0, len(cycle))},
			"The font is damaged: its table glyf"},
		"far away":    {tables{"head": small, "glyf": far, "loca": long(0, len(far))}, "A glyph of the font is drawn more"},
		"backwards":   {tables{"head": head, "loca": long(100, 50)}, "The font is damaged: its table loca"},
		"no outlines": {tables{"glyf": nil, "loca": nil}, "The font has no outlines"},
		"CFF2":        {tables{"glyf": nil, "loca": nil, "CFF2": program}, "Variable fonts with PostScript outlines"},
		"rules":       {tables{"GSUB": lookups(5, rules)}, "The typographic rules"},
		"sequence":    {tables{"GSUB": lookups(2, sequence)}, "The typographic rules"},
		"cut":         {tables{"GPOS": inter["GPOS"][:300]}, "The font is damaged: its table GPOS"},
		"cmap":        {tables{"cmap": be16(0, 0)}, "The font has no table of Unicode"},
		"no glyphs":   {tables{"maxp": make([]byte, 32)}, "The font is damaged: its table maxp"},
		"axes": {tables{"fvar": append(be16(1, 0, 16, 2, 40, 20, 0, 0), make([]byte, 800)...)},
			"The font has 40 axes"},
	} {
		changed := tables{}
		for tag, data := range inter {
			changed[tag] = data
		}
		for tag, data := range c.change {
			changed[tag] = data
		}
		_, err := Read(t.Context(), changed.file(false))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestRead_files has files that can't be used.
func TestRead_files(t *testing.T) {
	woff, woff2 := fileOf(t, "katex-caligraphic-bold.woff"), fileOf(t, "katex-caligraphic-bold.woff2")
	huge := slices.Clone(woff)
	binary.BigEndian.PutUint32(huge[44+12:], 1<<30) // the length of the first table, unpacked
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":       {nil, "The file isn't a font."},
		"text":        {[]byte("body{}"), "The file isn't a font."},
		"5 MB":        {append(slices.Clone(woff), make([]byte, MaxBytes)...), "The font has more than 5 MiB."},
		"collection":  {[]byte("ttcf\x00\x01"), "The file is a collection"},
		"head alone":  {woff[:20], "The font is damaged"},
		"cut":         {woff[:2000], "The font is damaged"},
		"cut WOFF 2":  {woff2[:2000], "The font is damaged"},
		"unpacked":    {huge, "The font has more than 16 MiB when"},
		"many tables": {append([]byte("\x00\x01\x00\x00\xff\xff"), make([]byte, 100)...), "The font is damaged"},
	} {
		if _, err := Read(t.Context(), c.file); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestCharstring_callsThemselves has programs of a few bytes that would run for years.
func TestCharstring_callsThemselves(t *testing.T) {
	list := func(items ...[]byte) (out []byte) {
		if len(items) == 0 {
			return be16(0)
		}
		out = append(be16(len(items)), 2)
		at := 1
		for _, item := range append([][]byte{nil}, items...) {
			at += len(item)
			out = append(out, be16(at)...)
		}
		return append(out, bytes.Join(items, nil)...)
	}
	const number0 = 139 - 107 // with the bias of few subroutines
	var subroutines [][]byte
	for i := range 9 { // each calls the next one a thousand times
		subroutines = append(subroutines, append(bytes.Repeat([]byte{byte(number0 + i + 1), 29}, 1000), 11))
	}
	subroutines = append(subroutines, []byte{11})
	before := append([]byte{1, 0, 4, 2}, list([]byte("A"))...)
	rest := append(list(), list(subroutines...)...)
	const topBytes = 2 + 1 + 4 + 6 // an index with one dictionary
	at := len(before) + topBytes + len(rest)
	top := append([]byte{29}, binary.BigEndian.AppendUint32(nil, uint32(at))...)
	table := append(append(append(before, list(append(top, charstrings))...), rest...), list([]byte{number0, 29, 14})...)
	err := checkCFF(t.Context(), tables{"CFF ": table}, shape{glyphs: 1, upem: 1000})
	if !errors.Is(err, errSteps) {
		t.Errorf("got %v", err)
	}
}

// FuzzRead reads anything. What is accepted can be drawn.
func FuzzRead(f *testing.F) {
	for _, name := range []string{
		"katex-caligraphic-bold.woff", "katex-caligraphic-bold.woff2", "source-sans-variable.ttf", "cff.otf",
	} {
		f.Add(fileOf(f, name))
	}
	hebrew, err := fonts.Find("noto-sans-hebrew", 400, false).Data()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(hebrew)
	f.Fuzz(func(t *testing.T, file []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		read, err := Read(ctx, file)
		if err != nil {
			return
		}
		face := faceOf(read, 700)
		ft := face.NewFont()
		for gid := range font.GID(50) {
			face.Outline(ft, gid)
		}
	})
}
