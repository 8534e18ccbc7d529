package text_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"masthead/fonts"
	"masthead/render/text"
)

// families returns the families of style.font.
func families() []text.Family {
	var out []text.Family
	for _, slug := range fonts.Families() {
		out = append(out, text.Family(slug))
	}
	return out
}

func TestFamily_everyOneOfStyleFontHasTraits(t *testing.T) {
	want := fonts.Families()
	slices.Sort(want)
	if got := text.TraitFamilies(); !slices.Equal(got, want) {
		t.Errorf("got traits of %v, want those of %v", got, want)
	}
}

func TestFallback_listNamesEveryFallbackFamily(t *testing.T) {
	list := text.FallbackFamilies()
	for _, slug := range list {
		if fonts.Find(slug, 400, false) == nil {
			t.Errorf("%s is in the list, but not embedded", slug)
		}
	}
	for _, f := range fonts.All() {
		if !slices.Contains(fonts.Families(), f.Family) && !slices.Contains(list, f.Family) {
			t.Errorf("%s is embedded, but no style.font, and nothing falls back to it", f.Family)
		}
	}
}

// TestFamily_sizesAndFacesAreThoseOfTheBrief checks factors, tracking and the faces of titles and of running text.
func TestFamily_sizesAndFacesAreThoseOfTheBrief(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		family   text.Family
		title    float64 // drawn for 92
		body     float64 // drawn for 30
		small    float64 // drawn for 26
		tracking float64
	}{
		{text.Inter, 92, 30, 26, -.025},
		{text.PlusJakartaSans, 92, 30, 26, -.025},
		{text.SpaceGrotesk, 92, 30, 26, -.025},
		{text.JetBrainsMono, 78, 26, 24, -.03},
		{text.NotoSans, 90, 30, 26, -.015},
		{text.InstrumentSerif, 120, 30, 26, -.01},
		{"unknown", 92, 30, 26, -.025},
	} {
		title := e.Line("Ag", c.family.Title(92), 0)
		body, small := e.Line("Ag", c.family.Text(30, 400), 0), e.Line("Ag", c.family.Text(26, 400), 0)
		if title.SizePx != c.title || body.SizePx != c.body || small.SizePx != c.small {
			t.Errorf("%s: 92, 30 and 26 are drawn at %v, %v and %v; want %v, %v and %v",
				c.family, title.SizePx, body.SizePx, small.SizePx, c.title, c.body, c.small)
		}
		if got := c.family.Title(92).Tracking; got != c.tracking {
			t.Errorf("%s: tracking %v, want %v", c.family, got, c.tracking)
		}
	}
	exact := text.InstrumentSerif.Title(92)
	exact.Exact = true
	if got := e.Line("Ag", exact, 0).SizePx; got != 92 {
		t.Errorf("exact size drawn at %v, want 92", got)
	}
}

// TestMeasure_trackingAppliesToLargeLatinOnly checks from which size tracking applies, and that right-to-left text has
// none.
func TestMeasure_trackingAppliesToLargeLatinOnly(t *testing.T) {
	e := text.NewEngine()
	per := func(s string, st text.Style) float64 {
		loose := st
		loose.Tracking = 0
		return (e.Measure(s, st) - e.Measure(s, loose)) / st.SizePx
	}
	for _, c := range []struct {
		name, s string
		st      text.Style
		want    float64 // em in all
	}{
		{"title of 48", "Hhhhh", text.Inter.Title(48), -.025 * 4},
		{"title in capitals", "HHHHH", text.Inter.Title(48), .01 * 4},
		{"title under 48", "Hhhhh", text.Inter.Title(46), 0},
		{"label", "HHHHH", text.Inter.Label(24), .08 * 4},
		{"Arabic title", "كيف نقلنا", text.Inter.Title(92), 0},
		{"clusters count, not runes", "h\u0302h\u0302h", text.Inter.Title(100), -.025 * 2},
	} {
		if got := per(c.s, c.st); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v em, want %v", c.name, got, c.want)
		}
	}
}

