package audit_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"masthead/pkg/audit"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
	"masthead/pkg/weburl"
)

// siteOf is a page of the corpus as it was fetched, without what hangs on it.
func siteOf(tb testing.TB, c *testenv.Page) *scrape.Site {
	tb.Helper()
	asked, err := weburl.Parse(c.PageURL)
	if err != nil {
		tb.Fatal(err)
	}
	u, err := url.Parse(c.PageURL)
	if err != nil {
		tb.Fatal(err)
	}
	return &scrape.Site{URL: asked, Page: scrape.Part[scrape.Document]{
		State: scrape.Got, Value: scrape.Document{Page: page.Parse(c.Body, c.ContentType, u), URL: asked, Status: 200},
	}}
}

// processorTime is what this process has had of the processor.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkCorpus measures what a page costs once it was fetched: parsing it for a preview, and the whole of an audit
// (parse, rules, scores, report). The time of a page is the processor's, the least of all rounds, so that a busy
// machine shows little in it. The goals of the median page are 0.26 ms and 1 ms.
func BenchmarkCorpus(b *testing.B) {
	pages := testenv.Pages(b)
	if len(pages) == 0 {
		return
	}
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, work := range map[string]func(c *testenv.Page){
		"preview": func(c *testenv.Page) { siteOf(b, c) },
		"audit":   func(c *testenv.Page) { audit.NewReport(siteOf(b, c), at) },
	} {
		b.Run(name, func(b *testing.B) {
			spent := make([]time.Duration, len(pages))
			for b.Loop() {
				for i := range pages {
					began := processorTime(b)
					work(&pages[i])
					if took := processorTime(b) - began; spent[i] == 0 || took < spent[i] {
						spent[i] = took
					}
				}
			}
			medians := make([]float64, len(pages))
			for i, took := range spent {
				medians[i] = took.Seconds() * 1000
			}
			slices.Sort(medians)
			b.ReportMetric(medians[len(medians)/2], "ms/median-page")
			b.ReportMetric(medians[len(medians)-1], "ms/slowest-page")
			b.ReportMetric(0, "ns/op")
		})
	}
}
