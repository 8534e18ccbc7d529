package page

import (
	"slices"
	"strings"
)

// Kind is what a page is about, as far as its structured data, its Open Graph type and its address say so.
type Kind string

// The kinds. Unknown pages have none.
const (
	NoKind      Kind = ""
	HomeKind    Kind = "home"
	ArticleKind Kind = "article"
	NewsKind    Kind = "news"
	DocsKind    Kind = "docs" // a part of a manual
	ProfileKind Kind = "profile"
	ProductKind Kind = "product"
	RecipeKind  Kind = "recipe"
	WorkKind    Kind = "work" // a book, a record, a film or a game
	EventKind   Kind = "event"
	EpisodeKind Kind = "episode" // of a podcast or a series
	VideoKind   Kind = "video"
	QuoteKind   Kind = "quote"
)

// IsThing reports whether a page is about something for sale, a dish or a work.
func (k Kind) IsThing() bool { return k == ProductKind || k == RecipeKind || k == WorkKind }

// kindOfType are the kinds of types of schema.org; see kindOf for those that are told by a part of their name.
var kindOfType = map[string]Kind{
	"Product": ProductKind, "ProductGroup": ProductKind, "IndividualProduct": ProductKind, "Vehicle": ProductKind,
	"Car": ProductKind, "Recipe": RecipeKind, "Book": WorkKind, "Audiobook": WorkKind, "MusicAlbum": WorkKind,
	"Movie": WorkKind, "VideoGame": WorkKind, "Festival": EventKind, "Hackathon": EventKind,
	"PodcastEpisode": EpisodeKind, "RadioEpisode": EpisodeKind, "TVEpisode": EpisodeKind, "Episode": EpisodeKind,
	"VideoObject": VideoKind, "Quotation": QuoteKind, "ProfilePage": ProfileKind, "TechArticle": DocsKind,
	"APIReference": DocsKind,
	"NewsArticle":  NewsKind, "ReportageNewsArticle": NewsKind, "BackgroundNewsArticle": NewsKind,
}

// kindOf returns the kind of a type of schema.org.
func kindOf(name string) Kind {
	if kind := kindOfType[name]; kind != NoKind {
		return kind
	}
	switch {
	case isArticleType(name):
		return ArticleKind
	case strings.HasSuffix(name, "Event") && name != "PublicationEvent":
		return EventKind
	}
	return NoKind
}

// kindOfOG are the kinds of Open Graph types, for pages without structured data. Source: https://ogp.me, "Object
// Types".
var kindOfOG = map[string]Kind{
	"article": ArticleKind, "product": ProductKind, "og:product": ProductKind, "profile": ProfileKind, "book": WorkKind,
	"books.book": WorkKind, "music.album": WorkKind, "video.movie": WorkKind, "video.episode": EpisodeKind,
	"video.other": VideoKind, "video": VideoKind,
}

// subject returns the node about what the page is about, and its kind. An article is preferred, since its other nodes
// are about things that it mentions; of several other things, none is what the page is about, unless the page says so.
func (p *Page) subject() (node *Value, kind Kind) {
	if main := p.MainNode(); main.anyType(isArticleType) {
		return main, nodeKind(main)
	}
	for _, n := range p.nodes {
		of := p.Follow(n.Get("mainEntity"))
		if k := nodeKind(of); k != NoKind && !n.HasType("ProfilePage") {
			return of, k
		}
	}
	for _, n := range p.nodes {
		k := nodeKind(n)
		switch {
		case k == NoKind || kind != NoKind && k == VideoKind: // a thing's video
		case kind == NoKind || kind == VideoKind:
			node, kind = n, k
		case k == kind && ldText(n.Get("name")) != ldText(node.Get("name")):
			return nil, NoKind // a list of things
		}
	}
	return node, kind
}

// nodeKind returns the kind of a node.
func nodeKind(n *Value) (kind Kind) {
	n.anyType(func(name string) bool {
		kind = kindOf(name)
		return kind != NoKind
	})
	return kind
}

// manuals are the names that parts of manuals have in their address, as a host's first label or the path's first part.
var manuals = map[string]bool{
	"docs": true, "doc": true, "documentation": true, "developer": true, "developers": true, "manual": true,
	"reference": true, "guide": true, "guides": true, "handbook": true, "learn": true, "tutorial": true, "tutorials": true,
	"api": true,
}

// guides are those of [manuals] that sites for everybody have, too: a guide to a town, a tutorial for a cake.
var guides = map[string]bool{
	"guide": true, "guides": true, "learn": true, "tutorial": true, "tutorials": true, "handbook": true,
}

// kind returns the kind of the page, whose subject has the kind said.
func (p *Page) kind(said Kind, segments []string) Kind {
	label, _, _ := strings.Cut(p.URL.Hostname(), ".")
	first := ""
	if len(segments) > 0 {
		if first = strings.ToLower(segments[0]); locale(first) && len(segments) > 1 {
			first = strings.ToLower(segments[1])
		}
	}
	manual := manuals[label] || manuals[first]
	if guides[first] && !manuals[label] && !p.Published.Time.IsZero() && p.isArticle(p.MainNode()) {
		manual = false // manuals have no date of publication
	}
	switch {
	case len(segments) > 0 && (said == NoKind || said == ArticleKind) && manual &&
		!slices.ContainsFunc(p.nodes, func(n *Value) bool { return n.HasType("Course") }):
		return DocsKind
	case said != NoKind:
		return said
	case len(segments) == 0:
		return HomeKind
	}
	kind := kindOfOG[strings.ToLower(p.Meta.Get("og:type"))]
	if kind == VideoKind && p.OnlyHeard() {
		kind = EpisodeKind
	}
	return kind
}

// OnlyHeard reports whether the page declares audio and no video: podcasts often have the type of a video.
func (p *Page) OnlyHeard() bool {
	audio := p.Meta.Get("og:audio") != "" || strings.HasPrefix(strings.ToLower(p.Meta.Get("og:audio:type")), "audio/")
	return audio && p.Meta.Get("og:video") == "" && p.Meta.Get("og:video:url") == ""
}
