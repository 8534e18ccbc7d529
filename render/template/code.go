package template

import (
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The page's own code: its first block on a sheet that the right and the lower edge cut, under the title. No line is
// made up, wrapped or left out; the one that has most of the title's words is lit.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "code", Name: "Code", Mood: "The page's own lines.",
		GoodFor: "Tutorials, engineering blogs and references: pages that show code", Needs: []string{"title", "code"},
		TextSide: "left", Bare: true, Fallback: []string{"editorial"},
	},
	OG: codeOG,
	Lacks: func(c *kit.Card) string {
		if len(c.Code.Lines) == 0 {
			return "code of three lines or more"
		}
		return ""
	},
})

// Measures of the sheet and of the lines on it.
const (
	codeTop      = 236 // of the sheet, or lower under a title of two lines
	codeUnder    = 24  // from the ink of the title to the sheet
	codeRadius   = 24
	codeNumberX  = 116
	codeX        = 172
	codeFirst    = 64 // from the top of the sheet to the first baseline
	codeEnd      = 1128
	codeWide     = 55 // columns that fit at the usual size
	codeLogo     = 490
	codeChipDown = 48
	codeChipFoot = 40 // from the chip to the lower edge
)

func codeOG(c *kit.Card) {
	th := &c.Theme
	chroma := .9
	if !th.Dark {
		chroma = min(.38, paleGround/max(th.LCH.C, paleGround))
	}
	on := c.On(th.Ramp(kit.ByMode(th.Dark, .30, .905), chroma, besideYellow(th.LCH.H, -10)))
	near, far := kit.RaisedShadows(th)
	c.Begin(paint.Solid(on.Color), near, far)
	inks := codeInksOf(th)
	sheet := kit.Surface{Color: inks.sheet, Text: th.Text, Muted: inks.comment, Accent: th.AccentTextOn(inks.sheet)}

	corners := kit.Corners{
		Margin: 72, Start: on, End: on, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: 44}, Lower: kit.LogoLine{Middle: 546, MaxH: 44},
	}
	if c.Corner.Bottom { // it is on the sheet
		corners.Margin, corners.Start, corners.End = codeNumberX, sheet, sheet
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	title := c.PutHeading(on, kit.Column{X: 72, Y: 130, W: 1056, H: 176, Under: 104}, kit.Heading{
		Style: style, Ladder: text.Steps(1, 104, 92, 84, 76, 68).Then(2, 68, 64),
	})
	top := codeTop
	if !title.Empty() {
		top = max(top, (title.InkBox().Max.Y+codeUnder+terminalStep-1)/terminalStep*terminalStep)
	}
	drawCodeSheet(c, image.Rect(72, top, 1272, 712), inks.sheet)

	logo := c.PlaceLogo(corners)
	row := logo.Upper
	if c.Corner.Bottom {
		row.Span = kit.Span{X0: 72, X1: 1128}
	}
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: row, Middle: 84, Side: 40})

	rtl := c.RTL
	c.RTL = false // code has the same place in every direction of text
	end := c.H + codeFirst
	if logo.Lower.HasLogo {
		end = codeLogo
	}
	putLanguage(c, inks, top, drawCode(c, inks, top, end))
	c.RTL = rtl
}

// drawCodeSheet draws the sheet with its shadows, which are cached per theme and place.
func drawCodeSheet(c *kit.Card, box image.Rectangle, fill color.NRGBA) {
	c.DrawWindow(kit.Window{Box: box, Radius: codeRadius, Body: fill, Top: fill})
}

// codeInks are the colors of code, each of which can be read on the sheet and on the lit line.
type codeInks struct {
	sheet, lit                                 color.NRGBA
	keyword, name, text, number, comment, rest color.NRGBA
}

