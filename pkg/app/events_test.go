package app_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/events"
)

// eventLog has the events of a service since they were last taken, by type; of each event it keeps the data.
type eventLog struct {
	mu   sync.Mutex
	data map[string][]any
	ids  map[string]bool
}

func follow[D any](l *eventLog, s *apptest.Service, of events.Type[D]) {
	of.Notify(s.App.Events, func(e events.Event, data D) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.ids[e.ID] { // an event that is published again has the same id
			l.ids[e.ID] = true
			l.data[e.Type] = append(l.data[e.Type], data)
		}
	})
}

// take returns the events since the last call.
func (l *eventLog) take() map[string][]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := maps.Clone(l.data)
	clear(l.data)
	return taken
}

// followAll follows all events that an account may be told of.
func followAll(s *apptest.Service) *eventLog {
	l := &eventLog{data: map[string][]any{}, ids: map[string]bool{}}
	follow(l, s, events.ImageCreated)
	follow(l, s, events.ImageFailed)
	follow(l, s, events.AuditCompleted)
	follow(l, s, events.ScoreDropped)
	follow(l, s, events.SubscriptionChanged)
	follow(l, s, events.AIDisabled)
	follow(l, s, events.WebhookDisabled)
	follow(l, s, events.NewPlace)
	return l
}

// want fails the test unless exactly the events of these types have happened, one of each.
func (l *eventLog) want(t *testing.T, what string, types ...string) map[string][]any {
	t.Helper()
	got := l.take()
	for _, name := range types {
		if len(got[name]) != 1 {
			t.Errorf("%s: got %d events %s, want one", what, len(got[name]), name)
		}
	}
	if len(got) != len(types) {
		t.Errorf("%s: got the events %v, want %v", what, got, types)
	}
	return got
}

func TestEvents_arePublishedExactlyWhenTheyHappen(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		s, l := h, followAll(h)
		user := apptest.Bearer(s.Session.Access)

		s.Generate("/page/one", nil).Want(http.StatusOK)
		if got := l.want(t, "a new image", "image.created"); got["image.created"] != nil {
			image, _ := got["image.created"][0].(events.Image)
			if image.ProjectId != s.Project || image.Url != s.Site.At("/page/one") {
				t.Errorf("got %+v, want the project and the page", image)
			}
		}
		s.Generate("/page/one", nil).Want(http.StatusOK)
		s.Generate("/page/one", map[string]any{"force": true}).Want(http.StatusOK)
		l.want(t, "an image that there is")

		for range 2 {
			s.Generate("/gone", nil).Want(http.StatusBadGateway)
		}
		if got := l.want(t, "a page that can't be read, twice", "image.failed"); got["image.failed"] != nil {
			failed, _ := got["image.failed"][0].(events.ImageFailure)
			if failed.ProjectId != s.Project || failed.Url != s.Site.At("/gone") || !strings.Contains(failed.Reason, "410") {
				t.Errorf("got %+v, want the project, the page and its status", failed)
			}
		}
		public := s.Send(http.MethodPatch, "/projects/"+s.Project, map[string]any{"domains": []string{"127.0.0.1"}}, user).
			Want(http.StatusOK).Text("publicId")
		for range 2 {
			s.Get("/og/" + public + "?url=" + url.QueryEscape(s.Site.At("/gone?again"))).Want(http.StatusOK)
		}
		l.want(t, "a card of the page's address", "image.failed")
		s.Get("/og/" + public + "?url=" + url.QueryEscape("http://169.254.169.254/")).Want(http.StatusForbidden)
		s.Generate("/page/two", map[string]any{"template": "no-such"}).Want(http.StatusNotFound)
		s.Post("/images/generate", map[string]any{"url": "http://127.0.0.1:1/", "projectId": s.Project},
			apptest.Bearer(s.Key)).Want(http.StatusBadRequest)
		l.want(t, "a request that is wrong")

		full := `<html lang="en"><head><title>A good title for this page</title><meta property="og:title" content="A title">
			<meta name="description" content="` + strings.Repeat("A description. ", 8) + `"><link rel="canonical" href="/"></head>
			<body><h1>A</h1></body></html>`
		page := full
		s.Site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, page)
		})
		audit := func(options ...apptest.RequestOption) {
			t.Helper()
			s.Post("/audits", map[string]any{"url": s.Site.At("/audited")}, options...).Want(http.StatusOK)
		}
		audit(user)
		l.want(t, "a report", "audit.completed")
		page = `<html><head></head><body></body></html>`
		audit()
		l.want(t, "a report of nobody's")
		audit(user)
		if got := l.want(t, "a worse report", "audit.completed", "audit.score_dropped"); got["audit.score_dropped"] != nil {
			if score, _ := got["audit.score_dropped"][0].(events.Score); score.Score+5 > score.PreviousScore {
				t.Errorf("got %+v, want 5 points less at least", score)
			}
		}
		audit(user)
		l.want(t, "as bad as before", "audit.completed")
		page = full
		audit(user)
		l.want(t, "a better report", "audit.completed")
	})
}

