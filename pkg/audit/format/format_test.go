package format_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
	"masthead/pkg/weburl"
)

var update = flag.Bool("update", false, "write the golden files anew")

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// faultyHTML has faults of every severity, and values that every format has to escape.
const faultyHTML = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>A | pipe, ::error:: 100% and ` + "`ticks`" + `</title>
<meta property="og:title" content="A | pipe, ]]> &lt;b&gt;bold&lt;/b&gt; *stars* 100% ` + "```" + `">
<meta property="og:image" content="/share.jpg">
<meta name="description" content="What a page looks like that is not as it should be, in some respects at least.">
</head><body><h1>A page</h1><p>Words</p></body></html>`

// report audits a page as it would have come from an address.
func report(t *testing.T, html, at string) *audit.Report {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	address, err := weburl.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	p := page.Parse([]byte(html), "text/html", u)
	site := &scrape.Result{URL: address, Page: scrape.Part[scrape.Document]{State: scrape.Got, Value: scrape.Document{
		Page: p, URL: address, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Size: 1234,
	}}}
	for _, image := range scrape.ShareImageURLs(p) {
		where, err := weburl.Parse(image)
		if err != nil {
			t.Fatal(err)
		}
		site.ShareImages = append(site.ShareImages, scrape.Part[scrape.ShareImage]{
			State: scrape.Got, Value: scrape.ShareImage{
				URL: where, Final: where, Status: 200, ContentType: "image/jpeg", Size: 700_000,
				Facts: picture.Facts{Format: picture.JPEG, Width: 800, Height: 418},
			},
		})
	}
	r := audit.NewReport(site, now)
	r.Timings.Total = 1234 * time.Millisecond
	return r
}

func pages(t *testing.T) []format.Page {
	t.Helper()
	const first, second = "https://www.example.com/a?b=1&c=%7C", "https://www.example.com/"
	return []format.Page{
		{URL: first, Report: report(t, faultyHTML, first)},
		{URL: second, Report: report(t, "<title>Nothing</title>", second)},
		{URL: "https://gone.example/", Err: errors.New("gone.example does not exist:\n::error::no")},
	}
}

func write(t *testing.T, name string, pages []format.Page, o format.Options) string {
	t.Helper()
	var b bytes.Buffer
	o.Now, o.Version = now, "1.2.3"
	if err := format.Write(&b, name, pages, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite_golden(t *testing.T) {
	all := pages(t)
	const at = "http://localhost:3000/blog/"
	local := []format.Page{{URL: at, Report: report(t, faultyHTML, at)}}
	cases := map[string]string{
		"one.txt":    write(t, "text", all[:1], format.Options{}),
		"color.txt":  write(t, "text", all[:1], format.Options{Color: true}),
		"all.txt":    write(t, "text", all[1:2], format.Options{All: true}),
		"many.txt":   write(t, "text", all, format.Options{}),
		"local.txt":  write(t, "text", local, format.Options{}),
		"locals.txt": write(t, "text", append(local, all[1]), format.Options{}),
		"local.md":   write(t, "markdown", local, format.Options{}),
		"local.json": write(t, "json", local, format.Options{}),
		"json":       write(t, "json", all, format.Options{}),
		"sarif.json": write(t, "sarif", all, format.Options{}),
		"junit.xml":  write(t, "junit", all, format.Options{MinScore: 50}),
		"github.txt": write(t, "github", all, format.Options{MinScore: 50}),
		"markdown":   write(t, "markdown", all, format.Options{}),
	}
	for name, got := range cases {
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s is not what is written now (%v): look at it after go test ./pkg/audit/format -update", file, err)
		}
	}
}

func TestSARIF_validatesAgainstItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, some := range map[string][]format.Page{"some": pages(t), "none": nil, "errors alone": pages(t)[2:]} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(write(t, "sarif", some, format.Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version": "2.1.0", "runs": [{}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(broken) == nil {
		t.Error("the schema takes a run without a tool")
	}
}

// TestSARIF_resultsNameTheirRules holds what the schema cannot: a result's index leads to its rule.
func TestSARIF_resultsNameTheirRules(t *testing.T) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				PartialFingerprints map[string]string
			}
		}
	}
	all := pages(t)
	if err := json.Unmarshal([]byte(write(t, "sarif", all, format.Options{})), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if want := len(all[0].Report.Failed()) + len(all[1].Report.Failed()); len(run.Results) != want {
		t.Errorf("results: got %d, want %d", len(run.Results), want)
	}
	prints := map[string]bool{}
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("the rule of %s is %s", r.RuleID, got)
		}
		if print := r.PartialFingerprints["primaryLocationLineHash"]; print == "" || prints[print] {
			t.Errorf("%s: fingerprint %q", r.RuleID, print)
		} else {
			prints[print] = true
		}
	}
}

func TestJUnit_validatesAgainstItsSchema(t *testing.T) {
	lint, ok := testenv.XMLLint(t)
	if !ok {
		return
	}
	for name, some := range map[string][]format.Page{"some": pages(t), "none": nil} {
		cmd := exec.CommandContext(t.Context(), lint, "--noout", "--nonet", "--schema", "testdata/junit-4.xsd", "-")
		cmd.Stdin = strings.NewReader(write(t, "junit", some, format.Options{MinScore: 50}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	cmd := exec.CommandContext(t.Context(), lint, "--noout", "--schema", "testdata/junit-4.xsd", "-")
	cmd.Stdin = strings.NewReader(`<testsuites><testcase name="x"/></testsuites>`)
	if cmd.Run() == nil {
		t.Error("the schema takes a case outside a suite")
	}
}

// TestJUnit_countsAreThoseOfTheCases compares the figures with what they count, by severity.
func TestJUnit_countsAreThoseOfTheCases(t *testing.T) {
	all := pages(t)
	for failOn, severities := range map[string][]string{
		"": {"error", "warning"}, "warning": {"error", "warning"}, "error": {"error"},
	} {
		var suites struct {
			Suites []struct {
				Tests    int `xml:"tests,attr"`
				Failures int `xml:"failures,attr"`
				Errors   int `xml:"errors,attr"`
				Cases    []struct {
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(write(t, "junit", all, format.Options{FailOn: failOn})), &suites); err != nil {
			t.Fatal(err)
		}
		want, failed := 0, 0
		for _, p := range all[:2] {
			for _, f := range p.Report.Failed() {
				if slices.Contains(severities, f.Severity) {
					want++
				}
			}
		}
		failures, errs := 0, 0
		for _, suite := range suites.Suites {
			failures += suite.Failures
			errs += suite.Errors
			if suite.Tests != len(suite.Cases) {
				t.Errorf("--fail-on %q: %d tests, and %d cases", failOn, suite.Tests, len(suite.Cases))
			}
			for _, c := range suite.Cases {
				if c.Failure != nil {
					failed++
				}
			}
		}
		if failures != want || failed != want || errs != 1 {
			t.Errorf("--fail-on %q: got %d failures, %d failed cases, %d errors; want %d failures", failOn, failures, failed,
				errs, want)
		}
	}
}

func TestGitHub_valuesBeginNoCommand(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) title=[^:,\n]*::[^\n]*$`)
	score := regexp.MustCompile(`^https://\S+: \d+ of 100, [A-F]\+?$`)
	for line := range strings.Lines(write(t, "github", pages(t), format.Options{})) {
		if line = strings.TrimSuffix(line, "\n"); !command.MatchString(line) && !score.MatchString(line) {
			t.Errorf("neither a command nor a score: %q", line)
		}
	}
}

