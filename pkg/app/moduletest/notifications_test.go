package moduletest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/mail"
	"masthead/pkg/wire"
)

// soon has deliveries looked for often.
func soon(c *app.Config) { c.JobsEvery = 5 * time.Millisecond }

// notificationsOnBoth runs a test on both databases.
func notificationsOnBoth(t *testing.T, test func(t *testing.T, s *apptest.Service)) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		test(t, apptest.StartSignedIn(t, apptest.OnDatabase(cfg), soon))
	})
}

// notificationsPublish publishes an event in a transaction and waits until it was delivered.
func notificationsPublish[D any](t *testing.T, s *apptest.Service, of events.Type[D], ownerID, cause string, data D) {
	t.Helper()
	err := s.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return of.PublishOnce(t.Context(), tx, s.App.Events, ownerID, cause, data)
	})
	if err != nil {
		t.Fatal(err)
	}
	apptest.WaitFor(t, "the delivery", func() bool {
		var left int
		err := s.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE kind = 'event:notifications'`)
		return err == nil && left == 0
	})
}

func inbox(s *apptest.Service) *apptest.Response {
	return s.Get("/notifications", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
}

// mails returns the kinds of the emails that an account was sent, oldest first.
func mails(t *testing.T, s *apptest.Service, id string) (kinds []string) {
	t.Helper()
	err := s.App.DB.Select(t.Context(), &kinds, `SELECT kind FROM mails WHERE user_id = ? ORDER BY id`, id)
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

// prefer changes a preference of the session.
func prefer(s *apptest.Service, kind, channel string, on bool) *apptest.Response {
	return s.Send(http.MethodPut, "/notifications/preferences",
		map[string]any{"items": []any{map[string]any{"kind": kind, channel: on}}}, apptest.Bearer(s.Session.Access))
}

var quota = events.Quota{Resource: events.QuotaPictures, Month: "2026-11", Percent: 80, Used: 80, Limit: 100}

// worse is the data of a watched page that got worse.
var worse = func() events.Watch {
	report, score := "abc", 60
	return events.Watch{
		WatchId: "w", Url: "https://example.com/", AuditId: &report, Score: &score,
		Problems: []string{"og:image returns 404."},
	}
}()

func TestEvents_reachInboxAndMail(t *testing.T) {
	t.Parallel()
	notificationsOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id := s.ID(s.Session)
		notificationsPublish(t, s, events.QuotaReached, id, "1", quota)
		notificationsPublish(t, s, events.QuotaReached, id, "1", quota) // published again
		notificationsPublish(t, s, events.SubscriptionChanged, id, "2",
			events.Subscription{Plan: "free", PreviousPlan: "pro"})
		notificationsPublish(t, s, events.AIDisabled, id, "3", events.AI{Name: "Blog", Reason: events.AIPolicy})
		notificationsPublish(t, s, events.WebhookDisabled, id, "4",
			events.Webhook{Url: "https://example.com/hook", Reason: "410"})
		notificationsPublish(t, s, events.NewPlace, id, "5",
			events.SignIn{Network: "192.0.2.0/24", Device: "Firefox on Linux"})
		notificationsPublish(t, s, events.WatchWorse, id, "6", worse)
		notificationsPublish(t, s, events.ScoreDropped, id, "8",
			events.Score{AuditId: "abc", Score: 60, PreviousScore: 90})
		for _, page := range []string{"one", "two"} { // the same project on the same day
			notificationsPublish(t, s, events.ImageFailed, id, page, events.ImageFailure{ProjectId: "p", Kind: "og",
				Url: "https://example.com/" + page, Reason: "It answered 500."})
		}
		notificationsPublish(t, s, events.QuotaReached, apptest.Nobody, "7", quota) // an account that was deleted

		var kinds []string
		got := inbox(s)
		for i := range 7 {
			kinds = append(kinds, got.Text(fmt.Sprintf("items.%d.kind", i)))
		}
		slices.Reverse(kinds)
		want := []string{"quota_reached", "plan_changed", "ai_disabled", "webhook_disabled", "new_sign_in",
			"watch_worse",
			"image_failed"}
		if !slices.Equal(kinds, want) || got.Value("unread") != 7.0 {
			t.Errorf("the inbox has %v with %v unread, want %v", kinds, got.Value("unread"), want)
		}
		if sent := mails(t, s, id); !slices.Equal(sent,
			want[:5]) { // the others are only sent to those who ask for them
			t.Errorf("got the mails %v, want %v", sent, want[:5])
		}
		if text := got.Text("items.0.text"); !strings.Contains(text, "https://example.com/one") {
			t.Errorf("got the text %q, want the first page in it", text)
		}
		if title := got.Text("items.6.title"); title != "You have used 80% of your AI images" {
			t.Errorf("got the title %q", title)
		}
		if text := got.Text("items.1.text"); !strings.Contains(text, "og:image returns 404.") {
			t.Errorf("got the text %q, want what is wrong", text)
		}
		if path := got.Text("items.1.path"); path != "/audit/abc" {
			t.Errorf("got the path %q, want the report's", path)
		}
	})
}

// TestEvents_jobsThatTakeLong tells of what took longer than a minute alone, with the reason if it failed.
func TestEvents_jobsThatTakeLong(t *testing.T) {
	t.Parallel()
	notificationsOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id := s.ID(s.Session)
		ago := func(d time.Duration) wire.Moment { return wire.Moment(time.Now().Add(-d)) }
		score, fault := 74, "It lists no pages."
		for i, d := range []time.Duration{55 * time.Second, 65 * time.Second} {
			n := fmt.Sprint(i)
			notificationsPublish(t, s, events.SiteCompleted, id, n, events.Site{
				SiteId: "ready" + n, Url: "https://example.com/sitemap.xml", State: "READY", Score: &score, Read: 409,
				Unread:    3,
				StartedAt: ago(d),
			})
			notificationsPublish(t, s, events.SiteCompleted, id, "f"+n, events.Site{
				SiteId: "failed" + n, Url: "https://example.com/sitemap.xml", State: "FAILED", Error: &fault,
				StartedAt: ago(d),
			})
			notificationsPublish(t, s, events.ExportCompleted, id, n, events.Export{
				ExportId: "zip" + n, State: "READY", StartedAt: ago(d), ExpiresAt: ago(-24 * time.Hour),
			})
			notificationsPublish(t, s, events.ExportCompleted, id, "f"+n, events.Export{
				ExportId: "none" + n, State: "FAILED", StartedAt: ago(d),
			})
		}
		got := inbox(s)
		if got.Value("unread") != 4.0 {
			t.Fatalf("got %s, want the four that took longer than a minute", got.Body)
		}
		for i, want := range []struct{ title, text, path string }{
			{"Your export failed", "Request another one.", "/dashboard/settings?export=none1#data"},
			{"Your export is ready", "Until: ", "/dashboard/settings?export=zip1#data"},
			{"Your site couldn't be audited", "Reason: It lists no pages.", "/dashboard/audits/sites#new"},
			{"The audit of your site is ready", "409 pages audited\n3 pages couldn't be read",
				"/dashboard/audits/sites/ready1"},
		} {
			at := fmt.Sprintf("items.%d.", i)
			title, text, path := got.Text(at+"title"), got.Text(at+"text"), got.Text(at+"path")
			if title != want.title || !strings.Contains(text, want.text) || path != want.path {
				t.Errorf("got %q, %q and %q, want %+v", title, text, path, want)
			}
		}
		sent := mails(t, s, id)
		if want := []string{"site_completed", "site_completed", "export_completed",
			"export_completed"}; !slices.Equal(sent, want) {
			t.Errorf("got the mails %v, want %v", sent, want)
		}
		prefer(s, "site_completed", "mail", false).Want(http.StatusOK)
		notificationsPublish(t, s, events.SiteCompleted, id, "off",
			events.Site{SiteId: "off", State: "READY", StartedAt: ago(time.Hour)})
		if got := inbox(s).Value("unread"); got != 5.0 || len(mails(t, s, id)) != 4 {
			t.Errorf("without mail: %v unread and the mails %v", got, mails(t, s, id))
		}
	})
}

func TestRead_oneOrAll(t *testing.T) {
	t.Parallel()
	notificationsOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id, user := s.ID(s.Session), apptest.Bearer(s.Session.Access)
		for _, cause := range []string{"1", "2", "3"} {
			notificationsPublish(t, s, events.QuotaReached, id, cause, quota)
		}
		one := inbox(s).Text("items.1.id")
		s.Post("/notifications/read", map[string]any{"id": one}, apptest.Bearer(s.Register().Access)).
			Want(http.StatusNotFound)
		for range 2 {
			s.Post("/notifications/read", map[string]any{"id": one}, user).Want(http.StatusNoContent)
		}
		got := inbox(s)
		at := got.Text("items.1.readAt")
		if got.Value("unread") != 2.0 || at == "" || got.Value("items.0.readAt") != nil {
			t.Errorf("got %s, want the second alone read", got.Body)
		}
		s.Post("/notifications/read", map[string]any{}, user).Want(http.StatusNoContent)
		if got := inbox(s); got.Value("unread") != 0.0 || got.Text("items.1.readAt") != at {
			t.Errorf("got %s, want all read, and the second since before", got.Body)
		}
	})
}

func TestPreferences_decideWhatIsSent(t *testing.T) {
	t.Parallel()
	notificationsOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id := s.ID(s.Session)
		prefer(s, "plan_changed", "inbox", false).Want(http.StatusOK)
		prefer(s, "plan_changed", "mail", false).Want(http.StatusOK)
		prefer(s, "watch_worse", "mail", true).Want(http.StatusOK)
		prefer(s, "quota_reached", "inbox", false).Want(http.StatusOK)
		notificationsPublish(t, s, events.SubscriptionChanged, id, "1",
			events.Subscription{Plan: "free", PreviousPlan: "pro"})
		notificationsPublish(t, s, events.WatchWorse, id, "2", worse)
		notificationsPublish(t, s, events.QuotaReached, id, "3", quota)
		if got := inbox(s); got.Value("unread") != 1.0 || got.Text("items.0.kind") != "watch_worse" {
			t.Errorf("the inbox has %s, want the watched page alone", got.Body)
		}
		if sent := mails(t, s, id); !slices.Equal(sent, []string{"watch_worse", "quota_reached"}) {
			t.Errorf("got the mails %v, want of the watched page and the quota", sent)
		}
		// Mails that no event causes keep to them too.
		err := s.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return s.App.Mail.Send(t.Context(), tx, mail.Message{Kind: mail.PlanChanged, AccountID: id, EventID: "4"})
		})
		if sent := mails(t, s, id); err != nil || len(sent) != 2 {
			t.Errorf("got the mails %v, %v, want no other", sent, err)
		}
	})
}

func TestPreferences_securityMailsCantBeTurnedOff(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t, soon)
	refused := prefer(s, "new_sign_in", "mail", false).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if got := refused.Text("errors.0.pointer"); got != "/items/0/mail" {
		t.Errorf("got the pointer %q in %s", got, refused.Body)
	}
	prefer(s, "new_sign_in", "mail", true).Want(http.StatusOK)
	prefer(s, "new_sign_in", "inbox", false).Want(http.StatusOK)
	// What another version stored doesn't count either.
	id := s.ID(s.Session)
	_, err := s.App.DB.Exec(t.Context(), `UPDATE notification_preferences SET wanted = FALSE WHERE channel = 'mail'`)
	if err != nil {
		t.Fatal(err)
	}
	notificationsPublish(t, s, events.NewPlace, id, "1", events.SignIn{Network: "192.0.2.0/24"})
	if sent := mails(t, s, id); len(sent) != 1 {
		t.Errorf("got the mails %v, want the one about security", sent)
	}
	if got := inbox(s); got.Value("unread") != 0.0 {
		t.Errorf("the inbox has %s, want nothing", got.Body)
	}
	of := s.Get("/notifications/preferences", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	if of.Value("items.0.mail") != true || of.Value("items.0.mailAlways") != true || of.Value("items.0.inbox") != false {
		t.Errorf("got %s, want mails always and no inbox", of.Body)
	}
}

// One click in an email and the preference are one thing.
func TestPreferences_showWhatOneClickUnsubscribed(t *testing.T) {
	t.Parallel()
	notificationsOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id := s.ID(s.Session)
		stop := "/mail/unsubscribe/" + s.App.Mail.UnsubscribeToken(id, mail.QuotaReached)
		wants := func(want bool) {
			t.Helper()
			of := s.Get("/notifications/preferences", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
			if got := of.Value("items.1.mail"); of.Text("items.1.kind") != "quota_reached" || got != want {
				t.Errorf("got %v in %s, want %v", got, of.Body, want)
			}
		}
		wants(true)
		for range 2 {
			s.Post(stop, nil).Want(http.StatusNoContent)
			wants(false)
		}
		prefer(s, "quota_reached", "mail", true).Want(http.StatusOK)
		wants(true)
		s.Post(stop, nil).Want(http.StatusNoContent)
		wants(false)
	})
}

func TestSweep_deletesAfter90Days(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t, soon)
	id := s.ID(s.Session)
	notificationsPublish(t, s, events.QuotaReached, id, "old", quota)
	notificationsPublish(t, s, events.QuotaReached, id, "new", quota)
	for _, c := range []struct {
		days int
		left float64
	}{{89, 2}, {91, 1}} {
		_, err := s.App.DB.Exec(t.Context(),
			`UPDATE notifications SET created_at = ? WHERE id = (SELECT MIN(id) FROM notifications)`,
			db.Millis{Time: time.Now().Add(-time.Duration(c.days) * 24 * time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.App.Notifications.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := inbox(s).Value("unread"); got != c.left {
			t.Errorf("%d days: %v are left, want %v", c.days, got, c.left)
		}
	}
}
