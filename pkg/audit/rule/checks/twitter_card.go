package checks

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit/rule"
)

const largeCard = "summary_large_image"

var twitterCard = rule.Rule{
	ID: "twitter-card", Category: rule.Twitter, Severity: rule.Error, Weight: 15, Title: "Card type",
	Sources: []rule.Source{rule.X},
	When:    "twitter:card is declared. 40 % of the points (a warning) when X builds a summary card from Open Graph.",
	Fix:     "Add twitter:card with summary_large_image.",
	Opens:   []string{"twitter-card-valid"},
	Check: func(f *rule.Facts) rule.Verdict {
		if f.Card != "" {
			return f.Pass("twitter:card is “%s”.", f.Show(f.Card))
		}
		v := f.Fail("There is no twitter:card, nor enough Open Graph for X to build a card.").Hides(rule.OnX)
		if f.CardOfX() != "" {
			v = f.Found(0.4, "There is no twitter:card; X builds a small summary card from Open Graph.").As(rule.Warning)
		}
		return v.Fix("Add twitter:card to the head:").Paste(f.Named("twitter:card", fittingCard(f)))
	},
}

var twitterCardValid = rule.Rule{
	ID: "twitter-card-valid", Category: rule.Twitter, Severity: rule.Error, Weight: 8, Title: "Card type is valid",
	Sources: []rule.Source{rule.X},
	When: "twitter:card is summary, summary_large_image, app or player. A quarter of the points for photo, gallery and " +
		"product, which are retired. Not judged without twitter:card.",
	Fix: "Use summary_large_image or summary.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.Card == "" {
			return rule.Inapplicable
		}
		v := f.Fail("“%s” is not a card type.", f.Show(f.Card))
		switch f.Card {
		case "summary", largeCard, "app", "player":
			return f.Pass("“%s” is a card type.", f.Card)
		case "photo", "gallery", "product":
			v = f.Found(0.25, "The card type “%s” is retired.", f.Card)
		}
		if f.CardOfX() == "" {
			v = v.Hides(rule.OnX)
		}
		return v.Fix("Use summary_large_image or summary instead of “%s”:", f.Show(f.Card)).
			Paste(f.Named("twitter:card", fittingCard(f)))
	},
}

var twitterCardFitsImage = rule.Rule{
	ID: "twitter-card-fits-image", Category: rule.Twitter, Severity: rule.Warning, Weight: 6,
	Title:   "Card type fits the image",
	Sources: []rule.Source{rule.X, rule.DC},
	When: "The card is large, or its image is not wide (ratio below 1.5 or narrower than 600 pixels). Half the points " +
		"for a wide image on a summary card. Needs a card; not judged without an image.",
	Fix: "Use summary_large_image to show a wide image at full width.",
	Check: func(f *rule.Facts) rule.Verdict {
		image, card := f.ImageOfX(), f.CardOfX()
		switch {
		case card == "":
			return rule.Verdict{State: rule.Blocked}
		case image == nil:
			return rule.Inapplicable
		case card != "summary":
			return f.Pass("The card “%s” shows the image at full width.", card)
		case !image.File.Measured():
			return rule.Inapplicable
		}
		facts := &image.File.Facts
		if fittingCard(f) == "summary" {
			return f.Pass("The image (%dx%d) fits the square of a summary card.", facts.Width, facts.Height)
		}
		return f.Found(0.5, "The image is wide (%dx%d), but a summary card shows a square of it.", facts.Width,
			facts.Height).
			Fix("The image is wide (%dx%d): use summary_large_image to show it at full width:", facts.Width,
				facts.Height).Paste(f.Named("twitter:card", largeCard))
	},
}

// fittingCard returns the card type for the page's picture: the large one if there is none yet.
func fittingCard(f *rule.Facts) string {
	image := f.ImageOfX()
	if image == nil || !image.File.Measured() {
		return largeCard
	}
	if facts := &image.File.Facts; image.File.Ratio() < rule.WideRatio ||
		facts.Width < cardWidth || facts.Height < cardHeight {
		return "summary"
	}
	return largeCard
}

