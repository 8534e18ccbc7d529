package opinion

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
)

// sample is a report with three failed rules and a passed one.
func sample() *audit.Report {
	return &audit.Report{
		URL: "https://boats.example/tides?key=secret", FinalURL: "https://boats.example/tides?key=secret", Status: 200,
		Overall: audit.Grade{Points: 55, Score: 55, Letter: "F"}, PageType: "article",
		Metadata: audit.Metadata{Title: "Tides", Description: "When the water comes. See www.water.example/table."},
		Issues: []audit.Issue{
			{ID: "og-image", Title: "Share image", Message: "There is none.", Advice: "Add one.", Lost: 4},
			{ID: "og-title", Title: "Title", Message: "There is none.", Advice: "Add one.", Lost: 2},
			{ID: "seo-canonical", Title: "Canonical", Message: "There is none.", Advice: "Add one.", Lost: 0.5},
			{ID: "seo-title", Title: "Page title", Pass: true},
		},
		Tags:            []audit.Tag{{Key: "@type", Value: "Article", Source: "json-ld"}, {Key: "lang", Value: "en", Source: "element"}},
		Discoverability: rule.Discoverability{MissingTypes: []string{"BreadcrumbList"}},
	}
}

// good is an answer of which all can be taken.
const good = `{"priorityActions": [
	{"rule": "seo-canonical", "rationale": "Copies of it are about."}, {"rule": "og-image", "rationale": "A link without a picture is overlooked."}],
	"suggestions": {"og": {"title": "When is high tide?", "description": "Times for every harbour."},
		"twitter": {"title": "High tide, today", "description": "Times for today."}},
	"audienceFit": "Sailors.", "toneAssessment": "Dry.", "schemaTypes": ["Event", "Article", "Tide", "FAQPage", "BreadcrumbList"],
	"another": "field"}`

func TestRead_takesWhatPasses(t *testing.T) {
	got, fellBack, err := read(sample(), "", json.RawMessage(good))
	if err != nil || fellBack != 0 {
		t.Fatalf("%d texts fell back, %v, want none", fellBack, err)
	}
	rules := audit.Advise(sample())
	want := []audit.Action{
		{Title: "Canonical", Rationale: "Copies of it are about.", Impact: "low"},
		{Title: "Share image", Rationale: "A link without a picture is overlooked.", Impact: "high"},
		rules.PriorityActions[1],
	}
	if !slices.Equal(got.PriorityActions, want) {
		t.Errorf("got %+v, want the model's order and words, then the rules'", got.PriorityActions)
	}
	if got.Suggestions.OG != (audit.Suggestion{Title: "When is high tide?", Description: "Times for every harbour."}) ||
		got.Suggestions.Twitter.Title != "High tide, today" || got.AudienceFit != "Sailors." || got.ToneAssessment != "Dry." {
		t.Errorf("got %+v", got)
	}
	if types := got.Discoverability.MissingTypes; !slices.Equal(types, []string{"BreadcrumbList", "Event"}) {
		t.Errorf("got the types %v, want those of the rules and the known one that the page has not", types)
	}
	if got.Severity != rules.Severity || got.Confidence != rules.Confidence {
		t.Errorf("got %s, %s, want what the rules say", got.Severity, got.Confidence)
	}
}

// TestRead_fieldThatFails_fallsBackToTheRules changes one text of a good answer.
func TestRead_fieldThatFails_fallsBackToTheRules(t *testing.T) {
	rules := audit.Advise(sample())
	title := func(a *audit.Analysis) string { return a.Suggestions.OG.Title }
	description := func(a *audit.Analysis) string { return a.Suggestions.Twitter.Description }
	tone := func(a *audit.Analysis) string { return a.ToneAssessment }
	for name, c := range map[string]struct {
		text, instead string
		of            func(*audit.Analysis) string
	}{
		"a title of 61 characters":        {"When is high tide?", strings.Repeat("a", 61), title},
		"an empty title":                  {"When is high tide?", "\u200b ", title},
		"a title with markup":             {"When is high tide?", "<b>Tide</b>", title},
		"a description of 161 characters": {"Times for today.", strings.Repeat("wide ", 33), description},
		"a strange address":               {"Dry.", "Dry; see https://evil.example/x.", tone},
		"a strange host":                  {"Dry.", "Dry, says evil.com too.", tone},
		"a host under a shared one":       {"Dry.", "Dry, see evil.github.io", tone},
		"another page of the host":        {"Dry.", "Dry: boats.example/other", tone},
		"a beginning of an address":       {"Dry.", "Dry: https://boats.example/tid", tone},
		"a script":                        {"Dry.", "Dry javascript:alert(1)", tone},
		"an address of mail":              {"Dry.", "Write to a@evil.org", tone},
		"a number":                        {"Dry.", "Dry http://10.0.0.1/", tone},
		"a bare number":                   {"Dry.", "Dry 10.0.0.1", tone},
		"another alphabet":                {"Dry.", "Dry пример.рф", tone},
	} {
		got, fellBack, err := read(sample(), "", json.RawMessage(strings.Replace(good, c.text, c.instead, 1)))
		if err != nil || fellBack != 1 || c.of(got) != c.of(&rules) {
			t.Errorf("%s: got %q, %d fell back, %v; want %q of the rules", name, c.of(got), fellBack, err, c.of(&rules))
		}
	}
	for name, instead := range map[string]string{
		"the page's address": "Dry, as https://boats.example/tides?key=secret is", "its host": "boats.example is dry",
		"one in its description": "Dry: water.example/table.", "one in its text": "Dry: https://text.example/a",
		"no address": "Node.js and e.g. og:title, 3.5 times", "the vocabulary": "As schema.org/Event says",
	} {
		raw := json.RawMessage(strings.Replace(good, "Dry.", instead, 1))
		if got, fellBack, err := read(sample(), "See https://text.example/a today", raw); err != nil || fellBack != 0 ||
			got.ToneAssessment != instead {
			t.Errorf("%s: got %q, %d fell back, %v; want %q", name, got.ToneAssessment, fellBack, err, instead)
		}
	}
}

