package card

import (
	"image"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/render/design"
)

// ownDesign is a design of a user's own that lists sizes, or none for "".
func ownDesign(t *testing.T, sizes string) *Design {
	t.Helper()
	source := "<h1>{{title}}</h1>"
	if sizes != "" {
		source = `<meta name="card-sizes" content="` + sizes + `">` + source
	}
	compiled, err := design.Compile(source, map[string]any{"title": "Hello"})
	if err != nil {
		t.Fatal(err)
	}
	return &Design{ID: "d", Design: compiled}
}

func TestSizes_areOrderedAndDrawnOnce(t *testing.T) {
	square, story, header := image.Pt(1080, 1080), image.Pt(1080, 1920), image.Pt(1500, 500)
	for name, c := range map[string]struct {
		kind  Kind
		size  image.Point
		sizes []image.Point
		lists string // "" is the template editorial, "none" a design that lists no sizes
		want  []image.Point
	}{
		"one":                          {OG, image.Point{}, nil, "", []image.Point{OGSize}},
		"og and others":                {OG, image.Point{}, []image.Point{header, story, square, story}, "", []image.Point{OGSize, square, story, header}},
		"og and itself":                {OG, image.Point{}, []image.Point{OGSize}, "", []image.Point{OGSize}},
		"custom":                       {Custom, square, nil, "", []image.Point{square}},
		"custom and others":            {Custom, story, []image.Point{header, square}, "", []image.Point{story, square, header}},
		"custom without size":          {Custom, image.Point{}, []image.Point{story, square}, "", []image.Point{story, square}},
		"custom with that of og":       {Custom, story, []image.Point{OGSize}, "", []image.Point{OGSize, story}},
		"custom of og":                 {Custom, OGSize, nil, "", []image.Point{OGSize}},
		"hero":                         {BlogHero, image.Point{}, nil, "", []image.Point{image.Pt(1600, 900)}},
		"a design without sizes":       {OG, image.Point{}, nil, "none", []image.Point{OGSize}},
		"og of a design":               {OG, image.Point{}, nil, "1500x500 1080x1080", []image.Point{OGSize, square, header}},
		"custom of a design":           {Custom, image.Point{}, nil, "1080x1920, 1080x1080", []image.Point{story, square}},
		"custom of a design with og":   {Custom, image.Point{}, nil, "1080x1080,1200x630", []image.Point{OGSize, square}},
		"a design, but one size":       {Custom, header, nil, "1080x1080", []image.Point{header}},
		"a design, but the size of og": {OG, image.Point{}, []image.Point{OGSize}, "1080x1080", []image.Point{OGSize}},
		"hero of a design":             {BlogHero, image.Point{}, nil, "1080x1080", []image.Point{image.Pt(1600, 900)}},
	} {
		r := base()
		r.Kind, r.Size, r.Sizes = c.kind, c.size, c.sizes
		if c.lists != "" {
			r.Template, r.Design = "own", ownDesign(t, strings.TrimPrefix(c.lists, "none"))
		}
		once, err := r.Normalize()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := once.CardSizes(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
		twice, err := once.Normalize()
		if err != nil || !slices.Equal(twice.CardSizes(), c.want) || keyOf(t, twice) != keyOf(t, once) {
			t.Errorf("%s: normalized again it has %v, %v", name, twice.CardSizes(), err)
		}
	}
}

func TestSizes_areInTheKey(t *testing.T) {
	a, b := image.Pt(1080, 1080), image.Pt(1080, 1350)
	sized := func(kind Kind, size image.Point, sizes ...image.Point) string {
		r := base()
		r.Kind, r.Size, r.Sizes = kind, size, sizes
		return keyOf(t, r)
	}
	none := image.Point{}
	for name, same := range map[string][2]string{
		"order":              {sized(OG, none, a, b), sized(OG, none, b, a, b)},
		"that of the kind":   {sized(OG, none, OGSize), keyOf(t, base())},
		"size or sizes":      {sized(Custom, a), sized(Custom, none, a)},
		"size among sizes":   {sized(Custom, a, b), sized(Custom, a, a, b)},
		"size of og in both": {sized(Custom, a, OGSize), sized(Custom, OGSize, a)},
	} {
		if same[0] != same[1] {
			t.Errorf("%s makes another key", name)
		}
	}
	seen := map[string]bool{}
	for _, key := range []string{
		keyOf(t, base()), sized(OG, none, a), sized(OG, none, a, b), sized(Custom, a), sized(Custom, a, b),
		sized(Custom, b, a),
	} {
		if seen[key] {
			t.Errorf("two requests have the key %s", key)
		}
		seen[key] = true
	}
}

// TestSizes_ofAVersionAreNotInTheBaseKey finds the image of a request in a version of the design with other sizes.
func TestSizes_ofAVersionAreNotInTheBaseKey(t *testing.T) {
	of := func(kind Kind, lists string, sizes ...image.Point) (key, base string) {
		r := Request{URL: "https://example.com/", Kind: kind, Template: "own", Sizes: sizes}
		r.Design = ownDesign(t, lists)
		r, err := r.Normalize()
		if err != nil {
			t.Fatal(err)
		}
		base, err = r.BaseKey("p")
		if err != nil {
			t.Fatal(err)
		}
		return keyOf(t, r), base
	}
	for _, kind := range []Kind{OG, Custom} {
		key1, base1 := of(kind, "1080x1080")
		key2, base2 := of(kind, "1080x1080 1080x1350")
		_, named := of(kind, "1080x1080 1080x1350", image.Pt(1080, 1080))
		if key1 == key2 || base1 != base2 || named == base1 {
			t.Errorf("%s: got the keys %s, %s and the base keys %s, %s, %s", kind, key1, key2, base1, base2, named)
		}
	}
}

func TestSizes_areRefused(t *testing.T) {
	many := make([]image.Point, MaxSizes+1)
	for i := range many {
		many[i] = image.Pt(300+i, 300)
	}
	for name, c := range map[string]struct {
		r       Request
		pointer string
		says    string
	}{
		"of a hero":       {Request{Kind: BlogHero, Sizes: many[:1]}, "/sizes", "kinds og and custom"},
		"of icons":        {Request{Kind: IconSet, Sizes: many[:1]}, "/sizes", "kinds og and custom"},
		"too many":        {Request{Kind: OG, Sizes: many, Template: "editorial"}, "/sizes", "more than 6"},
		"too small":       {Request{Sizes: []image.Point{{1080, 1080}, {199, 300}}}, "/sizes/1", "200 to 2048"},
		"too wide":        {Request{Sizes: []image.Point{{2049, 300}}}, "/sizes/0", "200 to 2048"},
		"one not offered": {Request{Template: "minimal", Sizes: []image.Point{{1080, 1080}, {1080, 1350}}}, "/sizes", "1080x1080, 1500x500, 1584x396"},
		"none offered":    {Request{Template: "docs", Sizes: []image.Point{{1080, 1080}}}, "/sizes", "has none"},
		"of auto":         {Request{Template: AutoTemplate, Sizes: []image.Point{{500, 500}}}, "/sizes", "1080x1920"},
		"of no size":      {Request{Kind: Custom}, "/size", "needs a size"},
	} {
		c.r.URL = "https://example.com/"
		_, err := c.r.Normalize()
		fault, _ := err.(*apperr.Error)
		if fault == nil || fault.Code != apperr.BadRequest || len(fault.Fields) != 1 ||
			fault.Fields[0].Pointer != c.pointer || !strings.Contains(fault.Fields[0].Detail, c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestBrand_templateHasTheSizes leaves out a template of the brand that isn't offered in all sizes of a request.
func TestBrand_templateHasTheSizes(t *testing.T) {
	brand := Brand{Template: "minimal"}
	for want, sizes := range map[string][]image.Point{
		"minimal": {{1080, 1080}, {1500, 500}}, "": {{1080, 1080}, {1080, 1920}},
	} {
		if got := (Request{Sizes: sizes}).WithBrand(brand).Template; got != want {
			t.Errorf("%v: got %q, want %q", sizes, got, want)
		}
	}
}
