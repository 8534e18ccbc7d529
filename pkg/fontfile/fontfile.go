// Package fontfile reads fonts that people upload, and returns them in the form in which they are kept: an OpenType
// file with nothing but the tables that drawing needs, each of them checked.
//
// What reads fonts later (go-text/typesetting, package fonts) trusts them: offsets that point to the same bytes
// thousands of times, glyphs made of glyphs made of glyphs, or runs of deltas would take any time and memory. Therefore
// everything that is kept is walked through here once, by a budget. Instructions of fonts are never run.
package fontfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Limits of a font.
const (
	// MaxBytes is the maximum size of a file.
	MaxBytes = 5 << 20
	// maxUnpacked is that of its tables, unpacked.
	maxUnpacked = 16 << 20
	maxTables   = 64
	maxFamily   = 60 // characters of a family's name
)

// Font is a font as it is kept.
type Font struct {
	// Data is an OpenType file; Ext is ".ttf" or ".otf", by the kind of its outlines.
	Data []byte
	Ext  string
	// Family is the name of its family, as the font has it.
	Family string
	// MinWeight and MaxWeight are the same unless it is a variable font. They are 1 to 1000.
	MinWeight, MaxWeight int
	Italic               bool
}

// Error says why a file can't be used as a font, in sentences.
type Error struct{ Message string }

// Error is the message.
func (e *Error) Error() string { return e.Message }

func refuse(format string, values ...any) error { return &Error{fmt.Sprintf(format, values...)} }

// errBroken is the error of a font whose parts contradict each other.
var errBroken = errors.New("broken font")

// brokenTable says which part of a font is broken.
func brokenTable(tag string) error {
	return refuse("The font is damaged: its table %s can't be read. Export it again from its source.", tag)
}

// Is reports whether a file claims to be a font of a kind that Read knows, or a collection of fonts.
func Is(file []byte) bool {
	if len(file) < 4 {
		return false
	}
	switch string(file[:4]) {
	case "\x00\x01\x00\x00", "true", "OTTO", "wOFF", "wOF2", "ttcf":
		return true
	}
	return false
}

// Read returns a TrueType, OpenType, WOFF or WOFF2 font. A font that can't be used is an *[Error].
func Read(ctx context.Context, file []byte) (font Font, err error) {
	defer func() { // should a check have been forgotten
		if p := recover(); p != nil {
			font, err = Font{}, refuse("The font is damaged. Export it again from its source.")
		}
	}()
	if len(file) > MaxBytes {
		return font, refuse("The font has more than %d MiB.", MaxBytes>>20)
	}
	t, err := unpack(file)
	if err != nil {
		return font, err
	}
	if font, err = t.facts(); err != nil {
		return font, err
	}
	if err := t.check(ctx); err != nil {
		return Font{}, err
	}
	font.Data = t.file(font.Ext == ".otf")
	if err := try(ctx, font); err != nil {
		return Font{}, err
	}
	return font, nil
}

// tables are the tables of a font by their tags.
type tables map[string][]byte

// kept are the tables of a font that drawing needs. Instructions (fpgm, prep, cvt), bitmaps, colors, drawings in SVG,
// signatures and the layout of Apple's systems are left out; names are read and left out.
var kept = []string{
	"CFF ", "GDEF", "GPOS", "GSUB", "HVAR", "MVAR", "OS/2", "avar", "cmap", "fvar", "glyf", "gvar", "head", "hhea",
	"hmtx", "kern", "loca", "maxp", "post",
}

// check checks all tables that are kept, and changes those of which only a part is.
func (t tables) check(ctx context.Context) error {
	if len(t["CFF2"]) > 0 && len(t["glyf"]) == 0 && len(t["CFF "]) == 0 {
		return refuse("Variable fonts with PostScript outlines (CFF2) can't be used. Upload the TrueType variable font " +
			"of the same family, or its single styles.")
	}
	size, err := t.shape()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		tag   string
		check func(context.Context, tables, shape) error
	}{
		{"cmap", checkCmap},
		{"glyf", checkGlyf},
		{"CFF ", checkCFF},
		{"fvar", checkVariations},
		{"GDEF", checkLayout},
		{"GSUB", checkLayout},
		{"GPOS", checkLayout},
	} {
		if len(t[c.tag]) == 0 {
			continue
		}
		var fault *Error
		switch err := c.check(ctx, t, size.of(c.tag)); {
		case errors.As(err, &fault), err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			return brokenTable(c.tag)
		}
	}
	if len(t["glyf"]) == 0 && len(t["CFF "]) == 0 {
		return refuse("The font has no outlines that can be drawn. Bitmap and color fonts can't be used.")
	}
	for tag := range t {
		if !slices.Contains(kept, tag) {
			delete(t, tag)
		}
	}
	return nil
}

// shape is what the tables of a font are measured by.
type shape struct {
	glyphs, upem int
	tag          string // of the table that is being checked
}

func (s shape) of(tag string) shape { s.tag = tag; return s }

// Limits of the em, in font units. Source: OpenType, head.
const minUpem, maxUpem = 16, 16384

// shape reads the small tables that every font has.
func (t tables) shape() (s shape, err error) {
	head, maxp, hhea, hmtx := reader(t["head"]), reader(t["maxp"]), reader(t["hhea"]), reader(t["hmtx"])
	for tag, least := range map[string]int{"head": 54, "maxp": 6, "hhea": 36, "hmtx": 4, "cmap": 4} {
		if len(t[tag]) < least {
			return s, brokenTable(tag)
		}
	}
	s.glyphs, s.upem = orZero(maxp.u16(4)), orZero(head.u16(18))
	advances := orZero(hhea.u16(34))
	switch {
	case s.upem < minUpem || s.upem > maxUpem:
		return s, brokenTable("head")
	case s.glyphs == 0:
		return s, brokenTable("maxp")
	case advances == 0 || advances > s.glyphs || len(hmtx) < 4*advances+2*(s.glyphs-advances):
		return s, brokenTable("hmtx")
	}
	if post := t["post"]; len(post) >= 32 { // without the names of glyphs
		t["post"] = append([]byte{0, 3, 0, 0}, post[4:32]...)
	} else {
		delete(t, "post")
	}
	return s, nil
}
