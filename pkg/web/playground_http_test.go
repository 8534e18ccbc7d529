package web_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/html"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/web/webtest"
	"masthead/pkg/worker"
)

// asForm sends the body as a form of a page.
var asForm = apptest.Header("Content-Type", "application/x-www-form-urlencoded")

// open sends the form and returns the response, without following it.
func open(s *apptest.Service, form url.Values, options ...apptest.RequestOption) *apptest.Response {
	s.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return s.Post("/try", form.Encode(), append([]apptest.RequestOption{asForm}, options...)...)
}

// ticketOf opens a page and returns the path of its ticket.
func ticketOf(t *testing.T, s *apptest.Service, address string, options ...apptest.RequestOption) string {
	t.Helper()
	path := open(s, url.Values{"url": {address}}, options...).Want(http.StatusSeeOther).Header.Get("Location")
	if !regexp.MustCompile(`^/try/[0-9A-Za-z]{22}$`).MatchString(path) {
		t.Fatalf("got %q, want a ticket", path)
	}
	return path
}

// serving runs a site for the service of a test.
func serving(t *testing.T, handler http.HandlerFunc) (base string, allow apptest.Option) {
	t.Helper()
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	return site.URL, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	}
}

// TestTry_drawsOnEveryNode reads a page on one node, and draws it on that one and on another of the same database.
func TestTry_drawsOnEveryNode(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg))
		other := s.StartNode()
		path := ticketOf(t, s, s.Site.At("/page/one"))
		// The other node waits for what the first one reads.
		for _, node := range []*apptest.Service{other, s} {
			page := node.Get(path).Want(http.StatusOK)
			body := string(page.Body)
			for header, want := range map[string]string{
				"X-Robots-Tag": "noindex", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			} {
				if got := page.Header.Get(header); got != want {
					t.Errorf("%s: got %q, want %q", header, got, want)
				}
			}
			for _, want := range []string{
				"Choose a face for this page", "Every design", `src="` + path + `/editorial.png?w=1200"`,
				path + `/poster.png?w=480`, "How others will see it", "<code>#", "1200×630, PNG",
			} {
				if !strings.Contains(body, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
		}
		for _, query := range []string{
			"?w=480", "?w=1200", "?w=480&accent=0f766e&dark=false&font=space-grotesk&title=Another",
			"?w=480&kind=blog_hero&aspectRatio=16:10",
		} {
			design := "/editorial.png"
			one, two := s.Get(path+design+query).Want(http.StatusOK), other.Get(path+design+query).Want(http.StatusOK)
			if !bytes.Equal(one.Body, two.Body) {
				t.Errorf("%s: the nodes draw it differently", query)
			}
			width, height := sizeOf(t, one)
			want := [2]int{480, 252}
			switch {
			case strings.Contains(query, "1200"):
				want = [2]int{1200, 630}
			case strings.Contains(query, "hero"):
				want = [2]int{480, 300}
			}
			if width != want[0] || height != want[1] {
				t.Errorf("%s: got %d×%d, want %v", query, width, height, want)
			}
			for header, want := range map[string]string{
				"Cache-Control": "private, max-age=3600, immutable", "X-Robots-Tag": "noindex",
				"Content-Security-Policy": "default-src 'none'; sandbox",
			} {
				if got := one.Header.Get(header); got != want {
					t.Errorf("%s: got %q, want %q", header, got, want)
				}
			}
		}
		// At full size it is the picture that the service makes, byte for byte.
		made := s.Generate("/page/one", map[string]any{"template": "poster"}).Want(http.StatusOK)
		address, err := url.Parse(made.Text("imageUrl"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := other.Get(path+"/poster.png?w=1200"), s.Get(address.Path); !bytes.Equal(got.Body, want.Body) {
			t.Errorf("the proof has %d bytes, the image %d, or other ones", len(got.Body), len(want.Body))
		}
		// The icon set.
		icons := string(other.Get(path + "?kind=icon_set").Want(http.StatusOK).Body)
		if !strings.Contains(icons, "Download ZIP") || !strings.Contains(icons, "apple-touch-icon.png") {
			t.Error("the page has no icon set")
		}
		other.Get(path + "/icons/favicon-32.png").Want(http.StatusOK)
		if zip := other.Get(path + "/icons/icons.zip").Want(http.StatusOK); !bytes.HasPrefix(zip.Body, []byte("PK")) {
			t.Error("the archive is no zip")
		}
		other.Get(path + "/icons/other.png").Want(http.StatusNotFound)
	})
}

func sizeOf(t *testing.T, r *apptest.Response) (width, height int) {
	t.Helper()
	decode := png.DecodeConfig
	if r.Header.Get("Content-Type") == "image/jpeg" {
		decode = jpeg.DecodeConfig
	}
	c, err := decode(bytes.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	return c.Width, c.Height
}

// TestTry_slowPageArrivesInParts reads the page of a ticket while its site hasn't responded yet.
func TestTry_slowPageArrivesInParts(t *testing.T) {
	t.Parallel()
	respond := make(chan struct{})
	site, allow := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		<-respond
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>At last</title>")
	})
	s := apptest.Start(t, allow)
	path := ticketOf(t, s, site+"/slow")
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Client.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK || got.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("got %d with %v", got.StatusCode, got.Header)
	}
	lines := bufio.NewReader(got.Body)
	var first strings.Builder
	for !strings.Contains(first.String(), "Asking for the page") {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the page ended with %q", first.String())
		}
		first.WriteString(line)
	}
	close(respond) // the beginning arrived before the site responded
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>Reading the page</h1>", "The page responded with 200", ".reading{display:none}",
		"Choose a face for this page",
		"</html>",
	} {
		if !strings.Contains(first.String()+string(rest), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	nonce := regexp.MustCompile(`'nonce-([^']+)'`).FindStringSubmatch(got.Header.Get("Content-Security-Policy"))[1]
	if n := strings.Count(first.String()+string(rest), `nonce="`+strings.ReplaceAll(nonce, "+", "&#43;")+`"`); n != 6 {
		t.Errorf("%d elements have the nonce, want 6", n)
	}
	if again := string(s.Get(path).Want(http.StatusOK).Body); strings.Contains(again, "Reading the page") {
		t.Error("a reload shows the progress")
	}
}

// TestTry_timeIsBounded reads a page that never arrives.
func TestTry_timeIsBounded(t *testing.T) {
	t.Parallel()
	site, allow := serving(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := apptest.Start(t, allow, func(c *app.Config) { c.Tickets.ReadTime = 400e6 })
	path := ticketOf(t, s, site+"/never")
	apptest.WaitFor(t, "the end of reading", func() bool {
		return strings.Contains(string(s.Get(path).Body), "Draw from this text")
	})
	s.Get(path).Want(http.StatusBadGateway)
}

// TestTry_getNeverFetches opens a link that someone else sent.
func TestTry_getNeverFetches(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	site, allow := serving(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	s := apptest.Start(t, allow)
	shared := "/try?accent=0F766E&template=poster&url=" + url.QueryEscape(site+"/page")
	body := string(s.Get(shared).Want(http.StatusOK).Body)
	for _, want := range []string{
		`value="` + site + `/page"`, `name="accent" value="0f766e"`, `name="template" value="poster"`,
		"Your choices are kept",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if asked.Load() != 0 {
		t.Error("the server fetched the page")
	}
	here := strings.Replace(shared, "/try", "/dashboard/new", 1)
	to := webtest.NewVisitor(t, s.Base).Get(here)
	if to.Status != http.StatusSeeOther || to.Header.Get("Location") != shared {
		t.Errorf("%s leads to %q with %d", here, to.Header.Get("Location"), to.Status)
	}
}

// TestTry_ticketsAreOfTheirNetwork asks for other people's tickets, and guesses some.
func TestTry_ticketsAreOfTheirNetwork(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, func(c *app.Config) { c.Server.TrustedProxies = []string{"127.0.0.1"} })
	from := func(address string) apptest.RequestOption { return apptest.Header("X-Forwarded-For", address) }
	mine, others := from("2001:db9:1:2::5"), from("198.51.100.7")
	path := ticketOf(t, s, s.Site.At("/page/one"), mine)
	s.Get(path, mine).Want(http.StatusOK)
	s.Get(path+"/poster.png?w=480", from("2001:db9:1:2:ffff::9")).Want(http.StatusOK) // the same /64
	guess := "/try/0000000000000000000000"
	for _, part := range []string{"", "?kind=icon_set", "/poster.png?w=480", "/icons/favicon-32.png",
		"/icons/icons.zip"} {
		foreign := s.Get(path+part, others).Want(http.StatusNotFound)
		unknown := s.Get(guess+part, others).Want(http.StatusNotFound)
		nonce := regexp.MustCompile(`nonce="[^"]*"`)
		if a, b := nonce.ReplaceAll(foreign.Body, nil), nonce.ReplaceAll(unknown.Body, nil); !bytes.Equal(a, b) {
			t.Errorf("%q: a foreign ticket differs from an unknown one", part)
		}
	}
	for _, id := range []string{"%00", "..", "short", strings.Repeat("a", 500), "%27%20OR%201=1--00000000"} {
		s.Get("/try/" + id).Want(http.StatusNotFound)
	}
}

// TestTry_saysWhatIsWrong sends forms that lead to no ticket.
func TestTry_saysWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	for _, c := range []struct {
		typed, says string
		status      int
	}{
		{"", "Enter the address of a page.", 400},
		{"htp://one.example/a", "Did you mean", 400},
		{"http://user@one.example/", "said", 400},
		{strings.Repeat("a", 70_000), "We couldn’t read the form", 400},
	} {
		got := open(s, url.Values{"url": {c.typed}}).Want(c.status)
		if body := string(got.Body); !strings.Contains(body, c.says) || !strings.Contains(body, `aria-invalid="true"`) {
			t.Errorf("%.20q: the page doesn't say %q next to the field", c.typed, c.says)
		}
	}
	open(s, url.Values{"url": {s.Site.At("/page/one")}}, apptest.Header("Sec-Fetch-Site", "cross-site")).
		Want(http.StatusForbidden)
	open(s, url.Values{"url": {s.Site.At("/page/one")}}, apptest.Header("Origin", "https://elsewhere.example")).
		Want(http.StatusForbidden)
	// A refused address is only known once it was tried.
	path := ticketOf(t, s, "http://127.0.0.1:1/")
	s.Get(path).Want(http.StatusBadRequest)
	// A page that isn't there can be drawn from text.
	path = ticketOf(t, s, s.Site.At("/status/404"))
	if body := string(s.Get(path).Want(http.StatusBadGateway).Body); !strings.Contains(body, "The page returned 404") {
		t.Error("the page doesn't say that it returned 404")
	}
	s.Get(path + "/poster.png?w=480").Want(http.StatusNotFound)
	body := string(s.Get(path + "?title=My+own&siteName=Here").Want(http.StatusOK).Body)
	if !strings.Contains(body, "Drawn from your text") || strings.Contains(body, "Icon set") {
		t.Error("the page isn't drawn from the text")
	}
	s.Get(path + "/poster.png?w=480&title=My+own").Want(http.StatusOK)
}

// TestTry_countsLikeAudits holds the form to the limit of the smallest plan, and proofs to their own.
func TestTry_countsLikeAudits(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, func(c *app.Config) {
		c.Billing.FreeRPM, c.Tickets.ProofRPM, c.Tickets.TicketProofs, c.Server.BreakerRPM = 3, 8, 5, 14
	})
	one, two := ticketOf(t, s, s.Site.At("/page/one")), ticketOf(t, s, s.Site.At("/page/two"))
	s.Post("/audits", map[string]any{"url": s.Site.At("/page/one")}).Want(http.StatusOK)
	over := open(s, url.Values{"url": {s.Site.At("/page/one")}}).Want(http.StatusTooManyRequests)
	if over.Header.Get("Retry-After") == "" || over.Header.Get("X-RateLimit-Limit") != "3" ||
		!strings.Contains(string(over.Body), "Too many pages were requested. Try again in ") {
		t.Errorf("got %v", over.Header)
	}
	for _, ticket := range []string{one, two} {
		// Until its page was read, there is nothing to draw, which counts nothing.
		apptest.WaitFor(t, "the first proof", func() bool {
			return s.Get(ticket+"/poster.png?w=480").Status == http.StatusOK
		})
	}
	for range 4 {
		s.Get(one + "/poster.png?w=480").Want(http.StatusOK)
	}
	s.Get(one + "/poster.png?w=480").Want(http.StatusTooManyRequests) // of the ticket
	s.Get(two + "/poster.png?w=480").Want(http.StatusOK)
	limited := s.Get(two + "/poster.png?w=480").Want(http.StatusTooManyRequests) // of the address
	if limited.Header.Get("Retry-After") == "" || limited.Header.Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(string(limited.Body), "Too many drawings") || limited.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %v: %s", limited.Header, limited.Body)
	}
	// None of it counted on the breaker, which the pages do.
	for range 14 {
		s.Get("/try").Want(http.StatusOK)
	}
	s.Get("/try").Want(http.StatusTooManyRequests)
}