// TestWrap_scriptsAddLineHeight checks the line height that scripts add and Instrument Serif takes off.
func TestWrap_scriptsAddLineHeight(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		name, s string
		family  text.Family
		dir     text.Dir
		want    float64
	}{
		{"Latin", "one two", text.Inter, text.Auto, 1.06},
		{"serif", "one two", text.InstrumentSerif, text.Auto, 1.00},
		{"Arabic", "دار دار", text.Inter, text.Auto, 1.18},
		{"Hebrew in the serif", "למה העברנו", text.InstrumentSerif, text.Auto, 1.18},
		{"Latin in a right-to-left page", "one two", text.Inter, text.RightToLeft, 1.18},
	} {
		st := c.family.Title(60)
		st.Dir = c.dir
		b := e.Wrap(c.s, st, 10, 0)
		if got := b.Leading / b.SizePx; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: line height %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLine_marksLeaveOutTheirBlankHalf checks the width of full-width marks beside each other, in letters.
func TestLine_marksLeaveOutTheirBlankHalf(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, s string
		want    float64
	}{
		{"ja", "山（川）", 4}, {"ja", "山（川）：", 4.5}, {"ja", "山「川」。", 4.5}, {"ja", "山。「川」", 4.5}, {"ja", "山、川", 3},
		{"zh-Hans", "“山川”，", 4.5}, {"zh-Hans", "“山川”？", 4.5}, {"zh-Hans", "“山川”说", 5}, {"zh-Hans", "山：川", 3},
		{"zh-Hans", "（山）·川", 4.5},
		{"zh-Hant", "山，「川」", 5}, // a comma in the middle of its letter has no blank half
	} {
		st := text.Inter.Text(100, 400)
		st.Lang, st.Exact, st.OpticalMargin = c.lang, true, false
		if got := e.Line(c.s, st, 0).BoxWidth / 100; math.Abs(got-c.want) > .02 {
			t.Errorf("%s %s: %.3f letters wide, want %v", c.lang, c.s, got, c.want)
		}
	}
}

// TestLine_oneFaceSetsAllEuropeanLetters checks that one face sets all Latin, Greek and Cyrillic letters of a text.
func TestLine_oneFaceSetsAllEuropeanLetters(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		name, s string
		family  text.Family
		want    []string
	}{
		{"Latin", "Vì sao", text.SpaceGrotesk, []string{"space-grotesk"}},
		{"Cyrillic is not in Space Grotesk", "Почему Postgres", text.SpaceGrotesk, []string{"inter"}},
		{"Greek is not in Instrument Serif", "Γιατί Postgres", text.InstrumentSerif, []string{"inter"}},
		{"Vietnamese is not in Instrument Serif", "Việt Nam", text.InstrumentSerif, []string{"inter"}},
		{"Greek in the mono face", "Γιατί", text.JetBrainsMono, []string{"jetbrains-mono"}},
		{"Arabic with Latin", "نقل Postgres", text.NotoSans, []string{"noto-sans", "noto-sans-arabic"}},
		{"Arabic in the serif", "نقل طابور Postgres", text.InstrumentSerif, []string{"inter", "noto-sans-arabic"}},
		{"an arrow that the face lacks", "a ↗ b", text.InstrumentSerif, []string{"inter", "instrument-serif"}},
	} {
		got := strings.Join(e.Line(c.s, c.family.Title(60), 0).Families(), " ")
		if want := strings.Join(c.want, " "); got != want {
			t.Errorf("%s: set in %s, want %s", c.name, got, want)
		}
	}
}

