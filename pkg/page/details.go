package page

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Minimum size, in pixels, of a page's picture for cards.
const (
	heroWidth  = 600
	heroHeight = 315
)

// Reading speeds per minute, in words and in characters of scripts without spaces.
const (
	wordsPerMinute      = 220
	ideographsPerMinute = 500
)

// Details describe a page's content in addition to its metadata; templates show those that are set. A wrong detail is
// worse than none, so doubtful ones are left empty. Texts are cleaned and cut (see [cleantext.Clean]).
type Details struct {
	// Kind is what the page is about.
	Kind Kind
	// Title is the metadata's title without the site's name.
	Title string
	// SiteName is the metadata's name of the site, or a better one that the title has.
	SiteName string
	// Eyebrow is the section of the page: article:section, or the first part of the path in words.
	Eyebrow string
	// Author names the page's authors, separated by commas; AuthorImage is the address of a portrait.
	Author, AuthorImage string
	// Published is the zero time if unknown.
	Published time.Time
	// ReadingTime is in whole minutes, at least one, as the page says or by its length; zero for pages that aren't
	// articles.
	ReadingTime time.Duration
	// Items are the first items, at most 3, of the main content's first list that isn't a menu.
	Items []string
	// Quote is the first quotation of the main content; QuoteAuthor is its attribution.
	Quote, QuoteAuthor string
	// Session has the first lines, at most 8, of the main content's first code block if that is a session of a shell, with
	// their prompts. Lines that may have a secret are left out.
	Session []string
	// Code is the beginning of the main content's first code block of 3 lines or more that isn't such a session. Comments
	// and imports before it are left out, and so is a block that may have a secret.
	Code Code
	// HeroImage is the address of the page's picture: its share image or the first large picture of the main content.
	HeroImage string
	// Pictures are the addresses of pictures that may be the page's own, at most 5, the likeliest first: HeroImage, the
	// other share images, those of structured data, and the first large picture of the main content.
	Pictures []string
	// Crumb has the parts of the path in words, at most 3.
	Crumb []string
	// Version is the version number in the title or path, with its "v" if it has one.
	Version string
	// Owner and Repo are the names in the address of a page on a code forge.
	Owner, Repo string
	// Project has what the page says about that repository.
	Project Project
	// Sections are the first headings of the page's parts, two to four.
	Sections []string
	// Event is the event that the page is about.
	Event Event
	// Product is the thing, recipe or work that the page is about.
	Product Product
	// Episode is the episode or video that the page is about.
	Episode Episode
	// Lead is the first paragraph after the main heading that isn't a byline or a notice, or of a long one its first
	// sentences: 20 to 200 characters.
	Lead string
	// Headline is the first h1 with text.
	Headline string
}

// minutes returns the time to read n, in whole minutes, rounded up.
func (n count) minutes() int {
	const scale = wordsPerMinute * ideographsPerMinute
	return (n.words*ideographsPerMinute + n.ideographs*wordsPerMinute + scale - 1) / scale
}