// TestTry_busyAndHungProofsHarmNobody holds the one worker of proofs: the queue fills, what is beyond gets a remark,
// and images are made all the same. A proof past its deadline is refused from then on, and the next ones are drawn.
func TestTry_busyAndHungProofsHarmNobody(t *testing.T) {
	t.Parallel()
	hold, held := make(chan struct{}), make(chan struct{}, 100)
	var holding atomic.Bool
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Tickets.Workers.Workers, c.Tickets.Workers.Deadline = 1, 3e9
		c.Tickets.Workers.Begin = func(w worker.Work) {
			if holding.Load() {
				held <- struct{}{}
				<-hold
			}
		}
	})
	path := ticketOf(t, s, s.Site.At("/page/one"))
	s.Get(path).Want(http.StatusOK)
	holding.Store(true)
	codes := make(chan *apptest.Response, 80)
	ask := func(i int) { codes <- s.Get(fmt.Sprintf("%s/poster.png?w=480&title=%d", path, i)) }
	go ask(0)
	<-held
	for i := range 60 { // one is drawn, 48 of this ticket wait
		go ask(i + 1)
	}
	for range 12 {
		busy := (<-codes).Want(http.StatusServiceUnavailable)
		if busy.Header.Get("Retry-After") != "2" || !strings.Contains(string(busy.Body), "Waiting: the server is busy") {
			t.Fatalf("got %v: %s", busy.Header, busy.Body)
		}
	}
	s.Generate("/page/one", nil).Want(http.StatusOK) // while proofs hang
	holding.Store(false)
	hung := (<-codes).Want(http.StatusServiceUnavailable) // its deadline passed
	if !strings.Contains(string(hung.Body), "<svg") {
		t.Errorf("got %s", hung.Body)
	}
	drawn := 0
	for range 48 { // on a slow machine the last ones wait too long, and are to be asked for again
		switch r := <-codes; {
		case r.Status == http.StatusOK:
			drawn++
		case r.Want(http.StatusServiceUnavailable).Header.Get("Retry-After") != "2":
			t.Errorf("got %v: %s", r.Header, r.Body)
		}
	}
	if drawn == 0 {
		t.Error("no proof was drawn that had waited")
	}
	s.Get(path + "/poster.png?w=480&title=0").Want(http.StatusServiceUnavailable) // refused for an hour
	s.Get(path + "/poster.png?w=480&title=other").Want(http.StatusOK)
	close(hold)
}

