package report_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
	"masthead/pkg/weburl"
)

var now = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

const address = "https://one.example/blog/post"

// perfect are the tags of a page that every platform shows whole; the picture is as pictureOf makes it.
const perfect = `<title>A title of a page that is long enough</title>
<meta property="og:title" content="A title of a page">
<meta property="og:description" content="One sentence about the page, of a length that everybody shows whole.">
<meta property="og:site_name" content="One"><meta property="og:image" content="https://one.example/share.jpg">
<meta name="twitter:card" content="summary_large_image">`

// reportOf audits a page with a head, and a share image where the head names one.
func reportOf(t *testing.T, head string, status, width, height int) *audit.Report {
	t.Helper()
	at, err := weburl.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	html := `<!doctype html><html lang="en"><head>` + head + `</head><body></body></html>`
	parsed := page.Parse([]byte(html), "text/html; charset=utf-8", base)
	site := &scrape.Result{URL: at, Page: scrape.Part[scrape.Document]{State: scrape.Got, Value: scrape.Document{
		Page: parsed, URL: at, Status: status, Header: http.Header{},
	}}}
	for _, image := range scrape.ShareImageURLs(parsed) {
		from, err := weburl.Parse(image)
		if err != nil {
			t.Fatal(err)
		}
		measured := scrape.Part[scrape.ShareImage]{State: scrape.Got, Value: scrape.ShareImage{
			URL: from, Final: from, Status: 200, ContentType: "image/jpeg", Size: 90_000,
			Facts: picture.Facts{Format: picture.JPEG, Width: width, Height: height, Orientation: 1},
		}}
		site.ShareImages = append(site.ShareImages, measured)
	}
	r := audit.NewReport(site, now)
	for i := range r.Pictures {
		r.Pictures[i].Shown = &audit.Thumbnail{
			Name: "share.jpg", ContentType: "image/jpeg", Width: width, Height: height, Data: []byte("pixels"),
		}
	}
	return r
}

