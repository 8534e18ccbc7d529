package format_test

import (
	"encoding/json"
	"strings"
	"testing"

	"masthead/pkg/audit/format"
)

// baseline is what the reports of pages are as a baseline.
func baseline(t *testing.T, pages []format.Page) *format.Baseline {
	t.Helper()
	b, err := format.ReadBaseline(strings.NewReader(write(t, "json", pages, format.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBaseline_onlyNewFindingsCount(t *testing.T) {
	all := pages(t)
	none, _ := (&format.Options{FailOn: "warning"}).Findings(all)
	for _, c := range []struct {
		name          string
		before, now   []format.Page
		minScore      int
		rules, scores int
	}{
		{"the same", all, all, 100, 0, 0},
		{"another page", all[:1], all[:1], 100, 0, 0},
		{"a page that could not be read then", all[2:], all, 100, none, 2},
		{"a page that is not in it", all[1:2], all, 100, len(failing(all[0], "error", "warning")), 1},
		{"a better page then", better(t, all), all[:1], 100, 1, 1},
	} {
		o := format.Options{FailOn: "warning", MinScore: c.minScore, Baseline: baseline(t, c.before)}
		if rules, scores := o.Findings(c.now); rules != c.rules || scores != c.scores {
			t.Errorf("%s: got %d, %d, want %d, %d", c.name, rules, scores, c.rules, c.scores)
		}
	}
}

// failing are the rules that failed on a page with one of severities.
func failing(p format.Page, severities ...string) (ids []string) {
	for _, i := range p.Report.Failed() {
		for _, s := range severities {
			if i.Severity == s {
				ids = append(ids, i.ID)
			}
		}
	}
	return ids
}

// better is the first page before one rule of it failed, with a better score.
func better(t *testing.T, all []format.Page) []format.Page {
	t.Helper()
	report := *all[0].Report
	report.Issues = append(report.Issues[:0:0], report.Issues...)
	for i := range report.Issues {
		if report.Issues[i].ID == "og-url" {
			report.Issues[i].Severity = "info" // and a warning now
		}
	}
	report.Overall.Score = all[0].Report.Overall.Score + 1
	return []format.Page{{URL: all[0].URL, Report: &report}}
}

func TestBaseline_state_isInSARIFAndJSON(t *testing.T) {
	all := pages(t)
	o := format.Options{Baseline: baseline(t, better(t, all))}
	states := map[string]int{}
	for _, r := range sarif(t, all[:1], o).Runs[0].Results {
		states[r.BaselineState]++
		if (r.BaselineState == "new") != (r.RuleID == "og-url") {
			t.Errorf("SARIF: %s is %s", r.RuleID, r.BaselineState)
		}
	}
	if states["new"] != 1 || states["unchanged"] == 0 {
		t.Errorf("SARIF: got %v", states)
	}
	var page struct {
		Issues []struct {
			ID, BaselineState, HelpURI string
			Pass                       bool
		}
	}
	if err := json.Unmarshal([]byte(write(t, "json", all[:1], o)), &page); err != nil {
		t.Fatal(err)
	}
	for _, i := range page.Issues {
		want := "unchanged"
		switch {
		case i.Pass:
			want = ""
		case i.ID == "og-url":
			want = "new"
		}
		if i.BaselineState != want || !strings.HasPrefix(i.HelpURI, "https://") {
			t.Errorf("JSON: got %+v, want it %q", i, want)
		}
	}
	if text := write(t, "text", all[:1], o); strings.Count(text, " new\n") != 1 {
		t.Errorf("got text %s, want one new finding", text)
	}
}

func TestReadBaseline_whatIsNone_isTold(t *testing.T) {
	const page = `{"url": "https://example.com/", "overallScore": 50, "issues": []}`
	for text, want := range map[string]string{
		"":                              "it is empty",
		" \n":                           "it is empty",
		`{"url": "https://a.example/"}`: "report 1 is invalid",
		`{"overallScore": 3}`:           "report 1 is invalid",
		page + "\n" + `{"runs": []}`:    "report 2 is invalid",
		page[:20]:                       "report 1: ",
		`[` + page + `]`:                "report 1: ",
		page + page + page + page:       "more than 3 reports",
		page + strings.Repeat(" ", 500): "more than 300 bytes",
	} {
		if _, err := format.ReadBaselineWithin(strings.NewReader(text), 300, 3); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
	if _, err := format.ReadBaselineWithin(strings.NewReader(page+"\n"+page+"\n"), 300, 3); err != nil {
		t.Error(err)
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"url": "https://example.com/", "overallScore": 50, "issues": [{"id": "og-url", "severity": "error"}]}`)
	f.Add(`{"url": "x", "error": "gone"}{}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := format.ReadBaseline(strings.NewReader(text))
		if (b == nil) != (err != nil) {
			t.Errorf("got %v, %v", b, err)
		}
	})
}

func TestIgnore_affectsFindingsAlone(t *testing.T) {
	all := pages(t)
	errs := failing(all[1], "error")
	o := format.Options{FailOn: "error", Ignore: errs[:1]}
	if rules, _ := o.Findings(all[1:2]); rules != len(errs)-1 {
		t.Errorf("got %d findings, want %d", rules, len(errs)-1)
	}
	for _, name := range []string{"text", "json", "sarif", "github", "markdown"} {
		if write(t, name, all[1:2], o) != write(t, name, all[1:2], format.Options{FailOn: "error"}) {
			t.Errorf("%s: an ignored rule changes what is listed", name)
		}
	}
}
