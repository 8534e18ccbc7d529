package audit

import (
	"errors"
	"os"
	"slices"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit/format"
)

// maxNewListed is how many new findings are listed.
const maxNewListed = 20

// readBaseline reads the reports of an earlier run, or returns nil for "".
func readBaseline(name string) (*format.Baseline, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usage.Errorf("--baseline %s: there is no such file; write one with --output json=%[1]s", name)
	}
	if err != nil {
		return nil, usage.Errorf("--baseline: %w", err)
	}
	defer file.Close()
	known, err := format.ReadBaseline(file)
	if err != nil {
		return nil, usage.Errorf("--baseline %s isn't a report in the format json: %w", name, err)
	}
	return known, nil
}

// tellNew lists the findings that aren't in the baseline.
func (a *auditor) tellNew(pages []format.Page, o *format.Options) {
	if o.Baseline == nil {
		return
	}
	listed := 0
	for _, p := range pages {
		if p.Report == nil {
			continue
		}
		for i := range p.Report.Issues {
			found := &p.Report.Issues[i]
			if !o.Finding(p.URL, found) {
				continue
			}
			if listed++; listed > maxNewListed {
				continue
			}
			a.Tell("New: %s (%s) on %s", found.Title, found.ID, p.URL)
		}
	}
	if listed > maxNewListed {
		a.Tell("and %d more", listed-maxNewListed)
	}
}

// checkIgnored rejects IDs that aren't rules.
func checkIgnored(ids []string) error {
	known := ruleIDs()
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return usage.Errorf("--ignore %s: there is no such rule; a report names them, such as seo-https", id)
		}
	}
	return nil
}
