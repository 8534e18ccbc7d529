package deploy_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"gopkg.in/yaml.v3"
)

// metric is a row of docs/metrics.md.
type metric struct {
	kind   string
	labels []string
}

// target are labels that Prometheus adds to all metrics.
var target = []string{"job", "instance"}

// metricsOf returns the metrics of the program, by the names of their series. A test of the program compares the page
// with it.
func metricsOf(t *testing.T) map[string]metric {
	t.Helper()
	all := map[string]metric{
		"up": {}, "process_resident_memory_bytes": {kind: "gauge"}, "go_goroutines": {kind: "gauge"},
	}
	row := regexp.MustCompile("(?m)^\\| `(masthead_[a-z_]+)` \\| (\\w+) \\| ([^|]+) \\|")
	for _, m := range row.FindAllStringSubmatch(read(t, "../docs/metrics.md"), -1) {
		found := metric{kind: m[2], labels: regexp.MustCompile(`\w+`).FindAllString(m[3], -1)}
		if m[2] != "histogram" {
			all[m[1]] = found
			continue
		}
		all[m[1]+"_sum"], all[m[1]+"_count"] = found, found
		found.labels = append(slices.Clone(found.labels), "le")
		all[m[1]+"_bucket"] = found
	}
	if len(all) < 50 {
		t.Fatalf("docs/metrics.md has %d metrics", len(all))
	}
	return all
}

// faults returns what is wrong with a query: its syntax, metrics and labels that don't exist, rates of what isn't
// counted.
func faults(query string, known map[string]metric) (faults []string) {
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		return []string{err.Error()}
	}
	var has []string // labels of any metric of the query
	parser.Inspect(expr, func(node parser.Node, path []parser.Node) error {
		v, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		m, exists := known[v.Name]
		if !exists {
			faults = append(faults, "there is no metric "+v.Name)
			return nil
		}
		own := slices.Concat(target, m.labels)
		has = append(has, own...)
		for _, match := range v.LabelMatchers {
			if match.Name != "__name__" && !slices.Contains(own, match.Name) {
				faults = append(faults, v.Name+" has no label "+match.Name)
			}
		}
		ranged := slices.ContainsFunc(path, func(n parser.Node) bool { _, ok := n.(*parser.MatrixSelector); return ok })
		if ranged == (m.kind == "gauge" || m.kind == "") {
			faults = append(faults, fmt.Sprintf("%s is a %s", v.Name, m.kind))
		}
		return nil
	})
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if a, ok := node.(*parser.AggregateExpr); ok {
			for _, label := range a.Grouping {
				if !slices.Contains(has, label) {
					faults = append(faults, "nothing has the label "+label)
				}
			}
		}
		return nil
	})
	return faults
}

// Every query of the dashboard parses, and its metrics and labels exist, those of legends too.
func TestDashboard(t *testing.T) {
	known := metricsOf(t)
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ H, W, X, Y int }
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "grafana/masthead.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	places := map[[2]int]bool{}
	queries := 0
	for _, p := range dashboard.Panels {
		place := [2]int{p.GridPos.X, p.GridPos.Y}
		if places[place] || p.GridPos.X+p.GridPos.W > 24 || len(p.Targets) == 0 {
			t.Errorf("%s: two panels at %v, or one beyond the edge, or none in it", p.Title, place)
		}
		places[place] = true
		for _, target := range p.Targets {
			queries++
			query := strings.NewReplacer("$__rate_interval", "5m", "$job", "masthead", "$instance", ".*").Replace(target.Expr)
			for _, fault := range faults(query, known) {
				t.Errorf("%s: %s\n%s", p.Title, fault, query)
			}
			for _, label := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
				if !regexp.MustCompile(`by \([^)]*\b` + label[1] + `\b`).MatchString(query) {
					t.Errorf("%s: the legend has %s, and the result hasn't\n%s", p.Title, label[1], query)
				}
			}
		}
	}
	if queries < 30 {
		t.Errorf("got %d queries", queries)
	}
}

// Every alert's query holds as those of the dashboard, and each has a section in the runbook.
func TestAlerts(t *testing.T) {
	known := metricsOf(t)
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "alerts.yaml")))
	var node yaml.Node
	if err := decoder.Decode(&node); err != nil {
		t.Fatal(err)
	}
	if err := node.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	runbook := read(t, "../docs/runbook.md")
	sections := regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(runbook, -1)
	all := rules.Groups[0].Rules
	if len(all) < 10 || len(sections) != len(all) {
		t.Errorf("got %d alerts and %d sections of the runbook", len(all), len(sections))
	}
	for _, r := range all {
		for _, fault := range faults(r.Expr, known) {
			t.Errorf("%s: %s\n%s", r.Alert, fault, r.Expr)
		}
		if r.For == "" || r.Annotations["summary"] == "" ||
			r.Labels["severity"] != "critical" && r.Labels["severity"] != "warning" {
			t.Errorf("%s lacks a time, a severity or a summary", r.Alert)
		}
		if r.Annotations["runbook"] != "docs/runbook.md#"+strings.ToLower(r.Alert) ||
			!strings.Contains(runbook, "\n## "+r.Alert+"\n") {
			t.Errorf("%s has no section in the runbook", r.Alert)
		}
	}
}

// The check finds what it is for.
func TestFaults(t *testing.T) {
	known := map[string]metric{
		"a_total": {"counter", []string{"code"}}, "b": {"gauge", nil}, "c_seconds_bucket": {"histogram", []string{"le"}},
	}
	for query, want := range map[string]string{
		`sum by (code) (rate(a_total{code="X",job="j"}[5m]))`:               "",
		`histogram_quantile(0.9, sum by (le) (rate(c_seconds_bucket[5m])))`: "",
		`max(b)`:                            "",
		`sum(rate(a_total[5m])`:             "unclosed",
		`rate(d_total[5m])`:                 "no metric d_total",
		`rate(a_total{kind="x"}[5m])`:       "no label kind",
		`sum by (kind) (rate(a_total[5m]))`: "nothing has the label kind",
		`sum(a_total)`:                      "a_total is a counter",
		`rate(b[5m])`:                       "b is a gauge",
	} {
		got := strings.Join(faults(query, known), "; ")
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}
