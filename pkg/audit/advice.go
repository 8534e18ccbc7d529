package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/platform"
)

// Limits of the advice.
const (
	MaxActions            = 5
	MaxSuggestedTitle     = 60  // columns
	MaxSuggestedText      = 160 // columns
	leastSuggestedTitle   = 10  // shorter ones get the name of the site
	highImpact, lowImpact = 3.0, 1.0
)

// Advise returns the analysis that the rules alone support, without a model. It claims only what was counted. A model's
// analysis starts from it, and falls back to it field by field.
func Advise(r *Report) Analysis {
	return Analysis{
		PriorityActions: actionsOf(r), Suggestions: suggestionsOf(r), AudienceFit: audienceOf(r), Severity: severityOf(r),
		Confidence: confidenceOf(r), ToneAssessment: toneOf(r), Discoverability: r.Discoverability,
	}
}

// Ranked returns the failed rules by gain, then by lost points and ID.
func (r *Report) Ranked() []Issue {
	failed := slices.Clone(r.Failed())
	slices.SortFunc(failed, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(b.Lost, a.Lost), cmp.Compare(a.ID, b.ID))
	})
	return failed
}

// actionsOf returns what to do about the failed rules that lost the most points.
func actionsOf(r *Report) []Action {
	failed := r.Ranked()
	actions := []Action{}
	for i := range failed[:min(len(failed), MaxActions)] {
		actions = append(actions, failed[i].Action())
	}
	return actions
}

// Action is the rule's own advice about a failure.
func (i *Issue) Action() Action {
	action := Action{
		Title: i.Title, Rationale: i.Message + " " + strings.TrimSuffix(i.Advice, ":"), Impact: impactOf(i.Lost),
	}
	if !strings.HasSuffix(action.Rationale, ".") {
		action.Rationale += "."
	}
	return action
}

// impactOf classifies lost points of the overall score.
func impactOf(lost float64) string {
	switch {
	case lost >= highImpact:
		return "high"
	case lost >= lowImpact:
		return "medium"
	default:
		return "low"
	}
}

// severityOf classifies the score.
func severityOf(r *Report) string {
	switch score := r.Overall.Score; {
	case score < 40:
		return "critical"
	case score < 60:
		return "high"
	case score < 80:
		return "medium"
	default:
		return "low"
	}
}

// confidenceOf classifies how much of the page could be judged: low for a page that isn't what visitors see, medium for
// one that was truncated, or shows its content only with scripts.
func confidenceOf(r *Report) string {
	switch {
	case r.Status != 200 || r.Metadata.Title == "":
		return "low"
	case r.Truncated || r.lost("seo-server-rendered") || r.Metadata.Description == "":
		return "medium"
	default:
		return "high"
	}
}

// lost reports whether a rule was judged and didn't get all its points.
func (r *Report) lost(id string) bool {
	return slices.ContainsFunc(r.Failed(), func(i Issue) bool { return i.ID == id })
}

// tag returns the first value of keys that platforms read.
func (r *Report) tag(keys ...string) string {
	for _, key := range keys {
		for i := range r.Shared.Tags {
			if r.Shared.Tags[i].Key == key && r.Shared.Tags[i].Value != "" {
				return r.Shared.Tags[i].Value
			}
		}
	}
	return ""
}

// suggestionsOf returns the page's own texts, within the lengths that every platform shows.
func suggestionsOf(r *Report) Suggestions {
	title, text := r.Metadata.Title, r.Metadata.Description
	suggest := func(title, text string) Suggestion {
		return Suggestion{r.suggestedTitle(title), r.suggestedText(text)}
	}
	return Suggestions{
		OG: suggest(cmp.Or(r.tag("og:title"), title), cmp.Or(r.tag("og:description"), text)),
		Twitter: suggest(cmp.Or(r.tag("twitter:title", "og:title"), title),
			cmp.Or(r.tag("twitter:description", "og:description"), text)),
	}
}

// separators separate the name of a site from a title.
var separators = []string{" | ", " – ", " — ", " - ", " :: ", " · "}

