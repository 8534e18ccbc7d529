package rule

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/rivo/uniseg"
)

const largeCard = "summary_large_image"

var _ = register(Rule{
	ID: "twitter-card", Category: Twitter, Severity: Error, Weight: 15, Title: "Card type", Sources: []Source{X},
	When:  "twitter:card is declared. 40 % of the points (a warning) when X builds a summary card from Open Graph.",
	Fix:   "Add twitter:card with summary_large_image.",
	opens: []string{"twitter-card-valid"},
	check: func(f *facts) verdict {
		if f.card != "" {
			return f.pass("twitter:card is “%s”.", f.show(f.card))
		}
		v := f.fail("There is no twitter:card, nor enough Open Graph for X to build a card.").hides(onX)
		if f.cardOfX() != "" {
			v = f.found(0.4, "There is no twitter:card; X builds a small summary card from Open Graph.").as(Warning)
		}
		return v.fix("Add twitter:card to the head:").paste(f.named("twitter:card", f.fittingCard()))
	},
})

var _ = register(Rule{
	ID: "twitter-card-valid", Category: Twitter, Severity: Error, Weight: 8, Title: "Card type is valid",
	Sources: []Source{X},
	When: "twitter:card is summary, summary_large_image, app or player. A quarter of the points for photo, gallery and " +
		"product, which are retired. Not judged without twitter:card.",
	Fix: "Use summary_large_image or summary.",
	check: func(f *facts) verdict {
		if f.card == "" {
			return inapplicable
		}
		v := f.fail("“%s” is not a card type.", f.show(f.card))
		switch f.card {
		case "summary", largeCard, "app", "player":
			return f.pass("“%s” is a card type.", f.card)
		case "photo", "gallery", "product":
			v = f.found(0.25, "The card type “%s” is retired.", f.card)
		}
		if f.cardOfX() == "" {
			v = v.hides(onX)
		}
		return v.fix("Use summary_large_image or summary instead of “%s”:", f.show(f.card)).
			paste(f.named("twitter:card", f.fittingCard()))
	},
})

var _ = register(Rule{
	ID: "twitter-card-fits-image", Category: Twitter, Severity: Warning, Weight: 6, Title: "Card type fits the image",
	Sources: []Source{X, DC},
	When: "The card is large, or its image is not wide (ratio below 1.5 or narrower than 600 pixels). Half the points " +
		"for a wide image on a summary card. Needs a card; not judged without an image.",
	Fix: "Use summary_large_image to show a wide image at full width.",
	check: func(f *facts) verdict {
		image, card := f.imageOfX(), f.cardOfX()
		switch {
		case card == "":
			return verdict{state: blocked}
		case image == nil:
			return inapplicable
		case card != "summary":
			return f.pass("The card “%s” shows the image at full width.", card)
		case !image.file.measured():
			return inapplicable
		}
		facts := &image.file.facts
		if f.fittingCard() == "summary" {
			return f.pass("The image (%dx%d) fits the square of a summary card.", facts.Width, facts.Height)
		}
		return f.found(0.5, "The image is wide (%dx%d), but a summary card shows a square of it.", facts.Width,
			facts.Height).
			fix("The image is wide (%dx%d): use summary_large_image to show it at full width:", facts.Width,
				facts.Height).paste(f.named("twitter:card", largeCard))
	},
})

// fittingCard returns the card type for the page's picture: the large one if there is none yet.
func (f *facts) fittingCard() string {
	image := f.imageOfX()
	if image == nil || !image.file.measured() {
		return largeCard
	}
	if facts := &image.file.facts; image.file.ratio() < wideRatio || facts.Width < cardWidth || facts.Height < cardHeight {
		return "summary"
	}
	return largeCard
}

