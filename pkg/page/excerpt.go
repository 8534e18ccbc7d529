package page

import (
	"bytes"
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
	if text := cleanText(c.paragraph.buf); utf8.RuneCountInString(text) >= 20 && utf8.RuneCountInString(text) <= 200 {
		c.lead = text
	}
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
	if c.quote.open || c.quoteText != "" || c.besides() {
		return
	}
	class, _ := s.attr("class")
	for _, embed := range [...]string{
		"twitter-", "instagram-", "tiktok-", "wp-embedded", "embedly", "reddit-", "imgur-", "bluesky-",
	} {
		if bytes.Contains(class, []byte(embed)) {
			return
		}
	}
	c.quote.begin(maxQuoteBytes)
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

// endQuote keeps the quotation. A cite or footer element at its end is the attribution; one in the middle is a title.
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
	text := cleanText(b)
	if n := utf8.RuneCountInString(text); n >= 20 && n <= 400 && len(c.quote.buf) < maxQuoteBytes &&
		c.quote.linked*2 <= len(c.quote.buf) {
		c.quoteText, c.quoteBy = text, by
	}
}