func codeInksOf(th *palette.Theme) (inks codeInks) {
	dark := th.Dark
	inks.sheet, inks.lit = palette.RGB(0xFFFFFF), th.Ramp(.93, .6, 0)
	if dark {
		inks.sheet, inks.lit = th.Ramp(.155, min(1, .02/max(th.LCH.C, .001)), 0), th.Ramp(.30, .8, 0)
	}
	tone := func(dl, ll, dk, lk, dh float64) color.NRGBA {
		l, step := kit.ByMode(dark, dl, ll), kit.ByMode(dark, .01, -.01)
		for {
			ink := th.Ramp(l, kit.ByMode(dark, dk, lk), besideYellow(th.LCH.H, dh))
			if l <= 0 || l >= 1 || palette.Contrast(ink, inks.sheet) >= palette.MinText &&
				palette.Contrast(ink, inks.lit) >= palette.MinText {
				return ink
			}
			l += step
		}
	}
	inks.keyword, inks.text = tone(.78, .46, .9, 1.1, 0), tone(.86, .44, .6, .8, 40)
	inks.number, inks.comment = tone(.84, .46, .7, .9, -45), tone(.66, .50, .1, .15, 0)
	inks.rest, inks.name = tone(.82, .36, .06, .1, 0), th.Text
	return inks
}

// putLanguage places the name of the language in the upper corner of the sheet, or lower where lines reach it.
func putLanguage(c *kit.Card, inks codeInks, top int, lines codeLines) {
	l, ok := languages[c.Code.Language]
	if !ok {
		return
	}
	b := c.Line(l.name, c.TextStyle(24, 600), 0)
	w, at := b.BoxWidth, 0
	for at < len(lines.ends) && (lines.ends[at] > codeEnd-w-40 || at > 0 && (at == lines.lit || at-1 == lines.lit)) {
		at++
	}
	y := top + codeChipDown + at*lines.pitch
	if b.Empty() || at > 0 && at == len(lines.ends) || y+20 > c.H-codeChipFoot {
		return
	}
	ground := inks.lit
	if at == lines.lit { // it is on that color
		ground = inks.sheet
	}
	c.Canvas().RoundRect(image.Rect(int(codeEnd-w)-18, y-20, codeEnd+18, y+20), 10, ground)
	c.Put(kit.Item{Block: b, Role: kit.Repeated, Color: inks.keyword}, codeEnd-w, kit.Middle, float64(y))
}

// codeLines are the lines that were drawn: where each ends, which one is lit, and the distance between them.
type codeLines struct {
	ends  []float64
	lit   int
	pitch int
}

// drawCode draws the lines on the sheet, until the card ends or the baseline end.
func drawCode(c *kit.Card, inks codeInks, top, end int) codeLines {
	p := newCodePen(c)
	first, x := max(c.Code.First, 1), float64(codeX)
	if digits := len(strconv.Itoa(first + len(c.Code.Lines))); digits > 1 {
		x += float64(digits-1) * p.cell
	}
	language, known := languages[c.Code.Language]
	if !known {
		language = anyLanguage
	}
	lit, h := litLine(c), highlighter{language: language}
	lines := codeLines{lit: lit, pitch: p.pitch}
	for i, line := range c.Code.Lines {
		baseline := top + codeFirst + i*p.pitch
		if baseline > end || baseline-p.pitch > c.H {
			break
		}
		if i == lit {
			row := image.Rect(72, baseline-p.pitch*2/3-2, c.W, baseline+p.pitch/3-2)
			c.Canvas().Fill(row.Intersect(c.Canvas().Bounds()), inks.lit)
		}
		p.draw(codePart{text: strconv.Itoa(first + i)}, codeNumberX, baseline, inks.comment)
		at := x
		for _, part := range h.line(line) {
			if at = p.draw(part, at, baseline, inks.of(part.tone)); at > float64(c.W) {
				break
			}
		}
		lines.ends = append(lines.ends, at)
	}
	return lines
}

// of returns the color of a tone.
func (inks *codeInks) of(t tone) color.NRGBA {
	return [...]color.NRGBA{
		toneRest: inks.rest, toneKeyword: inks.keyword, toneName: inks.name, toneText: inks.text, toneNumber: inks.number,
		toneComment: inks.comment,
	}[t]
}

