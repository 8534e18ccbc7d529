package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"masthead/pkg/audit"
)

// Bounds of a baseline.
const (
	maxBaselineBytes = 512 << 20
	maxBaselinePages = 100_000
)

// Baseline is what an earlier run found: findings that it has are known. A nil one knows nothing.
type Baseline struct {
	pages map[string]baselinePage
}

type baselinePage struct {
	score  int
	failed map[string]int // the severity of each rule that failed, by its place in severities
}

// ReadBaseline reads the reports of an earlier run, as the format json wrote them.
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
			return nil, fmt.Errorf("report %d is none: it has no url or no overallScore", n)
		case n > maxPages:
			return nil, fmt.Errorf("it has more than %d reports", maxPages)
		case found.OverallScore == nil: // the page could not be read then, so all of it is new
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

// knows reports whether a failed rule failed before, on the same page and at least as badly. What was found in detail
// does not count: a title that is 3 characters longer is no new finding.
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

// state returns what a failed rule is against the baseline, in the words of SARIF; "" without one.
func (b *Baseline) state(url string, i *audit.Issue) string {
	switch {
	case b == nil:
		return ""
	case b.knows(url, i):
		return "unchanged"
	}
	return "new"
}