// playgroundPayload is what must be shown as text wherever a page or an address says it.
const playgroundPayload = `"'><img src=x onerror="window.hit=1"><script>window.hit=1</script></textarea>{{7*7}}`

// TestTry_hostileTextStaysText has markup in every field of a page and of the choices.
func TestTry_hostileTextStaysText(t *testing.T) {
	t.Parallel()
	escaped := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace(playgroundPayload)
	site, allow := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="%[1]s" dir="%[1]s"><head><title>%[1]s</title>`, escaped)
		for _, key := range []string{
			"og:title", "og:description", "og:site_name", "og:type", "og:url", "og:image", "article:section",
			"og:locale",
			"article:published_time",
		} {
			fmt.Fprintf(w, `<meta property="%s" content="%s">`, key, escaped)
		}
		fmt.Fprintf(w, `<meta name="author" content="%[1]s"><meta name="theme-color" content="%[1]s">
			<link rel="icon" href="%[1]s">
			<style>:root{--brand-x"><script>: #123456}</style></head>
			<body><h1>%[1]s</h1><blockquote>%[1]s</blockquote></body>`, escaped)
	})
	s := apptest.Start(t, allow)
	path := ticketOf(t, s, site+"/?q="+url.QueryEscape(playgroundPayload))
	all := url.Values{}
	for _, name := range []string{
		"kind", "template", "accent", "own", "dark", "font", "aspectRatio", "logoPosition", "title", "description",
		"siteName", "eyebrow", "author", "date", "w", "url",
	} {
		all.Set(name, playgroundPayload)
	}
	for _, address := range []string{
		path, path + "?" + all.Encode(), path + "?kind=blog_hero&title=" + url.QueryEscape(playgroundPayload), path +
			"?kind=icon_set",
		"/try?" + all.Encode(), path + "/poster.png?" + all.Encode(), "/try/" + url.PathEscape(playgroundPayload),
		path + "/" + url.PathEscape(playgroundPayload) + ".png",
	} {
		body := string(s.Get(address).Body)
		for _, raw := range []string{"<img src=x", "<script>window.hit", "</textarea>{{"} {
			if strings.Contains(body, raw) {
				t.Errorf("%.60s: has %q as markup", address, raw)
			}
		}
		for tokens := html.NewTokenizer(strings.NewReader(body)); tokens.Next() != html.ErrorToken; {
			for _, attribute := range tokens.Token().Attr {
				if attribute.Key == "style" || strings.HasPrefix(attribute.Key, "on") {
					t.Errorf("%.60s: has the attribute %s", address, attribute.Key)
				}
			}
		}
	}
}

// TestTry_hugePageIsBounded reads a page with as much as possible of everything.
func TestTry_hugePageIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("𝔏ong 語 ", 20_000)
	var head strings.Builder
	for i := range 500 {
		fmt.Fprintf(&head, `<style>:root{--brand-%d:#%06x}</style><link rel="icon" href="/icon-%d.png?%s">`, i, i*7919,
			i,
			strings.Repeat("x", 1500))
	}
	for _, key := range []string{
		"og:title", "og:description", "og:site_name", "og:locale", "twitter:title", "twitter:description",
	} {
		fmt.Fprintf(&head, `<meta property="%s" content="%s">`, key, long)
	}
	site, allow := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/icon-") {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(bytes.Repeat([]byte("\x89PNG\r\n\x1a\n"), 100_000))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html><head>"+head.String()+"</head><body><p>"+long)
	})
	s := apptest.Start(t, allow)
	path := ticketOf(t, s, site+"/"+strings.Repeat("p", 1900))
	apptest.WaitFor(t, "the page", func() bool { return strings.Contains(string(s.Get(path).Body), "Every design") })
	var size int
	if err := s.App.DB.Get(context.Background(), &size, `SELECT LENGTH(facts) FROM tickets`); err != nil || size > 64<<10 {
		t.Errorf("the facts have %d characters, %v", size, err)
	}
	if page := s.Get(path).Want(http.StatusOK); len(page.Body) > 120_000 {
		t.Errorf("the page has %d bytes", len(page.Body))
	}
}

