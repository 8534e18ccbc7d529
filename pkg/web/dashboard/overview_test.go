package dashboard_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

const overviewPath = "/dashboard"

// title is the h1 of a page.
func title(page webtest.Page) string {
	_, h1, _ := strings.Cut(page.Body, "<h1")
	_, h1, _ = strings.Cut(h1, ">")
	h1, _, _ = strings.Cut(h1, "</h1>")
	return h1
}

// exec runs a statement on the service's database.
func exec(t testing.TB, h *apptest.Service, statement string, args ...any) {
	t.Helper()
	if _, err := h.App.DB.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// TestOverview_worstNews makes one kind of bad news after the other, the least bad first: each takes the place of the
// one before in the headline.
func TestOverview_worstNews(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	bearer := apptest.Bearer(h.Session.Access)
	wantTitle := func(want string) webtest.Page {
		t.Helper()
		page := v.Get(overviewPath)
		if got := title(page); page.Status != http.StatusOK || got != want {
			t.Errorf("the headline is %q (%d), want %q: %s", got, page.Status, want, page.Main())
		}
		return page
	}
	first := wantTitle("Nothing in print yet")
	if strings.Contains(first.Body, "data-waits=") || !strings.Contains(first.Body, "Add a domain") {
		t.Errorf("the first run without a domain: %s", first.Main())
	}
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"northlane.dev"}}, bearer).Want(http.StatusOK)
	if page := v.Get(overviewPath); !strings.Contains(page.Body, "Waiting for the first crawler") ||
		!strings.Contains(page.Body, "/og/"+h.Get("/projects/"+h.Project, bearer).Text("publicId")) {
		t.Errorf("the first run: %s", page.Main())
	}

	const looks = overviewPath + "/first"
	if page := v.Get(looks); page.Status != http.StatusOK ||
		!strings.Contains(page.Body, "northlane.dev can’t be loaded.") ||
		!strings.Contains(page.Body, `data-waits="`+looks+`"`) {
		t.Errorf("a domain that doesn't respond: %s", page.Main())
	}

	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"name": webtest.Payload}, bearer).Want(http.StatusOK)
	h.Generate("/page/a", nil).Want(http.StatusOK)
	if page := v.Get(looks); title(page) != "The first image is there" || strings.Contains(page.Body, "data-waits=") ||
		!strings.Contains(page.Body, "The first image was requested") {
		t.Errorf("after the first image: %s", page.Main())
	}
	apptest.WaitFor(t, "the check of the domain", func() bool {
		checks := 0
		err := h.App.DB.Get(t.Context(), &checks, `SELECT COUNT(*) FROM domain_checks WHERE checks <> '{}'`)
		return err == nil && checks == 1
	})
	checked(t, h, h.Project, `{}`, false)
	good := wantTitle("All in good order")
	webtest.WantText(t, good, 1)
	if !strings.Contains(good.Body, `aria-label="The newest card"`) || !strings.Contains(good.Body, "Page a") {
		t.Errorf("good news: %s", good.Main())
	}

	checked(t, h, h.Project, `{"northlane.dev":{"state":"UNREACHABLE","detail":"northlane.dev did not respond in time.",
		"failures":3}}`, true)
	down := wantTitle("A domain isn’t responding")
	if !strings.Contains(down.Body, "northlane.dev did not respond in time.") || !strings.Contains(down.Body, "#domains") {
		t.Errorf("a domain that doesn't respond: %s", down.Main())
	}

	hook := h.Post("/webhooks", map[string]any{"url": h.Site.At("/hook")}, bearer).Want(http.StatusCreated).Text("id")
	exec(t, h, `UPDATE webhooks SET enabled = FALSE, reason = ? WHERE id = ?`, webtest.Payload, hook)
	webtest.WantText(t, wantTitle("A webhook was turned off"), 2)

	watch := func(path string) string {
		made := h.Post("/watches", map[string]any{"url": h.Site.At(path)}, bearer).Want(http.StatusCreated)
		return made.Text("id")
	}
	one := watch("/page/a")
	apptest.WaitFor(t, "the audit", func() bool {
		return h.Get("/watches", bearer).Value("items.0.auditId") != nil
	})
	exec(t, h, `DELETE FROM watch_findings`)
	find := func(id, subject string) {
		exec(t, h, `INSERT INTO watch_findings (id, watch_id, subject, severity, told, words, since)
			VALUES (?, ?, ?, 'error', TRUE, ?, 1795000000000)`, db.NewID(), id, subject,
			`{"now":"x","since":"`+subject+` has been bad","fixed":"y"}`)
	}
	find(one, "grade")
	fell := wantTitle("A page lost points")
	if !strings.Contains(fell.Body, "See what to fix") || !strings.Contains(fell.Body, auditsPath+"?open="+one) {
		t.Errorf("a page that fell: %s", fell.Main())
	}
	exec(t, h, `UPDATE watches SET error = ? WHERE id = ?`, webtest.Payload, one)
	webtest.WantText(t, wantTitle("A page can’t be loaded"), 1)
	address := h.Get("/watches/"+one, bearer).Text("url")
	exec(t, h, `UPDATE watches SET url = 'https://northlane.dev/' WHERE id = ?`, one)
	webtest.WantText(t, wantTitle("The first page of northlane.dev can’t be loaded"), 1)
	exec(t, h, `UPDATE watches SET url = ? WHERE id = ?`, address, one)
	find(one, "og:image")
	lost := wantTitle("A page lost its image")
	if !strings.Contains(lost.Body, "og:image has been bad") {
		t.Errorf("a lost image: %s", lost.Main())
	}
	exec(t, h, `UPDATE watches SET error = '' WHERE id = ?`, one)
	lost = wantTitle("A page lost its image")
	if !strings.Contains(lost.Body, "As X shows it") || strings.Contains(lost.Body, "Wrong now") ||
		!strings.Contains(lost.Body, ".p-x .cardbox") {
		t.Errorf("the frame of a lost image: %s", lost.Main())
	}
	_, style, _ := strings.Cut(lost.Body, "<style")
	if style, _, _ = strings.Cut(style, "</style>"); len(style) > 30_000 { // as on the other pages with frames
		t.Errorf("%d bytes of style", len(style))
	}
	exec(t, h, `UPDATE watches SET report_id = '0000000000000000000000' WHERE id = ?`, one)
	if gone := wantTitle("A page lost its image"); !strings.Contains(gone.Body, "Wrong now") {
		t.Errorf("a lost image whose report was deleted: %s", gone.Main())
	}
}