// codePen draws parts of lines of code.
type codePen struct {
	c     *kit.Card
	style text.Style
	cell  float64 // width of a column
	pitch int     // from a line to the next
}

// newCodePen returns a pen of the size that suits the lines of the card.
func newCodePen(c *kit.Card) *codePen {
	p := &codePen{c: c, pitch: 46, style: text.Style{
		Family: text.JetBrainsMono, SizePx: 31, Exact: true, Lang: "en", Tracking: .001, // tracked letters have no ligatures
	}}
	for _, line := range c.Code.Lines {
		if utf8.RuneCountInString(line) > codeWide {
			p.style.SizePx, p.pitch = 28, 42
		}
	}
	p.cell = c.Engine().Line("00", p.style, 0).BoxWidth - c.Engine().Line("0", p.style, 0).BoxWidth
	return p
}

// draw draws a part that begins at x, and returns where the next one does.
func (p *codePen) draw(part codePart, x float64, baseline int, ink color.NRGBA) (end float64) {
	s, st := part.text, p.style
	st.Weight = 400
	if part.tone == toneKeyword || part.tone == toneName {
		st.Weight = 600
	}
	lead := len(s) - len(strings.TrimLeft(s, " "))
	b := p.c.Engine().Line(strings.TrimSpace(s), st, 0)
	end = x + float64(utf8.RuneCountInString(s))*p.cell
	if b.Empty() {
		return end
	}
	x += float64(lead) * p.cell
	p.c.Engine().Draw(b, x, float64(baseline)-b.Lines[0].Baseline, func(x, y int, m *image.Alpha) {
		p.c.Canvas().Mask(x, y, m, ink)
	})
	if strings.ContainsFunc(s, func(r rune) bool { return r >= firstWide }) { // wider than a column
		end = max(end, x+b.BoxWidth)
	}
	return end
}

// litLine returns the index of the line that has the most of the title's words, two of them or a long one, otherwise
// -1.
func litLine(c *kit.Card) (line int) {
	const least, long = 3, 6 // letters
	words := codeWords(c.Title)
	best, line := 1, -1
	for i, s := range c.Code.Lines {
		n := 0
		for _, w := range codeWords(s) {
			said := func(word string) bool { return sameWord(w, word) }
			if len(w) >= least && slices.ContainsFunc(words, said) {
				if n++; len(w) >= long {
					n++
				}
			}
		}
		if n > best {
			best, line = n, i
		}
	}
	return line
}

// sameWord reports whether two words differ at most in their ending: job and jobs, queue and queued.
func sameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.HasPrefix(b, a) && len(b)-len(a) <= len(a)/3
}