func written(t *testing.T, s *report.Source) string {
	t.Helper()
	var b strings.Builder
	s.Picture = func(name string) string { return "/audit/x/" + name }
	s.Own.Opinion = "/audit/x/opinion"
	if err := report.Write(&b, s, ui.Head{Nonce: "n"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite_saysTheVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		head          string
		status        int
		width, height int
		headline      string
		deck          string
	}{
		"whole":    {perfect, 200, 1200, 630, "", "Complete, with its picture, on all eight platforms."},
		"no tags":  {"", 200, 0, 0, "A bare link everywhere", "A bare link on all eight platforms."},
		"a title":  {"<title>A title</title>", 200, 0, 0, "A bare link everywhere", "A bare link on X"},
		"an error": {perfect, 404, 1200, 630, "The page returned 404", "No platform shows a preview of such a page."},
		"a square": {perfect, 200, 700, 700, "", "ropped on "},
		"no picture": {strings.Replace(perfect, "og:image", "og:other", 1), 200, 0, 0, "",
			"Without a picture on all eight platforms."},
	} {
		body := written(t, &report.Source{Report: reportOf(t, c.head, c.status, c.width, c.height)})
		if !strings.Contains(body, "<h1>"+c.headline) || !strings.Contains(body, c.deck) {
			got := regexp.MustCompile(`(?s)<h1>.*?</p>`).FindString(body)
			t.Errorf("%s: got %q, want %q and %q", name, got, c.headline, c.deck)
		}
		if n := strings.Count(body, `class="frame p-`); n < 8 {
			t.Errorf("%s: got %d frames", name, n)
		}
	}
}

// TestHeadline_isTrue has pages for which the verdict by letter would not be.
func TestWrite_checksNotMade_haveTheirReasons(t *testing.T) {
	r := reportOf(t, perfect, 200, 1200, 630)
	if body := written(t, &report.Source{Report: r}); strings.Contains(body, "not made") {
		t.Error("a page that was checked whole says that it was not")
	}
	r.NotChecked = []audit.UncheckedRule{{ID: "seo-https", Category: "seo", Title: "HTTPS", Reason: "It is <here>."}}
	body := written(t, &report.Source{Report: r})
	if !strings.Contains(body, "<b>1 check not made</b>") || !strings.Contains(body, "It is &lt;here&gt;.") {
		t.Error("the check that was not made is missing, or its reason")
	}
}

func TestHeadline_isTrue(t *testing.T) {
	best := reportOf(t, perfect, 200, 1200, 630)
	best.Overall = audit.Grade{Points: 97.2, Score: 97, Letter: "A+"}
	if got := best.Headline(); len(best.Failed()) == 0 || got != "Only minor issues" {
		t.Errorf("got %q for 97 with %d findings", got, len(best.Failed()))
	}
	best.Issues = best.Issues[len(best.Failed()):]
	if got := best.Headline(); got != "No issues found" {
		t.Errorf("got %q for no findings", got)
	}
	blind := reportOf(t, strings.Replace(perfect, "og:image", "og:other", 1), 200, 0, 0)
	if got := blind.Headline(); blind.Overall.Letter != "F" || got != "No picture in most places" {
		t.Errorf("got %q for %s without a picture", got, blind.Overall.Letter)
	}
	low := reportOf(t, perfect, 200, 1200, 630)
	low.Overall = audit.Grade{Score: 40, Letter: "F"}
	if got := low.Headline(); got != "Little of it arrives" {
		t.Errorf("got %q for an F whose cards are whole", got)
	}
	gone := reportOf(t, "<title>Not here</title>", 404, 0, 0)
	if body := written(t, &report.Source{Report: gone}); strings.Contains(body, "ready to paste below") {
		t.Error("tags are said to fix a page that answers 404")
	}
}

// TestWrite_pictureOfNoPreview_isNotShownAsOne has a picture that only search engines read.
func TestWrite_pictureOfNoPreview_isNotShownAsOne(t *testing.T) {
	data := `<script type="application/ld+json">{"@type": "Article", "image": "https://one.example/data.jpg"}</script>`
	r := reportOf(t, strings.Replace(perfect, "og:image", "og:other", 1)+data, 200, 1200, 630)
	if p := r.Picture(audit.ShareImage); p == nil || p.URL != "https://one.example/data.jpg" {
		t.Fatalf("got picture %v, want that of the data", p)
	}
	card := &report.Card{URL: "/audit/x/card", Format: "png", Width: 1200, Height: 630}
	body := written(t, &report.Source{Report: r, Card: card})
	now := body[strings.Index(body, `id="before"`):]
	now = now[:strings.Index(now, "</figure>")]
	if strings.Contains(now, "<img") || !strings.Contains(now, "No tag that previews read names a picture.") {
		t.Errorf("got %s", now)
	}
}

// TestWrite_pictureThatIsLeftOut_isNotThatOfX has a drawing, which no platform shows, and a photograph for X.
func TestWrite_pictureThatIsLeftOut_isNotThatOfX(t *testing.T) {
	r := reportOf(t, perfect+`<meta name="twitter:image" content="https://one.example/x.jpg">`, 200, 1200, 630)
	if len(r.Shared.Pictures) != 2 {
		t.Fatalf("got pictures %+v, want two", r.Shared.Pictures)
	}
	r.Shared.Pictures[0].Format = "svg"
	for i := range r.Pictures {
		r.Pictures[i].Shown = nil
		if r.Pictures[i].Kind == audit.XImage {
			r.Pictures[i].Shown = &audit.Thumbnail{Name: "x.jpg", Width: 1200, Height: 630}
		}
	}
	body := written(t, &report.Source{Report: r})
	of := func(platform string) string {
		frame := body[strings.LastIndex(body, `<figure class="frame p-`+platform+`"`):]
		return frame[:strings.Index(frame, "</figure>")]
	}
	if !strings.Contains(of("x"), "/audit/x/x.jpg") || strings.Contains(of("facebook"), "/audit/x/x.jpg") {
		t.Errorf("got %s, %s, want the picture of X with X alone", of("x"), of("facebook"))
	}
}

func TestWrite_ordersByGainWithErrorsOpen(t *testing.T) {
	r := reportOf(t, "<title>A title</title>", 200, 0, 0)
	body := written(t, &report.Source{Report: r})
	open := body[strings.Index(body, `class="issues"`):strings.Index(body, `class="fold"`)]
	last := 1e9
	for _, m := range regexp.MustCompile(`<span aria-hidden="true">\+?(-?[\d.]+)</span>`).FindAllStringSubmatch(open, -1) {
		var gain float64
		if _, err := fmt.Sscan(m[1], &gain); err != nil || gain > last {
			t.Errorf("a gain of %s comes after %v", m[1], last)
		}
		last = gain
	}
	for _, issue := range r.Failed() {
		if shown := strings.Contains(open, `id="`+issue.ID+`"`); issue.Severity == "error" && !shown {
			t.Errorf("the error %s is folded", issue.ID)
		}
		if !strings.Contains(body, `id="`+issue.ID+`"`) {
			t.Errorf("the issue %s is nowhere", issue.ID)
		}
	}
}

// TestWorstFrame has the preview of a page without a picture, and none for one that shows up whole.
func TestWorstFrame(t *testing.T) {
	picture := func(name string) string { return "/" + name }
	if f := report.WorstFrame(reportOf(t, perfect, 200, 1200, 630), picture); f != nil && f.Heading == "" {
		t.Error("a frame without a heading")
	}
	bare := report.WorstFrame(reportOf(t, `<title>Bread</title>`, 200, 1200, 630), picture)
	if bare == nil || len(bare.Views) != 1 || !strings.HasPrefix(bare.Heading, "As ") {
		t.Fatalf("a page without a picture: %+v", bare)
	}
}

// TestWrite_namesThePlatformsTools looks for the tool of each platform in its own frame, or what to do without one.
func TestWrite_namesThePlatformsTools(t *testing.T) {
	body := written(t, &report.Source{Report: reportOf(t, perfect, 200, 1200, 630)})
	_, body, _ = strings.Cut(body, `id="others"`)
	tools := 0
	for _, p := range platform.All() {
		_, frame, ok := strings.Cut(body, `class="frame p-`+p.ID+`"`)
		if !ok {
			t.Fatalf("no frame of %s", p.Name)
		}
		frame, _, _ = strings.Cut(frame, "</figure>")
		want := `<p class="tool">` + html.EscapeString(p.Tool.Without) + `</p>`
		if p.Tool.URL != "" {
			tools++
			want = `<p class="tool"><a href="` + p.Tool.URL + `"`
		}
		if !strings.Contains(frame, want) {
			t.Errorf("%s: want %s, got %s", p.Name, want, frame)
		}
	}
	if tools < 4 {
		t.Errorf("%d platforms have a tool, want Facebook, LinkedIn, Discord and Telegram", tools)
	}
}

func TestWrite_opinionInEachState(t *testing.T) {
	r := reportOf(t, perfect, 200, 1200, 630)
	for says, ai := range map[string]*audit.AI{
		"":                  nil,
		"In progress":       {Status: audit.Pending},
		"The model is off.": {Status: audit.Failed, Error: "The model is off."},
		"Not requested":     {Status: audit.Skipped},
		"Left out":          {Status: audit.Skipped, Error: "No analysis is left this month."},
		"Declare the card": {Status: audit.Ready, Analysis: &audit.Analysis{
			PriorityActions: []audit.Action{{Title: "Declare the card"}},
		}},
	} {
		body := written(t, &report.Source{Report: r, Opinion: ai})
		if has := strings.Contains(body, "A second opinion"); has != (ai != nil) || !strings.Contains(body, says) {
			t.Errorf("%q: the section is there: %v", says, has)
		}
		waits := strings.Contains(body, `data-waits="/audit/x/opinion"`)
		if waits != (ai != nil && ai.Status == audit.Pending) {
			t.Errorf("%q: waits: %v", says, waits)
		}
	}
}

// TestWrite_cropsAsTheDataSays compares the geometry of a picture with what the platforms' data says of it.
func TestWrite_cropsAsTheDataSays(t *testing.T) {
	square := strings.Replace(perfect, "summary_large_image", "summary", 1)
	body := written(t, &report.Source{Report: reportOf(t, square, 200, 1200, 630)})
	frame := body[strings.LastIndex(body, `class="frame p-x"`):]
	frame = frame[:strings.Index(frame, "</figure>")]
	for _, want := range []string{
		`width="130" height="130" viewBox="285 0 630 630"`,       // the middle of the picture
		`aria-label="X: small card, 48% of the picture cut off"`, // said in words
		`x="22.8" y="0" width="50.4" height="50"`,                // what the map keeps
	} {
		if !strings.Contains(frame, want) {
			t.Errorf("the frame of X lacks %s", want)
		}
	}
}

// TestWrite_titleOverThePicture_isSaid holds that the large card of X isn't called whole: the title covers some of it.
func TestWrite_titleOverThePicture_isSaid(t *testing.T) {
	body := written(t, &report.Source{Report: reportOf(t, perfect, 200, 1200, 630)})
	_, frame, _ := strings.Cut(body, `<figure class="frame p-x"`)
	frame, rest, _ := strings.Cut(frame, "</figure>")
	for _, want := range []string{
		"Title overlaid", "X puts the title over the lower edge of the picture.", `aria-label="X: large card, the title over the picture"`,
	} {
		if !strings.Contains(frame, want) || strings.Contains(rest, want) {
			t.Errorf("%q isn't said of X, or of others, too: %s", want, frame)
		}
	}
}

// TestWriteFile_needsNothingElse holds that a report as a file loads nothing.
func TestWriteFile_needsNothingElse(t *testing.T) {
	var b strings.Builder
	if err := report.WriteFile(&b, &report.Source{Report: reportOf(t, perfect, 200, 1200, 630)}); err != nil {
		t.Fatal(err)
	}
	body := b.String()
	loads := regexp.MustCompile(`<(?:img|image|link|script|form)\b[^>]*>|url\([^)]{0,80}`)
	for _, m := range loads.FindAllString(body, -1) {
		for _, from := range []string{`src="/`, `href="/`, `href="http`, `src="http`, "url(/", "url(http", "<form"} {
			if strings.Contains(m, from) {
				t.Errorf("the file loads %.120s", m)
			}
		}
	}
	for _, want := range []string{"data:image/jpeg;base64,cGl4ZWxz", "data:font/woff2;base64,", "What to fix"} {
		if !strings.Contains(body, want) {
			t.Errorf("the file lacks %s", want)
		}
	}
}

// TestWrite_nothingToPaste_promisesNoCode has a finding that can only be cleared by other words of its author.
func TestWrite_nothingToPaste_promisesNoCode(t *testing.T) {
	r := reportOf(t, perfect, 200, 1200, 630)
	for i := range r.Issues {
		r.Issues[i].Code = ""
	}
	if body := written(t, &report.Source{Report: r}); strings.Contains(body, "Show the code") ||
		!strings.Contains(body, "Show what to fix") {
		t.Error("code is promised where there is none")
	}
	r.Issues[0].Code = "<title>A title</title>"
	if body := written(t, &report.Source{Report: r}); !strings.Contains(body, "Show the code") {
		t.Error("the code isn't mentioned")
	}
}