func TestOverview_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	bearer := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"northlane.dev"}}, bearer).Want(http.StatusOK)
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "overview-first", Path: overviewPath},
		webtest.State{Name: "overview-first-failed", Path: overviewPath + "/first"})
	for _, template := range []string{"editorial", "split", "terminal"} {
		h.Generate("/page/"+template, map[string]any{"template": template}).Want(http.StatusOK)
	}
	for _, page := range []string{"outage-report", "render-queue"} {
		h.Post("/watches", map[string]any{"url": h.Site.At("/page/" + page)}, bearer).Want(http.StatusCreated)
	}
	apptest.WaitFor(t, "the audits", func() bool {
		list := h.Get("/watches", bearer)
		return list.Value("items.0.auditId") != nil && list.Value("items.1.auditId") != nil
	})
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "overview", Path: overviewPath},
		webtest.State{Name: "overview-first-over", Path: overviewPath + "/first"})
	exec(t, h, `DELETE FROM watch_findings`)
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "overview-good", Path: overviewPath})
}

// BenchmarkPages serves each page of an account with 10 000 images and 200 audits, four of each of 50 watched pages,
// and those that others see, over loopback. It reports the processor time of the server.
func BenchmarkPages(b *testing.B) {
	h := apptest.StartSignedIn(b, func(c *app.Config) { c.JobsEvery = time.Hour })
	image := imagesPath + "/" + h.Generate("/page/a", nil).Want(http.StatusOK).Text("id")
	withMany(b, h)
	for _, path := range slices.Concat(paths, adminPaths, []string{image, projectsPath + "/" + h.Project}) {
		name, _, one := strings.Cut(path[1:], "/0") // without the ID
		if one {
			name += "/one"
		}
		b.Run(strings.ReplaceAll(name, "/", "-"), func(b *testing.B) { serve(b, h, path) })
	}
	v := webtest.SignIn(b, h.Base, h.Session.Access)
	report := v.Post("/audit/new", url.Values{"url": {h.Site.At("/page/a")}}).Header.Get("Location")
	ticket := v.Post("/try", url.Values{"url": {h.Site.At("/page/a")}}).Header.Get("Location")
	for name, path := range map[string]string{
		"front": "/", "report": report, "try": ticket, "rules": "/audit/rules",
	} {
		b.Run(name, func(b *testing.B) { serve(b, h, path) })
	}
	b.Run("dashboard-framed", func(b *testing.B) { // the overview with the frame of a page that lost its image
		bearer := apptest.Bearer(h.Session.Access)
		report := h.Post("/audits", map[string]any{"url": h.Site.At("/page/a")}, bearer).Want(http.StatusOK).Text("id")
		const watch = "01900000-0000-7000-8000-000000000001"
		exec(b, h, `UPDATE watches SET report_id = ? WHERE id = ?`, report, watch)
		exec(b, h, `INSERT INTO watch_findings (id, watch_id, subject, severity, told, words, since)
			VALUES (?, ?, 'og:image', 'error', TRUE, '{}', 1795000000000)`, db.NewID(), watch)
		if page := v.Get(overviewPath); !strings.Contains(page.Body, "cardbox") {
			b.Fatalf("no frame: %s", page.Main())
		}
		serve(b, h, overviewPath)
	})
}

