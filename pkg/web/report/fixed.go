package report

import (
	"bytes"
	"fmt"
	"html/template"

	"masthead/pkg/web/ui"
)

// FixedPart is the part of a page that depends only on the report, our card and the paths of pictures: most of it. It
// is written once and shown many times.
type FixedPart struct {
	// Taken is when the page was read, Response its response, ID the report's short name.
	Taken, Response, ID string
	lead
	// Open reports whether issues are expanded, and Pastes whether any of them has code to paste.
	Open, Pastes bool
	// Scores and the others are parts of the page: Issues come before what crawlers receive, Rest follows it.
	Scores, Worst, Others, Issues, Rest, Before template.HTML

	title string // of the document
}

// content is what the templates of the parts show.
type content struct {
	Head ui.Head // whether it is a file, and nothing else
	*Source
	lead
	findings
	Response string
	Others   others
	Facts    facts
}

// FixedOf returns what is fixed of the page of a served report.
func FixedOf(s *Source) (*FixedPart, error) { return fixedOf(s, false) }

func fixedOf(s *Source, inline bool) (*FixedPart, error) {
	r := s.Report
	of := &Source{Report: r, Card: s.Card, Picture: s.Picture, Own: Addresses{Platforms: s.Own.Platforms}}
	v := &content{
		Head: ui.Head{Inline: inline}, Source: of, findings: findingsOf(of), Response: response(r), Others: frames(of),
		Facts: factsOf(of),
	}
	v.lead = leadOf(of, &v.Others)
	f := &FixedPart{
		Taken: r.FetchedAt.UTC().Format("2 January 2006, 15:04") + " UTC", Response: v.Response, ID: r.ID[:min(8, len(r.ID))],
		lead: v.lead, Open: len(v.Open) > 0, Pastes: v.Pastes,
		title: fmt.Sprintf("%d %s: %s", r.Overall.Score, r.Overall.Letter, v.Host),
	}
	f.lead.Worst = nil // it's written below
	for name, to := range map[string]*template.HTML{
		"scores": &f.Scores, "worst": &f.Worst, "others": &f.Others, "issues": &f.Issues, "rest": &f.Rest,
		"before": &f.Before,
	} {
		var b bytes.Buffer
		if err := draw(&b, name, v); err != nil {
			return nil, err
		}
		*to = template.HTML(b.String()) //nolint:gosec // a template of ours wrote it
	}
	return f, nil
}
