package audit_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
	"masthead/pkg/platform"
)

// advised is a report with some faults, whose texts are as given.
func advised(title, text string, issues ...audit.Issue) *audit.Report {
	return &audit.Report{
		Status: 200, Overall: audit.Grade{Score: 72, Letter: "C"}, PageType: "article",
		Metadata: audit.Metadata{Title: title, Description: text, SiteName: "Northlane"},
		Tags:     []audit.Tag{{Key: "lang", Value: "en", Source: "html"}}, Issues: issues,
	}
}

func TestAdvise_actions_areTheRulesThatLostMost(t *testing.T) {
	issue := func(id string, lost float64) audit.Issue {
		return audit.Issue{ID: id, Title: "Title of " + id, Message: "Found.", Advice: "Do this:", Lost: lost}
	}
	r := advised("Title", "Text", issue("e", 0.4), issue("b", 3), issue("a", 4.8), issue("d", 1), issue("c", 3),
		issue("f", 0.2), audit.Issue{ID: "passed", Pass: true, Lost: 9})
	got := audit.Advise(r).PriorityActions
	want := []audit.Action{
		{Title: "Title of a", Rationale: "Found. Do this.", Impact: "high"},
		{Title: "Title of b", Rationale: "Found. Do this.", Impact: "high"},
		{Title: "Title of c", Rationale: "Found. Do this.", Impact: "high"},
		{Title: "Title of d", Rationale: "Found. Do this.", Impact: "medium"},
		{Title: "Title of e", Rationale: "Found. Do this.", Impact: "low"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := audit.Advise(advised("Title", "Text")).PriorityActions; got == nil || len(got) != 0 {
		t.Errorf("nothing to apply: got %#v, want an empty list", got)
	}
}

func TestAdvise_suggestions_fitEverywhere(t *testing.T) {
	sentence := "This sentence has some words that say what the page is about in a way. "
	cases := []struct {
		name, title, text    string
		tags                 []platform.Tag
		og, ogText, x, xText string
	}{
		{name: "good as they are", title: "A title that is good", text: "A text.", og: "A title that is good",
			ogText: "A text.", x: "A title that is good", xText: "A text."},
		{name: "the site's name goes first",
			title: "Why we moved our render queue from Redis to Postgres at last | Northlane",
			og:    "Why we moved our render queue from Redis to Postgres at last",
			x:     "Why we moved our render queue from Redis to Postgres at last"},
		{name: "at a word", title: "Why we moved our render queue from Redis to Postgres, and what it cost us",
			og: "Why we moved our render queue from Redis to Postgres, and…",
			x:  "Why we moved our render queue from Redis to Postgres, and…"},
		{name: "too short", title: "Home", og: "Home | Northlane", x: "Home | Northlane"},
		{name: "none", og: "Northlane", x: "Northlane"},
		{name: "at a sentence", title: "A title that is good", text: strings.Repeat(sentence, 4), og: "A title that is good",
			ogText: strings.TrimSpace(sentence + sentence), x: "A title that is good",
			xText: strings.TrimSpace(sentence + sentence)},
		{name: "texts of their own", title: "From og:title", text: "From og", og: "From og:title", ogText: "From og",
			x: "From twitter:title", xText: "From twitter", tags: []platform.Tag{
				{Key: "og:title", Value: "From og:title"}, {Key: "twitter:title", Value: "From twitter:title"},
				{Key: "twitter:description", Value: "From twitter"},
			}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := advised(c.title, c.text)
			r.Shared.Tags = c.tags
			got := audit.Advise(r).Suggestions
			want := audit.Suggestions{
				OG: audit.Suggestion{Title: c.og, Description: c.ogText}, Twitter: audit.Suggestion{Title: c.x, Description: c.xText},
			}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	long := audit.Advise(advised(strings.Repeat("日本語", 60), strings.Repeat("日本語", 120))).Suggestions
	if uniseg.StringWidth(long.OG.Title) > 60 || uniseg.StringWidth(long.OG.Description) > 160 {
		t.Errorf("too long: %+v", long)
	}
}

func TestAdvise_severityAndConfidence(t *testing.T) {
	for score, want := range map[int]string{
		0: "critical", 39: "critical", 40: "high", 59: "high", 60: "medium", 79: "medium", 80: "low", 100: "low",
	} {
		r := advised("Title", "Text")
		r.Overall.Score = score
		if got := audit.Advise(r).Severity; got != want {
			t.Errorf("score %d: got %s, want %s", score, got, want)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*audit.Report)
		want   string
	}{
		{"all there", func(*audit.Report) {}, "high"},
		{"not found", func(r *audit.Report) { r.Status = 404 }, "low"},
		{"no title", func(r *audit.Report) { r.Metadata.Title = "" }, "low"},
		{"read in part", func(r *audit.Report) { r.Truncated = true }, "medium"},
		{"no description", func(r *audit.Report) { r.Metadata.Description = "" }, "medium"},
		{"content by scripts", func(r *audit.Report) { r.Issues = []audit.Issue{{ID: "seo-server-rendered"}} }, "medium"},
	} {
		r := advised("Title", "Text")
		c.change(r)
		if got := audit.Advise(r).Confidence; got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAdvise_sentences_sayWhatWasCounted(t *testing.T) {
	for _, c := range []struct{ name, title, text, audience, tone string }{
		{"plain", "A title", "A text.", "an article, in the language “en”. A link to it shows a title of 7 and a " +
			"description of 7 characters.", "a plain statement, without exclamation marks"},
		{"a question", "Why?", "", "shows only its title (4 characters)", "a question."},
		{"advertising", "Buy now!", "Cheap! Good!", "a title of 8", "3 exclamation marks"},
		{"shouting", "READ THIS NOW", "", "only its title", "reads as shouting"},
		{"no letters with cases", "日本語の題名です", "", "only its title", "a plain statement, without"},
		{"nothing", "", "", "neither a title nor a description", "Without a title"},
		{"no title", "", "Text", "a description but no title", "Without a title"},
	} {
		got := audit.Advise(advised(c.title, c.text))
		if !strings.Contains(got.AudienceFit, c.audience) || !strings.Contains(got.ToneAssessment, c.tone) {
			t.Errorf("%s: got %q and %q", c.name, got.AudienceFit, got.ToneAssessment)
		}
	}
}

func TestAdvise_isTheSameEveryTime(t *testing.T) {
	r := advised("Title", "Text", audit.Issue{ID: "b", Lost: 1}, audit.Issue{ID: "a", Lost: 1})
	r.Discoverability = rule.Discoverability{MissingTypes: []string{"Article"}}
	first := audit.Advise(r)
	if !reflect.DeepEqual(first, audit.Advise(r)) || first.Discoverability.MissingTypes[0] != "Article" {
		t.Errorf("got %+v", first)
	}
	if r.Issues[0].ID != "b" {
		t.Error("the report was changed")
	}
}
