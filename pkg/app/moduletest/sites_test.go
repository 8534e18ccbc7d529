package moduletest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	gomail "github.com/wneessen/go-mail"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
)

// sitesOrigin serves count pages that share a picture, and a sitemap of them.
type sitesOrigin struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	list  string // in place of the sitemap; "" for that of the pages
	// onPage, if not nil, is called with each request for a page.
	onPage func()
}

func newOrigin(t *testing.T, count int) *sitesOrigin {
	t.Helper()
	o := &sitesOrigin{asked: map[string]int{}}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 1200, 630))); err != nil {
		t.Fatal(err)
	}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.asked[r.URL.Path]++
		list := o.list
		o.mu.Unlock()
		switch path := r.URL.Path; {
		case path == "/sitemap.xml" && list != "":
			fmt.Fprint(w, list)
		case path == "/sitemap.xml":
			fmt.Fprint(w, "<urlset>")
			for i := range count {
				fmt.Fprintf(w, "<url><loc>http://%s/page/%d</loc></url>", r.Host, i)
			}
			fmt.Fprint(w, "</urlset>")
		case path == "/share.png":
			_, _ = w.Write(picture.Bytes())
		case strings.HasPrefix(path, "/page/"):
			if o.onPage != nil {
				o.onPage()
			}
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>One title for all</title>
				<meta property="og:image" content="http://%s/share.png"></head><body><h1>Page</h1></body></html>`,
				r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(o.Close)
	return o
}

func (o *sitesOrigin) count(path string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asked[path]
}

// sitesStart returns a service that may read the origin.
func sitesStart(t *testing.T, o *sitesOrigin, more ...apptest.Option) *apptest.Service {
	t.Helper()
	return apptest.StartSignedIn(t, append(more, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32:"+o.URL[strings.LastIndex(o.URL, ":")+1:])
	})...)
}

// finished waits for the audit of a site to be over, and returns it.
func finished(t *testing.T, h *apptest.Service, path string) (of gen.Site) {
	t.Helper()
	apptest.WaitFor(t, "the audit of the site", func() bool {
		got := h.Get(path, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		if err := json.Unmarshal(got.Body, &of); err != nil {
			t.Fatal(err)
		}
		return of.State == gen.SiteStateREADY || of.State == gen.SiteStateFAILED
	})
	return of
}

func begin(h *apptest.Service, address string) string {
	made := h.Post("/sites", map[string]any{"url": address}, apptest.Bearer(h.Session.Access)).Want(http.StatusAccepted)
	if got := made.Text("state"); got != "WAITING" {
		h.T().Errorf("got the state %s, want WAITING", got)
	}
	return made.Header.Get("Location")
}

func TestSites_pagesAreAuditedTogether(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, 30) // 5 more than the plan Free audits
	h := sitesStart(t, o)
	got := finished(t, h, begin(h, o.URL+"/sitemap.xml"))
	if n := got.Pages; got.State != gen.SiteStateREADY || n.Read != 25 || n.Listed != 25 || n.Note == nil ||
		!strings.Contains(*n.Note, "more than the 25 pages") || got.LetterGrade == nil || got.FinishedAt == nil {
		t.Fatalf("got %+v", got)
	}
	for path, want := range map[string]int{
		"/sitemap.xml": 1, "/robots.txt": 1, "/share.png": 1, "/page/0": 1, "/page/29": 0,
	} {
		if n := o.count(path); n != want {
			t.Errorf("%s was requested %d times, want %d", path, n, want)
		}
	}
	if f := got.Findings[0]; f.Pass || f.Message != "25 of 25 pages have the same title as another page." {
		t.Errorf("got the finding %+v", f)
	}
	if got.Faults[0].Pages != 25 || !got.Items[0].Thumbnail || len(got.Items[0].Previews) == 0 {
		t.Errorf("got the fault %+v and the page %+v", got.Faults[0], got.Items[0])
	}
	var pictures int
	err := h.App.DB.Get(t.Context(), &pictures, `SELECT COUNT(*) FROM site_pictures`)
	if err != nil || pictures != 1 {
		t.Errorf("the one picture is kept %d times, %v", pictures, err)
	}
	// The pages aren't in the history of audits.
	if list := h.Get("/audits", apptest.Bearer(h.Session.Access)); strings.Contains(string(list.Body), "/page/") {
		t.Errorf("got the history %s", list.Body)
	}
}

// TestSites_deleted_stop: no page is requested after the one during which the audit was deleted.
func TestSites_deleted_stop(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, 20)
	reached, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	o.onPage = func() {
		once.Do(func() {
			close(reached)
			<-goOn
		})
	}
	h := sitesStart(t, o)
	path := begin(h, o.URL+"/sitemap.xml")
	<-reached
	h.Send("DELETE", path, nil, apptest.Bearer(h.Session.Access)).Want(http.StatusNoContent)
	close(goOn)
	apptest.WaitFor(t, "the job to end", func() bool {
		var running int
		if err := h.App.DB.Get(t.Context(), &running, `SELECT COUNT(*) FROM jobs WHERE kind = 'site'`); err != nil {
			t.Fatal(err)
		}
		return running == 0
	})
	pages := 0
	for i := range 20 {
		pages += o.count(fmt.Sprintf("/page/%d", i))
	}
	if pages != 1 {
		t.Errorf("%d pages were requested, want that of the moment", pages)
	}
}

// TestSites_longOnesAreMailed has an audit that was requested two minutes ago, and one that is over at once.
func TestSites_longOnesAreMailed(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, 2)
	mails := mailtest.New(t, mailtest.StartTLS)
	h := sitesStart(t, o, func(c *app.Config) { c.Mail = mails.Config })
	exec := func(statement string, args ...any) {
		if _, err := h.App.DB.Exec(t.Context(), statement, args...); err != nil {
			t.Error(err)
		}
	}
	exec(`UPDATE users SET email_confirmed_at = 1 WHERE id = ?`, h.ID(h.Session))
	finished(t, h, begin(h, o.URL+"/sitemap.xml"))
	var once sync.Once
	o.onPage = func() { once.Do(func() { exec(`UPDATE sites SET created_at = created_at - 120000`) }) }
	path := begin(h, o.URL+"/sitemap.xml?again")
	finished(t, h, path)
	var got []*gomail.Msg
	apptest.WaitFor(t, "the mail", func() bool {
		got = slices.DeleteFunc(slices.Clone(mails.Mails()), func(m *gomail.Msg) bool {
			return !slices.Equal(m.GetGenHeader(gomail.HeaderSubject), []string{"The audit of your site is ready"})
		})
		return len(got) > 0
	})
	if len(got) != 1 {
		t.Errorf("got %d mails, want that of the second audit", len(got))
	}
	text, err := got[0].GetParts()[0].GetContent()
	if err != nil || !strings.Contains(string(text), "2 pages audited") ||
		!strings.Contains(string(text), "/dashboard/audits/"+strings.TrimPrefix(path, "/")) {
		t.Errorf("got the mail %s (%v), want a link to %s", text, err, path)
	}
}

func TestSites_withoutPages_failWithTheReason(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, 0)
	o.list = `<urlset><url><loc>https://other.example/</loc></url></urlset>`
	h := sitesStart(t, o)
	got := finished(t, h, begin(h, o.URL+"/sitemap.xml"))
	if got.Error == nil || !strings.Contains(*got.Error, "of other hosts, such as other.example") {
		t.Errorf("got %+v", got)
	}
}