// TestTry_styleIsBounded holds the style sheet to 30 KB.
func TestTry_styleIsBounded(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	body := string(s.Get("/try").Want(http.StatusOK).Body)
	style := regexp.MustCompile(`(?s)<style[^>]*>(.*?)</style>`).FindStringSubmatch(body)
	if style == nil || len(style[1]) > 30_000 {
		t.Errorf("the style has %d bytes, want at most 30000", len(style[1]))
	}
	script := regexp.MustCompile(`(?s)<script nonce[^>]*>(.*?)</script>\s*</body>`).FindStringSubmatch(body)
	if script == nil {
		t.Error("the page has no script")
	}
}

// TestTry_use shows a snippet with the IDs of a project to people who are signed in. What it names is the image.
func TestTry_use(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	path := ticketOf(t, s, s.Site.At("/page/one"))
	snippet := func(r *apptest.Response) (code string, section string) {
		t.Helper()
		doc, err := html.Parse(bytes.NewReader(r.Want(http.StatusOK).Body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Data == "section" && strings.Contains(classOf(n), "use") {
				section = textOf(n)
			}
			if n.Data == "pre" && strings.Contains(classOf(n.Parent.Parent), "snippet") {
				code = textOf(n)
			}
		}
		return code, section
	}
	code, section := snippet(s.Get(path + "?template=poster&title=%3Cscript%3E"))
	if !strings.Contains(code, "/og/YOUR_PUBLIC_ID?template=poster&amp;url=http") ||
		!strings.Contains(section, "Register") ||
		!strings.Contains(section, "in place of YOUR_PUBLIC_ID") {
		t.Errorf("a visitor: %s %s", code, section)
	}
	bearer := apptest.Bearer(s.Session.Access)
	domain := map[string]any{"domains": []string{"127.0.0.1"}}
	project := s.Send("PATCH", "/projects/"+s.Project, domain, bearer).Want(http.StatusOK)
	code, section = snippet(s.Get(path+"?template=poster", bearer))
	if !strings.Contains(section, "Filled in for the project "+project.Text("name")) ||
		strings.Contains(section, "isn’t one") {
		t.Errorf("signed in: %s", section)
	}
	doc, err := html.Parse(strings.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	picture := ""
	for n := range doc.Descendants() {
		if n.Data == "meta" && picture == "" {
			picture = n.Attr[1].Val
		}
	}
	address, err := url.Parse(picture)
	if err != nil {
		t.Fatal(err)
	}
	served := s.Get(address.RequestURI()).Want(http.StatusOK)
	proof := s.Get(path + "/poster.png?w=1200").Want(http.StatusOK)
	if !bytes.Equal(served.Body, proof.Body) {
		t.Errorf("%s isn’t the image that was chosen", picture)
	}
	s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{}}, bearer).Want(http.StatusOK)
	if _, section = snippet(s.Get(path, bearer)); !strings.Contains(section, "isn’t one of the project’s domains") {
		t.Errorf("without the domain: %s", section)
	}
	newcomer := s.Register()
	code, section = snippet(s.Get(path+"?for=curl&kind=blog_hero", apptest.Bearer(newcomer.Access)))
	if !strings.Contains(section, "Add a project") || !strings.Contains(code, "YOUR_PROJECT_ID") {
		t.Errorf("without a project: %s %s", section, code)
	}
}

func classOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "class" {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// TestTry_save saves the chosen image: it is the one that was shown, byte for byte.
func TestTry_save(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	path := ticketOf(t, s, s.Site.At("/page/one"))
	bearer := apptest.Bearer(s.Session.Access)
	page := string(s.Get(path+"?template=poster", bearer).Want(http.StatusOK).Body)
	if !strings.Contains(page, "Save this card") || strings.Contains(page, "/register?next=") ||
		strings.Contains(page, `<select name="project"`) {
		t.Error("the page of someone who is signed in")
	}
	chosen := url.Values{
		"template": {"poster"}, "own": {"b91c1c"}, "dark": {"false"}, "title": {"<i>Mine</i>"}, "do": {"save"},
	}
	send := func(path string, form url.Values, options ...apptest.RequestOption) *apptest.Response {
		return s.Post(path, form.Encode(), append([]apptest.RequestOption{asForm}, options...)...)
	}
	saved := func(r *apptest.Response) (id string) {
		t.Helper()
		id, ok := strings.CutPrefix(r.Want(http.StatusSeeOther).Header.Get("Location"), "/dashboard/images/")
		if !ok {
			t.Fatalf("it leads to %s", r.Header.Get("Location"))
		}
		return strings.TrimSuffix(id, "?done=saved")
	}
	image := s.Get("/images/"+saved(send(path, chosen, bearer)), bearer).Want(http.StatusOK)
	address, err := url.Parse(image.Text("imageUrl"))
	if err != nil {
		t.Fatal(err)
	}
	proof := s.Get(path + "/poster.png?w=1200&accent=b91c1c&dark=false&title=%3Ci%3EMine%3C%2Fi%3E")
	if !bytes.Equal(s.Get(address.Path).Body, proof.Want(http.StatusOK).Body) || image.Text("projectId") != s.Project {
		t.Errorf("saved another image than the one shown: %s", image.Body)
	}
	withLogo := url.Values{"logoPosition": {"top-right"}, "do": {"save"}}
	logo := s.Get("/images/"+saved(send(path, withLogo, bearer)), bearer)
	if logo.Text("style.logo.position") != "top-right" || logo.Text("style.logo.url") != s.Site.At("/icon.png") {
		t.Errorf("saved without the logo: %s", logo.Body)
	}
	icons := saved(send(path, url.Values{"kind": {"icon_set"}, "do": {"save"}}, bearer))
	if got := s.Get("/images/"+icons, bearer).Text("kind"); got != "icon_set" {
		t.Errorf("saved %s, want the icons", got)
	}
	// Visitors register, and come back to what they chose.
	to := send(path, chosen).Want(http.StatusSeeOther).Header.Get("Location")
	next, err := url.Parse(to)
	if err != nil || next.Path != "/register" || !strings.HasPrefix(next.Query().Get("next"), path+"?accent=b91c1c") {
		t.Errorf("a visitor is led to %s", to)
	}
	// An account without a project gets one for the site, once.
	newcomer := apptest.Bearer(s.Register().Access)
	chosen.Set("again", "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11")
	first, second := saved(send(path, chosen, newcomer)), saved(send(path, chosen, newcomer))
	list := s.Get("/projects", newcomer)
	if first != second || len(list.Value("items").([]any)) != 1 || list.Text("items.0.domains.0") != "127.0.0.1" {
		t.Errorf("saved as %s and %s in %s", first, second, list.Body)
	}
	// Another account's project isn't used.
	chosen.Set("project", s.Project)
	own := s.Get("/images/"+saved(send(path, chosen, newcomer)), newcomer).Text("projectId")
	if own != list.Text("items.0.id") {
		t.Errorf("saved into %s, which belongs to someone else", own)
	}
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		r := send(path, chosen, apptest.Header("Cookie", "access_token="+s.Session.Access), apptest.Header(name, value))
		if r.Status != http.StatusForbidden {
			t.Errorf("a form from elsewhere (%s): %d", name, r.Status)
		}
	}
	if r := send(path, url.Values{"do": {"x"}}, bearer); r.Status != http.StatusBadRequest {
		t.Errorf("an unknown form: %d", r.Status)
	}
	if r := send("/try/"+strings.Repeat("0", 22), chosen, bearer); r.Status != http.StatusNotFound ||
		!strings.Contains(string(r.Body), "Your choices are kept") {
		t.Errorf("an expired ticket: %d", r.Status)
	}
}

