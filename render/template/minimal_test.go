package template

import (
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestWithoutStop_otherMarkNeedsNoDisc checks which titles end in a disc.
func TestWithoutStop_otherMarkNeedsNoDisc(t *testing.T) {
	for _, c := range []struct {
		title, want string
		stops       bool
	}{
		{"Hello", "Hello", true}, {"Hello.", "Hello", true}, {"Hello?", "Hello?", false}, {"Hello!", "Hello!", false},
		{"Hello…", "Hello…", false}, {"", "", false}, {".", ".", false}, {"終わり。", "終わり", true},
		{"ما هذا؟", "ما هذا؟", false},
		{"“Ready?”", "“Ready?”", false}, {"(At last!)", "(At last!)", false}, {"“Ready”", "“Ready”", true},
	} {
		if got, stops := kit.WithoutStop(c.title); got != c.want || stops != c.stops {
			t.Errorf("WithoutStop(%q) = %q, %v, want %q, %v", c.title, got, stops, c.want, c.stops)
		}
	}
}

// TestMinimalStyle_isOfOneWeight: beside letters that are regular or bold, Latin ones and digits are bold, too.
func TestMinimalStyle_isOfOneWeight(t *testing.T) {
	for title, want := range map[string]int{
		"Redmi Note 15 Pro+": 600, "Требуется водитель": 600, "Redmi Note 15 Pro+ भारत में": 700, "iPhone 17 Proレビュー": 700,
		"سامسونج Galaxy S26": 700, "รีวิว iPhone 17": 700, "LA FC 3-1 완승": 700, "Ახალი Tbilisi": 600,
	} {
		c := openCard(t, "minimal", kit.Spec{Texts: kit.Texts{Title: title}})
		if got := minimalStyle(c).Weight; got != want {
			t.Errorf("%s: weight %d, want %d", title, got, want)
		}
	}
}

// TestMinimalWords_markSuitsTheScript checks which mark is drawn after a title.
func TestMinimalWords_markSuitsTheScript(t *testing.T) {
	for _, tc := range []struct {
		title string
		rtl   bool
		want  fullStop
	}{
		{"Hello.", false, discStop}, {"Version 3.2", false, discStop}, {"Hello?", false, noStop}, {"", false, noStop},
		{"안녕하세요", false, discStop}, {"สวัสดี", false, discStop},
		{"首批研究成果发布", false, ringStop}, {"游泳馆延长至22:00", false, ringStop}, {"終わり。", false, ringStop},
		{"美 MLS 결승", false, discStop}, {"オープン", false, ringStop}, {"2人分（調理時間20分）", false, noStop}, {"街の「記憶」", false, noStop},
		{"你好吗？", false, noStop},
		{"مرحبا بكم", true, discStop}, {"مَرْحَبًا", true, discStop}, {"على خادم أوبنتو 24.04", true, noStop},
		{"معرض القاهرة ٢٠٢٧", true, noStop}, {"بنسبة 33.7%", true, noStop}, {"Version 3.2", true, discStop},
	} {
		c := openCard(t, "minimal", kit.Spec{RTL: tc.rtl, Texts: kit.Texts{Title: tc.title}})
		if _, got := minimalWords(c); got != tc.want {
			t.Errorf("%q: mark %d, want %d", tc.title, got, tc.want)
		}
	}
}

// TestMinimal_stopHasRoom checks that a title leaves room for the mark in its column.
func TestMinimal_stopHasRoom(t *testing.T) {
	const end = 1104 + stopBeyond
	for n := 4; n < 60; n++ {
		title := strings.TrimSpace(strings.Repeat("lorem ipsum dolor ", 5)[:n])
		c := openCard(t, "minimal", kit.Spec{Texts: kit.Texts{Title: title}})
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if p.Role != kit.Title {
				continue
			}
			last := p.Lines[len(p.Lines)-1]
			if stop := p.X + last.Ink.X1 + (stopGap+stopRadius)*p.SizePx; stop > end+1 {
				t.Errorf("%q: the mark ends at %.0f", title, stop)
			}
		}
	}
}
