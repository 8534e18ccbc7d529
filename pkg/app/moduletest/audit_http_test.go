package moduletest_test

import (
	"bytes"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/billing"
)

// withCookie sends the session of a user as a browser does from one of our own pages.
func withCookie(s apptest.Session) apptest.RequestOption {
	return apptest.Header("Cookie", "access_token="+s.Access)
}

// audits audits a page of the test's site.
func audits(s *apptest.Service, path string, options ...apptest.RequestOption) *apptest.Response {
	return s.Post("/audits", map[string]any{"url": s.Site.At(path)}, options...)
}

func TestReport_isReadByEverybodyWhoHasItsID(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		for _, options := range [][]apptest.RequestOption{nil, {apptest.Bearer(s.Session.Access)}} {
			made := audits(s, "/page/one", options...).Want(http.StatusOK)
			if made.Text("metadata.title") != "Page one" || made.Text("url") != s.Site.At("/page/one") ||
				len(made.Text("id")) != 22 {
				t.Errorf("got %.300s", made.Body)
			}
			for _, prefix := range []string{"", "/api"} {
				read := s.Get(prefix + "/audits/" + made.Text("id")).Want(http.StatusOK)
				want := made.Body
				if options != nil { // the reader is a stranger: no analysis for him
					want = []byte(strings.Replace(string(made.Body),
						`,"ai":{"status":"SKIPPED","error":null,"analysis":null}`, "", 1))
				}
				if string(read.Body) != string(want) {
					t.Errorf("read back:\n%s\nwant what was answered:\n%s", read.Body, want)
				}
			}
		}
	})
}

func TestPicturesOfReports_areOurOwnFiles(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		made := audits(s, "/page/one", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		if made.Text("pictures.0.kind") != "favicon" || made.Text("pictures.0.shownUrl") == "" {
			t.Fatalf("got pictures %v", made.Value("pictures"))
		}
		picture := s.Get(made.Path("pictures.0.shownUrl")).Want(http.StatusOK)
		if got := picture.Header.Get("X-Robots-Tag"); got != "noindex" {
			t.Errorf("got X-Robots-Tag %q, want noindex", got)
		}
		if got := picture.Header.Get("Content-Type"); got != "image/png" {
			t.Errorf("got %s, want image/png", got)
		}
		if img, err := png.Decode(bytes.NewReader(picture.Body)); err != nil || img.Bounds().Dx() != 128 {
			t.Errorf("got %v, %v, want a PNG of 128 pixels, made of the origin's 180", img, err)
		}
		tag := apptest.Header("If-None-Match", picture.Header.Get("ETag"))
		s.Get(made.Path("pictures.0.shownUrl"), tag).Want(http.StatusNotModified)
		s.Get("/audit/" + made.Text("id") + "/other.png").Want(http.StatusNotFound)
		s.Get("/audit/0000000000000000000000/favicon.png").Want(http.StatusNotFound)

		s.Send("DELETE", "/audits/"+made.Text("id"), nil, apptest.Bearer(s.Session.Access)).Want(http.StatusNoContent)
		s.Get("/audits/" + made.Text("id")).Want(http.StatusNotFound)
		s.Get(made.Path("pictures.0.shownUrl")).Want(http.StatusNotFound)
		var rows int
		if err := s.App.DB.Get(t.Context(), &rows, `SELECT COUNT(*) FROM audit_files`); err != nil || rows != 0 {
			t.Errorf("got %d rows of files, %v, want none after the report was deleted", rows, err)
		}
	})
}