func TestRead_actionsAreFailedRulesAlone(t *testing.T) {
	actions := `[{"rule": "seo-title", "rationale": "It passed."}, {"rule": "og-title", "rationale": "One."},
		{"rule": "og-title", "rationale": "Two."}, {"rule": "invented", "rationale": "Three."}]`
	from, to := strings.Index(good, "["), strings.Index(good, "]")
	got, _, err := read(sample(), "", json.RawMessage(good[:from]+actions+good[to+1:]))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, a := range got.PriorityActions {
		said = append(said, a.Title+": "+a.Rationale)
	}
	want := []string{"Title: One.", "Share image: There is none. Add one.", "Canonical: There is none. Add one."}
	if !slices.Equal(said, want) {
		t.Errorf("got %v, want %v", said, want)
	}
}

func TestRead_answerThatFailsAsAWhole(t *testing.T) {
	for name, raw := range map[string]string{
		"not JSON": "{", "a list": "[]", "null": "null", "empty": "{}", "a wrong type": strings.Replace(good, `"Dry."`, "7", 1),
		"a part is missing":        strings.Replace(good, `"toneAssessment"`, `"tone"`, 1),
		"a part of a part":         strings.Replace(good, `"description"`, `"text"`, 1),
		"an action without a rule": strings.Replace(good, `"rule": "og-image", `, "", 1),
		"a part is null":           strings.Replace(good, `"Dry."`, "null", 1),
		"nothing passes": `{"priorityActions": [], "suggestions": {"og": {"title": "", "description": ""}, "twitter": {"title": "",
			"description": ""}}, "audienceFit": "", "toneAssessment": "", "schemaTypes": []}`,
	} {
		if got, _, err := read(sample(), "", json.RawMessage(raw)); !errors.Is(err, errAnswer) {
			t.Errorf("%s: got %+v, %v, want %v", name, got, err, errAnswer)
		}
	}
}

func TestForm_isStrict_andThatOfTheAnswer(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(form, &schema); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		if items, ok := node["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
		properties, ok := node["properties"].(map[string]any)
		if !ok {
			return
		}
		required, _ := node["required"].([]any)
		if node["additionalProperties"] != false || len(required) != len(properties) {
			t.Errorf("%s: want all properties required, and no others", path)
		}
		for name, each := range properties {
			walk(path+"."+name, each.(map[string]any))
		}
	}
	walk("", schema)
}

func TestData_hasNoQueries_andIsBounded(t *testing.T) {
	r := sample()
	r.Metadata.Title = strings.Repeat("title ", 1000)
	r.Issues[0].Message = "The page https://boats.example/tides?key=secret&x=1 redirects."
	q, err := questionOf(r, strings.Repeat("word ", 10_000))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(q.Data, "secret") || strings.Contains(q.Instructions, "boats") {
		t.Errorf("got %.400q, want no query of an address, and nothing of the page in the instructions", q.Data)
	}
	if got := utf8.RuneCountInString(q.Data); got < 8000 || got > 10_000 {
		t.Errorf("got %d characters, want some 8000 of the text and little else", got)
	}
}

// FuzzRead holds what is taken of any answer: lengths, failed rules alone, known types, no strange address.
func FuzzRead(f *testing.F) {
	f.Add(good, "")
	f.Add(strings.Replace(good, "Dry.", "https://evil.example/", 1), "https://evil.example/")
	f.Add(strings.Replace(good, "og-image", "seo-title", 1), "text")
	f.Add("{}", "")
	r := sample()
	rules := audit.Advise(r)
	f.Fuzz(func(t *testing.T, raw, text string) {
		got, _, err := read(r, text, json.RawMessage(raw))
		if err != nil {
			if !errors.Is(err, errAnswer) {
				t.Fatalf("got %v, want %v", err, errAnswer)
			}
			return
		}
		known := addressesOf(r, text)
		check := func(said string, most int, own string) {
			if said == own {
				return
			}
			if said == "" || uniseg.StringWidth(said) > most || !utf8.ValidString(said) {
				t.Errorf("took %q", said)
			}
			for _, a := range addressesIn(said) {
				if !known[a] && !strings.HasPrefix(a, "schema.org/") {
					t.Errorf("took %q with the address %q", said, a)
				}
			}
		}
		check(got.Suggestions.OG.Title, 60, rules.Suggestions.OG.Title)
		check(got.Suggestions.OG.Description, 160, rules.Suggestions.OG.Description)
		check(got.Suggestions.Twitter.Title, 60, rules.Suggestions.Twitter.Title)
		check(got.Suggestions.Twitter.Description, 160, rules.Suggestions.Twitter.Description)
		check(got.AudienceFit, maxPassage, rules.AudienceFit)
		check(got.ToneAssessment, maxPassage, rules.ToneAssessment)
		if len(got.PriorityActions) != 3 {
			t.Errorf("got %d actions, want the 3 failed rules", len(got.PriorityActions))
		}
		for _, a := range got.PriorityActions {
			check(a.Rationale, maxRationale, "There is none. Add one.")
		}
		for _, name := range got.Discoverability.MissingTypes[1:] {
			if !slices.Contains(schemaTypes, name) {
				t.Errorf("took the type %q", name)
			}
		}
	})
}
