package page

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Limits of what is collected from the body, in bytes of markup per text.
const (
	maxHeadingBytes = 8 << 10
	maxItemBytes    = 1 << 10
	maxQuoteBytes   = 4 << 10
	maxItems        = 3
	maxTimes        = 32
	maxArticles     = 4 // nested articles with word counts of their own: comments and teasers are articles, too
)

// content collects the body: headings, text, and candidates for the details of a card. It tracks open elements with
// counters only, so broken markup costs at most a detail.
type content struct {
	article, main, aside, header int // open elements; aside also counts nav and footer
	nav                          int
	link                         linkText
	articles                     int // not nested in others
	inLink, inParagraph          bool
	inWord                       bool

	heading capture
	level   int
	alt     string
	h1      string // the first with text

	lists     int // open lists in the main content
	list      []string
	listBad   bool
	item      capture
	items     []string
	quote     capture
	cite      span // of the attribution, in quote
	quoteText string
	quoteBy   string
	quoteCode bool    // it has a code block
	caption   capture // of the quotation, which begins right after it
	quoted    bool    // nothing but space has been read since the end of the quotation
	code      codeBlocks
	paragraph capture
	tried     int // paragraphs after the first h1
	lead      string
	minutes   string // the reading time that the page says, "0" if it says several

	hero        string
	timePubdate string
	timeArticle string
	times       []Date // of time elements with an itemprop

	words       [maxArticles]count // words of the open articles, by depth
	bestArticle count
	comments    bool // the readers' comments have begun: none of the following text is the page's
	mainWords   count
	paraWords   count
	prose       []byte // the page's text, its first maxProseBytes

	project projectLinks

	home              capture // the open link to the site's home page
	homeHost, homeAlt string
	homes             []home
	tries             int
}

// maxProseBytes is the maximum length of a page's text as sent, enough for 8,000 characters of most scripts. Source:
// docs/security.md#models.
const maxProseBytes = 24 << 10

// Prose returns the text that the page shows, without navigation, side columns, footers and readers' comments, cut to
// maxChars characters. It is computed on each call.
func (p *Page) Prose(maxChars int) string { return cleantext.Clean(cleanText(p.prose), maxChars) }

// count is an amount of text: words between spaces, and ideographs and kana, which aren't separated by spaces.
type count struct{ words, ideographs int }

func (c *count) add(d count) { c.words += d.words; c.ideographs += d.ideographs }

// inMain reports whether the current position is in the page's article or main part, and not in an aside.
func (c *content) inMain() bool { return (c.article > 0 || c.main > 0) && c.aside == 0 }

// besides reports whether the current position is in navigation, a side column, a footer or the page's header.
func (c *content) besides() bool { return c.aside > 0 || c.header > 0 && c.article == 0 && c.main == 0 }

// start handles a start tag of the body, or one of the head that no other collector uses.
func (c *content) start(r *reader, e element) {
	if e == elemOther {
		return
	}
	if e.block() {
		c.space()
	}
	if e.box() {
		c.heading.box(true)
		c.item.box(true)
		c.paragraph.box(true)
	}
	c.startExcerpt(&r.sc, e)
	switch e {
	case elemArticle:
		if c.article++; c.article == 1 {
			c.articles++
		}
	case elemMain:
		c.main++
	case elemNav:
		c.nav++
		c.aside++
	case elemAside:
		c.aside++
	case elemHeader:
		c.header++
	case elemFooter:
		c.aside++
	case elemP:
		c.startParagraph()
	case elemA, elemButton:
		c.startLink(r, e)
	case elemList:
		c.startList()
		c.comments = c.comments || beginsComments(&r.sc)
	case elemLi:
		c.startItem()
	case elemImg:
		c.image(&r.sc, &r.page.Body)
	case elemTime:
		c.time(&r.sc)
	case elemBlock:
		c.comments = c.comments || beginsComments(&r.sc)
	case elemForm:
		if v, _ := r.sc.attr("role"); equalFold(v, "search") {
			r.page.SearchForm = true
		}
	default:
		if level := e.heading(); level > 0 {
			c.endHeading(r.page)
			c.level, c.alt = level, ""
			c.heading.begin(maxHeadingBytes)
		}
	}
}