func TestHistory_hasTheReportsOfItsOwner_newestFirst(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		owner, other := apptest.Bearer(s.Session.Access), s.Register()
		one := audits(s, "/page/one", owner).Want(http.StatusOK)
		two := audits(s, "/page/two", withCookie(s.Session)).Want(http.StatusOK)
		three := s.Post("/api/audit", map[string]any{"url": s.Site.At("/page/three")}, owner).Want(http.StatusOK)
		audits(s, "/page/anonymous").Want(http.StatusOK)
		audits(s, "/page/other", apptest.Bearer(other.Access)).Want(http.StatusOK)
		var got []string
		page := s.Get("/audits?limit=2", owner).Want(http.StatusOK)
		got = append(got, page.Text("items.0.id"), page.Text("items.1.id"))
		rest := s.Get("/api/audits?limit=2&cursor="+page.Text("nextCursor"), owner).Want(http.StatusOK)
		got = append(got, rest.Text("items.0.id"))
		want := []string{three.Text("id"), two.Text("id"), one.Text("id")}
		if strings.Join(got, " ") != strings.Join(want, " ") || rest.Value("nextCursor") != nil {
			t.Errorf("got %v, next %v, want %v and no more", got, rest.Value("nextCursor"), want)
		}
		if rest.Text("items.0.title") != "Page one" || rest.Value("items.0.overallScore") != one.Value("overallScore") ||
			rest.Text("items.0.letterGrade") != one.Text("letterGrade") || rest.Text("items.0.ai.status") != "SKIPPED" {
			t.Errorf("got %v of %s", rest.Value("items.0"), one.Body)
		}
		s.Send("DELETE", "/audits/"+one.Text("id"), nil, apptest.Bearer(other.Access)).Want(http.StatusNotFound)
		s.Get("/audits/" + one.Text("id")).Want(http.StatusOK)
	})
}

func TestOptionalSession(t *testing.T) {
	s := apptest.StartSignedIn(t)
	attached := func(options ...apptest.RequestOption) bool {
		t.Helper()
		before := len(s.Get("/audits?limit=100", apptest.Bearer(s.Session.Access)).Value("items").([]any))
		audits(s, "/page/one", options...).Want(http.StatusOK)
		return len(s.Get("/audits?limit=100", apptest.Bearer(s.Session.Access)).Value("items").([]any)) == before+1
	}
	from := func(site string) apptest.RequestOption { return apptest.Header("Sec-Fetch-Site", site) }
	for name, c := range map[string]struct {
		options []apptest.RequestOption
		want    bool
	}{
		"nobody":                   {nil, false},
		"bearer":                   {[]apptest.RequestOption{apptest.Bearer(s.Session.Access)}, true},
		"cookie":                   {[]apptest.RequestOption{withCookie(s.Session)}, true},
		"cookie of our own page":   {[]apptest.RequestOption{withCookie(s.Session), from("same-origin")}, true},
		"cookie from another site": {[]apptest.RequestOption{withCookie(s.Session), from("cross-site")}, false},
		"bad cookie":               {[]apptest.RequestOption{apptest.Header("Cookie", "access_token=x")}, false},
		"good bearer, with a bad cookie": {
			[]apptest.RequestOption{apptest.Bearer(s.Session.Access), apptest.Header("Cookie", "access_token=x")}, true,
		},
	} {
		if got := attached(c.options...); got != c.want {
			t.Errorf("%s: attached to the history: %v, want %v", name, got, c.want)
		}
	}
	for _, token := range []string{"nonsense", "", s.Key} {
		audits(s, "/page/one", apptest.Bearer(token), withCookie(s.Session)).
			WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
		s.Get("/audits/0000000000000000000000", apptest.Bearer(token)).Want(http.StatusUnauthorized)
	}
}

func TestAI_isOfTheOwner_andOfAllWhileThePlanHasIt(t *testing.T) {
	s := apptest.StartSignedIn(t)
	owner := apptest.Bearer(s.Session.Access)
	body := map[string]any{"url": s.Site.At("/page/one"), "includeAi": true}
	if got := s.Post("/audits", body).Want(http.StatusOK).Value("ai"); got != nil {
		t.Errorf("anonymous: got %v, want no ai", got)
	}
	made := s.Post("/audits", body, owner).Want(http.StatusOK)
	if made.Text("ai.status") != "SKIPPED" || !strings.Contains(made.Text("ai.error"), "AI analysis is off") {
		t.Errorf("got %v, want it skipped, with the reason", made.Value("ai"))
	}
	if got := audits(s, "/page/one", owner); got.Text("ai.status") != "SKIPPED" || got.Value("ai.error") != nil {
		t.Errorf("not asked for: got %v, want it skipped without a reason", got.Value("ai"))
	}
	path := "/audits/" + made.Text("id")
	if got := s.Get(path).Value("ai"); got != nil {
		t.Errorf("a stranger, owner on Free: got %v, want no ai", got)
	}
	if got := s.Get(path, withCookie(s.Session)).Text("ai.status"); got != "SKIPPED" {
		t.Errorf("the owner: got %q", got)
	}
	if _, err := s.App.Users.SetPlan(t.Context(), s.ID(s.Session), billing.Plus); err != nil {
		t.Fatal(err)
	}
	if got := s.Get(path).Text("ai.status"); got != "SKIPPED" {
		t.Errorf("a stranger, owner on Plus: got %q, want it", got)
	}
}

