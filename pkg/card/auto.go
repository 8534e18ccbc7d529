package card

import (
	"slices"
	"strings"

	"masthead/pkg/page"
	"masthead/render"
)

// AutoTemplate is the template of a request that leaves the choice of the design to its page.
const AutoTemplate = "auto"

// choice is a row of the table that chooses a design: for which pages it is the best, and the reason in a sentence.
type choice struct {
	design string
	suits  func(pageFacts) bool
	reason string
}

// pageFacts is what the table knows of a page, besides what the card shows of it.
type pageFacts struct {
	kind page.Kind
	card *render.Request
}

// suitsKind returns a condition for pages of some kinds.
func suitsKind(kinds ...page.Kind) func(pageFacts) bool {
	return func(s pageFacts) bool { return slices.Contains(kinds, s.kind) }
}

// choices is the table, the most specific rows first: the first design is drawn whose row suits the page and for which
// the page has the facts. Designs that don't draw the kind and sizes of the picture, or take no AI picture although one
// is requested, are left out. The last row suits every page. docs/rendering.md has the same table.
var choices = []choice{
	{
		"product", suitsKind(page.ProductKind, page.RecipeKind, page.WorkKind),
		"The page is about a product, a recipe or a work, and has its facts.",
	},
	{"episode", suitsKind(page.EpisodeKind, page.VideoKind), "The page is about an episode or a video."},
	{"event", suitsKind(page.EventKind), "The page is about an event, and has its date."},
	{"repo", func(s pageFacts) bool { return isRepository(s.card) }, "The page is about a repository."},
	{"quote", suitsKind(page.QuoteKind), "The page is about a quotation."},
	{
		"byline", func(s pageFacts) bool { return s.kind == page.ProfileKind || isColumn(s) },
		"The page is about a person, or by one, whose picture it has.",
	},
	{
		"changelog", func(s pageFacts) bool {
			return (isRelease(s.card) || isReleaseLog(s.card)) && s.kind != page.DocsKind && !isBook(s.kind)
		},
		"The page is about a release.",
	},
	{
		"docs", func(s pageFacts) bool { return s.kind == page.DocsKind && len(s.card.Crumb) > 1 },
		"The page is a part of a manual.",
	},
	{
		"frame", func(s pageFacts) bool {
			return s.kind == page.HomeKind && s.card.Photo != nil && render.IsScreenshot(s.card.Photo)
		}, "The page is a home page, and has a screenshot.",
	},
	{"cover", suitsKind(page.NewsKind), "The page is news, and has a picture that fills the card."},
	{
		"figure", func(s pageFacts) bool {
			return (s.kind == page.ArticleKind || s.kind == page.NewsKind) && s.card.Photo == nil &&
				render.BeginsWithNumber(s.card.Title)
		}, "The title begins with the number that it is about.",
	},
	{
		"terminal", func(s pageFacts) bool {
			return s.kind == page.ArticleKind && s.card.Photo == nil && len(s.card.Session) > 0
		},
		"The page shows a session of a shell.",
	},
	{
		"code", func(s pageFacts) bool {
			return (s.kind == page.ArticleKind || s.kind == page.DocsKind || isFile(s.card)) && s.card.Photo == nil
		}, "The page shows code.",
	},
	{"blueprint", suitsKind(page.DocsKind), "The page is a part of a manual."},
	{render.DefaultTemplate, func(pageFacts) bool { return true }, "It suits every page."},
}

// isColumn reports whether a page is an article that has nothing to show but its author: no picture, no code and no
// number that it is about.
func isColumn(s pageFacts) bool {
	r := s.card
	return (s.kind == page.ArticleKind || s.kind == page.NewsKind) && r.Portrait != nil && r.Photo == nil &&
		len(r.Session) == 0 && len(r.Code.Lines) == 0 && r.Version == "" && !isReleaseLog(r) &&
		!render.BeginsWithNumber(r.Title)
}

