package app_test

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/blob"
	"masthead/pkg/blob/s3"
)

// described matches the text of a [prometheus.Desc], which has no accessors.
var described = regexp.MustCompile(`^Desc\{fqName: "([^"]+)", help: "((?:[^"\\]|\\.)*)", unit: "[^"]*", ` +
	`constLabels: \{([^}]*)\}, variableLabels: \{([^}]*)\}\}$`)

// aiConfigured turns AI on, whose metrics are only there then; nothing is sent.
func aiConfigured(c *app.Config) { c.AI.BaseURL, c.AI.TextModel = "http://127.0.0.1:1", "text" }

// TestMetrics_pageListsAll compares docs/metrics.md with the metrics of the program; .ci/tools/deploy compares
// dashboards and alerts with the page. MASTHEAD_TEST_UPDATE=1 writes the page.
func TestMetrics_pageListsAll(t *testing.T) {
	const path = "../../docs/metrics.md"
	var rows []string
	anywhere := s3.Config{Endpoint: "http://127.0.0.1:1", Bucket: "cards", AccessKey: "a", SecretKey: "b"}
	bucket, err := s3.Open(anywhere, "cdn")
	if err != nil {
		t.Fatal(err)
	}
	cached, err := blob.OpenCache(bucket, t.TempDir(), "images", blob.MinCache)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(apptest.Start(t, aiConfigured).App.Collectors(), cached.Collectors()) {
		descs := make(chan *prometheus.Desc, 100)
		c.Describe(descs)
		close(descs)
		for d := range descs {
			m := described.FindStringSubmatch(d.String())
			if m == nil || !strings.HasPrefix(m[1], "masthead_") {
				if text := d.String(); m == nil && strings.Contains(text, "masthead_") {
					t.Fatalf("unexpected description %s", text)
				}
				continue // of the process and the Go runtime
			}
			kind := "gauge"
			switch c.(type) {
			case *prometheus.HistogramVec, prometheus.Histogram:
				kind = "histogram"
			default:
				if strings.HasSuffix(m[1], "_total") {
					kind = "counter"
				}
			}
			var labels []string
			for _, l := range regexp.MustCompile(`(\w+)=`).FindAllStringSubmatch(m[3], -1) {
				labels = append(labels, "`"+l[1]+"`")
			}
			for _, l := range regexp.MustCompile(`\w+`).FindAllString(m[4], -1) {
				labels = append(labels, "`"+l+"`")
			}
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |\n", m[1], kind,
				cmp.Or(strings.Join(labels, ", "), "–"), strings.ReplaceAll(m[2], `\"`, `"`)))
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	page := "# Metrics\n\n" +
		"What `/metrics` has, besides the Go runtime (`go_…`) and the process (`process_…`): see\n" +
		"[deploy.md](deploy.md#monitoring). Labels never contain hosts, addresses or ids.\n\n" +
		"<!-- Generated: MASTHEAD_TEST_UPDATE=1 go test ./pkg/app -run Metrics_page -->\n\n" +
		"| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n" + strings.Join(rows, "")
	if os.Getenv("MASTHEAD_TEST_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != page {
		t.Errorf("%s is not what the program has: run MASTHEAD_TEST_UPDATE=1 go test ./pkg/app -run Metrics_page (%v)",
			path, err)
	}
}