func (p *Page) details(c *content, main *Value) {
	d := &p.Details
	segments := pathSegments(p.URL)
	subject, said := p.subject()
	d.Kind = p.kind(said, segments)
	d.Title, d.SiteName = p.cardTitle(c.homes, c.h1), cleantext.Clean(p.siteName(), cleantext.MaxSite)
	switch d.Kind {
	case EventKind:
		d.Event = p.event(subject)
	case ProductKind, RecipeKind, WorkKind: // see Kind.IsThing
		d.Product = p.product(subject, d.Kind)
	case EpisodeKind, VideoKind:
		d.Episode = p.episode(subject, d.Kind)
	}
	d.Headline = cleantext.Clean(c.h1, cleantext.MaxTitle)
	d.Owner, d.Repo = repository(p.URL, segments)
	if u := p.repositoryAddress(); u != nil {
		d.Owner, d.Repo = repository(u, pathSegments(u))
	}
	d.Title = p.projectTitle(d.Title, segments)
	d.Project, d.Sections = p.project(&c.project), p.sections()
	d.Eyebrow = p.eyebrow(segments)
	d.Author, d.AuthorImage = p.author(main)
	if d.Kind == ProfileKind && d.Author == "" {
		person := p.Follow(subject.Get("mainEntity"))
		d.Author, d.AuthorImage = p.personal(p.ldName(person)), p.ldImage(person.Get("image"))
	}
	if p.isWiki() {
		d.Author, d.AuthorImage = "", ""
	} else if p.isArticle(main) || c.articles == 1 && len(segments) > 0 { // otherwise the date may be that of a teaser
		d.Published = p.Published.Time
	}
	if p.isArticle(main) {
		if d.ReadingTime = p.saidReadingTime(main, c.minutes); d.ReadingTime == 0 {
			d.ReadingTime = time.Duration(c.readable().minutes()) * time.Minute
		}
	}
	for _, item := range c.items {
		d.Items = append(d.Items, cleantext.Clean(item, cleantext.MaxOther))
	}
	d.Quote, d.QuoteAuthor = p.quotation(c)
	c.code.end()
	d.Session, d.Code = c.code.session, c.code.code
	if d.HeroImage = p.Metadata.Image; d.HeroImage == "" && c.hero != "" {
		d.HeroImage, _ = p.Resolve(c.hero)
	}
	d.Pictures = p.pictures(c, main)
	d.Crumb = p.crumb(segments)
	d.Version = version(p.Metadata.Title)
	for i := len(segments) - 1; i >= 0 && d.Version == ""; i-- {
		d.Version = version(segments[i])
	}
	if d.Version == "" {
		d.Version = p.namedVersion()
	}
	d.Lead = cleantext.Clean(c.lead, cleantext.MaxOther)
	p.prose = c.prose
}

// quotation returns the page's quotation and its speaker: that of structured data, otherwise the first one of the main
// content. The page's own description between quotation marks isn't one.
func (p *Page) quotation(c *content) (said, by string) {
	for _, n := range p.nodes {
		if !n.HasType("Quotation") {
			continue
		}
		said = cleantext.Clean(ldText(n.Get("text")), 2*cleantext.MaxOther)
		if l := utf8.RuneCountInString(said); l < minQuote || l > maxQuote {
			continue
		}
		for _, name := range [...]string{"spokenByCharacter", "creator", "author"} {
			if by = p.ldName(n.Get(name)); by != "" {
				break
			}
		}
		return said, cleantext.Clean(by, cleantext.MaxSite)
	}
	said = cleantext.Clean(c.quoteText, 2*cleantext.MaxOther)
	if own := p.Metadata.Description; said == "" || own != "" && strings.Contains(said, own) {
		return "", ""
	}
	return said, cleantext.Clean(c.quoteBy, cleantext.MaxSite)
}

// maxPictures is the maximum number of addresses of pictures that may be the page's own.
const maxPictures = 5

// pictures returns the value of [Details.Pictures].
func (p *Page) pictures(c *content, main *Value) (found []string) {
	add := func(address string) {
		if address != "" && len(found) < maxPictures && !slices.Contains(found, address) {
			found = append(found, address)
		}
	}
	add(p.Details.HeroImage)
	for i := range p.Images {
		add(p.Images[i].URL)
	}
	_, ofX, _ := p.ImageOfX()
	add(ofX)
	for _, name := range [...]string{"image", "primaryImageOfPage", "thumbnailUrl"} {
		add(p.ldImage(main.Get(name)))
	}
	for _, n := range p.nodes {
		add(p.ldImage(n.Get("primaryImageOfPage")))
	}
	if large, ok := p.Resolve(c.hero); ok && c.hero != "" {
		add(large)
	}
	return found
}

// readable returns the amount of text in the main content: the longest article, unless the main element has far more;
// if both are shorter than a teaser, all paragraphs.
func (c *content) readable() count {
	const least = wordsPerMinute / 2
	best := c.bestArticle
	if c.mainWords.minutes() > 3*best.minutes() {
		best = c.mainWords
	}
	if best.words+best.ideographs < least {
		best = c.paraWords
	}
	if best.words+best.ideographs < least {
		return count{}
	}
	return best
}

