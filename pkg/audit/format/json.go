package format

import (
	"encoding/json"
	"io"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
)

// record is a report as JSON. Its fields are called as those of the API.
type record struct {
	URL            string          `json:"url"`
	Error          string          `json:"error,omitempty"`
	FinalURL       string          `json:"finalUrl,omitempty"`
	Status         int             `json:"status,omitempty"`
	FetchedAt      *time.Time      `json:"fetchedAt,omitempty"`
	OverallScore   *int            `json:"overallScore,omitempty"`
	LetterGrade    string          `json:"letterGrade,omitempty"`
	CategoryScores *scores[int]    `json:"categoryScores,omitempty"`
	CategoryGrades *scores[string] `json:"categoryGrades,omitempty"`
	Metadata       *metadata       `json:"metadata,omitempty"`
	Issues         []issue         `json:"issues,omitempty"`
	// NotChecked has the rules that cannot be checked where the page is.
	NotChecked []audit.NotChecked `json:"notChecked,omitempty"`
}

type scores[T any] struct {
	OG      T `json:"og"`
	Twitter T `json:"twitter"`
	SEO     T `json:"seo"`
}

// metadata is the preview of a page; what the page does not say is null.
type metadata struct {
	Title           *string `json:"title"`
	Description     *string `json:"description"`
	Image           *string `json:"image"`
	TwitterCardType *string `json:"twitterCardType"`
}

type issue struct {
	ID       string  `json:"id"`
	Category string  `json:"category"`
	Severity string  `json:"severity"`
	Title    string  `json:"title"`
	Message  string  `json:"message"`
	Fix      string  `json:"fix"`
	Pass     bool    `json:"pass"`
	Gain     float64 `json:"gain"`
	HelpURI  string  `json:"helpUri"`
	// BaselineState is new or unchanged for a rule that failed, where there is a baseline.
	BaselineState string `json:"baselineState,omitempty"`
}

// writeJSON writes a line of JSON for each page.
func writeJSON(w io.Writer, pages []Page, o Options) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for _, p := range pages {
		r := record{URL: p.URL}
		if p.Err != nil {
			r.Error = p.Err.Error()
		} else {
			r = recordOf(&p, o.Baseline)
		}
		if err := to.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func recordOf(p *Page, known *Baseline) record {
	r := p.Report
	fetched := r.FetchedAt.UTC()
	out := record{
		URL: r.URL, FinalURL: r.FinalURL, Status: r.Status, FetchedAt: &fetched, OverallScore: &r.Overall.Score,
		LetterGrade:    r.Overall.Letter,
		CategoryScores: &scores[int]{r.Categories.OG.Score, r.Categories.Twitter.Score, r.Categories.SEO.Score},
		CategoryGrades: &scores[string]{r.Categories.OG.Letter, r.Categories.Twitter.Letter, r.Categories.SEO.Letter},
		Metadata: &metadata{
			orNull(r.Metadata.Title), orNull(r.Metadata.Description), orNull(r.Metadata.Image),
			orNull(r.Metadata.TwitterCardType),
		},
		NotChecked: r.NotChecked,
	}
	for i := range r.Issues {
		found := &r.Issues[i]
		listed := issue{
			ID: found.ID, Category: found.Category, Severity: found.Severity, Title: found.Title, Message: found.Message,
			Fix: found.Fix(), Pass: found.Pass, Gain: found.Gain, HelpURI: rule.HelpURI(found.ID),
		}
		if !found.Pass {
			listed.BaselineState = known.state(p.URL, found)
		}
		out.Issues = append(out.Issues, listed)
	}
	return out
}

// orNull returns nil for an empty text.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