func TestPreview_isLiveAndKeepsNothing(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		body := map[string]any{"url": s.Site.At("/page/one")}
		for i, carrier := range []apptest.RequestOption{withCookie(s.Session), apptest.Bearer(s.Session.Access)} {
			before := s.Site.Pages.Load()
			got := s.Post("/api/audits/preview", body, carrier).Want(http.StatusOK)
			if s.Site.Pages.Load() != before+1 {
				t.Errorf("%d: the page was asked for %d times, want once for each preview", i,
					s.Site.Pages.Load()-before)
			}
			if got.Text("metadata.title") != "Page one" || got.Text("metadata.siteName") != "Testland" ||
				got.Value("metadata.image") != nil || got.Text("metadata.favicon") != s.Site.At("/icon.png") {
				t.Errorf("got %s", got.Body)
			}
		}
		if items := s.Get("/audits", apptest.Bearer(s.Session.Access)).Value("items").([]any); len(items) != 0 {
			t.Errorf("got %d reports, want none of previews", len(items))
		}
		s.Post("/audits/preview", body).Want(http.StatusUnauthorized)
		for path, status := range map[string]int{"/gone": 502, "/data.json": 502} {
			s.Post("/audits/preview", map[string]any{"url": s.Site.At(path)}, withCookie(s.Session)).Want(status)
		}
	})
}

func TestPreview_is10AMinuteForEachUser(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Server.PreviewRPM = 0 }) // the default
	other := s.Register()
	body := map[string]any{"url": s.Site.At("/page/one")}
	at := time.Now().Truncate(time.Minute)
	for i := range 10 {
		got := s.Post("/audits/preview", body, withCookie(s.Session)).Want(http.StatusOK)
		if i == 0 && got.Header.Get("X-RateLimit-Limit") != "10" {
			t.Errorf("got a limit of %s, want 10", got.Header.Get("X-RateLimit-Limit"))
		}
	}
	refused := s.Post("/audits/preview", body, apptest.Bearer(s.Session.Access))
	if refused.Status != http.StatusTooManyRequests && time.Now().Truncate(time.Minute).Equal(at) {
		t.Errorf("the 11th: got %d, want 429", refused.Status)
	}
	s.Post("/audits/preview", body, withCookie(other)).Want(http.StatusOK)
}

func TestAudit_whatIsNoPage_isTold(t *testing.T) {
	s := apptest.StartSignedIn(t)
	audits(s, "/data.json").WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	audits(s, "/icon.png").WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	for _, address := range []string{"http://10.0.0.1/", "http://localhost:1/", "http://user@example.com/",
		"http://[::1]/"} {
		got := s.Post("/audits", map[string]any{"url": address}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if got.Text("errors.0.pointer") != "/url" {
			t.Errorf("%s: got %s, want the fault at /url", address, got.Body)
		}
	}
	inside := audits(s, "/redirect?to=http://10.0.0.1/secret").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if strings.Contains(string(inside.Body), "10.0.0.1") {
		t.Errorf("got %s, want no word of the target", inside.Body)
	}
}

func TestReport_pageOnLocalhost_saysWhatIsNotChecked(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		made := audits(s, "/page/one").Want(http.StatusOK)
		notChecked, _ := made.Value("notChecked").([]any)
		if len(notChecked) == 0 {
			t.Fatalf("got %.300s, want checks that were not made", made.Body)
		}
		for i := range notChecked {
			entry, _ := notChecked[i].(map[string]any)
			if entry["id"] == "seo-https" && entry["category"] == "seo" && entry["title"] == "HTTPS" &&
				entry["reason"] != "" {
				return
			}
		}
		t.Errorf("got %v, want seo-https with its reason", notChecked)
	})
}