// TestOverview_sitemaps has a sitemap alone, and then bad news of one of its pages.
func TestOverview_sitemaps(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = time.Hour })
	h.Generate("/page/a", nil).Want(http.StatusOK)
	v, sitemap, page := webtest.SignIn(t, h.Base, h.Session.Access), db.NewID(), db.NewID()
	add := func(id, kind string, of any, address string) {
		exec(t, h, `INSERT INTO watches (id, kind, public_id, owner_id, sitemap_id, url, every, score, letter, last_at,
			next_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'day', 80, 'B', 1795000000000, 4000000000000, 1, 1)`,
			id, kind, id, h.ID(h.Session), of, address)
	}
	add(sitemap, "sitemap", nil, "https://northlane.dev/sitemap.xml")
	add(page, "page", sitemap, "https://northlane.dev/page")
	good := v.Get(overviewPath)
	if title(good) != "All in good order" || !strings.Contains(good.Body, "All watched pages show up as they should.") ||
		!strings.Contains(good.Body, "northlane.dev/sitemap.xml") {
		t.Errorf("a sitemap without problems: %s", good.Main())
	}
	exec(t, h, `UPDATE watches SET error = 'It answered 503.' WHERE id = ?`, page)
	bad := v.Get(overviewPath)
	if title(bad) != "A page can’t be loaded" || !strings.Contains(bad.Body, "northlane.dev/page. It answered 503.") ||
		!strings.Contains(bad.Body, "/audits/sitemaps?open="+sitemap) {
		t.Errorf("a page of a sitemap: %s", bad.Main())
	}
}

// copyImages copies the image of an account that has one.
func copyImages(tb testing.TB, h *apptest.Service, copies int) {
	tb.Helper()
	var columns []string
	if err := h.App.DB.Select(tb.Context(), &columns, `SELECT name FROM pragma_table_info('images')`); err != nil {
		tb.Fatal(err)
	}
	from := strings.Join(columns, ", ")
	for _, own := range []string{"id", "public_id", "cache_key"} {
		from = strings.Replace(from, own, "'"+own+"' || n", 1)
	}
	// IDs are UUIDs, the other two any text.
	from = strings.Replace(from, "'id' || n", `'01900000-0000-7000-8000-' || printf('%012d', n)`, 1)
	exec(tb, h, `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ?)
		INSERT INTO images (`+strings.Join(columns, ", ")+`) SELECT `+from+` FROM images, counter`, copies)
}

// withMany adds images and audits to an account that has one image.
func withMany(b *testing.B, h *apptest.Service) {
	b.Helper()
	copyImages(b, h, 9999)
	ctx := b.Context()
	err := h.App.DB.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 50)
			INSERT INTO watches (id, public_id, owner_id, url, every, score, letter, report_id, last_at, next_at,
			created_at, updated_at)
			SELECT '01900000-0000-7000-8000-' || printf('%012d', n), n, ?, 'https://northlane.dev/page/' || n, 'day', n % 100,
			'C', '4fK2mT9pQ7xW1nB8vC3dRe', 1795000000000, 1995000000000, 1795000000000, 1795000000000 FROM counter`,
			h.ID(h.Session))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 4)
			INSERT INTO watch_runs (id, watch_id, at, report_id, score, letter, error, changes)
			SELECT '01900000-0000-7000-800' || n || substr(watches.id, 24), watches.id, 1795000000000, '', 80 + n, 'B', '', '[]'
			FROM watches, counter`)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// serve serves a page again and again, over one connection, as to a browser. Its client only counts bytes: what it
// takes itself is a few hundredths of a millisecond.
func serve(b *testing.B, h *apptest.Service, path string) {
	b.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(b.Context(), "tcp", strings.TrimPrefix(h.Base, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	request := []byte("GET " + path + " HTTP/1.1\r\nHost: " + conn.RemoteAddr().String() + "\r\n" +
		"Accept-Encoding: gzip\r\nCookie: " + identity.CookieName + "=" + h.Session.Access + "\r\n\r\n")
	reader, buffer := bufio.NewReaderSize(conn, 64<<10), make([]byte, 64<<10)
	once := func() (size int64) {
		if _, err := conn.Write(request); err != nil {
			b.Fatal(err)
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer response.Body.Close()
		size, err = io.CopyBuffer(io.Discard, response.Body, buffer)
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatalf("%s: %d %v", path, response.StatusCode, err)
		}
		return size
	}
	once()
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(once())
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	spent := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	b.ReportMetric(float64(spent.Microseconds())/1000/float64(b.N), "cpu-ms/op")
}