// TestLine_missingCharactersAreLeftOutAndReported checks that what no face has is left out with its space, reported,
// and never drawn as a box.
func TestLine_missingCharactersAreLeftOutAndReported(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ in, want, missing string }{
		{"I ❤ it", "I ❤ it", ""},
		{"Hello \U0001f1e9 world", "Hello 🇩 world", ""}, // one half of a flag is a letter in a box
		{"Version\u20e3 two", "Version two", "\u20e3"},
		{"ᏣᎳᎩ data", "data", "ᏣᎳᎩ"},
		{"Intel NUCᏣᎳᎩSSDᏣ", "Intel NUC SSD", "ᏣᎳᎩᏣ"},
		{"データ data 데이터 ข้อมูล डेटा", "データ data 데이터 ข้อมูล डेटा", ""},
		{"髙島 𠮟る 똠방각하", "髙島 𠮟る 똠방각하", ""},
		{"𝐁𝐨𝐥𝐝 and 𝒻𝒶𝓃𝒸𝓎", "Bold and fancy", ""},
		{"Ｆｕｌｌ ｗｉｄｔｈ", "Full width", ""},
		{"ﬁne ﷲ", "ﬁne ﷲ", ""},
		{"a\u202eb\u00adc\u200e\ufeffd", "abc\u200ed", ""},
		{"bad \xff\xfe bytes\x00here", "bad bytes here", ""},
		{"line\nbreak\tand\u2028more", "line break and more", ""},
		{"", "", ""},
	} {
		b := e.Line(c.in, text.Inter.Text(30, 400), 0)
		if b.Text() != c.want || b.Missing != c.missing {
			t.Errorf("%q set as %q, missing %q; want %q, %q", c.in, b.Text(), b.Missing, c.want, c.missing)
		}
		if n := b.NotDef(); n != 0 {
			t.Errorf("%q: %d boxes of a missing glyph", c.in, n)
		}
	}
}

// TestLine_missingShareCountsLetters checks the share of letters that could not be drawn, and that a description which
// lost many is dropped.
func TestLine_missingShareCountsLetters(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		in   string
		want float64
	}{
		{"Hello 🎉", 0}, {"", 0}, {"ᏣᎳᎩ data", 3. / 7}, {"ᏣᎳᎩ", 1}, {"abcd Ꮳ", .2},
	} {
		if got := e.Line(c.in, text.Inter.Text(30, 400), 0).MissingShare; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q lost %v, want %v", c.in, got, c.want)
		}
	}
	const foreign = "Postgres ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ, ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ. ᎦᏬᏂᎯᏍᏗ ᏣᎳᎩ."
	if b := e.FitDescription(foreign, "x", text.Inter.Text(30, 400), 800, 2); b != nil {
		t.Errorf("a description of which little is left is shown: %q", b.Text())
	}
}

// TestLine_capsFollowTheLanguage checks capitals by language.
func TestLine_capsFollowTheLanguage(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ in, lang, want string }{
		{"engineering", "en", "ENGINEERING"},
		{"istanbul ışık", "tr", "İSTANBUL IŞIK"},
		{"straße", "de", "STRASSE"},
		{"ταχύτητα", "el", "ΤΑΧΥΤΗΤΑ"},
		{"هندسة abc", "ar", "هندسة abc"},
	} {
		st := text.Inter.Label(24)
		st.Lang = c.lang
		if got := e.Line(c.in, st, 0).Text(); got != c.want {
			t.Errorf("%q in capitals (%s) = %q, want %q", c.in, c.lang, got, c.want)
		}
	}
}

