package page

// element identifies the elements that the reader treats specially. All others are elemOther.
type element uint8

const (
	elemOther element = iota
	elemHTML
	elemHead
	elemBody
	elemFrameset
	elemTitle
	elemMeta
	elemLink
	elemBase
	elemScript
	elemStyle
	elemNoscript
	elemTemplate
	elemSVG
	elemMath
	elemTextarea
	elemIframe
	elemNoembed
	elemNoframes
	elemXMP
	elemPlaintext
	elemH1
	elemH2
	elemH3
	elemH4
	elemH5
	elemH6
	elemP
	elemLine // br, hr, table cells and so on: they separate words and need no end tag
	elemLi
	elemList // ul, ol
	elemBlockquote
	elemCite
	elemArticle
	elemMain
	elemNav
	elemAside
	elemHeader
	elemFooter
	elemPre
	elemCode
	elemFigcaption
	elemBlock // div, section and other boxes: they separate words
	elemTime
	elemImg
	elemA
	elemButton
	elemForm
)

// elementOf returns the element of a tag name, ignoring case.
func elementOf(name []byte) element { //nolint:funlen // a table
	var buf [10]byte
	if len(name) > len(buf) {
		return elemOther
	}
	for i, c := range name {
		if class[c]&foldsUpper != 0 {
			c |= 0x20
		}
		buf[i] = c
	}
	switch string(buf[:len(name)]) {
	case "a":
		return elemA
	case "p":
		return elemP
	case "div", "section", "table", "dl", "figure", "address", "details", "summary", "fieldset",
		"select", "center", "dialog":
		return elemBlock
	case "pre":
		return elemPre
	case "code":
		return elemCode
	case "figcaption":
		return elemFigcaption
	case "br", "hr", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "dt", "dd", "option", "legend":
		return elemLine
	case "li":
		return elemLi
	case "ul", "ol":
		return elemList
	case "img":
		return elemImg
	case "meta":
		return elemMeta
	case "link":
		return elemLink
	case "script":
		return elemScript
	case "style":
		return elemStyle
	case "title":
		return elemTitle
	case "html":
		return elemHTML
	case "head":
		return elemHead
	case "body":
		return elemBody
	case "frameset":
		return elemFrameset
	case "base":
		return elemBase
	case "noscript":
		return elemNoscript
	case "template":
		return elemTemplate
	case "svg":
		return elemSVG
	case "math":
		return elemMath
	case "textarea":
		return elemTextarea
	case "iframe":
		return elemIframe
	case "noembed":
		return elemNoembed
	case "noframes":
		return elemNoframes
	case "xmp":
		return elemXMP
	case "plaintext":
		return elemPlaintext
	case "h1":
		return elemH1
	case "h2":
		return elemH2
	case "h3":
		return elemH3
	case "h4":
		return elemH4
	case "h5":
		return elemH5
	case "h6":
		return elemH6
	case "blockquote":
		return elemBlockquote
	case "cite":
		return elemCite
	case "article":
		return elemArticle
	case "main":
		return elemMain
	case "nav":
		return elemNav
	case "aside":
		return elemAside
	case "header":
		return elemHeader
	case "footer":
		return elemFooter
	case "time":
		return elemTime
	case "button":
		return elemButton
	case "form":
		return elemForm
	}
	return elemOther
}

// raw reports whether the content of e is plain text up to its end tag.
func (e element) raw() bool {
	switch e {
	case elemTitle, elemTextarea, elemScript, elemStyle, elemIframe, elemNoembed, elemNoframes, elemXMP, elemPlaintext:
		return true
	}
	return false
}

// block reports whether e starts a new line, so that the words around it are never joined.
func (e element) block() bool {
	switch e {
	case elemP, elemLine, elemLi, elemList, elemBlockquote, elemArticle, elemMain, elemNav, elemAside, elemHeader,
		elemFooter, elemBlock, elemPre, elemFigcaption, elemForm, elemBody, elemH1, elemH2, elemH3, elemH4, elemH5, elemH6:
		return true
	}
	return false
}

// box reports whether e is a block that contains other blocks and is always closed by its own end tag.
func (e element) box() bool {
	switch e {
	case elemList, elemBlockquote, elemArticle, elemMain, elemNav, elemAside, elemHeader, elemFooter, elemBlock, elemPre,
		elemFigcaption, elemForm:
		return true
	}
	return false
}

// heading returns 1 to 6 for h1 to h6, otherwise 0.
func (e element) heading() int {
	if e >= elemH1 && e <= elemH6 {
		return int(e-elemH1) + 1
	}
	return 0
}

// inHead reports whether e is allowed in the head of a document.
func (e element) inHead() bool {
	switch e {
	case elemHTML, elemHead, elemTitle, elemMeta, elemLink, elemBase, elemScript, elemStyle, elemNoscript, elemTemplate,
		elemNoframes:
		return true
	}
	return false
}
