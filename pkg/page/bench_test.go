package page_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sort"
	"testing"
	"text/tabwriter"
	"time"

	"masthead/pkg/page"
	"masthead/pkg/testenv"
)

// BenchmarkCorpus parses every page of the corpus in turn and prints a table of what one page costs. Run it alone, on
// one core: go test -bench Corpus -cpu 1 ./pkg/page
func BenchmarkCorpus(b *testing.B) {
	pages := testenv.Pages(b)
	if len(pages) == 0 {
		b.Skip("there is no corpus: set MASTHEAD_TEST_CORPUS to its folder")
	}
	bytes := int64(0)
	for _, c := range pages {
		bytes += int64(len(c.Body))
	}
	took := make([][]time.Duration, len(pages))
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for i, c := range pages {
			start := time.Now()
			page.Parse(c.Body, c.ContentType, c.Address)
			took[i] = append(took[i], time.Since(start))
		}
	}
	b.StopTimer()
	median := make([]time.Duration, len(pages)) // of the runs of each page
	total := time.Duration(0)
	for i := range took {
		slices.Sort(took[i])
		median[i] = took[i][len(took[i])/2]
		total += median[i]
	}
	table(b, pages, median)
	slices.Sort(median)
	b.ReportMetric(ms(median[len(median)/2]), "ms/median")
	b.ReportMetric(ms(median[len(median)*95/100]), "ms/p95")
	b.ReportMetric(float64(len(pages))/total.Seconds(), "pages/s")
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

var printed bool

// table prints a line for each page, the slowest first, once.
func table(b *testing.B, pages []testenv.Page, took []time.Duration) {
	if printed || testing.Short() {
		return
	}
	printed = true
	order := make([]int, len(pages))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return took[order[i]] > took[order[j]] })
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\npage\tcharset\tKB\tms\tMB/s\tallocations\tKB allocated\t")
	for _, i := range order {
		c := pages[i]
		allocs, bytes := allocations(func() { page.Parse(c.Body, c.ContentType, c.Address) })
		fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.0f\t%d\t%d\t\n", c.Name, c.Charset, len(c.Body)/1000, ms(took[i]),
			float64(len(c.Body))/1e6/took[i].Seconds(), allocs, bytes/1000)
	}
	w.Flush()
}

// allocations returns how often f takes memory, and how much of it in bytes.
func allocations(f func()) (times, bytes uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