// TestFitStack_descriptionNeverMakesASmallTitle checks the choice between a large title alone and a smaller one with
// its description.
func TestFitStack_descriptionNeverMakesASmallTitle(t *testing.T) {
	e := text.NewEngine()
	stack := func(title, description string) text.Stack {
		return text.Stack{
			Title: title, TitleStyle: text.Inter.Title(0), TitleBox: text.Box{W: 984, H: 284}, Ladder: ladder,
			Text: description, TextStyle: text.Inter.Text(30, 400), TextWidth: 820, TextLines: 2,
			Gap: 46, MaxHeight: 360,
		}
	}
	const good = "Six months, one outage and a 40% cost cut: what we learned replacing Redis."
	given := func(j text.Stack, maxHeight float64) text.Stack {
		j.TextGiven, j.MaxHeight = true, maxHeight
		return j
	}
	for _, c := range []struct {
		name      string
		j         text.Stack
		size      float64
		described bool
	}{
		{"both at the largest", stack("Short title", good), 134, true},
		{"a step smaller with the description", stack("Why we moved our render queue to Postgres", good), 84, true},
		{"no description", stack("Why we moved our render queue to Postgres", ""), 92, false},
		{"too much smaller: the description goes", func() text.Stack {
			j := stack("Why we moved our render queue to Postgres", good)
			j.MaxHeight = 230
			return j
		}(), 92, false},
		{"a short one of a page goes", stack("Short title", "Short."), 134, false},
		{"a short one that is given stays", given(stack("Short title", "Short."), 360), 134, true},
		{"the title again is none, even given", given(stack("Short title", "short title"), 360), 134, false},
		{"a given one makes the title smaller",
			given(stack("Why we moved our render queue to Postgres", good), 230), 60, true},
		{"too many lines beside a description", func() text.Stack {
			j := stack("Why we moved our render queue to Postgres", good)
			j.MaxTitleLines = 1
			return j
		}(), 92, false},
		{"nothing fits", stack(strings.Repeat("many words of a title ", 20), good), 54, true},
	} {
		title, description := e.FitStack(c.j)
		if title.SizePx != c.size || (description != nil) != c.described {
			t.Errorf("%s: size %v, described %v; want %v, %v",
				c.name, title.SizePx, description != nil, c.size, c.described)
		}
		if description != nil && title.Height+c.j.Gap+description.Height > c.j.MaxHeight {
			t.Errorf("%s: %v high in a room of %v", c.name, title.Height+c.j.Gap+description.Height, c.j.MaxHeight)
		}
		if title.Ink.Y1 > c.j.TitleBox.H || title.Width > c.j.TitleBox.W {
			t.Errorf("%s: title %v out of %v", c.name, title.Ink, c.j.TitleBox)
		}
	}
}

// TestFit_tokenWiderThanTheBoxIsBroken checks that a token wider than the box at the smallest size is broken, not cut.
func TestFit_tokenWiderThanTheBoxIsBroken(t *testing.T) {
	e := text.NewEngine()
	const token = "enterprise-integration-platform-adapters-typescript"
	b := e.Fit(token, text.Inter.Title(0), text.Box{W: 500, H: 400}, text.Steps(4, 60, 54, 48))
	if got := strings.ReplaceAll(b.Text(), " ", ""); got != token || b.Truncated || b.Width > 500 {
		t.Errorf("%q, width %v, truncated %v", b.Text(), b.Width, b.Truncated)
	}
	const word = "Pneumonoultramicroscopicsilicovolcanoconiosis"
	b = e.Fit(word, text.Inter.Title(0), text.Box{W: 600, H: 400}, text.Steps(4, 60, 54, 48))
	if got := strings.ReplaceAll(b.Text(), " ", ""); got != word || b.Width > 600 || b.SizePx != 48 {
		t.Errorf("%q, width %v, size %v", b.Text(), b.Width, b.SizePx)
	}
}

// TestStackOffset_keepsClearOfInk checks that a lower text keeps its distance from the lowest ink of the upper one.
func TestStackOffset_keepsClearOfInk(t *testing.T) {
	e := text.NewEngine()
	upper := func(s string) *text.Block { return e.Line(s, text.Inter.Title(92), 0) }
	lower := e.Line("وصف", text.Inter.Text(30, 400), 0)
	if got, want := text.StackOffset(upper("Hello"), lower, 46), upper("Hello").Height+46; got != want {
		t.Errorf("under plain letters: %v, want %v", got, want)
	}
	deep := upper("في ليلي")
	if got := text.StackOffset(deep, lower, 46) + lower.Ink.Y0 - deep.Ink.Y1; got < 20 {
		t.Errorf("under deep dots %.1f px stay free, want 20", got)
	}
}