// TestSites_interrupted_continueBehindThePagesThatWereStored begins where an attempt was killed.
func TestSites_interrupted_continueBehindThePagesThatWereStored(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, 4)
	h := sitesStart(t, o)
	path := begin(h, o.URL+"/sitemap.xml")
	finished(t, h, path)
	id := path[strings.LastIndex(path, "/")+1:]
	before := o.count("/page/1")
	for _, statement := range [][]any{
		{`DELETE FROM site_pages WHERE site_id = ? AND url = ?`, id, o.URL + "/page/3"},
		{`UPDATE sites SET state = 'RUNNING', report = NULL, finished_at = NULL, urls = ? WHERE id = ?`,
			fmt.Sprintf(`["%[1]s/page/0", "%[1]s/page/1", "%[1]s/page/2", "%[1]s/page/3"]`, o.URL), id},
		{`INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, turn, trace)
			VALUES (?, 'site', ?, 'null', 0, 1, '', '', 0, '')`, id, id},
	} {
		if _, err := h.App.DB.Exec(t.Context(), statement[0].(string), statement[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	if got := finished(t, h, path); got.Pages.Read != 4 || o.count("/page/1") != before || o.count("/page/3") != 2 {
		t.Errorf("got %d pages; /page/1 was read again %d times and /page/3 %d times", got.Pages.Read,
			o.count("/page/1")-before, o.count("/page/3"))
	}
}
