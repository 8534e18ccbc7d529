package format

import (
	"encoding/json"
	"io"
	"time"

	"masthead/pkg/audit"
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
}

// writeJSON writes a line of JSON for each page.
func writeJSON(w io.Writer, pages []Page, _ Options) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for _, p := range pages {
		r := record{URL: p.URL}
		if p.Err != nil {
			r.Error = p.Err.Error()
		} else {
			r = recordOf(p.Report)
		}
		if err := to.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func recordOf(r *audit.Report) record {
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
	}
	for i := range r.Issues {
		found := &r.Issues[i]
		out.Issues = append(out.Issues, issue{
			found.ID, found.Category, found.Severity, found.Title, found.Message, found.Fix(), found.Pass, found.Gain,
		})
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