// TestTry_saveFails says why an image wasn't saved, and keeps the choices.
func TestTry_saveFails(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	site, allow := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		if gone.Load() {
			w.WriteHeader(http.StatusGone)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>A page</title>")
	})
	s := apptest.StartSignedIn(t, allow)
	path := ticketOf(t, s, site+"/")
	bearer := apptest.Bearer(s.Session.Access)
	s.Get(path).Want(http.StatusOK)
	gone.Store(true)
	r := s.Post(path, "do=save&template=poster&dark=false", asForm, bearer).Want(http.StatusUnprocessableEntity)
	if body := string(r.Body); !strings.Contains(body, "410 Gone") ||
		!strings.Contains(body, `name="template" value="poster" checked`) {
		t.Errorf("it says %s", body)
	}
	// The domain is added with one click, which leads back to the snippet.
	r = s.Post(path, "do=domain&for=hugo&template=poster&project="+s.Project, asForm, bearer).Want(http.StatusSeeOther)
	if to := r.Header.Get("Location"); to != path+"?for=hugo&project="+s.Project+"&template=poster#use" {
		t.Errorf("it leads to %s", to)
	}
	if got := s.Get("/projects/"+s.Project, bearer).Value("domains").([]any); len(got) != 1 || got[0] != "127.0.0.1" {
		t.Errorf("the domains are %v", got)
	}
}