// suggestedTitle shortens a title to 60 columns: without the site's name, which platforms show next to it, and cut at a
// word if necessary. A very short one gets the site's name.
func (r *Report) suggestedTitle(title string) string {
	title = cleantext.Clean(title, maxTagValue)
	site := cleantext.Clean(r.Metadata.SiteName, maxTagKey)
	if uniseg.StringWidth(title) > MaxSuggestedTitle && site != "" {
		for _, separator := range separators {
			title = strings.TrimSuffix(strings.TrimPrefix(title, site+separator), separator+site)
		}
	}
	title = cmp.Or(title, site)
	if named := title + " | " + site; uniseg.StringWidth(title) < leastSuggestedTitle && site != "" && site != title &&
		uniseg.StringWidth(named) <= MaxSuggestedTitle {
		return named
	}
	short, _ := platform.Cut(title, MaxSuggestedTitle)
	return short
}

// suggestedText shortens a description to 160 columns: at the end of a sentence, otherwise of a word.
func (r *Report) suggestedText(text string) string {
	text = cleantext.Clean(text, maxTagValue)
	if uniseg.StringWidth(text) <= MaxSuggestedText {
		return text
	}
	whole := ""
	rest, state := text, -1
	for rest != "" {
		var sentence string
		sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
		if uniseg.StringWidth(strings.TrimSpace(whole+sentence)) > MaxSuggestedText {
			break
		}
		whole += sentence
	}
	if whole = strings.TrimSpace(whole); uniseg.StringWidth(whole) >= MaxSuggestedText/3 {
		return whole
	}
	short, _ := platform.Cut(text, MaxSuggestedText)
	return short
}

// kinds describe the types of pages in a sentence.
var kinds = map[rule.Type]string{
	rule.HomePage: "the front page of a site", rule.ArticlePage: "an article", rule.ProductPage: "a product",
	rule.VideoPage: "a video", rule.ProfilePage: "a profile", rule.SearchPage: "results of a search",
	rule.OtherPage: "a page of a site",
}

// audienceOf says what the rules can tell about the audience.
func audienceOf(r *Report) string {
	kind := cmp.Or(kinds[rule.Type(r.PageType)], kinds[rule.OtherPage])
	says := "By its tags this is " + kind
	if lang := r.read("lang"); lang != "" {
		says += ", in the language “" + lang + "”"
	}
	switch title, text := r.Metadata.Title, r.Metadata.Description; {
	case title == "" && text == "":
		says += ", which doesn't say what it is about: it has neither a title nor a description."
	case text == "":
		says += fmt.Sprintf(". A link to it shows only its title (%d characters).",
			uniseg.StringWidth(title))
	case title == "":
		says += ". It has a description but no title."
	default:
		says += fmt.Sprintf(". A link to it shows a title of %d and a description of %d characters.",
			uniseg.StringWidth(title), uniseg.StringWidth(text))
	}
	return says + " Rules cannot tell whether these texts suit the audience."
}

// read returns the value that was read under a key.
func (r *Report) read(key string) string {
	for i := range r.Tags {
		if r.Tags[i].Key == key {
			return r.Tags[i].Value
		}
	}
	return ""
}

// toneOf describes the tone by the form of the title and the description.
func toneOf(r *Report) string {
	title := strings.TrimSpace(r.Metadata.Title)
	if title == "" {
		return "Without a title, there is no tone to judge."
	}
	both := title + " " + r.Metadata.Description
	form := "a plain statement"
	switch {
	case strings.ContainsAny(title, "?？؟"):
		form = "a question"
	case strings.ContainsAny(title, "!！"):
		form = "an exclamation"
	}
	says := "The title is " + form
	switch n := strings.Count(both, "!") + strings.Count(both, "！"); {
	case shouts(title):
		says += ", all in capitals, which reads as shouting"
	case n > 1:
		says += fmt.Sprintf("; %d exclamation marks in title and description read as advertising", n)
	case n == 0 && form == "a plain statement":
		says += ", without exclamation marks or words in capitals"
	}
	return says + ". Only the form of the words was checked."
}

// shouts reports whether a text of several letters is all upper case, in a script that has both cases.
func shouts(text string) bool {
	upper := 0
	for _, c := range text {
		if unicode.IsLower(c) {
			return false
		}
		if unicode.IsUpper(c) {
			upper++
		}
	}
	return upper > 5
}