// codeWords returns the distinct words of a text in lower case; a hump of an identifier begins one.
func codeWords(s string) (words []string) {
	var b strings.Builder
	end := func() {
		if w := b.String(); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
		b.Reset()
	}
	small := false
	for _, r := range s {
		if !unicode.IsLetter(r) || small && unicode.IsUpper(r) {
			end()
		}
		small = unicode.IsLower(r)
		if unicode.IsLetter(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	end()
	return words
}

// tone is what a part of code is.
type tone uint8

const (
	toneRest tone = iota
	toneKeyword
	toneName // of a function where it is declared
	toneText
	toneNumber
	toneComment
)

// codePart is a part of a line in one tone.
type codePart struct {
	text string
	tone tone
}

// codeLanguage is what a highlighter knows of a language.
type codeLanguage struct {
	name       string
	keywords   map[string]bool
	line       []string // what comments begin with that end with their line
	block      string   // what other comments begin and end with, separated by a space
	ignoreCase bool
	raw        string // quotes of texts that may have several lines
	hyphens    bool   // that names may contain
	ticks      bool   // single quotes are for single characters and parts of names
}

// highlighter splits code into parts, line by line.
type highlighter struct {
	language codeLanguage
	until    string // the end of a comment or text that has begun in a line before
	within   tone
}

// line returns the parts of a line.
func (h *highlighter) line(s string) (parts []codePart) {
	add := func(n int, t tone) {
		if n == 0 {
			return
		}
		if last := len(parts) - 1; last >= 0 && parts[last].tone == t {
			parts[last].text += s[:n]
		} else {
			parts = append(parts, codePart{s[:n], t})
		}
		s = s[n:]
	}
	begin, _, _ := strings.Cut(h.language.block, " ")
	declares := false
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case h.until != "":
			at := strings.Index(s, h.until)
			if at < 0 {
				add(len(s), h.within)
				return parts
			}
			n := at + len(h.until)
			h.until = ""
			add(n, h.within)
		case begin != "" && strings.HasPrefix(s, begin):
			_, h.until, _ = strings.Cut(h.language.block, " ")
			h.within = toneComment
			add(len(begin), toneComment)
		case slices.ContainsFunc(h.language.line, func(mark string) bool { return strings.HasPrefix(s, mark) }):
			add(len(s), toneComment)
		case r == '"' || r == '\'' || r == '`':
			h.quoted(s, r, add)
		case unicode.IsDigit(r):
			add(numberLen(s), toneNumber)
		case unicode.IsLetter(r) || r == '_' || r == '$' || r == '@':
			n, t := h.word(s, declares)
			declares = t == toneKeyword && declaring[s[:n]]
			add(n, t)
		case r == '(' && declares && strings.IndexByte(s, ')') > 0: // a receiver: func (s *Store) Get
			add(strings.IndexByte(s, ')')+1, toneRest)
		default:
			declares = declares && r == ' '
			add(size, toneRest)
		}
	}
	return parts
}

// word returns the length and the tone of the word that a text begins with, which follows a keyword that declares a
// name.
func (h *highlighter) word(s string, declared bool) (n int, t tone) {
	n = nameLen(s, h.language.hyphens)
	key := s[:n]
	if h.language.ignoreCase {
		key = strings.ToUpper(key)
	}
	switch {
	case h.language.keywords[key]:
		return n, toneKeyword
	case declared:
		return n, toneName
	}
	return n, toneRest
}

// quoted adds the text at the beginning of s. One without an end in its line is plain, such as an apostrophe.
func (h *highlighter) quoted(s string, quote rune, add func(int, tone)) {
	q := string(quote)
	if triple := strings.Repeat(q, 3); strings.Contains(h.language.raw, triple) && strings.HasPrefix(s, triple) {
		h.until, h.within = triple, toneText
		add(3, toneText)
		return
	}
	reach := len(s)
	if quote == '\'' && h.language.ticks { // 'a' is a character, &'a a lifetime
		reach = min(reach, 5)
	}
	for i := 1; i < reach; i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case rune(s[i]) == quote:
			add(i+1, toneText)
			return
		}
	}
	if quote == '`' && h.language.raw != "" {
		h.until, h.within = q, toneText
		add(1, toneText)
		return
	}
	if quote == '"' {
		add(len(s), toneText)
		return
	}
	add(1, toneRest)
}

// numberLen returns the length of the number that a text begins with.
func numberLen(s string) int {
	for i, r := range s {
		point := r == '.' && i+1 < len(s) && unicode.IsDigit(rune(s[i+1]))
		if !unicode.IsDigit(r) && !unicode.IsLetter(r) && r != '_' && !point {
			return i
		}
	}
	return len(s)
}

// nameLen returns the length of the name that a text begins with.
func nameLen(s string, hyphens bool) int {
	for i, r := range s {
		if i > 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' && !(hyphens && r == '-') {
			return i
		}
	}
	return len(s)
}

// declaring are the keywords that a name follows which is declared.
var declaring = wordSet("func function def fn fun class struct interface trait enum type sub defmodule defp")

