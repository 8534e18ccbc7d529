package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestTry_verdicts has texts under the title of X, heroes that lose texts when they are cropped, and icons that can't
// be used.
func TestTry_verdicts(t *testing.T) {
	t.Parallel()
	icon := "" // of another site
	site, allow := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/broken.png":
			fmt.Fprint(w, "no picture")
		case "/":
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>A page</title>
				<meta property="og:title" content="A page">
				<link rel="icon" href="%s" sizes="512x512"><link rel="icon" href="/gone.png" sizes="64x64">
				<link rel="icon" href="/broken.png" sizes="48x48"></head><body><h1>A page</h1>`, icon)
		default:
			http.NotFound(w, r)
		}
	})
	s := apptest.Start(t, allow)
	icon = s.Site.At("/icon.png")
	path := ticketOf(t, s, site+"/")
	_, x, _ := strings.Cut(string(s.Get(path+"?template=editorial").Want(http.StatusOK).Body),
		`<figure class="frame p-x"`)
	x, _, _ = strings.Cut(x, "</figure>")
	if !strings.Contains(x, "Title overlaid") || !strings.Contains(x, "where it covers the site’s name") {
		t.Errorf("the card on X: %s", x)
	}
	hero := func(template, title string) string {
		q := url.Values{"kind": {"blog_hero"}, "template": {template}, "title": {title}}
		_, crops, _ := strings.Cut(string(s.Get(path+"?"+q.Encode()).Want(http.StatusOK).Body), `<div class="crops"`)
		crops, _, _ = strings.Cut(crops, "</div>")
		return crops
	}
	whole := hero("editorial", "Short")
	if strings.Count(whole, "<figure>") != 3 || strings.Count(whole, "All texts are whole") != 1 {
		t.Errorf("crops of a hero: %s", whole)
	}
	if square := whole[strings.LastIndex(whole, "<figure>"):]; !strings.Contains(square, "Cuts ") {
		t.Errorf("the square of a hero whose title begins at the left edge: %s", square)
	}
	_, sources, _ := strings.Cut(string(s.Get(path+"?kind=icon_set").Want(http.StatusOK).Body), "Where it comes from")
	for _, want := range []string{"/icon.png", "Used", "/gone.png", "404 Not Found", "/broken.png"} {
		if !strings.Contains(sources, want) {
			t.Errorf("the sources of the icons lack %q: %.2000s", want, sources)
		}
	}
}

// BenchmarkTry has the CPU time of both sides and the time of what people wait for: the way from the field to the first
// card, the first card once the page is read, and each design of the sheet, in an accent that wasn't drawn before.
func BenchmarkTry(b *testing.B) {
	s := apptest.Start(b, func(c *app.Config) {
		c.Tickets.ProofRPM, c.Tickets.TicketProofs, c.Billing.FreeRPM = 10_000_000, 10_000_000, 10_000_000
	})
	first := func() string {
		path := open(s, url.Values{"url": {s.Site.At("/page/one")}}).Want(http.StatusSeeOther).Header.Get("Location")
		return path + "\n" + string(s.Get(path).Want(http.StatusOK).Body)
	}
	measured := func(name string, work func(i int)) {
		b.Run(name, func(b *testing.B) {
			began := cpu(b)
			for i := range b.N {
				work(i)
			}
			b.ReportMetric(float64((cpu(b)-began).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
	path, page, _ := strings.Cut(first(), "\n")
	proof := func(design string, i, width int) {
		s.Get(fmt.Sprintf("%s/%s.png?w=%d&accent=%06x", path, design, width, 0x204060+i*0x10101)).Want(http.StatusOK)
	}
	measured("from the field to the first card", func(int) {
		_, page, _ := strings.Cut(first(), "\n")
		src := regexp.MustCompile(`src="(/try/[^"]*w=1200[^"]*)"`).FindStringSubmatch(page)
		s.Get(html.UnescapeString(src[1])).Want(http.StatusOK)
	})
	measured("the first card once the page is read", func(i int) { proof("editorial", i, 1200) })
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`/try/\w+/([a-z0-9-]+)\.png\?[^"]*w=480`).FindAllStringSubmatch(page, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			measured(m[1], func(i int) { proof(m[1], i, 480) })
		}
	}
	if len(seen) < 5 {
		b.Errorf("the sheet has %d designs", len(seen))
	}
}

// cpu is the CPU time of this process so far.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
