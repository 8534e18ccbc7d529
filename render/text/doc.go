// Package text turns strings into laid-out lines and lines into glyph masks. It knows no canvas: [Engine.Draw] passes
// each mask to a callback. Every card draws its text with it, so that shaping, bidi, line breaking, fitting, ellipsis
// and the typographic rules for titles are implemented once.
//
// # Usage in a template
//
//	e := text.Get()            // one engine per worker, from the pool; text.Put(e) when the card is done
//	st := text.Inter.Title(92) // style of a title: bold, tight tracking, optical margin
//	st.LineHeight, st.Lang, st.Dir = 1.06, page.Lang, text.Auto
//	title, desc := e.FitStack(text.Stack{
//		Title: text.DisplayTitle(raw, text.Publisher{Name: "Acme", Host: "acme.com", Lang: "en"}), TitleStyle: st,
//		TitleBox: text.Box{W: 984, H: 284}, Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54),
//		Text: description, TextStyle: text.Inter.Text(30, 400), TextWidth: 820, TextLines: 2, Gap: 46, MaxHeight: 360,
//	})
//	e.Draw(title, 72, 168, func(x, y int, m *image.Alpha) { canvas.Mask(x, y, m, ink) })
//	if desc != nil {
//		e.Draw(desc, 72, 168+text.StackOffset(title, desc, 46), …)
//	}
//
// The y of a block is the top of the capital letters of its first line, as in the designs; [Block.Height] ends at its
// last baseline. The x is the left edge of the block's box in every direction: right-to-left text is aligned with the
// right edge of its box, so mirroring a layout only means mirroring boxes.
//
// Sizes are those for a family of size adjust 1.00; the engine multiplies (see [Family.SizeAdjust]) and adjusts for the
// script. [Block.SizePx] is the size drawn. [Style.Exact] turns both off.
//
// # Files, in the order in which they process a text
//
//	display.go        titles and descriptions, made ready to be shown; quotes.go: quotation marks by language
//	style.go          families, styles, sizes, the ladder of sizes; language.go: language tags as pages write them
//	engine.go         Engine, the pool
//	fit.go            Wrap, Fit, Line, TruncateMiddle; ladder.go: sizes of short titles and long words
//	stack.go          FitStack; description.go: its lower text
//	normalize.go      the drawable characters of a text; marklimit.go: the combining-mark limit
//	itemize.go        direction, the family of a text; cluster.go: the face of each cluster
//	overlay.go        strokes through letters
//	face.go           one face; fallback.go: fallback faces, and the classes of scripts
//	bidi.go           UAX 9: levels; bidi_rules.go: its rules
//	shape.go          runs into glyphs, in em; shapecache.go: cached shaped runs
//	breaks.go         where a line may end; phrases.go: phrases of Chinese and Japanese
//	together.go       words never parted; leaning.go: those of Arabic and Hindi; names.go: their names of persons
//	european.go       words never parted of English, German, French
//	words.go          words of scripts without spaces; thai.go, thaiwords.go: those of Thai that stay together
//	wrap.go           greedy lines; balance.go: even ones
//	penalty.go        the price of a break; penalty_word.go: after a word or a number; clausal.go: inside a clause
//	korean.go         the same for Korean; koreanwords.go: its words
//	phrasal.go        lines of Arabic and Hindi that end as phrases do; european_names.go: names in European languages
//	phraseleads.go    where phrases of European languages begin
//	smaller.go        which smaller size or further line better lines are worth; together_number.go: numbers
//	compare.go        which of several columns a title reads best in
//	ellipsis.go       cutting overlong text; functionwords.go: words not allowed before “…”; clauses.go: where to cut
//	build.go          lines into placed glyphs, optical margin; block.go: Block and Line, what layout returns
//	draw.go           Draw; glyphcache.go: masks of glyphs; rasterize.go: outlines into coverage
//	outline.go        a letter as a path; initial.go: the letter of a monogram
//	runs.go           shaping, metrics and masks for callers that lay out lines themselves (render/html)
//
// Text is shaped once, in ems, and then laid out at any size by arithmetic: searching a ladder of sizes doesn't shape
// again.
//
// # Choice of faces
//
// A text is drawn in the family of its style. Words with a letter that the family lacks, and symbols that it lacks, are
// looked up in all other faces, at the same weight and x-height (fallback.go); Han characters have the forms of the
// page's language. A cluster that no face has is left out with the space before it and reported in [Block.Missing]: the
// box of a missing glyph is never drawn. A title may become empty this way: see [Block.Empty].
//
// # Concurrency
//
// An Engine belongs to one goroutine at a time. A [Block] may be kept and drawn by any engine. Parsed fonts are shared.
package text
