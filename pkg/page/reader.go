package page

import (
	"bytes"
	"strings"

	"masthead/pkg/cleantext"
)

// reader makes one pass over a document and collects the page's content. finish chooses among it.
type reader struct {
	sc   scanner
	page *Page

	// inHead is true until the body begins; headClosed means that the head's end tag was read.
	inHead, headClosed bool
	// noscript and templates count the open elements of these kinds.
	noscript, templates int
	// foreign has the open svg and math elements and, inside them, the elements with HTML content.
	foreign []frame

	baseHref string
	content  content
	json     int // values left for JSON-LD
	css      int // bytes of style sheets left to read
}

// frame is an open svg or math element, or an integration point inside one (HTML standard, 13.2.6.5).
type frame struct {
	name        string // in lower case
	integration bool
}

// maxForeign is the maximum number of frames. With deeper nesting, the inner ones count as parts of the last.
const maxForeign = 64

func newReader(p *Page, text []byte) *reader {
	r := &reader{page: p, inHead: true, json: maxJSONValues, css: maxStyleBytes}
	r.sc.src = text
	r.sc.attrs = make([]attribute, 0, 32)
	p.Meta = make(Meta, 0, 48)
	p.Links = make([]Link, 0, 16)
	return r
}

// read makes the pass.
func (r *reader) read() {
	s := &r.sc
	for {
		s.foreign = r.inForeign()
		switch s.next() {
		case endOfDocument:
			r.content.close(r)
			return
		case textToken:
			r.text(s.src[s.start:s.end])
		case startTag:
			r.startTag()
		case endTag:
			r.endTag()
		}
	}
}

// inForeign reports whether the next token is SVG or MathML instead of HTML.
func (r *reader) inForeign() bool {
	return len(r.foreign) > 0 && !r.foreign[len(r.foreign)-1].integration
}

// counts reports whether elements count at the current position: not in foreign content or templates.
func (r *reader) counts() bool { return len(r.foreign) == 0 && r.templates == 0 }

func (r *reader) startTag() {
	s := &r.sc
	if r.inForeign() {
		if !r.leavesForeign() {
			r.foreignStart()
			return
		}
		for r.inForeign() {
			r.foreign = r.foreign[:len(r.foreign)-1]
		}
	}
	e := s.elem
	if r.inHead && r.counts() && !e.inHead() {
		r.endHead(e)
	}
	switch e {
	case elemOther:
	case elemSVG, elemMath:
		r.enterForeign(e)
		return
	case elemTemplate:
		if len(r.foreign) == 0 {
			r.templates++
		}
		return
	default:
		if e.raw() {
			r.raw(e)
			return
		}
	}
	if !r.counts() {
		return
	}
	switch e {
	case elemMeta:
		r.meta()
		return
	case elemLink:
		r.link()
		return
	case elemBase:
		r.base()
		return
	case elemNoscript:
		r.noscript++
		return
	case elemHTML, elemBody:
		r.root(e)
	}
	r.types()
	if r.noscript == 0 {
		r.content.start(r, e)
	}
}

// enterForeign opens an svg or math element.
func (r *reader) enterForeign(e element) {
	if r.sc.selfClosing || len(r.foreign) >= maxForeign {
		return
	}
	name := "svg"
	if e == elemMath {
		name = "math"
	}
	r.foreign = append(r.foreign, frame{name: name})
}

// base keeps the address of the first base element that has one.
func (r *reader) base() {
	if r.baseHref != "" {
		return
	}
	if v, ok := r.sc.attr("href"); ok {
		r.baseHref = strings.TrimSpace(decodeAttr(v))
	}
}

func (r *reader) endTag() {
	s := &r.sc
	if s.elem == elemTemplate && r.templates > 0 {
		r.foreign, r.templates = r.foreign[:0], r.templates-1
		return
	}
	if len(r.foreign) > 0 {
		r.foreignEnd()
		return
	}
	switch s.elem {
	case elemOther:
		return
	case elemHead:
		r.headClosed = true
	case elemNoscript:
		r.noscript = max(0, r.noscript-1)
	default:
		if r.counts() && r.noscript == 0 {
			r.content.end(r, s.elem)
		}
	}
}

// text handles a run of character data.
func (r *reader) text(b []byte) {
	if !r.counts() || r.noscript > 0 {
		return
	}
	r.content.code.add(b)
	blank := 0
	for blank < len(b) && class[b[blank]]&isSpace != 0 {
		blank++
	}
	if blank == len(b) {
		r.content.space()
		return
	}
	if r.inHead {
		r.endHead(elemOther)
		if r.page.Head.Stray != "" {
			r.page.Head.Stray = "#text"
		}
	}
	r.content.text(b, r.page)
}

