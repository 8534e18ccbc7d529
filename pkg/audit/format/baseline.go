package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"masthead/pkg/audit"
)

// Limits of a baseline.
const (
	maxBaselineBytes = 512 << 20
	maxBaselinePages = 100_000
)

// Baseline is the result of an earlier run: its findings are known. A nil Baseline has none.
type Baseline struct {
	pages map[string]baselinePage
}

type baselinePage struct {
	score  int
	failed map[string]int // the severity of each failed rule, by its index in severities
}

// ReadBaseline reads the reports of an earlier run in the JSON format.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	return readBaseline(r, maxBaselineBytes, maxBaselinePages)
}

func readBaseline(r io.Reader, maxBytes int64, maxPages int) (*Baseline, error) {
	limited := &io.LimitedReader{R: r, N: maxBytes + 1}
	from := json.NewDecoder(limited)
	b := &Baseline{pages: map[string]baselinePage{}}
	for n := 1; ; n++ {
		var found struct {
			URL          *string `json:"url"`
			Error        string  `json:"error"`
			OverallScore *int    `json:"overallScore"`
			Issues       []struct {
				ID       string `json:"id"`
				Severity string `json:"severity"`
				Pass     bool   `json:"pass"`
			} `json:"issues"`
		}
		err := from.Decode(&found)
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("it has more than %d bytes", maxBytes)
		case errors.Is(err, io.EOF) && n == 1:
			return nil, errors.New("it is empty")
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, fmt.Errorf("report %d: %w", n, err)
		case found.URL == nil || found.OverallScore == nil && found.Error == "":
			return nil, fmt.Errorf("report %d is invalid: it has no url or no overallScore", n)
		case n > maxPages:
			return nil, fmt.Errorf("it has more than %d reports", maxPages)
		case found.OverallScore == nil: // the page couldn't be read then, so all of it is new
			continue
		}
		known := baselinePage{score: *found.OverallScore, failed: map[string]int{}}
		for _, i := range found.Issues {
			if severity := slices.Index(severities, i.Severity); !i.Pass && severity >= 0 {
				known.failed[i.ID] = severity
			}
		}
		b.pages[*found.URL] = known
	}
}

// knows reports whether a failed rule failed before, on the same page and at least as badly. Details are ignored: a
// title that is 3 characters longer isn't a new finding.
func (b *Baseline) knows(url string, i *audit.Issue) bool {
	if b == nil {
		return false
	}
	before, failed := b.pages[url].failed[i.ID]
	return failed && before <= slices.Index(severities, i.Severity)
}

// knowsScore reports whether a page had no better score before.
func (b *Baseline) knowsScore(url string, score int) bool {
	if b == nil {
		return false
	}
	before, ok := b.pages[url]
	return ok && before.score <= score
}

// state returns the state of a failed rule relative to the baseline, in SARIF's terms, or "" without one.
func (b *Baseline) state(url string, i *audit.Issue) string {
	switch {
	case b == nil:
		return ""
	case b.knows(url, i):
		return "unchanged"
	}
	return "new"
}