// TestTry_cardIsKeptOnRegistering chooses a card, and registers where its form leads: the card is the account's first
// image. Choices that can't be saved, and pages that have none, are only gone on to.
func TestTry_cardIsKeptOnRegistering(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	path := ticketOf(t, s, s.Site.At("/page/one"))
	s.Get(path).Want(http.StatusOK)
	register := func(next string) (to string, session []apptest.RequestOption) {
		t.Helper()
		form := url.Values{
			"email": {fmt.Sprintf("new%d@example.com", apptest.Serial())}, "password": {apptest.Password},
			"next": {next},
		}
		r := s.Post("/register", form.Encode(), asForm).Want(http.StatusSeeOther)
		cookie, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
		return r.Header.Get("Location"), []apptest.RequestOption{apptest.Header("Cookie", cookie)}
	}
	chosen := url.Values{
		"template": {"poster"}, "own": {"b91c1c"}, "dark": {"false"}, "title": {"<i>Mine</i>"}, "do": {"save"},
	}
	led := s.Post(path, chosen.Encode(), asForm).Want(http.StatusSeeOther).Header.Get("Location")
	u, err := url.Parse(led)
	if err != nil {
		t.Fatal(err)
	}
	to, session := register(u.Query().Get("next"))
	id := strings.TrimSuffix(strings.TrimPrefix(to, "/dashboard/images/"), "?done=saved")
	image := s.Get("/images/"+id, session...).Want(http.StatusOK)
	if image.Text("template") != "poster" || image.Text("style.accent") != "#b91c1c" ||
		image.Value("style.dark") != false || image.Text("source.title") != "<i>Mine</i>" {
		t.Errorf("saved %s", image.Body)
	}
	if list := s.Get("/projects", session...); list.Text("items.0.domains.0") != "127.0.0.1" {
		t.Errorf("saved in %s", list.Body)
	}
	for _, next := range []string{
		"/try/" + strings.Repeat("0", 22) + "?template=poster", path + "?template=none", "/try", path + "/poster.png",
		"/swagger",
	} {
		to, session := register(next)
		if n := len(s.Get("/images", session...).Value("items").([]any)); to != next || n != 0 {
			t.Errorf("%s: went to %s with %d images", next, to, n)
		}
	}
}
