package format

import (
	"encoding/json"
	"io"

	"masthead/pkg/audit"
)

// record is a report as JSON: as the API returns it, plus the baseline state of its issues, and without an ID, since it
// isn't stored.
type record struct {
	audit.Wire
	ID     string  `json:"id,omitempty"`
	Issues []issue `json:"issues"`
	// Lens is the page as crawlers receive it, if it was read by their names.
	Lens *audit.Lens `json:"lens,omitempty"`
}

type issue struct {
	audit.WireIssue
	// BaselineState is new or unchanged for a failed rule, if there is a baseline.
	BaselineState string `json:"baselineState,omitempty"`
}

// failure replaces the record of a page without a report.
type failure struct {
	URL   string `json:"url"`
	Error string `json:"error"`
}

// writeJSON writes a line of JSON for each page.
func writeJSON(w io.Writer, pages []Page, o Options) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for i := range pages {
		var line any
		if p := &pages[i]; p.Err != nil {
			line = failure{p.URL, p.Err.Error()}
		} else {
			line = recordOf(p, o.Baseline)
		}
		if err := to.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func recordOf(p *Page, known *Baseline) record {
	out := record{
		Wire: audit.WireReport(p.Report), Issues: make([]issue, len(p.Report.Issues)),
	}
	if lens := p.Report.Lens; lens != nil && !lens.Derived {
		out.Lens = lens
	}
	for i := range p.Report.Issues {
		out.Issues[i].WireIssue = out.Wire.Issues[i]
		if found := &p.Report.Issues[i]; !found.Pass {
			out.Issues[i].BaselineState = known.state(p.URL, found)
		}
	}
	return out
}
