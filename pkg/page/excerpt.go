package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func (c *content) endParagraph() {
	c.inParagraph = false
	if !c.paragraph.open {
		return
	}
	c.paragraph.open = false
	c.lead = leadOf(cleanText(c.paragraph.buf))
}

// startList begins a list of the main content. Only outermost lists are read, until a usable one is found.
func (c *content) startList() {
	c.endItem()
	if c.items != nil || !c.inMain() {
		return
	}
	if c.lists++; c.lists == 1 {
		c.list, c.listBad = c.list[:0], false
	}
}

func (c *content) startItem() {
	c.endItem()
	if c.lists == 1 && c.inMain() && len(c.list) < maxItems {
		c.item.begin(maxItemBytes)
	}
}

// endItem adds the item if it is a sentence or a phrase. An item that is mostly a link disqualifies its list as a table
// of contents, a menu or a row of buttons.
func (c *content) endItem() {
	if !c.item.open {
		return
	}
	c.item.open = false
	text := cleanText(c.item.buf)
	n := utf8.RuneCountInString(text)
	if n < 3 || n > 200 || c.item.linked*2 > len(c.item.buf) {
		c.listBad = true
		return
	}
	c.list = append(c.list, text)
}

func (c *content) endList() {
	if c.lists == 0 {
		return
	}
	if c.lists == 1 {
		c.endItem()
		words := 0
		for _, item := range c.list {
			_, n := new(content).measure([]byte(item))
			words += n.words + n.ideographs/2
		}
		if len(c.list) >= 2 && !c.listBad && words >= 3*len(c.list) {
			c.items = slices.Clone(c.list)
		}
	}
	c.lists--
}

func (c *content) startQuote(s *scanner) {
	if c.quote.open || c.quoteText != "" || c.comments || c.besides() {
		return
	}
	class, _ := s.attr("class")
	if of, _ := s.attr("type"); equalFold(of, "cite") { // of a mail
		return
	}
	for _, embed := range [...]string{
		"gmail_quote", "twitter-", "instagram-", "tiktok-", "wp-embedded", "embedly", "reddit-", "imgur-", "bluesky-",
	} {
		if bytes.Contains(class, []byte(embed)) {
			return
		}
	}
	c.quote.begin(maxQuoteBytes)
	c.quoteCode = false
	c.cite = span{}
}

func (c *content) citeStart() {
	if inside := c.cite.from > 0 && c.cite.to == 0; c.quote.open && !inside {
		c.cite = span{from: len(c.quote.buf)}
	}
}

func (c *content) citeEnd() {
	if c.quote.open && c.cite.from > 0 {
		c.cite.to = len(c.quote.buf)
	}
}

// Lengths of a quotation for cards, in characters.
const (
	minQuote = 20
	maxQuote = 220
)

// saidBy matches who said it at the end of a quotation, after a dash.
var saidBy = regexp.MustCompile(`([.!?…"”“»」』’])\s*[—–―]\s*([^—–―]{2,60})$`)

// footnote matches the marks of footnotes.
var footnote = regexp.MustCompile(`\s?\[\d{1,4}\]`)

// endQuote keeps the quotation. A cite or footer element at its end is the attribution, and so is what stands after a
// dash there; a cite in the middle is a title. A list of names and addresses isn't a quotation.
func (c *content) endQuote() {
	if !c.quote.open {
		return
	}
	c.quote.open = false
	b, by := c.quote.buf, ""
	if c.cite.to > 0 && len(bytes.TrimSpace(b[c.cite.to:])) == 0 {
		by = strings.TrimLeft(cleanText(b[c.cite.from:c.cite.to]), "-–—―~ ")
		b = b[:c.cite.from]
	}
	text := footnote.ReplaceAllString(cleanText(b), "")
	if m := saidBy.FindStringSubmatchIndex(text); by == "" && m != nil {
		text, by = text[:m[3]], text[m[4]:m[5]]
	}
	if n := utf8.RuneCountInString(text); n >= minQuote && n <= maxQuote && !c.quoteCode &&
		!strings.ContainsAny(text, "@·|") && len(c.quote.buf) < maxQuoteBytes &&
		c.quote.linked*2 <= len(c.quote.buf) {
		c.quoteText, c.quoteBy, c.quoted = text, by, true
	}
}

// startCaption begins what may be the attribution of a quotation: the caption right after it.
func (c *content) startCaption() {
	if c.quoted && c.quoteBy == "" {
		c.caption.begin(maxItemBytes)
	}
	c.quoted = false
}

// endCaption keeps the caption of a quotation if it says who said it: a short one that begins with a dash.
func (c *content) endCaption() {
	if !c.caption.open {
		return
	}
	c.caption.open = false
	text := cleanText(c.caption.buf)
	if by := strings.TrimLeft(text, "-–—―~ "); by != text && utf8.RuneCountInString(by) <= 60 {
		c.quoteBy = by
	}
}
