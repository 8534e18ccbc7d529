package audit_test

import (
	"bytes"
	"image/jpeg"
	"net/url"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"masthead/pkg/audit"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
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

// BenchmarkCreate is an audit by the service, stored, of a page with a share image of 1 MB on a site of this process.
// The goal is 12 ms of processor time, of which serving the picture takes some, too.
func BenchmarkCreate(b *testing.B) {
	noise := flat(2400, 1260, nil)
	state := uint32(1)
	for i := range noise.Pix {
		state = state*1664525 + 1013904223
		noise.Pix[i] = byte(100 + i/4%2400/24 + int(state>>27))
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, noise, &jpeg.Options{Quality: 87}); err != nil {
		b.Fatal(err)
	}
	at, scraper := serve(b, map[string]file{
		"/": htmlOf(tagged), "/share.jpg": {contentType: "image/jpeg", body: photo.String()},
		"/icon.png": pngOf(b, flat(64, 64, nil)),
	})
	k := newKeepingOf(b, dbtest.SQLite(b), audit.Config{}, at("/").String(), scraper)
	owner := identity.Caller{}
	b.SetBytes(int64(photo.Len()))
	began := processorTime(b)
	for b.Loop() {
		if _, err := k.Create(b.Context(), owner, audit.Request{URL: k.page}); err != nil {
			b.Fatal(err)
		}
		k.at = k.at.Add(time.Minute) // the same address within 30 s gives the same report
	}
	b.ReportMetric(float64((processorTime(b)-began).Microseconds())/1000/float64(b.N), "ms-cpu/op")
}