// endHead begins the body at the current token, but not inside noscript: browsers, which run scripts, read its content
// as text, and so do the parsers of search engines.
func (r *reader) endHead(by element) {
	if r.noscript > 0 {
		if by != elemBody {
			return
		}
		r.noscript = 0
	}
	r.inHead = false
	r.page.Head.End = r.sc.start
	if !r.headClosed && by != elemBody && by != elemFrameset {
		r.page.Head.Stray = strings.ToLower(string(limit(r.sc.src[r.sc.name.from:r.sc.name.to], 32)))
	}
}

// limit returns the first n bytes of b at most.
func limit(b []byte, n int) []byte { return b[:min(n, len(b))] }

// raw handles an element whose content isn't markup.
func (r *reader) raw(e element) {
	s := &r.sc
	keep := r.counts()
	ld := e == elemScript && keep && isJSONLD(s)
	line := 0
	if ld {
		line = s.pos
	}
	at := s.rawText(e)
	if !keep {
		return
	}
	b := s.src[at.from:at.to]
	switch {
	case ld:
		r.jsonLD(b, line)
	case e == elemTitle:
		if len(r.page.Titles) < maxTitles {
			if t := cleanText(b); t != "" {
				r.page.Titles = append(r.page.Titles, t)
			}
		}
	case e == elemStyle:
		r.style(b)
	}
}

// isJSONLD reports whether the script element at s contains JSON-LD.
func isJSONLD(s *scanner) bool {
	v, ok := s.attr("type")
	if !ok {
		return false
	}
	v, _, _ = bytes.Cut(v, []byte(";"))
	return equalFold(bytes.TrimSpace(v), "application/ld+json")
}

// jsonLD adds a block of JSON-LD that begins at an offset of the document.
func (r *reader) jsonLD(b []byte, at int) {
	p := r.page
	if len(p.JSONLD) >= maxJSONBlocks || len(bytes.TrimSpace(b)) == 0 {
		return
	}
	var block Block
	if len(b) > maxJSONBytes {
		block.Err = &JSONError{Line: 1, Reason: "the block is longer than 256 KiB"}
	} else {
		block.Root, block.Err = parseJSON(string(b), &r.json)
	}
	block.Line = 1 + bytes.Count(r.sc.src[:at], []byte("\n"))
	p.JSONLD = append(p.JSONLD, block)
}

// meta handles a meta element.
func (r *reader) meta() {
	p := r.page
	r.refresh()
	n := len(p.Meta)
	p.Meta = p.Meta.addMeta(&r.sc, r.inHead)
	if len(p.Meta) == n || p.Meta[n].Key != "theme-color" || len(p.Brand.ThemeColors) >= maxTitles {
		return
	}
	media, _ := r.sc.attr("media")
	p.Brand.ThemeColors = append(p.Brand.ThemeColors,
		ThemeColor{cleantext.Clean(p.Meta[n].Value, maxValue), cleanAttr(limit(media, maxValue))})
}

// root reads the language and direction from the html and body elements.
func (r *reader) root(e element) {
	p := r.page
	if e == elemHTML && p.Lang == "" {
		v, ok := r.sc.attr("lang")
		if !ok {
			v, _ = r.sc.attr("xml:lang")
		}
		p.Lang = cleanAttr(limit(v, 64))
	}
	if v, _ := r.sc.attr("dir"); p.Dir == "" {
		switch {
		case equalFold(v, "rtl"):
			p.Dir = "rtl"
		case equalFold(v, "ltr"):
			p.Dir = "ltr"
		}
	}
}

// types collects the schema.org types of microdata and RDFa, which any element may have.
func (r *reader) types() {
	for i := range r.sc.attrs {
		a := &r.sc.attrs[i]
		n := a.name.to - a.name.from
		if n != len("itemtype") && n != len("typeof") {
			continue
		}
		name := r.sc.src[a.name.from:a.name.to]
		if (equalFold(name, "itemtype") || equalFold(name, "typeof")) && len(r.page.Microdata) < maxTypes {
			if v := cleanAttr(limit(r.sc.src[a.value.from:a.value.to], 200)); v != "" {
				r.page.Microdata = append(r.page.Microdata, v)
			}
		}
	}
}

// finish chooses among what was collected. The order matters: addresses need the base, and the choice needs everything
// else.
func (r *reader) finish() {
	p, c := r.page, &r.content
	p.Base = base(p.URL, r.baseHref)
	p.sortLinks()
	p.ogImages()
	p.collectNodes()
	p.choose(c.h1)
	main := p.MainNode()
	p.dates(c, main)
	p.brandColors()
	p.details(c, main)
}