// startLink handles the start tag of an a or button element.
func (c *content) startLink(r *reader, e element) {
	c.inLink = true
	if e == elemA {
		c.anchor(&r.sc, &r.page.Body)
		c.project.start(r)
	}
	r.inlineStyle()
	c.homeStart(&r.sc)
}

// startExcerpt handles a start tag in or around a quotation or a code block.
func (c *content) startExcerpt(s *scanner, e element) {
	switch e {
	case elemFooter, elemCite:
		c.citeStart()
	case elemBlockquote:
		c.startQuote(s)
	case elemPre:
		c.startCode(s)
	case elemCode:
		c.code.name(s)
	case elemFigcaption:
		c.startCaption()
	case elemLine:
		c.code.add([]byte{'\n'})
	}
}

// startParagraph ends the previous paragraph and captures the new one if it may be the lead.
func (c *content) startParagraph() {
	c.endParagraph()
	c.inParagraph = true
	if c.h1 != "" && c.lead == "" && c.tried < 20 && !c.besides() {
		c.tried++
		c.paragraph.begin(maxItemBytes)
	}
}

// end handles an end tag.
func (c *content) end(r *reader, e element) {
	if e.block() {
		c.space()
	}
	if e.heading() > 0 {
		c.endHeading(r.page)
		return
	}
	if e.box() {
		if c.heading.box(false) {
			c.endHeading(r.page)
		}
		if c.item.box(false) && e != elemList {
			c.item.open = false
		}
		if c.paragraph.box(false) {
			c.endParagraph()
		}
	}
	switch e {
	case elemArticle:
		c.endArticle()
	case elemMain:
		c.main = max(0, c.main-1)
	case elemNav:
		c.nav = max(0, c.nav-1)
		c.aside = max(0, c.aside-1)
	case elemAside:
		c.aside = max(0, c.aside-1)
	case elemHeader:
		c.header = max(0, c.header-1)
	case elemFooter:
		c.aside = max(0, c.aside-1)
		c.citeEnd()
	case elemCite:
		c.citeEnd()
	case elemP:
		c.endParagraph()
	case elemA, elemButton:
		c.inLink = false
		c.anchorEnd(&r.page.Body)
		c.homeEnd()
		c.project.end()
	case elemLi:
		c.endItem()
	case elemList:
		c.endList()
	case elemBlockquote:
		c.endQuote()
	case elemPre:
		c.code.end()
	case elemFigcaption:
		c.endCaption()
	}
}

// close closes what is still open at the end of the document. An item or quotation without its end tag is dropped.
func (c *content) close(r *reader) {
	c.endHeading(r.page)
	for c.article > 0 {
		c.endArticle()
	}
}

// space handles white space or the edge of a block.
func (c *content) space() {
	c.inWord = false
	if n := len(c.prose); n > 0 && c.prose[n-1] != ' ' && n < maxProseBytes {
		c.prose = append(c.prose, ' ')
	}
	c.heading.space()
	c.item.space()
	c.home.space()
	c.project.text.space()
	c.quote.space()
	c.caption.space()
	c.paragraph.space()
}

// text handles a run of character data that isn't all white space.
func (c *content) text(b []byte, p *Page) {
	c.heading.add(b)
	c.quote.add(b)
	c.caption.add(b)
	c.quoted = false
	c.paragraph.add(b)
	c.item.add(b)
	c.minuteText(b)
	if c.inLink {
		c.link.add(b)
		c.home.add(b)
		c.project.text.add(b)
		c.item.linked += len(b)
		c.quote.linked += len(b)
	}
	chars, n := c.measure(b)
	p.TextChars += chars
	p.WideChars += n.ideographs
	if c.comments || c.besides() {
		return
	}
	if room := maxProseBytes - len(c.prose); room > 0 {
		c.prose = append(c.prose, limit(b, room)...)
	}
	if c.article > 0 {
		c.words[min(c.article, maxArticles)-1].add(n)
	}
	if c.main > 0 {
		c.mainWords.add(n)
	}
	if c.inParagraph {
		c.paraWords.add(n)
	}
}