var twitterCardComplete = rule.Rule{
	ID: "twitter-card-complete", Category: rule.Twitter, Severity: rule.Error, Weight: 6, Conditional: true,
	Title: "Card has its required tags", Sources: []rule.Source{rule.X},
	When: "A player card has twitter:player at an https address, twitter:player:width, twitter:player:height and an " +
		"image; an app card the id of an app for iPhone, iPad or Google Play. Not judged for other cards.",
	Fix: "Add the tags that the card needs.",
	Check: func(f *rule.Facts) rule.Verdict {
		var missing []string
		lacks := func(key string) { missing = append(missing, key) }
		m := f.Page.Meta
		switch f.CardOfX() {
		case "player":
			switch player := m.Get("twitter:player"); {
			case player == "":
				lacks("twitter:player")
			case rule.FormOf(player) != rule.AbsoluteHTTPS:
				lacks("an https address in twitter:player")
			}
			if rule.Positive(m.Get("twitter:player:width")) == 0 {
				lacks("twitter:player:width")
			}
			if rule.Positive(m.Get("twitter:player:height")) == 0 {
				lacks("twitter:player:height")
			}
			if f.ImageOfX() == nil {
				lacks("twitter:image")
			}
		case "app":
			if cmp.Or(m.Get("twitter:app:id:iphone"), m.Get("twitter:app:id:ipad"), m.Get("twitter:app:id:googleplay")) == "" {
				lacks("twitter:app:id:iphone")
			}
		default:
			return rule.Inapplicable
		}
		if len(missing) == 0 {
			return f.Pass("The card has all the tags that it needs.")
		}
		return f.Fail("The %s card lacks %s.", f.CardOfX(), rule.List(missing)).
			Fix("Add what is missing: %s.", rule.List(missing))
	},
}

var (
	handle  = regexp.MustCompile(`^@[A-Za-z0-9_]{1,15}$`)
	bare    = regexp.MustCompile(`^[A-Za-z0-9_]{1,15}$`)
	profile = regexp.MustCompile(`(?i)^(?:https?:)?//(?:www\.|mobile\.)?(?:twitter|x)\.com/` +
		`@?([A-Za-z0-9_]{1,15})/?(?:\?.*)?$`)
	digits = regexp.MustCompile(`^[0-9]+$`)
)

var twitterSite = rule.Rule{
	ID: "twitter-site", Category: rule.Twitter, Severity: rule.Warning, Weight: 5, Title: "Site handle",
	Sources: []rule.Source{rule.X},
	When: "twitter:site is a handle (@name, at most 15 letters, digits and underscores), or twitter:site:id a number. " +
		"Half the points for a name without @ or the address of a profile.",
	Fix:   "Add twitter:site with the handle of the site.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict { return handleOf(f, "twitter:site") },
}

var twitterCreator = rule.Rule{
	ID: "twitter-creator", Category: rule.Twitter, Severity: rule.Info, Title: "Creator handle",
	Sources: []rule.Source{rule.X},
	When: "twitter:creator is a handle, or twitter:creator:id a number. Half the points for a name without @ or the " +
		"address of a profile.",
	Fix:   "Add twitter:creator with the handle of the author.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict { return handleOf(f, "twitter:creator") },
}

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

// handleOf judges a handle.
func handleOf(f *rule.Facts, key string) rule.Verdict {
	own := ""
	value, id := f.Page.Meta.Get(key), f.Page.Meta.Get(key+":id")
	v := f.Fail("There is no %s.", key)
	switch {
	case handle.MatchString(value):
		return f.Pass("%s is “%s”.", key, value)
	case digits.MatchString(id):
		return f.Pass("%s:id is “%s”.", key, f.Show(id))
	case bare.MatchString(value):
		v, own = f.Found(0.5, "%s is “%s”, without the @.", key, value), "@"+value
	case profile.MatchString(value):
		v, own = f.Found(0.5, "%s is the address of a profile: “%s”.", key, f.Show(value)), "@"+
			profile.FindStringSubmatch(value)[1]
	case value != "":
		v = f.Fail("%s is “%s”, which is not a handle: %s.", key, f.Show(value), noHandle(value))
	}
	return v.Fix("Set %s to a handle: @ and at most %d letters, digits and underscores, such as @example:", key,
		handleLength).Paste(f.Filled("name", key, own))
}
