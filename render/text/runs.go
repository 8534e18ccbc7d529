package text

import (
	"encoding/binary"
	"hash/maphash"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"

	"masthead/fonts"
)

// This file is for callers that lay out lines themselves (render/html): shaping of one run, metrics of faces, masks and
// paths of glyphs. They have none of the rules for titles.

// Run is text in one face, script and direction.
type Run struct {
	Face *fonts.Face
	// Runes is the text around the run, which is Runes[Start:End].
	Runes      []rune
	Start, End int
	Script     language.Script
	RightLeft  bool
	Lang       string
	Features   []harfbuzz.Feature
}

// RunGlyph is a glyph of a shaped [Run], in em and y up.
type RunGlyph struct {
	ID      uint32
	Cluster int32 // index in Run.Runes of its cluster's first rune
	Advance float32
	DX, DY  float32 // its offset from the pen
	// Unsafe says that breaking the text before the cluster would change glyphs.
	Unsafe bool
}

// ShapeRun appends the glyphs of a run to dst, in visual order. Results are cached like those of titles: a run is kept
// when it is seen a second time.
func (e *Engine) ShapeRun(r Run, dst []RunGlyph) []RunGlyph {
	f := e.face(r.Face)
	if r.End-r.Start > maxCachedRun {
		return e.shapeRunUncached(f, r, dst)
	}
	key := e.runKey(f, r)
	if kept, ok := e.runs.Get(key.hash); ok && kept.key == string(key.bytes) {
		from := len(dst)
		dst = append(dst, kept.glyphs...)
		for i := range dst[from:] {
			dst[from+i].Cluster += int32(r.Start)
		}
		return dst
	}
	from := len(dst)
	dst = e.shapeRunUncached(f, r, dst)
	if !e.shapes.admits(key) {
		return dst
	}
	kept := &keptRun{key: string(key.bytes), glyphs: slices.Clone(dst[from:])}
	for i := range kept.glyphs {
		kept.glyphs[i].Cluster -= int32(r.Start)
	}
	e.runs.Put(key.hash, kept)
	return dst
}

// keptRun is a cached result of ShapeRun, with clusters counted from the run's start.
type keptRun struct {
	key    string
	glyphs []RunGlyph
}

// runKey returns everything that determines how a run is shaped.
func (e *Engine) runKey(f *face, r Run) runKey {
	rtl := byte(2) // unlike the keys of shapeCache.key
	if r.RightLeft {
		rtl = 3
	}
	key := append(e.shapes.scratch[:0], f.id, rtl, byte(len(r.Features)))
	key = binary.LittleEndian.AppendUint32(key, uint32(r.Script))
	for _, f := range r.Features {
		key = binary.LittleEndian.AppendUint32(key, uint32(f.Tag))
		key = binary.LittleEndian.AppendUint32(key, f.Value)
	}
	key = append(append(key, shapingLanguage(r.Lang)...), 0)
	from, to := max(0, r.Start-contextRunes), min(len(r.Runes), r.End+contextRunes)
	key = append(key, uint8(r.Start-from), uint8(to-r.End))
	for _, c := range r.Runes[from:to] {
		key = append(key, byte(c), byte(c>>8), byte(c>>16))
	}
	e.shapes.scratch = key
	return runKey{key, maphash.Bytes(runSeed, key)}
}

