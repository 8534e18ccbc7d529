package page

import (
	"bytes"
	"strconv"
	"strings"
)

// Limits of the links and pictures of a body.
const (
	maxLinkText = 48   // bytes; the texts that say nothing are shorter
	maxCounted  = 5000 // links and pictures; more aren't judged
)

// Body has what the body shows besides its text: how its pictures and links are written.
type Body struct {
	// Pictures are the img elements that aren't decoration by their role, Unlabeled those of them without alternative
	// text, of which NoAlt is the address of the first.
	Pictures, Unlabeled int
	NoAlt               string
	// Insecure is the number of pictures of an http address, Unencrypted that of the first.
	Insecure    int
	Unencrypted string
	// Links are the a elements with an address, Vague those of them whose text says nothing about their target, such as
	// “read more”, and VagueText the text of the first.
	Links, Vague int
	VagueText    string
	// Uncrawlable is the number of a elements that only a script makes a link, ScriptLink how the first is written.
	Uncrawlable int
	ScriptLink  string
}

// Refresh is a meta refresh: after Seconds the browser opens URL, or the same page if it is "".
type Refresh struct {
	Seconds int
	URL     string
}

// refresh reads a meta element with http-equiv=refresh. The first one counts.
func (r *reader) refresh() {
	v, ok := r.sc.attr("http-equiv")
	if !ok || r.page.Refresh != nil || r.noscript > 0 || !equalFold(bytes.TrimSpace(v), "refresh") {
		return
	}
	content, _ := r.sc.attr("content")
	text := strings.TrimSpace(decodeAttr(limit(content, maxAddressBytes)))
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return
	}
	seconds, err := strconv.Atoi(text[:min(digits, 9)])
	if err != nil {
		return
	}
	rest := strings.TrimLeft(strings.TrimLeft(text[digits:], ".0123456789"), " \t\r\n;,")
	if len(rest) > 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t\r\n"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t\r\n")
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	r.page.Refresh = &Refresh{seconds, strings.TrimSpace(rest)}
}

// linkText collects the text of the open link, if it is short.
type linkText struct {
	open bool
	long bool
	n    int
	buf  [maxLinkText]byte
}

func (l *linkText) add(b []byte) {
	if !l.open || l.long {
		return
	}
	if l.n+len(b) > len(l.buf) {
		l.long = true
		return
	}
	l.n += copy(l.buf[l.n:], b)
}

// anchor handles the start tag of an a element.
func (c *content) anchor(s *scanner, b *Body) {
	if b.Links+b.Uncrawlable >= maxCounted {
		return
	}
	href, has := s.attr("href")
	href = bytes.TrimSpace(href)
	if scripted := c.scriptOnly(s, href, has); scripted != "" {
		if b.Uncrawlable++; b.ScriptLink == "" {
			b.ScriptLink = scripted
		}
		return
	}
	if !has || len(href) == 0 || href[0] == '#' || len(href) > 10 && equalFold(href[:11], "javascript:") {
		return
	}
	b.Links++
	if _, ok := s.attr("aria-label"); ok {
		return
	}
	if rel, ok := s.attr("rel"); ok && bytes.Contains(bytes.ToLower(limit(rel, 200)), []byte("nofollow")) {
		return
	}
	c.link = linkText{open: true}
}

// scriptOnly returns how an a element is written that search engines can't follow: its target is only in a script. ""
// for every other. Source: Lighthouse, crawlable-anchors.
func (c *content) scriptOnly(s *scanner, href []byte, has bool) string {
	if role, ok := s.attr("role"); ok && len(role) > 0 {
		return ""
	}
	click, clicks := s.attr("onclick")
	opens := clicks && (bytes.Contains(click, []byte("location")) || bytes.Contains(click, []byte("window.open")))
	script := len(href) > 10 && equalFold(href[:11], "javascript:")
	file := len(href) > 4 && equalFold(href[:5], "file:")
	switch {
	case script, file:
		return `href="` + cleanAttr(limit(href, 80)) + `"`
	case opens && len(href) == 0, opens && href[0] == '#':
		return `onclick="` + cleanAttr(limit(click, 80)) + `"`
	case has && len(href) == 0 && !clicks:
		if _, named := s.attr("name"); !named {
			return `href=""`
		}
	}
	return ""
}

// anchorEnd handles the end of an a element.
func (c *content) anchorEnd(b *Body) {
	if !c.link.open {
		return
	}
	c.link.open = false
	if c.link.long || c.link.n == 0 {
		return
	}
	text := strings.Trim(strings.ToLower(cleanText(c.link.buf[:c.link.n])), " \t.…>»→›:!")
	if vagueTexts[text] {
		if b.Vague++; b.VagueText == "" {
			b.VagueText = text
		}
	}
}

// vagueTexts are link texts that say nothing about their target. Source: Lighthouse, link-text.
var vagueTexts = func() map[string]bool {
	texts := map[string]bool{}
	for _, t := range strings.Split("click here,click this,go,here,information,learn more,more,more info,"+
		"more information,right here,read more,see more,start,this,"+
		"hier klicken,hier,mehr,mehr erfahren,mehr lesen,weiterlesen,mehr dazu,"+
		"haga clic aquí,clic aquí,aquí,leer más,ver más,más información,más,saber más,"+
		"cliquez ici,ici,en savoir plus,lire la suite,voir plus,plus,"+
		"clicca qui,qui,leggi di più,scopri di più,leggi tutto,"+
		"clique aqui,aqui,leia mais,saiba mais,ver mais,"+
		"klik hier,lees meer,meer,"+
		"kliknij tutaj,tutaj,czytaj więcej,więcej,"+
		"подробнее,читать далее,далее,здесь,тут,"+
		"こちら,詳しくはこちら,続きを読む,もっと見る,点击这里,更多,了解更多,查看更多,더보기,자세히,여기,"+
		"اقرأ المزيد,المزيد,هنا,devamı,devamını oku,tıklayın,läs mer,les mer,læs mere,lue lisää", ",") {
		texts[t] = true
	}
	return texts
}()

// pictureAlt counts an img element and whether it has alternative text, or is decoration.
func (c *content) pictureAlt(s *scanner, b *Body) {
	if c.link.open { // its alternative text is that of the link
		c.link.long = true
	}
	if b.Pictures >= maxCounted {
		return
	}
	if role, ok := s.attr("role"); ok && (equalFold(role, "presentation") || equalFold(role, "none")) {
		return
	}
	if hidden, ok := s.attr("aria-hidden"); ok && equalFold(hidden, "true") {
		return
	}
	b.Pictures++
	src, _ := s.attr("src")
	src = bytes.TrimSpace(src)
	if len(src) > 6 && equalFold(src[:7], "http://") {
		if b.Insecure++; b.Unencrypted == "" {
			b.Unencrypted = cleanAttr(limit(src, 300))
		}
	}
	for _, name := range [...]string{"alt", "aria-label", "aria-labelledby", "title"} {
		if _, ok := s.attr(name); ok {
			return
		}
	}
	if b.Unlabeled++; b.NoAlt == "" {
		b.NoAlt = cleanAttr(limit(src, 300))
	}
}
