package opinion

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit"
	"masthead/pkg/cleantext"
)

// This file validates a model's answer. The rules take precedence: a field that fails validation keeps the text of
// audit.Advise, as do scores, impacts, severity and confidence, which the model isn't asked for.

// errAnswer means that nothing in an answer is usable.
var errAnswer = errors.New("the model's answer is not what it was asked for")

// Maximum text lengths in columns. They exceed those in the instructions, because models count badly.
const (
	maxRationale = 400
	maxPassage   = 600
	maxMoreTypes = 5
)

// answer is the model's answer. Missing fields are nil, unknown fields are ignored.
type answer struct {
	PriorityActions *[]action `json:"priorityActions"`
	Suggestions     *struct {
		OG      *suggestion `json:"og"`
		Twitter *suggestion `json:"twitter"`
	} `json:"suggestions"`
	AudienceFit    *string   `json:"audienceFit"`
	ToneAssessment *string   `json:"toneAssessment"`
	SchemaTypes    *[]string `json:"schemaTypes"`
}

type action struct {
	Rule      *string `json:"rule"`
	Rationale *string `json:"rationale"`
}

type suggestion struct {
	Title       *string `json:"title"`
	Description *string `json:"description"`
}

// complete reports whether all fields that the schema requires are present.
func (a *answer) complete() bool {
	if a.PriorityActions == nil || a.Suggestions == nil || a.AudienceFit == nil || a.ToneAssessment == nil ||
		a.SchemaTypes == nil {
		return false
	}
	for _, s := range []*suggestion{a.Suggestions.OG, a.Suggestions.Twitter} {
		if s == nil || s.Title == nil || s.Description == nil {
			return false
		}
	}
	return !slices.ContainsFunc(*a.PriorityActions, func(p action) bool { return p.Rule == nil || p.Rationale == nil })
}

// read builds the analysis of a report, whose page has a text, from a model's answer. fellBack is the number of texts
// that failed validation. read returns errAnswer if all failed, or if the answer doesn't match the schema.
func read(r *audit.Report, text string, raw json.RawMessage) (made *audit.Analysis, fellBack int, err error) {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, 0, fmt.Errorf("%w: it does not fit the schema", errAnswer)
	}
	if !a.complete() {
		return nil, 0, fmt.Errorf("%w: a part that the schema requires is missing", errAnswer)
	}
	c := &checker{known: addressesOf(r, text)}
	result := audit.Advise(r)
	result.PriorityActions = c.actions(r, &a)
	for _, s := range []struct {
		field *audit.Suggestion
		said  *suggestion
	}{{&result.Suggestions.OG, a.Suggestions.OG}, {&result.Suggestions.Twitter, a.Suggestions.Twitter}} {
		s.field.Title = c.copyText(*s.said.Title, audit.MaxSuggestedTitle, s.field.Title)
		s.field.Description = c.copyText(*s.said.Description, audit.MaxSuggestedText, s.field.Description)
	}
	result.AudienceFit = c.text(*a.AudienceFit, maxPassage, result.AudienceFit)
	result.ToneAssessment = c.text(*a.ToneAssessment, maxPassage, result.ToneAssessment)
	if c.passed == 0 {
		return nil, c.failed, fmt.Errorf("%w: none of its texts passed the check", errAnswer)
	}
	result.Discoverability.MissingTypes = c.types(result.Discoverability.MissingTypes, r, *a.SchemaTypes)
	return &result, c.failed, nil
}

// checker validates the texts of one answer.
type checker struct {
	known          map[string]bool // addresses of the page
	passed, failed int
}

// text returns the model's text, or the rules' text if the model's is empty, too long, or mentions an address that
// isn't on the page.
func (c *checker) text(said string, most int, rules string) string {
	clean := cleantext.Clean(said, 4*most)
	if clean == "" || uniseg.StringWidth(clean) > most || c.strange(clean) {
		c.failed++
		return rules
	}
	c.passed++
	return clean
}

var markup = regexp.MustCompile(`<[A-Za-z/!?]`)

// copyText is like text for texts that users paste into their pages, where markup isn't allowed.
func (c *checker) copyText(said string, most int, rules string) string {
	if markup.MatchString(said) {
		c.failed++
		return rules
	}
	return c.text(said, most, rules)
}

// actions returns the failed rules: first those that the model lists, in its order, then the others by lost points.
func (c *checker) actions(r *audit.Report, a *answer) []audit.Action {
	left := r.Ranked()
	actions := []audit.Action{}
	for _, said := range *a.PriorityActions {
		at := slices.IndexFunc(left, func(i audit.Issue) bool { return i.ID == *said.Rule })
		if at < 0 || len(actions) == audit.MaxActions {
			continue // not a failed rule, or a duplicate
		}
		action := left[at].Action()
		action.Rationale = c.text(*said.Rationale, maxRationale, action.Rationale)
		actions = append(actions, action)
		left = slices.Delete(left, at, at+1)
	}
	for i := range left[:min(len(left), audit.MaxActions-len(actions))] {
		actions = append(actions, left[i].Action())
	}
	return actions
}

// types returns the types that the rules miss, followed by the model's suggestions of known types that the page
// lacks.
func (c *checker) types(missing []string, r *audit.Report, said []string) []string {
	all := slices.Clone(missing)
	for _, name := range said {
		if len(all) < len(missing)+maxMoreTypes && slices.Contains(schemaTypes, name) && !slices.Contains(all, name) &&
			!has(r, name) {
			all = append(all, name)
		}
	}
	return all
}

// has reports whether the page has structured data of a type.
func has(r *audit.Report, name string) bool {
	return slices.ContainsFunc(r.Tags, func(t audit.Tag) bool {
		return t.Key == "@type" && slices.Contains(strings.FieldsFunc(t.Value, notLetter), name)
	})
}

func notLetter(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }

// schemaTypes are the schema.org types that a model may suggest: those with a search result feature, and similar
// ones. FAQPage and HowTo are excluded: the rules say when the former is appropriate, and search engines no longer
// show the latter. Source: https://developers.google.com/search/docs/appearance/structured-data/search-gallery;
// https://schema.org.
var schemaTypes = []string{
	"AboutPage", "AggregateRating", "Article", "AudioObject", "BlogPosting", "Book", "BreadcrumbList", "Brand",
	"CollectionPage", "ContactPage", "Corporation", "Course", "CreativeWork", "Dataset", "DiscussionForumPosting",
	"EducationalOrganization", "EmployerAggregateRating", "Event", "Game", "ImageObject", "ItemList", "ItemPage",
	"JobPosting", "LocalBusiness", "LodgingBusiness", "MathSolver", "MobileApplication", "Movie", "MusicAlbum",
	"MusicGroup", "NewsArticle", "Offer", "Organization", "Person", "Place", "Podcast", "PodcastEpisode", "PodcastSeries",
	"Product", "ProductGroup", "ProfilePage", "QAPage", "Quiz", "Recipe", "Report", "Restaurant", "Review",
	"ScholarlyArticle", "SearchAction", "SearchResultsPage", "Service", "SoftwareApplication", "SoftwareSourceCode", "Store",
	"TechArticle", "TVSeries", "VacationRental", "Vehicle", "VideoGame", "VideoObject", "WebApplication", "WebPage",
	"WebSite",
}