// shapeRunUncached is ShapeRun by the shaper.
func (e *Engine) shapeRunUncached(f *face, r Run, dst []RunGlyph) []RunGlyph {
	b := e.buf
	b.Clear()
	b.AddRunes(r.Runes, r.Start, r.End-r.Start)
	b.Props.Script = r.Script
	b.Props.Language = shapingLanguage(r.Lang)
	b.Props.Direction = harfbuzz.LeftToRight
	if r.RightLeft {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	features := r.Features
	if !f.alternates(r.Runes[r.Start:r.End]) { // see paragraph.features: they take half of the time
		e.features = append(append(e.features[:0], noAlternates...), features...)
		features = e.features
	}
	b.Shape(f.hb, features)
	for i := range b.Info {
		info, pos := &b.Info[i], &b.Pos[i]
		dst = append(dst, RunGlyph{
			ID: uint32(info.Glyph), Cluster: int32(info.Cluster), Advance: float32(pos.XAdvance) * f.em,
			DX: float32(pos.XOffset) * f.em, DY: float32(pos.YOffset) * f.em,
			Unsafe: info.Mask&harfbuzz.GlyphUnsafeToBreak != 0,
		})
	}
	return dst
}

// FaceMetrics are distances of a face in em. Descent and UnderlineOffset are positive below the baseline.
type FaceMetrics struct {
	Ascent, Descent, LineGap            float64
	XHeight, CapHeight                  float64
	UnderlineOffset, UnderlineThickness float64
	StrikeOffset, StrikeThickness       float64 // offset above the baseline
	Space, Zero                         float64 // advances of a space and of 0
}

// Metrics returns the metrics of a face.
func (e *Engine) Metrics(src *fonts.Face) FaceMetrics {
	f := e.face(src)
	em := float64(f.em)
	out := FaceMetrics{XHeight: f.xHeight, CapHeight: f.cap}
	if x, ok := f.ft.FontHExtents(); ok {
		out.Ascent, out.Descent, out.LineGap = float64(x.Ascender)*em, -float64(x.Descender)*em, float64(x.LineGap)*em
	}
	out.UnderlineOffset = -float64(f.ft.LineMetric(font.UnderlinePosition)) * em
	out.UnderlineThickness = float64(f.ft.LineMetric(font.UnderlineThickness)) * em
	out.StrikeOffset = float64(f.ft.LineMetric(font.StrikethroughPosition)) * em
	out.StrikeThickness = float64(f.ft.LineMetric(font.StrikethroughThickness)) * em
	if x := float64(f.ft.LineMetric(font.XHeight)) * em; x > 0 {
		out.XHeight = x
	}
	for _, r := range [...]rune{' ', '0'} {
		gid, ok := f.ft.NominalGlyph(r)
		if !ok {
			continue
		}
		advance := float64(f.ft.HorizontalAdvance(gid)) * em
		if r == ' ' {
			out.Space = advance
		} else {
			out.Zero = advance
		}
	}
	return out
}

// FallbackFaces returns the faces to look in for what the families of a text lack, in order: those for letters and
// mathematics, single scripts and symbols, with Han characters in the forms of lang, at the nearest weight.
func FallbackFaces(weight int, lang string, runes []rune) []*fonts.Face {
	return fallbacks("", weight, hanOf(runes, lang))
}

// GlyphMask returns the coverage of a glyph drawn at size px with its origin at x and y (down), and the position of the
// mask's top-left pixel. x is rounded to quarters of a pixel, y to whole pixels. The mask is nil for a glyph without
// ink; it is valid until the next call and must not be changed.
func (e *Engine) GlyphMask(src *fonts.Face, gid uint32, size, x, y float64) (m *image.Alpha, at image.Point) {
	f := e.face(src)
	quarter := int(math.Floor(x*subpixels + .5))
	key := maskKey{gid: gid, size: float32(size), face: f.id, subX: uint8(quarter & (subpixels - 1))}
	drawn := e.masks.get(f, key)
	if len(drawn.alpha.Pix) == 0 {
		return nil, image.Point{}
	}
	return &drawn.alpha, image.Pt(quarter>>2+drawn.dx, int(math.Floor(y+.5))+drawn.dy)
}

// GlyphPath returns the outline of a glyph in em, y down, from its origin. It is false for a glyph that the face
// doesn't have.
func (e *Engine) GlyphPath(src *fonts.Face, gid uint32) ([]Segment, bool) {
	f := e.face(src)
	outline, ok := src.Outline(f.ft, font.GID(gid))
	if !ok {
		return nil, false
	}
	out := make([]Segment, len(outline))
	for i := range outline {
		out[i].Op = pathOps[outline[i].Op]
		for j, a := range outline[i].ArgsSlice() {
			out[i].Points[j] = Point{X: float64(a.X * f.em), Y: float64(-a.Y * f.em)}
		}
	}
	return out, true
}

// GlyphInk returns the box of a glyph's ink in em, y down, from its origin.
func (e *Engine) GlyphInk(src *fonts.Face, gid uint32) Rect {
	x0, y0, x1, y1 := e.face(src).ink(gid)
	return Rect{X0: float64(x0), Y0: -float64(y1), X1: float64(x1), Y1: -float64(y0)}
}

// EmojiPicture returns the picture of the emoji with a number, side px wide and high. It is valid until the next call,
// and must not be changed.
func (e *Engine) EmojiPicture(id uint32, side int) *image.NRGBA { return e.emoji.get(id+1, side) }

// LeadingEmoji returns the number of the drawing that a grapheme cluster is drawn as, if it is an emoji. n is how many
// runes of the cluster it covers: a sequence without a drawing of its own is drawn as its parts.
func LeadingEmoji(cluster []rune) (id uint32, n int) {
	if !wantsEmoji(cluster) || !isEmoji(cluster) {
		return 0, 0
	}
	found, n := nextEmoji(cluster)
	return uint32(found), n
}

// Levels writes the embedding level of each rune to out, by UAX 9 without rule L1; rtl is the direction of the
// paragraph. out has the length of runes.
func (e *Engine) Levels(runes []rune, rtl bool, out []int8) {
	base := int8(0)
	if rtl {
		base = 1
	}
	if base == 0 && !needsBidi(runes) {
		clear(out)
		return
	}
	e.bidi.levels(runes, base, out)
}

// ScriptOf returns the script of a rune.
func ScriptOf(r rune) language.Script { return scriptOf(r) }

// Ignorable reports whether a rune is invisible by itself: joiners, direction controls, variation selectors.
func Ignorable(r rune) bool { return ignorable(r) }

// WordStarts calls yield with each index at which a word of a script without spaces (Thai, Lao, Khmer, Burmese) begins
// inside runes, and a line may. Compounds are parted, as browsers do.
func WordStarts(runes []rune, yield func(i int)) {
	for i := 0; i < len(runes); i++ {
		if runes[i] < firstWordScript {
			continue
		}
		script := scriptOf(runes[i])
		open, ok := wordLists[script]
		if !ok {
			continue
		}
		until := i + 1
		for until < min(len(runes), i+maxWordRun) && (scriptOf(runes[until]) == script || ignorable(runes[until])) {
			until++
		}
		from := i
		open().wordParts(runes[from:until], false,
			func(i int) bool { return i == 0 || !leadsOn(runes[from+i-1]) },
			func(i int) { yield(from + i) }, nil)
		i = until - 1
	}
}

// Break is a position where a line may end: before the spaces at End. The next line begins at Next.
type Break struct {
	End, Next int
}

// TitleLines distributes a text over count lines as [Engine.Fit] does those of titles: even, and by meaning. advances
// are the widths of its runes in px; breaks must end with the end of the text. It returns the first rune of each line
// after the first, in memory that is valid until the next call; ok is false if there are no such lines of at most width
// px, or too many breaks to compare.
func (e *Engine) TitleLines(
	runes []rune, lang string, advances []float64, breaks []Break, width float64, count int,
) (starts []int, ok bool) {
	p := &e.para
	p.style, p.runes, p.breaks = Style{Lang: lang}, append(p.runes[:0], runes...), p.breaks[:0]
	p.wholePhrases, p.tokens, p.hyphens, p.hyphenated, p.overlaid = false, false, false, false, false
	p.judged, p.phrased = false, false
	p.han = hanOf(p.runes, lang)
	p.advances, p.clusters = zeroed(p.advances, len(runes)+1), zeroed(p.clusters, len(runes)+1)
	p.flags = zeroed(p.flags, len(runes)+1)
	for i, a := range advances {
		p.advances[i+1] = p.advances[i] + a
	}
	for _, b := range breaks {
		weak := b.End == b.Next && b.Next < len(runes) && p.insidePhrase(b.Next)
		p.breaks = append(p.breaks, lineBreak{end: b.End, next: b.Next, weak: weak})
	}
	if count < 2 || !e.totalFit(p, metrics{size: 1}, width, count) {
		return nil, false
	}
	for _, l := range e.best[1:] {
		starts = append(starts, l.start)
	}
	return starts, true
}

// HasFeature reports whether a face has substitutions for an OpenType feature.
func (e *Engine) HasFeature(src *fonts.Face, tag string) bool {
	want := opentype.MustNewTag(tag)
	for _, f := range e.face(src).ft.GSUB.Features {
		if f.Tag == want {
			return true
		}
	}
	return false
}

// Feature returns the setting of an OpenType feature for a whole run. ok is false if the tag doesn't have four letters.
func Feature(tag string, value uint32) (f harfbuzz.Feature, ok bool) {
	if len(tag) != 4 || strings.ContainsFunc(tag, func(r rune) bool { return r < ' ' || r > '~' }) {
		return f, false
	}
	return harfbuzz.Feature{
		Tag: opentype.MustNewTag(tag), Value: value,
		Start: harfbuzz.FeatureGlobalStart, End: harfbuzz.FeatureGlobalEnd,
	}, true
}