// measure counts the non-space characters and the words of b. The first word may continue one from before b.
func (c *content) measure(b []byte) (chars int, n count) {
	for i := 0; i < len(b); {
		ch := b[i]
		if ch < utf8.RuneSelf {
			i++
			switch {
			case class[ch]&isSpace != 0:
				c.inWord = false
				continue
			case ch == '&': // a reference counts as one character
				if j := bytes.IndexByte(limit(b[i:], 10), ';'); j > 0 {
					if string(b[i:i+j]) == "nbsp" {
						c.inWord = false
						i += j + 1
						continue
					}
					i += j + 1
				}
			case class[ch]&isLetter != 0 || '0' <= ch && ch <= '9':
				if !c.inWord {
					c.inWord = true
					n.words++
				}
			}
			chars++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		switch {
		case unicode.IsSpace(r):
			c.inWord = false
			continue
		case r >= 0x3041 && (r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0x20000 && r <= 0x3FFFF):
			n.ideographs++
			c.inWord = false
		case !c.inWord && r >= 0xAA && (r < 0x2000 || r > 0x206F) && unicode.IsLetter(r):
			c.inWord = true
			n.words++
		}
		chars++
	}
	return chars, n
}

// endArticle ends the innermost article and keeps the longest one.
func (c *content) endArticle() {
	if c.article == 0 {
		return
	}
	words := &c.words[min(c.article, maxArticles)-1]
	if words.minutes() > c.bestArticle.minutes() {
		c.bestArticle = *words
	}
	*words = count{}
	c.article--
}

func (c *content) endHeading(p *Page) {
	if !c.heading.open {
		return
	}
	c.heading.open = false
	if len(p.Headings) >= maxHeadings && c.h1 != "" {
		return
	}
	text := cleanText(c.heading.buf)
	if c.level == 1 && c.h1 == "" {
		c.h1 = text
	}
	if len(p.Headings) < maxHeadings {
		p.Headings = append(p.Headings, Heading{
			Level: c.level, Text: cleantext.Clean(text, cleantext.MaxTitle), Alt: c.alt, InMain: c.main > 0, InNav: c.nav > 0,
		})
	}
}

// image handles an img element: as the text of a heading, or as the first large picture of the main content.
func (c *content) image(s *scanner, b *Body) {
	c.pictureAlt(s, b)
	if c.home.open && c.homeAlt == "" {
		v, _ := s.attr("alt")
		c.homeAlt = cleanAttr(limit(v, maxHomeText))
	}
	if c.heading.open && c.alt == "" {
		if v, ok := s.attr("alt"); ok {
			c.alt = cleantext.Clean(cleanAttr(limit(v, maxItemBytes)), cleantext.MaxOther)
		}
	}
	if c.hero != "" || !c.inMain() {
		return
	}
	if pixels(s, "width") < heroWidth || pixels(s, "height") < heroHeight {
		return
	}
	if v, ok := s.attr("src"); ok && len(v) <= maxAddressBytes {
		c.hero = strings.TrimSpace(decodeAttr(v))
	}
}

// pixels returns the number in an attribute of the tag at s, or 0.
func pixels(s *scanner, attr string) int {
	v, _ := s.attr(attr)
	n, err := strconv.Atoi(string(bytes.TrimSuffix(limit(bytes.TrimSpace(v), 8), []byte("px"))))
	if err != nil {
		return 0
	}
	return n
}

// beginsComments reports whether the tag at s opens the box of the readers' comments.
func beginsComments(s *scanner) bool {
	for _, attr := range [...]string{"id", "class"} {
		list, _ := s.attr(attr)
		for len(list) > 0 {
			var token []byte
			switch token, list = field(list); string(token) {
			case "comments", "comments-area", "comment-list", "comments-list", "commentlist", "disqus_thread":
				return true
			}
		}
	}
	return false
}

// time handles a time element with a datetime attribute.
func (c *content) time(s *scanner) {
	v, ok := s.attr("datetime")
	if !ok || len(v) > 64 {
		return
	}
	raw := cleanAttr(v)
	if raw == "" {
		return
	}
	if prop, ok := s.attr("itemprop"); ok && len(c.times) < maxTimes {
		c.times = append(c.times, Date{Raw: raw, Source: strings.ToLower(string(limit(prop, 64)))})
	}
	if _, ok := s.attr("pubdate"); ok && c.timePubdate == "" {
		c.timePubdate = raw
	}
	if c.article > 0 && c.timeArticle == "" {
		c.timeArticle = raw
	}
}
