package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
	"masthead/pkg/web/ui"
)

// This file has the two pages with the sources of a report's numbers: the rules, and the platforms.

// Addresses of those pages.
const (
	rulesPath     = "/audit/rules"
	platformsPath = "/audit/platforms"
)

// barSheets are the ui sheets of a page with a bar.
var barSheets = []string{"tokens", "type", "controls", "chrome"}

var (
	rulesPage     = sync.OnceValue(func() *ui.View { return newPage("rules", "reference.css", barSheets) })
	platformsPage = sync.OnceValue(func() *ui.View { return newPage("platforms", "reference.css", barSheets) })
)

// category is one of the rules' categories, as shown on the page.
type category struct {
	ID, Name string
	Rules    []ruleRow
}

// ruleRow is one rule.
type ruleRow struct {
	rule.Rule
	Severity, Word string
}

var severityWords = map[rule.Severity]string{rule.Error: "Error", rule.Warning: "Warning", rule.Info: "Note"}

// categories are the rules by category, the same on each request.
var categories = sync.OnceValue(func() template.HTML {
	names := map[rule.Category]string{rule.OG: "Open Graph", rule.Twitter: "X / Twitter", rule.SEO: "Search"}
	var all []category
	for _, of := range rule.Categories {
		shown := category{ID: string(of), Name: names[of]}
		for _, r := range checks.Set().All() {
			if r.Category == of {
				shown.Rules = append(shown.Rules, ruleRow{r, r.Severity.String(), severityWords[r.Severity]})
			}
		}
		all = append(all, shown)
	}
	var b strings.Builder
	if err := rulesPage().Part(&b, "categories", all); err != nil {
		panic("web: " + err.Error()) // a bug in a template of ours
	}
	return template.HTML(b.String()) //nolint:gosec // drawn by a template
})

// rules shows what an audit checks.
func (p *Pages) rules(c echo.Context) error {
	return p.site.Render(c, http.StatusOK, rulesPage(), map[string]any{
		"Head": ui.Head{
			Title: "Audit rules · " + ownName, Canonical: p.base + rulesPath,
			Description: "What an audit checks, what each rule is worth, and how to fix it.",
		},
		"Field": ui.Field{}, "Count": len(checks.Set().All()), "Categories": categories(),
	})
}

// fact is a property of a platform with its source.
type fact struct{ Name, Value, Source string }

// shownPlatform is a platform with its properties in words.
type shownPlatform struct {
	platform.Platform
	Facts []fact
}

// platforms shows the known properties of the platforms.
func (p *Pages) platforms(c echo.Context) error {
	var all []shownPlatform
	for _, one := range platform.All() {
		all = append(all, shownPlatform{one, factsOf(&one)})
	}
	return p.site.Render(c, http.StatusOK, platformsPage(), map[string]any{
		"Head": ui.Head{
			Title: "What each platform shows · " + ownName, Canonical: p.base + platformsPath,
			Description: "Sizes, crops, lengths and caches of eight platforms, each number with its source.",
		},
		"Field": ui.Field{}, "Month": platform.Checked().Format("January 2006"), "Platforms": all,
		"Sources": platform.Sources(),
	})
}

func factsOf(p *platform.Platform) []fact {
	facts := []fact{
		{"Title", "from " + strings.Join(p.Title.Tags, ", ") + cutAt(p.Title.Columns), p.Title.Source},
	}
	if len(p.Description.Layouts) > 0 {
		facts = append(facts, fact{"Description",
			"from " + strings.Join(p.Description.Tags, ", ") + cutAt(p.Description.Columns), p.Description.Source})
	}
	facts = append(facts,
		fact{"Large picture", frameWords(&p.Large), p.Large.Source},
		fact{"From which size", leastWords(&p.Large), p.Large.LeastSource},
		fact{"Small picture", frameWords(&p.Small), p.Small.Source},
		fact{"Formats", p.Picture.Formats.Words(), p.Picture.Formats.Source})
	if b := p.Picture.Bytes; b.Value > 0 {
		facts = append(facts, fact{"Largest file", humanize.Bytes(int64(b.Value)), b.Source})
	}
	if b := p.Picture.SafeBytes; b.Value > 0 {
		facts = append(facts, fact{"May be dropped above", humanize.Bytes(int64(b.Value)), b.Source})
	}
	if b := p.ReadBytes; b.Value > 0 {
		facts = append(facts, fact{"Tags are read in", "the first " + humanize.Bytes(int64(b.Value)), b.Source})
	}
	kept := "not known for how long"
	switch h := p.Cache.Hours; {
	case h >= 24:
		kept = fmt.Sprintf("%.0f days", h/24)
	case h > 0:
		kept = fmt.Sprintf("%.0f minutes", 60*h)
	}
	facts = append(facts, fact{"Kept", kept + ". " + p.Cache.Refresh, p.Cache.Source})
	for _, note := range p.Notes {
		facts = append(facts, fact{"Note", note, ""})
	}
	return facts
}

func cutAt(columns int) string {
	if columns == 0 {
		return ", never cut"
	}
	return fmt.Sprintf(", cut at %d", columns)
}

func frameWords(f *platform.Frame) string {
	how := "whole"
	if f.Fit == platform.Cover {
		how = "cropped from the middle"
	}
	return fmt.Sprintf("%d×%d, %s", f.Width, f.Height, how)
}

func leastWords(f *platform.Frame) string {
	words := "any"
	if f.LeastWidth > 1 {
		words = fmt.Sprintf("%d wide", f.LeastWidth)
		if f.LeastHeight > 1 {
			words = fmt.Sprintf("%d×%d", f.LeastWidth, f.LeastHeight)
		}
	}
	if f.When == "card" {
		words += ", by twitter:card"
	}
	return words
}
