package rule

// SiteRule is a check of the pages of a site against each other. It counts for no score, and stands in the report of a
// site alone.
type SiteRule struct {
	ID, Title string
	// When says when it passes, Fix what to do if it doesn't.
	When, Fix string
}

// The checks of sites.
var (
	SiteTitles = SiteRule{
		ID: "site-unique-titles", Title: "Unique titles", When: "No two pages in the same language have the same title.",
		Fix: "Give each page a title that says what this page has and the others don't.",
	}
	SiteDescriptions = SiteRule{
		ID: "site-unique-descriptions", Title: "Unique descriptions",
		When: "No two pages in the same language have the same description.",
		Fix:  "Describe each page in its own words, or leave the description out where there is nothing to add.",
	}
	SitePictures = SiteRule{
		ID: "site-unique-pictures", Title: "Unique share images",
		When: "No two pages in the same language have the same share image.",
		Fix: "Give each page a picture of its own: one of its content, or a card with its title " +
			"(`masthead card URL -o card.png`).",
	}
)

// SiteRules are all checks of sites.
var SiteRules = []SiteRule{SiteTitles, SiteDescriptions, SitePictures}