// isArticle reports whether the page declares itself an article.
func (p *Page) isArticle(main *Value) bool {
	return strings.EqualFold(p.Meta.Get("og:type"), "article") || main.anyType(isArticleType) ||
		p.Meta.Find("article:published_time") != nil
}

// noSection are names of sections and path parts that don't describe a page.
var noSection = map[string]bool{
	"featured": true, "uncategorized": true, "uncategorised": true, "general": true, "allgemein": true, "default": true,
	"article": true, "articles": true, "story": true, "stories": true, "post": true, "posts": true,
	"watch": true, "read": true, "page": true, "pages": true, "show": true, "wiki": true, "node": true, "content": true,
	"item": true, "items": true, "view": true, "archive": true,
	"archives": true, "amp": true, "category": true, "tag": true, "index": true, "home": true, "web": true, "site": true,
}

// sectionLabels are words that systems write before the name of a section.
var sectionLabels = map[string]bool{
	"channel": true, "category": true, "section": true, "topic": true, "tag": true, "kategorie": true, "rubrik": true,
	"catégorie": true, "categoría": true, "categoria": true,
}

// eyebrow returns the section of the page. It is taken from the path only if the path has more parts than the page's
// own.
func (p *Page) eyebrow(segments []string) string {
	telling := func(s string) bool {
		s, site := folded(s), folded(p.Metadata.SiteName)
		return s != "" && !noSection[s] && !(strings.HasPrefix(site, s) || strings.HasSuffix(site, s))
	}
	named := cleantext.Clean(p.Meta.Get("article:section"), cleantext.MaxSite)
	if label, rest, ok := strings.Cut(named, ": "); ok && sectionLabels[strings.ToLower(label)] {
		named = rest
	}
	if telling(named) && utf8.RuneCountInString(named) <= 40 && !strings.Contains(named, "://") {
		return p.withAccents(named)
	}
	if len(segments) < 2 || p.Details.Repo != "" {
		return ""
	}
	for i, s := range segments[:len(segments)-1] {
		if i == 0 && locale(s) {
			continue
		}
		if words := p.words(s); telling(words) && !p.foreign(words) && utf8.RuneCountInString(words) <= 24 &&
			strings.Count(words, " ") < 3 {
			return words
		}
		break
	}
	return ""
}

// author returns the page's author: article:author unless it is an address, the author of the main node, or the author
// meta element.
func (p *Page) author(main *Value) (name, image string) {
	for _, pair := range p.Meta.All("article:author") {
		if name = p.personal(pair.Value); name != "" {
			break
		}
	}
	var names []string
	for _, v := range main.Get("author").Each() {
		v = p.Follow(v)
		person := p.personal(p.ldName(v))
		if person == "" || len(names) == 3 {
			names = nil
			break
		}
		if names = append(names, person); len(names) == 1 {
			image = p.ldImage(v.Get("image"))
		}
	}
	if name == "" {
		if name = strings.Join(names, ", "); utf8.RuneCountInString(name) > 80 {
			name = ""
		}
	}
	if name == "" && p.isArticle(main) {
		name = p.personal(p.Meta.Get("author"))
	}
	if len(names) != 1 || names[0] != name {
		image = ""
	}
	return name, image
}

// personal returns name if it can be that of a person or an editorial team: short, not an address, not the site's name.
func (p *Page) personal(name string) string {
	name = cleantext.Clean(name, cleantext.MaxOther)
	if by := "by "; len(name) > len(by) && strings.EqualFold(name[:len(by)], by) {
		name = name[len(by):]
	}
	n := utf8.RuneCountInString(name)
	if bare, _, ok := strings.Cut(name, " ("); ok && strings.EqualFold(bare, p.Metadata.SiteName) || p.isNewsroom(name) {
		return ""
	}
	if n < 2 || n > 60 || strings.ContainsAny(name, "/@<>{}|") || strings.Contains(name, "www.") ||
		strings.EqualFold(name, p.Metadata.SiteName) || strings.EqualFold(name, "admin") ||
		strings.EqualFold(name, "undefined") || strings.EqualFold(name, "null") ||
		strings.Trim(name, "0123456789 .-_") == "" {
		return ""
	}
	return name
}