// languages are those that are highlighted, by the names that classes have.
var languages = func() map[string]codeLanguage {
	slashes, hash := []string{"//"}, []string{"#"}
	all := map[string]codeLanguage{}
	for _, l := range []struct {
		names string
		codeLanguage
		words string
	}{
		{
			"go golang", codeLanguage{name: "Go", line: slashes, block: "/* */", raw: "`"}, `
				break case chan const continue default defer else fallthrough for func go goto if import interface map
				package range return select struct switch type var nil true false`,
		},
		{"js javascript mjs cjs", codeLanguage{name: "JavaScript", line: slashes, block: "/* */", raw: "`"}, scriptWords},
		{"jsx", codeLanguage{name: "JSX", line: slashes, block: "/* */", raw: "`"}, scriptWords},
		{"ts typescript", codeLanguage{name: "TypeScript", line: slashes, block: "/* */", raw: "`"}, typedWords},
		{"tsx", codeLanguage{name: "TSX", line: slashes, block: "/* */", raw: "`"}, typedWords},
		{
			"py python python3", codeLanguage{name: "Python", line: hash, raw: `""" '''`}, `
				and as assert async await break class continue def del elif else except finally for from global if import in
				is lambda match case nonlocal not or pass raise return try while with yield None True False`,
		},
		{
			"rb ruby", codeLanguage{name: "Ruby", line: hash}, `
				alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo
				rescue retry return self super then true undef unless until when while yield require attr_accessor
				attr_reader`,
		},
		{
			"rs rust", codeLanguage{name: "Rust", ticks: true, line: slashes, block: "/* */"}, `
				as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
				move mut pub ref return self Self static struct super trait true type unsafe use where while`,
		},
		{
			"java", codeLanguage{name: "Java", line: slashes, block: "/* */", raw: `"""`}, `
				abstract boolean break byte case catch char class const continue default do double else enum extends final
				finally float for if implements import instanceof int interface long new null package private protected
				public record return short static super switch synchronized this throw throws try var void volatile while
				true false`,
		},
		{
			"kt kotlin", codeLanguage{name: "Kotlin", line: slashes, block: "/* */", raw: `"""`}, `
				as break by class companion continue data do else false for fun if import in interface internal is lateinit
				null object open override package private protected public return sealed suspend super this throw true try
				typealias val var when while`,
		},
		{
			"swift", codeLanguage{name: "Swift", line: slashes, block: "/* */", raw: `"""`}, `
				actor as async await break case catch class continue default defer do else enum extension false fileprivate
				for func guard if import in init internal let nil private protocol public return self Self some static
				struct super switch throw throws true try var where while`,
		},
		{"c h", codeLanguage{name: "C", line: slashes, block: "/* */"}, cWords},
		{
			"cpp c++ cc cxx hpp", codeLanguage{name: "C++", line: slashes, block: "/* */"}, cWords + ` 
				auto bool catch class concept consteval constexpr const_cast delete explicit export false final friend
				mutable namespace new noexcept nullptr operator override private protected public requires template this
				throw true try typename using virtual`,
		},
		{
			"cs csharp c#", codeLanguage{name: "C#", line: slashes, block: "/* */"}, `
				abstract as async await base bool break byte case catch char class const continue decimal default delegate
				do double else enum event false finally float for foreach get if in int interface internal is lock long
				namespace new null object out override params private protected public readonly record ref return sealed set
				static string struct switch this throw true try using var virtual void while`,
		},
		{
			"php", codeLanguage{name: "PHP", line: []string{"//", "#"}, block: "/* */"}, `
				abstract and array as break case catch class clone const continue declare default do echo else elseif
				extends final finally fn for foreach function global if implements instanceof interface match namespace new
				null or private protected public readonly return static switch this throw trait try use var while yield true
				false`,
		},
		{
			"sql postgresql mysql plpgsql sqlite",
			codeLanguage{name: "SQL", line: []string{"--"}, block: "/* */", ignoreCase: true}, `
				ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COLUMN COMMIT CONSTRAINT CREATE CROSS DEFAULT DELETE
				DESC DISTINCT DROP ELSE END EXISTS FALSE FOR FOREIGN FROM FULL FUNCTION GROUP HAVING IF IN INDEX INNER
				INSERT INTO IS JOIN KEY LEFT LIKE LIMIT LOCKED NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PRIMARY
				REFERENCES RETURNING RETURNS RIGHT ROLLBACK SELECT SET SKIP TABLE THEN TO TRIGGER TRUE UNION UNIQUE UPDATE
				USING VALUES VIEW WHEN WHERE WITH`,
		},
		{
			"lua", codeLanguage{name: "Lua", line: []string{"--"}}, `
				and break do else elseif end false for function goto if in local nil not or repeat return then true until
				while`,
		},
		{
			"ex exs elixir", codeLanguage{name: "Elixir", line: hash, raw: `"""`}, `
				after alias and case cond def defmodule defp do else end false fn for if import in nil not or quote raise
				receive require rescue true try unless use when with`,
		},
		{
			"hs haskell", codeLanguage{name: "Haskell", ticks: true, line: []string{"--"}, block: "{- -}"}, `
				case class data deriving do else if import in infix instance let module newtype of then type where`,
		},
		{
			"scala", codeLanguage{name: "Scala", line: slashes, block: "/* */", raw: `"""`}, `
				abstract case catch class def do else extends false final finally for given if implicit import lazy match
				new null object override package private protected return sealed super this throw trait true try type using
				val var while with yield`,
		},
		{
			"dart", codeLanguage{name: "Dart", line: slashes, block: "/* */"}, `
				abstract as async await break case catch class const continue default do else enum extends false final
				finally for get if implements import in is late new null required return set static super switch this throw
				true try var void while with yield`,
		},
		{
			"zig", codeLanguage{name: "Zig", line: slashes}, `
				and break catch comptime const continue defer else enum error false fn for if null or orelse pub return
				struct switch test true try undefined union unreachable var while`,
		},
		{
			"json jsonc", codeLanguage{name: "JSON", line: slashes}, `
				true false null`,
		},
		{
			"yaml yml", codeLanguage{name: "YAML", line: hash, hyphens: true}, `
				true false null`,
		},
		{
			"toml", codeLanguage{name: "TOML", line: hash, hyphens: true}, `
				true false`,
		},
		{"html xml svg vue svelte markup", codeLanguage{name: "HTML", block: "<!-- -->", hyphens: true}, ""},
		{
			"css scss less", codeLanguage{name: "CSS", line: slashes, block: "/* */", hyphens: true}, `
				important`,
		},
		{
			"dockerfile docker", codeLanguage{name: "Dockerfile", line: hash}, `
				ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL USER VOLUME WORKDIR AS`,
		},
		{
			"graphql gql", codeLanguage{name: "GraphQL", line: hash, raw: `"""`}, `
				enum extend fragment input interface mutation on query scalar schema subscription type union true false null`,
		},
		{
			"proto protobuf", codeLanguage{name: "Protobuf", line: slashes, block: "/* */"}, `
				enum import message oneof option optional package repeated reserved returns rpc service stream string syntax
				bool bytes double int32 int64 uint32`,
		},
		{
			"hcl terraform tf", codeLanguage{name: "HCL", line: hash}, `
				data for if in locals module output provider resource terraform variable true false null`,
		},
	} {
		l.codeLanguage.keywords = wordSet(l.words)
		for name := range strings.FieldsSeq(l.names) {
			all[name] = l.codeLanguage
		}
	}
	return all
}()

// anyLanguage is what most languages have in common.
var anyLanguage = codeLanguage{line: []string{"// ", "# "}, block: "/* */"}

// Keywords that several languages have.
const (
	scriptWords = "as async await break case catch class const continue default delete do else export extends false " +
		"finally for from function get if import in instanceof let new null of return set static super switch this throw " +
		"true try typeof undefined var void while with yield"
	typedWords = scriptWords + " abstract any boolean declare enum implements interface keyof namespace never number " +
		"private protected public readonly satisfies string type unknown"
	cWords = "break case char const continue default do double else enum extern float for goto if inline int long " +
		"register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while size_t"
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
