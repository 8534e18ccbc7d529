package text

import (
	"sync"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/segmenter"

	"masthead/fonts"
	"masthead/render/cache"
)

// Engine lays out and draws text. It has shapers, scratch memory and bounded caches of glyph masks (at most 3 MB and
// one large letter) and shaped runs, and isn't safe for concurrent use: get one per worker from [Get], or create one
// with [NewEngine].
type Engine struct {
	faces     []*face // by fonts.Face.Index, nil until used
	faceLists map[faceListKey]*faceList
	masks     glyphCache
	emoji     emojiCache
	shapes    shapeCache

	buf  *harfbuzz.Buffer
	seg  segmenter.Segmenter
	bidi bidiParagraph

	para, cut paragraph // the text being laid out, and a shortened form of it
	lines     []lineRange
	trial     []lineRange
	cuts      []lineBreak // see paragraph.withCuts
	best      []lineRange
	visual    []visualRun
	reshaped  []glyph
	inks      []Rect // of the glyphs of the block being built
	runes     []rune
	demerits  *demeritTable
	features  []harfbuzz.Feature
	runs      *cache.Cache[uint64, *keptRun]
	own       *Fonts // nil for none
}

// NewEngine returns an engine with empty caches. Faces are parsed on first use.
func NewEngine() *Engine {
	e := &Engine{
		faces:     make([]*face, emojiFace+1),
		faceLists: make(map[faceListKey]*faceList),
		masks:     newGlyphCache(),
		shapes:    newShapeCache(),
		buf:       harfbuzz.NewBuffer(),
		runs: cache.New(maxShapeBytes, func(_ uint64, r *keptRun) int {
			return len(r.key) + 32*len(r.glyphs) + shapeOverhead
		}),
	}
	if len(fonts.All()) > emojiFace {
		panic("text: there are more faces than a glyph can name")
	}
	e.faces[emojiFace] = newEmojiFace()
	return e
}

var pool = sync.Pool{New: func() any { return NewEngine() }}

// Get takes an engine from the global pool, warm if there is one.
func Get() *Engine { return pool.Get().(*Engine) }

// Put returns an engine to the pool, or to that of its fonts. The caller must not use it afterwards; blocks created by
// it stay valid.
func Put(e *Engine) {
	if e.own != nil {
		e.own.engines.Put(e)
		return
	}
	pool.Put(e)
}
