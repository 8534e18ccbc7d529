package dashboard

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// componentsPath is that of the page of components, which only the demo has.
const componentsPath = frame.Home + "/_components"

var componentsPage = newView("components", "hooks.html", "scores.css", "audits.css", "meters.css", "tiles.css",
	"secret.css", "components.css")

// components shows each component of the pages in its states, for people who work on them.
type components struct{ *frame.Shell }

func newComponents(sh *frame.Shell, r *frame.Router) {
	p := &components{sh}
	r.Get(componentsPath, p.show)
	r.Post(componentsPath, p.show) // the forms in it do nothing
}

// componentInputs are the states of a field.
func componentInputs() []ui.Input {
	options := []ui.Option{{Value: "a", Text: "All projects"}, {Value: "b", Text: "Northlane"}}
	inputs := []ui.Input{
		{Label: "At rest"},
		{Label: "With a hint", Hint: "What uses it, so that you know what stops.", Value: "Site build"},
		{Label: "Optional", Optional: true},
		{Label: "Wrong", Value: "co.uk", Error: "co.uk is shared by everyone. Enter your own domain under it."},
		{Label: "Password", Type: "password", Aside: &ui.Link{URL: componentsPath, Text: "Forgot it?"}},
		{Label: "Choice", Options: options, Value: "b"},
		{Label: "Wrong choice", Options: options, Error: "This project is gone."},
		{Label: "File", Type: "file", Hint: "PNG, JPEG, GIF, WebP, ICO or SVG, up to 2 MB."},
	}
	for i := range inputs {
		inputs[i].Name, inputs[i].Autocomplete = "c"+string(rune('a'+i)), "off"
	}
	return inputs
}

// show serves GET /dashboard/_components.
func (p *components) show(c echo.Context) error {
	day := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	scores := func(all ...int) (runs []scoredAudit) {
		for i, score := range all {
			runs = append(runs, scoredAudit{day.AddDate(0, 0, 3*i), score, "B", i == 2})
		}
		return runs
	}
	rose, fell, same := scores(71, 74, 80, 91), scores(92, 90, 63, 61), scores(88, 88)
	var secret *hookSecret
	if c.QueryParam("secret") != "" {
		secret = &hookSecret{Path: componentsPath, URL: "https://example.com/hook", Secret: "whsec_0123456789", New: true}
	}
	return p.Render(c, http.StatusOK, componentsPage(), frame.Head{
		Title: "Components", Deck: "Each component of the pages in its states. Only the demo has this page.",
		Action: &ui.Link{URL: componentsPath, Text: "Primary action"}, Done: "What has just been done.",
	}, map[string]any{
		"Path": componentsPath, "Secret": secret, "Inputs": componentInputs(),
		"Fields": []map[string]any{
			{"ID": "f1", "Field": ui.Field{}, "Help": "No account needed."},
			{"ID": "f2", "Field": ui.Field{Value: "htp://example.com", Error: "This isn’t a web address.",
				Proposal: "https://example.com"}},
			{"ID": "f3", "Field": ui.Field{}, "Narrow": true},
		},
		"Faults": []*ui.Form{
			{Error: "Too many attempts. Try again in 12 seconds."},
			{Ours: true, RequestID: "01a2188b-097f", Error: "The fault is ours. What you typed is still in the form."},
		},
		"Severities": []string{"error", "warning", "notice", "pass"},
		"Tag":        `<meta property="og:image" content="https://example.com/og/x">`,
		"Request":    `{"url": "https://example.com/", "projectId": "…"}`,
		"Shell":      "curl -s https://example.com/images \\\n  -H \"Authorization: Bearer og_live_…\"",
		"Deltas":     []delta{deltaOf(rose), deltaOf(fell), deltaOf(same)},
		"Sparks":     []*spark{sparkOf(rose), sparkOf(fell)}, "Charts": scoreChartsOf(fell),
		"Scores": []map[string]any{{"Score": "91", "Grade": "A"}, {"Score": "", "Grade": ""}},
		"Meters": []meter{{Used: 2, Limit: 20}, {Used: 19, Limit: 20}, {Used: 20, Limit: 20}},
		"Thumbs": []thumb{
			{Path: componentsPath, URL: "/card.png", Alt: "A card", Wide: true},
			{Path: componentsPath, URL: "/icon-512.png", Alt: "An icon"},
		},
	})
}