// isRepository reports whether the page is that of a repository, not one of its parts or an article about it: the path
// has its owner and name, of which one may have changed since.
func isRepository(r *render.Request) bool {
	owner, name, ok := strings.Cut(strings.Trim(r.Path, "/"), "/")
	return r.Owner != "" && r.Repo != "" && ok && !strings.Contains(name, "/") &&
		(strings.EqualFold(owner, r.Owner) || strings.EqualFold(name, r.Repo))
}

// isRelease reports whether the title or the path of a page has its version: others may have one in passing, as a data
// set or a program has.
func isRelease(r *render.Request) bool {
	number := strings.TrimLeft(r.Version, "vV")
	return number != "" && (strings.Contains(r.Title, number) || strings.Contains(r.Path, number))
}

// isFile reports whether the page shows a file of a repository.
func isFile(r *render.Request) bool { return r.Repo != "" && strings.Contains(r.Path, "/blob/") }

// isReleaseLog reports whether a dated page is one of a log of releases, by its address or by how its title begins.
func isReleaseLog(r *render.Request) bool {
	if r.Published.IsZero() {
		return false
	}
	for part := range strings.SplitSeq(strings.ToLower(r.Path), "/") {
		switch part {
		case "changelog", "changelogs", "release-notes", "releases", "whats-new", "what-s-new":
			return true
		}
	}
	title := strings.ReplaceAll(strings.ToLower(r.Title), "’", "'")
	for _, said := range [...]string{"what's new", "release notes", "changelog"} {
		if strings.HasPrefix(title, said) {
			return true
		}
	}
	return false
}

// isBook reports whether numbers in titles of a kind are those of works: “Episode 2.0” is no version.
func isBook(kind page.Kind) bool {
	switch kind {
	case page.WorkKind, page.RecipeKind, page.EpisodeKind, page.VideoKind, page.EventKind, page.NewsKind:
		return true
	}
	return false
}

// choose returns the designs of a card with [AutoTemplate], the best first.
func choose(r Request, kind page.Kind, drawn *render.Request) (slugs []string) {
	s := pageFacts{kind, drawn}
	for _, c := range choices {
		t, ok := render.Lookup(c.design, drawn.Kind)
		if _, bad := r.undrawn(c.design, r.CardSizes()); ok && !bad && (r.AI == nil || !t.Bare) && c.suits(s) {
			slugs = append(slugs, c.design)
		}
	}
	return slugs
}

// reasonFor is the sentence of the record's templateReason for a design that was chosen.
func reasonFor(slug string) string {
	for _, c := range choices {
		if c.design == slug {
			return c.reason
		}
	}
	return ""
}

// isAuto reports whether the design is chosen by the page.
func (r Request) isAuto() bool { return r.Template == AutoTemplate && r.Design == nil }

// TakesAI reports whether the design of a request takes an AI picture.
func (r Request) TakesAI() bool {
	if r.Design != nil {
		return r.Design.Uses("image")
	}
	t, ok := render.Lookup(r.Template, render.Kind(r.Kind))
	return r.isAuto() || ok && !t.Bare
}

// Shows reports which pictures of a page the design of a normalized request may show: the page's own, and its author's.
func (r Request) Shows() (photo, portrait bool) {
	if r.Design != nil {
		return r.Design.Uses("image") && r.AI == nil, r.Design.Uses("portrait")
	}
	t, _ := render.Lookup(r.Template, render.Kind(r.Kind))
	if !r.TakesAI() {
		r.AI = nil
	}
	photo = r.isAuto() || slices.Contains(t.Photo, render.Kind(r.Kind)) ||
		r.Kind == Custom && slices.Contains(t.Photo, render.OG)
	return photo && r.AI == nil, r.isAuto() && r.AI == nil || t.Portrait
}

// Chosen returns the slug of the design that is drawn. It is that of the request unless the page chooses it, or lacks
// the facts for it.
func (c *Composition) Chosen() (string, error) { return render.Chosen(c.card) }
