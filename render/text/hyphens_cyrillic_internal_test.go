package text

import (
	"strings"
	"testing"
)

// Words of titles are hyphenated between syllables, never before a sign or within three letters of an end.
func TestCyrillicPoints_wordsOfTitles(t *testing.T) {
	for _, want := range []string{
		"дос-то-при-ме-ча-тель-ности", "путе-шес-твен-ни-ков", "кон-фе-рен-ция", "бух-гал-тер-ский", "май-ский",
		"объ-яв-ле-ние", "под-го-товка", "сто-лица", "любоз-на-тель-ных", "рес-пу-блика", "статьями", "взгляд", "вскрыть",
		"непри-кос-но-вен-ность", "дер-жав-ность",
	} {
		word := []rune(strings.ReplaceAll(want, "-", ""))
		var got strings.Builder
		last := 0
		cyrillicPoints(word, func(i int) {
			got.WriteString(string(word[last:i]) + "-")
			last = i
		})
		if got.WriteString(string(word[last:])); got.String() != want {
			t.Errorf("%s, want %s", got.String(), want)
		}
	}
}

// In a column that is too narrow for a word of these languages, a line ends in a hyphen.
func TestFit_longCyrillicWord_isHyphenated(t *testing.T) {
	e := NewEngine()
	for _, lang := range []string{"ru", "uk", "bg"} {
		st := Inter.Title(64)
		st.Lang = lang
		b := e.Fit("Достопримечательности", st, Box{W: 500}, Steps(3, 64))
		if len(b.Lines) < 2 {
			t.Fatalf("%s: %d lines, want more", lang, len(b.Lines))
		}
		e.compose(&e.para, "Достопримечательности", st)
		e.para.hyphenate()
		if !e.para.hyphenAt(3) || e.para.hyphenAt(4) {
			t.Errorf("%s: no hyphen after three letters, or one after four", lang)
		}
	}
}
