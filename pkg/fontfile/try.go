package fontfile

import (
	"context"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"

	"masthead/fonts"
)

// specimen has what the rules of fonts are about, in several scripts.
var specimen = []string{
	"AVA To fi ffl Qu 1/2 3:4 “Hamburgefonstiv” — Ävėr ñő ș", "Съешь ещё этих мягких", "Ξεσκεπάζω τὴν", "السلام عليكم ١٢٣",
	"שָׁלוֹם עולם", "नमस्ते क्षत्रिय", "ไทยที่นี่", "日本語の組版、文字", "한국어 조판",
}

// tried is how many letters of a font are set and drawn.
const tried = 300

// try sets and draws texts in the font, as cards do later: what the parser can't read after all is found here.
func try(ctx context.Context, f Font) error {
	face := fonts.NewSet([]fonts.File{{
		Family: f.Family, MinWeight: f.MinWeight, MaxWeight: f.MaxWeight, Italic: f.Italic, Data: f.Data,
	}}).Find(f.Family, f.MaxWeight, f.Italic)
	if err := face.Check(); err != nil {
		return refuse("The font can't be read. Export it again from its source.")
	}
	ft := face.NewFont()
	hb := harfbuzz.NewFont(ft)
	letters, drawn := lettersOf(ft), 0
	for _, s := range append([]string{letters}, specimen...) {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := harfbuzz.NewBuffer()
		b.AddRunes([]rune(s), 0, -1)
		b.GuessSegmentProperties()
		b.Shape(hb, nil)
		for _, g := range b.Info {
			if outline, ok := face.Outline(ft, g.Glyph); ok && g.Glyph != 0 && len(outline) > 0 {
				drawn++
			}
		}
	}
	if drawn == 0 || letters == "" {
		return refuse("The font has no letters that texts could be written in. Fonts of icons can't be used; upload icons " +
			"as pictures.")
	}
	return nil
}

// lettersOf returns letters and digits that a font has.
func lettersOf(ft *font.Face) string {
	var out []rune
	for of := ft.Cmap.Iter(); of.Next() && len(out) < tried; {
		if r, _ := of.Char(); unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	return string(out)
}