func TestEvents_ofAccounts(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		l := followAll(s)
		other := s.Register()
		id := s.ID(other)
		if _, err := s.App.Users.Promote(t.Context(), s.ID(s.Session)); err != nil {
			t.Fatal(err)
		}
		change := func(body map[string]any) {
			t.Helper()
			s.Send(http.MethodPatch, "/admin/users/"+id, body, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		}
		change(map[string]any{"plan": "plus"})
		if got := l.want(t, "another plan", "subscription.changed"); got["subscription.changed"] != nil {
			if p, _ := got["subscription.changed"][0].(events.Subscription); p.Plan != "plus" || p.PreviousPlan != "free" {
				t.Errorf("got %+v, want from free to plus", p)
			}
		}
		change(map[string]any{"plan": "plus"})
		change(map[string]any{"disabled": true})
		change(map[string]any{"disabled": false})
		l.want(t, "the same plan")

		public := s.Get("/projects/"+s.Project, apptest.Bearer(s.Session.Access)).Text("publicId")
		project, err := s.App.Projects.Public(t.Context(), public)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := s.App.Projects.StopPublicAI(t.Context(), project); err != nil {
				t.Fatal(err)
			}
		}
		l.want(t, "AI pictures that the program turned off, twice", "ai.disabled")
		for _, on := range []bool{true, false} {
			s.Send(http.MethodPatch, "/projects/"+s.Project, map[string]any{"publicAi": on},
				apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		}
		l.want(t, "AI pictures that the owner turned off")
	})
}

func TestEvents_signInFromANewPlace(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, first *apptest.Service) {
		s := first.StartNode(func(c *app.Config) { c.Server.TrustedProxies = []string{"127.0.0.1"} })
		l := followAll(s)
		account := s.Register()
		signIn := func(address string, status int, password string) {
			t.Helper()
			s.Post("/auth/login", map[string]any{"email": account.Email, "password": password},
				apptest.Header("X-Forwarded-For", address), apptest.Header("User-Agent",
					"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0")).Want(status)
		}
		s.Post("/auth/login", map[string]any{"email": account.Email, "password": account.Password}).Want(http.StatusOK)
		l.want(t, "where the account was registered")
		signIn("203.0.113.7", http.StatusUnauthorized, "wrong wrong wrong")
		l.want(t, "a wrong password")
		signIn("203.0.113.7", http.StatusOK, account.Password)
		if got := l.want(t, "another network", "sign_in.new_place"); got["sign_in.new_place"] != nil {
			place, _ := got["sign_in.new_place"][0].(events.SignIn)
			if place.Network != "203.0.113.0/24" || place.Device != "Firefox on Windows" || place.SessionId == "" {
				t.Errorf("got %+v, want the network, the browser and the session", place)
			}
		}
		signIn("203.0.113.99", http.StatusOK, account.Password)
		l.want(t, "the same network")
		signIn("2001:db8:1:2::3", http.StatusOK, account.Password)
		l.want(t, "a network of IPv6", "sign_in.new_place")
		signIn("2001:db8:1:ffff::4", http.StatusOK, account.Password)
		l.want(t, "the same network of IPv6")

		// Places are forgotten, and an account without any has none that would be new.
		if _, err := s.App.DB.Exec(context.Background(), `UPDATE sign_in_places SET seen_at = 0`); err != nil {
			t.Fatal(err)
		}
		signIn("203.0.113.7", http.StatusOK, account.Password)
		l.want(t, "a network that was last seen long ago", "sign_in.new_place")
		if err := s.App.Auth.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var known int
		if err := s.App.DB.Get(t.Context(), &known, `SELECT COUNT(*) FROM sign_in_places`); err != nil || known != 1 {
			t.Errorf("%d places are known (%v), want the latest alone", known, err)
		}
	})
}

// A command publishes its events for the subscribers of the service beside it.
func TestEvents_ofACommand_areDeliveredByTheService(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		accounts, err := app.OpenAccounts(t.Context(), s.Config.Storage)
		if err != nil {
			t.Fatal(err)
		}
		_, err = accounts.Users.SetPlan(t.Context(), s.ID(s.Session), "pro")
		if err := errors.Join(err, accounts.Close()); err != nil {
			t.Fatal(err)
		}
		apptest.WaitFor(t, "the notification", func() bool {
			inbox := s.Get("/notifications", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
			return inbox.Value("unread") == 1.0 && inbox.Text("items.0.title") == "Your plan is now Pro"
		})
	})
}