func TestMarkdown_valuesOfThePage_areTextAlone(t *testing.T) {
	text := write(t, "markdown", pages(t)[:1], format.Options{})
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		for _, raw := range []string{"<b>", "| pipe,", "*stars*"} {
			if !fenced && strings.Contains(strings.ReplaceAll(line, `\`+raw[:1], ""), raw) {
				t.Errorf("%q stands in %q", raw, line)
			}
		}
	}
	if fenced {
		t.Error("a fence is left open")
	}
}

func TestFindings_bySeverityAndScore(t *testing.T) {
	all := pages(t)
	count := func(severities ...string) (n int) {
		for _, p := range all[:2] {
			for _, f := range p.Report.Failed() {
				if slices.Contains(severities, f.Severity) {
					n++
				}
			}
		}
		return n
	}
	for _, c := range []struct {
		o             format.Options
		rules, scores int
	}{
		{format.Options{}, 0, 0},
		{format.Options{FailOn: "error"}, count("error"), 0},
		{format.Options{FailOn: "warning"}, count("error", "warning"), 0},
		{format.Options{MinScore: 100}, 0, 2},
		{format.Options{MinScore: all[0].Report.Overall.Score}, 0, 1},
	} {
		if rules, scores := c.o.Findings(all); rules != c.rules || scores != c.scores {
			t.Errorf("%+v: got %d, %d, want %d, %d", c.o, rules, scores, c.rules, c.scores)
		}
	}
}

func TestWrite_unknownFormat_isTold(t *testing.T) {
	if err := format.Write(&bytes.Buffer{}, "pdf", nil, format.Options{}); err == nil ||
		!strings.Contains(err.Error(), "text,json") {
		t.Errorf("got %v", err)
	}
}

// named are tags as a report lists them.
func named(tags []platform.Tag) (all []audit.Tag) {
	for _, tag := range tags {
		all = append(all, audit.Tag{Key: tag.Key, Value: tag.Value})
	}
	return all
}

func TestHeadline(t *testing.T) {
	r := func(letter string, status int, tags ...platform.Tag) *audit.Report {
		return &audit.Report{Overall: audit.Grade{Letter: letter}, Status: status, Shared: platform.Page{Tags: tags}, Tags: named(tags)}
	}
	tag := platform.Tag{Key: "og:title", Value: "x"}
	for want, report := range map[string]*audit.Report{
		"No issues found": r("A+", 200, tag), "In good order": r("A", 200, tag), "Good, with loose ends": r("B+", 200, tag),
		"It shows up, with faults": r("C", 200, tag), "Half of it arrives": r("D+", 200, tag),
		"A bare link in most places": r("F", 200, platform.Tag{Key: "og:type", Value: "website"}),
		"No picture in most places":  r("F", 200, tag), "A bare link everywhere": r("F", 200),
		"The page returned 404": r("F", 404, tag),
	} {
		if got := report.Headline(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