var _ = register(Rule{
	ID: "twitter-card-complete", Category: Twitter, Severity: Error, Weight: 6, Conditional: true,
	Title: "Card has its required tags", Sources: []Source{X},
	When: "A player card has twitter:player at an https address, twitter:player:width, twitter:player:height and an " +
		"image; an app card the id of an app for iPhone, iPad or Google Play. Not judged for other cards.",
	Fix: "Add the tags that the card needs.",
	check: func(f *facts) verdict {
		var missing []string
		lacks := func(key string) { missing = append(missing, key) }
		m := f.page.Meta
		switch f.cardOfX() {
		case "player":
			switch player := m.Get("twitter:player"); {
			case player == "":
				lacks("twitter:player")
			case formOf(player) != absoluteHTTPS:
				lacks("an https address in twitter:player")
			}
			if positive(m.Get("twitter:player:width")) == 0 {
				lacks("twitter:player:width")
			}
			if positive(m.Get("twitter:player:height")) == 0 {
				lacks("twitter:player:height")
			}
			if f.imageOfX() == nil {
				lacks("twitter:image")
			}
		case "app":
			if cmp.Or(m.Get("twitter:app:id:iphone"), m.Get("twitter:app:id:ipad"), m.Get("twitter:app:id:googleplay")) == "" {
				lacks("twitter:app:id:iphone")
			}
		default:
			return inapplicable
		}
		if len(missing) == 0 {
			return f.pass("The card has all the tags that it needs.")
		}
		return f.fail("The %s card lacks %s.", f.cardOfX(), list(missing)).
			fix("Add what is missing: %s.", list(missing))
	},
})

var (
	handle  = regexp.MustCompile(`^@[A-Za-z0-9_]{1,15}$`)
	bare    = regexp.MustCompile(`^[A-Za-z0-9_]{1,15}$`)
	profile = regexp.MustCompile(`(?i)^(?:https?:)?//(?:www\.|mobile\.)?(?:twitter|x)\.com/` +
		`@?([A-Za-z0-9_]{1,15})/?(?:\?.*)?$`)
	digits = regexp.MustCompile(`^[0-9]+$`)
)

var _ = register(Rule{
	ID: "twitter-site", Category: Twitter, Severity: Warning, Weight: 5, Title: "Site handle", Sources: []Source{X},
	When: "twitter:site is a handle (@name, at most 15 letters, digits and underscores), or twitter:site:id a number. " +
		"Half the points for a name without @ or the address of a profile.",
	Fix:   "Add twitter:site with the handle of the site.",
	alone: true, tags: true,
	check: func(f *facts) verdict { return f.handle("twitter:site") },
})

var _ = register(Rule{
	ID: "twitter-creator", Category: Twitter, Severity: Info, Title: "Creator handle", Sources: []Source{X},
	When: "twitter:creator is a handle, or twitter:creator:id a number. Half the points for a name without @ or the " +
		"address of a profile.",
	Fix:   "Add twitter:creator with the handle of the author.",
	alone: true, tags: true,
	check: func(f *facts) verdict { return f.handle("twitter:creator") },
})

// noHandle says what keeps a value from being a handle.
func noHandle(value string) string {
	name := strings.TrimPrefix(value, "@")
	switch n := uniseg.GraphemeClusterCount(name); {
	case name == "":
		return "there is no name after the @"
	case strings.ContainsAny(name, " \t"):
		return "a handle has no spaces"
	case strings.ContainsAny(name, "/:"):
		return "it is an address, but not that of a profile on X"
	case strings.Contains(name, "@"):
		return "there is more than one @"
	case bare.MatchString(strings.ReplaceAll(name, "-", "")) && strings.Contains(name, "-"):
		return "a handle has no hyphens"
	case n > handleLength:
		return fmt.Sprintf("it has %d characters after the @, and X allows %d", n, handleLength)
	}
	return "only the letters A to Z, digits and underscores are allowed"
}

// handle judges a handle.
func (f *facts) handle(key string) verdict {
	own := ""
	value, id := f.page.Meta.Get(key), f.page.Meta.Get(key+":id")
	v := f.fail("There is no %s.", key)
	switch {
	case handle.MatchString(value):
		return f.pass("%s is “%s”.", key, value)
	case digits.MatchString(id):
		return f.pass("%s:id is “%s”.", key, f.show(id))
	case bare.MatchString(value):
		v, own = f.found(0.5, "%s is “%s”, without the @.", key, value), "@"+value
	case profile.MatchString(value):
		v, own = f.found(0.5, "%s is the address of a profile: “%s”.", key, f.show(value)), "@"+
			profile.FindStringSubmatch(value)[1]
	case value != "":
		v = f.fail("%s is “%s”, which is not a handle: %s.", key, f.show(value), noHandle(value))
	}
	return v.fix("Set %s to a handle: @ and at most %d letters, digits and underscores, such as @example:", key,
		handleLength).paste(f.filled("name", key, own))
}
