package moduletest_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/fetch"
)

// olderReports moves the reports of a service into the past.
func olderReports(t *testing.T, s *apptest.Service, by time.Duration) {
	t.Helper()
	_, err := s.App.DB.Exec(t.Context(), `UPDATE audits SET created_at = created_at - ?`, by.Milliseconds())
	if err != nil {
		t.Fatal(err)
	}
}

// For 30 s, anonymous callers get the same report for the same address.
func TestAnonymousAudits_ofOneAddress_shareAReport(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		signedIn := apptest.Bearer(s.Session.Access)
		own := audits(s, "/page/one", signedIn).Want(http.StatusOK).Text("id")
		first := audits(s, "/page/one").Want(http.StatusOK)
		if first.Text("id") == own {
			t.Error("a stranger got the report of an account")
		}
		olderReports(t, s, 25*time.Second)
		before := s.Site.Pages.Load()
		upper := strings.Replace(s.Site.At("/page/one#part"), "http:", "HTTP:", 1)
		for _, again := range []*apptest.Response{
			audits(s, "/page/one").Want(http.StatusOK),
			s.Post("/audit", map[string]any{"url": upper}).Want(http.StatusOK),
		} {
			if string(again.Body) != string(first.Body) {
				t.Errorf("got\n%.300s\nwant the same report:\n%.300s", again.Body, first.Body)
			}
		}
		if got := s.Site.Pages.Load(); got != before {
			t.Errorf("the page was read %d times more, want not at all", got-before)
		}
		if got := audits(s, "/page/one", signedIn).Want(http.StatusOK).Text("id"); got == own || got == first.Text("id") {
			t.Error("a signed-in caller got an old report")
		}
		if got := audits(s, "/page/two").Want(http.StatusOK).Text("id"); got == first.Text("id") {
			t.Error("another page has the same report")
		}
		olderReports(t, s, 6*time.Second)
		if got := audits(s, "/page/one").Want(http.StatusOK).Text("id"); got == first.Text("id") {
			t.Error("after 31 seconds the report is the same")
		}
	})
}

// TestAnonymousAudits_atTheSameTime_shareOneRun has strangers ask for one page, on two nodes where they share a
// database, while it is being read.
func TestAnonymousAudits_atTheSameTime_shareOneRun(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg))
		nodes := []*apptest.Service{s, s}
		if cfg.URL != "" {
			nodes[1] = s.StartNode()
		}
		hold := make(chan struct{})
		s.Site.Hold.Store(&hold)
		ids := make([]string, 8)
		var work sync.WaitGroup
		for i := range ids {
			work.Go(func() { ids[i] = audits(nodes[i%2], "/page/one").Want(http.StatusOK).Text("id") })
		}
		apptest.WaitFor(t, "the page to be read", func() bool { return s.Site.Pages.Load() > 0 })
		var own string
		work.Go(func() {
			own = audits(s, "/page/one", apptest.Bearer(s.Session.Access)).Want(http.StatusOK).Text("id")
		})
		apptest.WaitFor(t, "the signed-in caller's own run", func() bool { return s.Site.Pages.Load() > 1 })
		close(hold)
		work.Wait()
		if own == ids[0] {
			t.Error("a signed-in caller shares the strangers' report")
		}
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("got the reports %v, want one", ids)
				break
			}
		}
		if got := s.Site.Pages.Load(); got != 3 {
			t.Errorf("the page was read %d times, want once for strangers, and as HTML and as Markdown for the "+
				"account", got)
		}
	})
}

// TestAnonymousAudit_callerLeaves_anotherGoesOn has the caller leave whose run others wait for.
func TestAnonymousAudit_callerLeaves_anotherGoesOn(t *testing.T) {
	s := apptest.Start(t)
	hold := make(chan struct{})
	s.Site.Hold.Store(&hold)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/audits",
		strings.NewReader(`{"url": "`+s.Site.At("/page/one")+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	impatient := &http.Client{Timeout: time.Second}
	var work sync.WaitGroup
	work.Go(func() {
		if response, err := impatient.Do(request); err == nil {
			_ = response.Body.Close()
			t.Error("the first caller got a response")
		}
	})
	apptest.WaitFor(t, "the first run", func() bool { return s.Site.Pages.Load() == 1 })
	work.Go(func() { audits(s, "/page/one").Want(http.StatusOK) })
	apptest.WaitFor(t, "the second run", func() bool { return s.Site.Pages.Load() == 2 })
	close(hold)
	work.Wait()
}

// TestAudit_siteFetchedTooOften_isALimit has a site's budget end: at its page, and at what hangs on the page. No report
// blames the page for it.
func TestAudit_siteFetchedTooOften_isALimit(t *testing.T) {
	var requests atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>A page</title><link rel="canonical" href="/other">`))
	}))
	t.Cleanup(site.Close)
	port := site.URL[strings.LastIndexByte(site.URL, ':'):]
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Resolver = thisMachine{}
		c.Fetch.AllowHosts = []string{"www.example.com" + port, "blog.example.com" + port}
		c.Fetch.Limits = fetch.Limits{HostBurst: 2, HostRate: 0.01}
	})
	for i, c := range []struct {
		name    string
		options []apptest.RequestOption
	}{{"www", nil}, {"blog", nil}, {"blog", []apptest.RequestOption{apptest.Bearer(s.Session.Access)}}} {
		address := "http://" + c.name + ".example.com" + port + "/"
		got := s.Post("/audits", map[string]any{"url": address}, c.options...).
			WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
		if after, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || after < 50 || after > 100 ||
			!strings.Contains(got.Text("detail"), c.name+".example.com is being fetched too often. Try again in ") {
			t.Errorf("%d: got %s, Retry-After %d, want what happened and when to try again", i, got.Body, after)
		}
		if n := requests.Load(); n != 2 {
			t.Errorf("%d: the site got %d requests, want 2", i, n)
		}
	}
	form := strings.NewReader(url.Values{"url": {"http://www.example.com" + port}}.Encode())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/audit/new", form)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusTooManyRequests || response.Header.Get("Retry-After") == "" ||
		!strings.Contains(string(body), "is being fetched too often. Try again in ") {
		t.Errorf("the form: got %v, %d, %v", err, response.StatusCode, response.Header)
	}
}

// thisMachine is a resolver by which every name is this machine, at an address that is not exempt as loopback ones are.
type thisMachine struct{}

func (thisMachine) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.IPv4Unspecified()}, nil
}

// ago is what pages say of a report that was made just now.
var ago = regexp.MustCompile(`Checked (just now|\d+ seconds? ago)`)

func TestReportPage_saysHowOldItIs(t *testing.T) {
	s := apptest.Start(t)
	id := audits(s, "/page/one").Want(http.StatusOK).Text("id")
	if page := s.Get("/audit/" + id).Want(http.StatusOK); !ago.Match(page.Body) {
		t.Error("the page does not say how old the report is")
	}
}
