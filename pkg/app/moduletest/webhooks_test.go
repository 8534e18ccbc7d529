package moduletest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
)

// webhooksRequest is one that an endpoint got.
type webhooksRequest struct {
	id     string
	header http.Header
	body   []byte
}

// endpoint is one that answers with a status, 204 unless it is set.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	body   string
	got    []webhooksRequest
	wait   func(r *http.Request) // before it answers; may be nil
	refuse string                // what it never takes; "" for nothing
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{status: http.StatusNoContent}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		e.got = append(e.got, webhooksRequest{r.Header.Get("webhook-id"), r.Header, body})
		status, answer, wait := e.status, e.body, e.wait
		if e.refuse != "" && strings.Contains(string(body), `"`+e.refuse+`"`) {
			status = http.StatusInternalServerError
		}
		e.mu.Unlock()
		if wait != nil {
			wait(r)
		}
		if status >= 300 && status < 400 {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) answer(status int, body string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status, e.body = status, body
}

func (e *endpoint) requests() []webhooksRequest {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.got)
}

// ids are the values of webhook-id that were sent.
func (e *endpoint) ids() (ids []string) {
	for _, r := range e.requests() {
		ids = append(ids, r.id)
	}
	return ids
}

// options lets the service reach endpoints on this machine and send without pauses.
func options(times ...time.Duration) apptest.Option {
	return func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32")
		c.JobsEvery = 5 * time.Millisecond
		c.Webhooks.Schedule = times
	}
}

func webhooksOnBoth(t *testing.T, test func(t *testing.T, s *apptest.Service), more ...apptest.Option) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		test(t, apptest.StartSignedIn(t, append([]apptest.Option{apptest.OnDatabase(cfg), options()}, more...)...))
	})
}

// webhooksCreate creates a webhook and returns its path and secret.
func webhooksCreate(s *apptest.Service, e *endpoint, types ...string) (path, secret string) {
	made := s.Post("/webhooks", map[string]any{"url": e.URL, "events": append([]string{}, types...)},
		apptest.Bearer(s.Session.Access)).
		Want(http.StatusCreated)
	return "/webhooks/" + made.Text("id"), made.Text("secret")
}

// webhooksPublish publishes an event of the session's account in a transaction.
func webhooksPublish[D any](t *testing.T, s *apptest.Service, of events.Type[D], data D) {
	t.Helper()
	err := s.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return of.Publish(t.Context(), tx, s.App.Events, s.ID(s.Session), data)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func webhooksImage(n int) events.Image {
	return events.Image{ImageId: fmt.Sprint("image-", n), Kind: "og", Url: "https://example.com/"}
}

// deliveries returns those of a webhook, newest first.
func deliveries(s *apptest.Service, path string) []any {
	return s.Get(path+"/deliveries", apptest.Bearer(s.Session.Access)).Want(http.StatusOK).Value("items").([]any)
}

// newest waits until the newest delivery is in a state and returns it whole.
func newest(t *testing.T, s *apptest.Service, path, state string) *apptest.Response {
	t.Helper()
	var at string
	apptest.WaitFor(t, "a delivery that is "+state, func() bool {
		list := deliveries(s, path)
		if len(list) == 0 {
			return false
		}
		first := list[0].(map[string]any)
		at = path + "/deliveries/" + first["id"].(string)
		return first["state"] == state
	})
	return s.Get(at, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
}

func TestSend_isSignedAsStandardWebhooksSays(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusOK, "thanks\x00")
		path, secret := webhooksCreate(s, e, "image.created")
		made := s.Generate("/page/one", nil).Want(http.StatusOK)
		webhooksPublish(t, s, events.AuditCompleted,
			events.Audit{AuditId: "a", Url: "https://example.com/"}) // it isn't asked for
		sent := newest(t, s, path, "delivered")
		got := e.requests()
		if len(got) != 1 {
			t.Fatalf("the endpoint got %d requests, want one", len(got))
		}
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.Verify(got[0].body, got[0].header); err != nil {
			t.Errorf("the signature isn't one of Standard Webhooks: %v", err)
		}
		var message struct {
			ID, Type  string
			Timestamp time.Time
			Data      struct{ ImageID, ProjectID string }
		}
		if err := json.Unmarshal(got[0].body, &message); err != nil {
			t.Fatal(err)
		}
		if message.Type != "image.created" || message.ID != got[0].id || message.Data.ImageID != made.Text("id") ||
			time.Since(message.Timestamp) > time.Minute {
			t.Errorf("got the message %s with the id %s, want that of image %s", got[0].body, got[0].id,
				made.Text("id"))
		}
		if h := got[0].header; h.Get("Content-Type") != "application/json" ||
			!strings.Contains(h.Get("User-Agent"), "Masthead") {
			t.Errorf("got the headers %v", h)
		}
		if sent.Text("body") != string(got[0].body) || sent.Text("attempts.0.response") != "thanks\uFFFD" ||
			sent.Value("attempts.0.status") != 200.0 {
			t.Errorf("the delivery shows %s", sent.Body)
		}
	})
}

func TestRotate_bothSecretsSignForADay(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		path, first := webhooksCreate(s, e)
		user := apptest.Bearer(s.Session.Access)
		second := s.Post(path+"/rotate", nil, user).Want(http.StatusCreated).Text("secret")
		test := func() http.Header {
			before := len(e.requests())
			s.Post(path+"/test", nil, user).Want(http.StatusAccepted)
			apptest.WaitFor(t, "the test", func() bool { return len(e.requests()) > before })
			return e.requests()[before].header
		}
		verifies := func(secret string, h http.Header) bool {
			verifier, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			got := e.requests()
			return verifier.Verify(got[len(got)-1].body, h) == nil
		}
		if h := test(); !verifies(first, h) || !verifies(second, h) {
			t.Errorf("after a rotation: got the signatures %q, want one of each secret", h.Get("webhook-signature"))
		}
		if _, err := s.App.DB.Exec(t.Context(), `UPDATE webhooks SET previous_until = 1`); err != nil { // a day passes
			t.Fatal(err)
		}
		if h := test(); verifies(first, h) || !verifies(second, h) {
			t.Errorf("after a day: got the signatures %q, want one of the new secret alone", h.Get("webhook-signature"))
		}
	})
}

func TestSend_failures_areRepeatedAndThenDisableTheWebhook(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e, other := newEndpoint(t), newEndpoint(t)
		e.answer(http.StatusInternalServerError, "broken")
		path, _ := webhooksCreate(s, e, "image.created")
		webhooksCreate(s, other, "webhook.disabled")
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		sent := newest(t, s, path, "failed")
		if ids := e.ids(); len(ids) != 3 || ids[0] != ids[1] || ids[1] != ids[2] {
			t.Errorf("the endpoint got the ids %v, want one id three times", ids)
		}
		if sent.Value("attempts.2.status") != 500.0 || sent.Text("attempts.0.response") != "broken" {
			t.Errorf("the delivery shows %s", sent.Body)
		}
		hook := s.Get(path, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		if hook.Text("state") != "disabled" || !strings.Contains(hook.Text("reason"), "status 500") {
			t.Errorf("got %s, want it disabled, with the reason", hook.Body)
		}
		apptest.WaitFor(t, "the other endpoint to be told", func() bool { return len(other.requests()) == 1 })
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(2))
		newest(t, s, path, "failed")
		if n := len(deliveries(s, path)); n != 1 {
			t.Errorf("a disabled webhook got %d deliveries, want no more", n)
		}
	}, options(0, time.Millisecond, 2*time.Millisecond), func(c *app.Config) { c.Billing.FreeWebhooks = 5 })
}

func TestSend_410_disablesAtOnce(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusGone, "")
		path, _ := webhooksCreate(s, e, "image.created")
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		newest(t, s, path, "failed")
		hook := s.Get(path, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		if hook.Text("state") != "disabled" || !strings.Contains(hook.Text("reason"), "410") || len(e.requests()) != 1 {
			t.Errorf("got %s after %d requests, want it disabled after one", hook.Body, len(e.requests()))
		}
	})
}

// What was missed arrives with the first success, long before its next attempt would be due, and in its order.
func TestSend_firstSuccess_bringsForwardWhatWaits(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusServiceUnavailable, "")
		path, _ := webhooksCreate(s, e, "image.created", "audit.completed")
		for i := range 5 {
			webhooksPublish(t, s, events.AuditCompleted,
				events.Audit{AuditId: fmt.Sprint("report-", i), Url: "https://example.com/"})
		}
		for i := range 3 {
			webhooksPublish(t, s, events.ImageCreated, webhooksImage(i))
		}
		attempted := func() (n int) {
			for _, d := range deliveries(s, path) {
				n += min(len(d.(map[string]any)["attempts"].([]any)), 1)
			}
			return n
		}
		apptest.WaitFor(t, "attempts", func() bool { return attempted() >= 4 }) // of the reports only the first
		e.answer(http.StatusNoContent, "")
		failed := len(e.requests())
		s.Post(path+"/test", nil, apptest.Bearer(s.Session.Access)).Want(http.StatusAccepted)
		apptest.WaitFor(t, "everything", func() bool { return len(e.requests()) >= failed+9 })
		var reports []string
		for _, r := range e.requests()[failed:] {
			var m struct{ Data struct{ AuditID string } }
			if err := json.Unmarshal(r.body, &m); err != nil {
				t.Fatal(err)
			}
			if m.Data.AuditID != "" {
				reports = append(reports, m.Data.AuditID)
			}
		}
		if !slices.IsSorted(reports) || len(reports) != 5 {
			t.Errorf("got the reports %v, want five in their order", reports)
		}
	}, options(0, time.Hour, 2*time.Hour))
}

func TestSend_slowEndpoint_getsFourAtOnceAndDelaysNoOther(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		slow, quick := newEndpoint(t), newEndpoint(t)
		release := make(chan struct{})
		slow.wait = func(r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		defer close(release)
		webhooksCreate(s, slow, "image.created")
		webhooksCreate(s, quick, "image.created")
		for i := range 12 {
			webhooksPublish(t, s, events.ImageCreated, webhooksImage(i))
		}
		apptest.WaitFor(t, "the quick endpoint", func() bool { return len(quick.requests()) == 12 })
		if n := len(slow.requests()); n > 4 {
			t.Errorf("the slow endpoint has %d requests at once, want four at most", n)
		}
	}, func(c *app.Config) { c.Billing.FreeWebhooks = 2 })
}

func TestSend_redirectsAreFailures(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusTemporaryRedirect, "")
		path, _ := webhooksCreate(s, e)
		s.Post(path+"/test", nil, apptest.Bearer(s.Session.Access)).Want(http.StatusAccepted)
		newest(t, s, path, "failed")
		if n := len(e.requests()); n != 1 {
			t.Errorf("got %d requests, want the redirect not followed and the test not repeated", n)
		}
	})
}

func TestReplay_sendsAgainWithTheSameID(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		path, _ := webhooksCreate(s, e, "image.created")
		user := apptest.Bearer(s.Session.Access)
		for i := range 3 {
			webhooksPublish(t, s, events.ImageCreated, webhooksImage(i))
		}
		apptest.WaitFor(t, "three requests", func() bool { return len(e.requests()) == 3 })
		sent := newest(t, s, path, "delivered")
		s.Post(path+"/deliveries/"+sent.Text("id")+"/replay", nil, user).Want(http.StatusAccepted)
		apptest.WaitFor(t, "a fourth", func() bool { return len(e.requests()) == 4 })
		if ids := e.ids(); ids[3] != sent.Text("eventId") {
			t.Errorf("replayed %s, want %s", ids[3], sent.Text("eventId"))
		}
		newest(t, s, path, "delivered")
		day := map[string]any{"from": time.Now().Add(-time.Hour), "to": time.Now().Add(time.Hour)}
		again := s.Post(path+"/replay", day, user).Want(http.StatusAccepted)
		if again.Value("count") != 3.0 {
			t.Errorf("got %s, want all three", again.Body)
		}
		apptest.WaitFor(t, "all three", func() bool { return len(e.requests()) == 7 })
		day["failedOnly"] = true
		if got := s.Post(path+"/replay", day, user).Want(http.StatusAccepted).Value("count"); got != 0.0 {
			t.Errorf("replayed %v failed ones, want none", got)
		}
	})
}

func TestUpdate_enabledAgain_getsWhatItMissed(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusServiceUnavailable, "")
		path, _ := webhooksCreate(s, e, "image.created")
		user := apptest.Bearer(s.Session.Access)
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		apptest.WaitFor(t, "a failure", func() bool { return len(e.requests()) == 1 })
		s.Send("PATCH", path, map[string]any{"enabled": false}, user).Want(http.StatusOK)
		e.answer(http.StatusNoContent, "")
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(2)) // while it is disabled
		s.Send("PATCH", path, map[string]any{"enabled": true}, user).Want(http.StatusOK)
		newest(t, s, path, "delivered")
		if n := len(e.requests()); n != 2 {
			t.Errorf("got %d requests, want the one that waited again, and nothing of the time it was disabled", n)
		}
	}, options(0, time.Hour))
}

func TestUpdate_changesOnlyWhatItNames(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		path, _ := webhooksCreate(s, newEndpoint(t), "image.created", "image.failed")
		for _, c := range []struct {
			change map[string]any
			types  any
			state  string
		}{
			{map[string]any{"enabled": false}, []any{"image.created", "image.failed"}, "disabled"},
			{map[string]any{"events": []string{"image.failed"}}, []any{"image.failed"}, "disabled"},
			{map[string]any{"enabled": true, "events": nil}, []any{"image.failed"}, "enabled"},
		} {
			got := s.Send("PATCH", path, c.change, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
			if !reflect.DeepEqual(got.Value("events"), c.types) || got.Text("state") != c.state {
				t.Errorf("%v: got %s, want it %s with %v", c.change, got.Body, c.state, c.types)
			}
		}
	})
}

// TestRepeats_haveNoSecret sends requests twice, and once more as if the first response had been lost in a crash.
func TestRepeats_haveNoSecret(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		user, key := apptest.Bearer(s.Session.Access), apptest.Header("Idempotency-Key", "one")
		body := map[string]any{"url": newEndpoint(t).URL, "events": []string{"image.created"}}
		made := s.Post("/webhooks", body, user, key).Want(http.StatusCreated)
		path := made.Header.Get("Location")
		wantRepeat := func(of *apptest.Response, notice string) {
			t.Helper()
			if of.Want(http.StatusOK); of.Text("id") != made.Text("id") || of.Value("secret") != nil ||
				of.Text("notice") != notice+"POST "+path+"/rotate." || of.Header.Get("Location") != path {
				t.Errorf("repeated: got %s at %q", of.Body, of.Header.Get("Location"))
			}
		}
		const shown = "The secret was shown once, in the first response to this request. If it is lost, get a new one: "
		wantRepeat(s.Post("/webhooks", body, user, key), shown)
		rotate := apptest.Header("Idempotency-Key", "two")
		s.Post(path+"/rotate", nil, user, rotate).Want(http.StatusCreated)
		wantRepeat(s.Post(path+"/rotate", nil, user, rotate), shown)
		_, err := s.App.DB.Exec(t.Context(), `UPDATE idempotency_keys SET status = NULL, leased_until = 0`)
		if err != nil {
			t.Fatal(err)
		}
		wantRepeat(s.Post("/webhooks", body, user, key), "The first request that made this webhook was "+
			"interrupted, so its "+
			"secret was never shown. Get a new one: ")
		if all, _ := s.Get("/webhooks", user).Want(http.StatusOK).Value("items").([]any); len(all) != 1 {
			t.Errorf("there are %d webhooks, want one", len(all))
		}
	})
}

func TestCreate_whatCantBeReachedIsRefused(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	for address, want := range map[string]string{
		"http://10.0.0.1/hook":          "only public web pages can",
		"https://169.254.169.254/":      "only public web pages can",
		"https://localhost/":            "only public web pages can",
		"http://93.184.215.14/hook":     "https://",
		"https://user:pw@93.184.215.14": "",
		"ftp://93.184.215.14/":          "",
	} {
		response := s.Post("/webhooks", map[string]any{"url": address}, user).WantProblem(http.StatusBadRequest,
			"BAD_REQUEST")
		if !strings.Contains(response.Text("detail"), want) || response.Text("errors.0.pointer") != "/url" {
			t.Errorf("%s: got %s, want %q about /url", address, response.Body, want)
		}
	}
}

func TestPlan_newestOverTheLimitArePausedNotDeleted(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		id := s.ID(s.Session)
		if _, err := s.App.Users.SetPlan(t.Context(), id, "plus"); err != nil {
			t.Fatal(err)
		}
		oldest, newer := newEndpoint(t), newEndpoint(t)
		webhooksCreate(s, oldest, "image.created")
		path, _ := webhooksCreate(s, newer, "image.created")
		if _, err := s.App.Users.SetPlan(t.Context(), id, "free"); err != nil {
			t.Fatal(err)
		}
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		apptest.WaitFor(t, "the oldest", func() bool { return len(oldest.requests()) == 1 })
		user := apptest.Bearer(s.Session.Access)
		if got := s.Get(path, user).Want(http.StatusOK).Text("state"); got != "paused" || len(newer.requests()) != 0 {
			t.Errorf("the newer webhook is %s and got %d requests, want it paused", got, len(newer.requests()))
		}
		refused := s.Post("/webhooks", map[string]any{"url": newer.URL}, user).
			WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		if want := "The plan Free allows 1 webhook. Delete one, or change the plan."; refused.Text("detail") != want {
			t.Errorf("got %q, want %q", refused.Text("detail"), want)
		}
	})
}

func TestPreferences_channelWebhookTurnsEventsOff(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		webhooksCreate(s, e)
		user := apptest.Bearer(s.Session.Access)
		s.Send("PUT", "/notifications/preferences", map[string]any{
			"items": []any{map[string]any{"kind": "image_failed", "webhook": false}},
		}, user).Want(http.StatusOK)
		webhooksPublish(t, s, events.ImageFailed, events.ImageFailure{ProjectId: s.Project, Kind: "og",
			Url: "https://example.com/"})
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		apptest.WaitFor(t, "an event", func() bool { return len(e.requests()) == 1 })
		apptest.WaitFor(t, "all events", func() bool {
			var left int
			err := s.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE kind = 'webhook'`)
			return err == nil && left == 0
		})
		if got := e.requests(); len(got) != 1 || !strings.Contains(string(got[0].body), "image.created") {
			t.Errorf("got %d requests, the first with %s, want image.created alone", len(got), got[0].body)
		}
	})
}

func TestProject_webhookGetsItsEventsAlone(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		user := apptest.Bearer(s.Session.Access)
		s.Post("/webhooks", map[string]any{"url": e.URL, "projectId": s.Project}, user).Want(http.StatusCreated)
		other := webhooksImage(1)
		other.ProjectId = s.NewProject(s.Session)
		webhooksPublish(t, s, events.ImageCreated, other)
		webhooksPublish(t, s, events.AuditCompleted, events.Audit{AuditId: "a", Url: "https://example.com/"})
		own := webhooksImage(2)
		own.ProjectId = s.Project
		webhooksPublish(t, s, events.ImageCreated, own)
		apptest.WaitFor(t, "all events", func() bool {
			var left int
			err := s.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE kind = 'webhook'`)
			return err == nil && left == 0
		})
		if got := e.requests(); len(got) != 1 || !strings.Contains(string(got[0].body), "image-2") {
			t.Errorf("got %d requests, want the project's image alone", len(got))
		}
	})
}

func TestSweep_deletesAfter14Days(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusOK, "kept")
		path, _ := webhooksCreate(s, e, "image.created")
		for i := range 2 {
			webhooksPublish(t, s, events.ImageCreated, webhooksImage(i))
		}
		apptest.WaitFor(t, "two deliveries", func() bool { return len(e.requests()) == 2 })
		newest(t, s, path, "delivered")
		_, err := s.App.DB.Exec(t.Context(), `UPDATE webhook_deliveries SET created_at = ? WHERE id = (
			SELECT MIN(id) FROM webhook_deliveries)`, db.Millis{Time: time.Now().AddDate(0, 0, -14).Add(-time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.App.Webhooks.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(deliveries(s, path)); n != 1 {
			t.Errorf("%d deliveries are left, want the one that is younger than 14 days", n)
		}
		if got := newest(t, s, path, "delivered").Text("attempts.0.response"); got != "kept" {
			t.Errorf("its response is %q, want it kept", got)
		}
	})
}

// An event that an endpoint never takes is attempted for a day like others: their successes bring it forward some
// times, but don't use up its attempts.
func TestSend_oneEventThatFails_disablesNothingBeforeADay(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.refuse = "image-0"
		path, _ := webhooksCreate(s, e, "image.created")
		count := func() (refused, taken int) {
			for _, r := range e.requests() {
				if strings.Contains(string(r.body), `"image-0"`) {
					refused++
				} else {
					taken++
				}
			}
			return refused, taken
		}
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(0))
		for i := range 30 {
			webhooksPublish(t, s, events.ImageCreated, webhooksImage(i+1))
			apptest.WaitFor(t, "the others", func() bool { _, taken := count(); return taken == i+1 })
		}
		if refused, _ := count(); refused < 4 || refused > 17 {
			t.Errorf("what fails was sent %d times, want some of 16 times more than the first", refused)
		}
		hook := s.Get(path, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		if hook.Text("state") != "enabled" {
			t.Errorf("got %s, want it enabled for 24 hours", hook.Body)
		}
	}, options(0, time.Hour, 2*time.Hour))
}

// Enabled again after more than a day, a webhook gets what waits with all attempts: it isn't disabled at the first
// failure.
func TestUpdate_enabledAgainAfterADay_hasAllAttempts(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusServiceUnavailable, "")
		path, _ := webhooksCreate(s, e, "image.created")
		user := apptest.Bearer(s.Session.Access)
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		apptest.WaitFor(t, "a failure", func() bool { return len(e.requests()) == 1 })
		s.Send("PATCH", path, map[string]any{"enabled": false}, user).Want(http.StatusOK)
		_, err := s.App.DB.Exec(t.Context(), `UPDATE webhook_deliveries SET base_at = 1, attempts = 2`)
		if err != nil {
			t.Fatal(err)
		}
		s.Send("PATCH", path, map[string]any{"enabled": true}, user).Want(http.StatusOK)
		apptest.WaitFor(t, "another", func() bool { return len(e.requests()) == 2 })
		sent := newest(t, s, path, "waiting")
		next, err := time.Parse(time.RFC3339Nano, sent.Text("nextAttemptAt"))
		hook := s.Get(path, user).Want(http.StatusOK)
		if err != nil || hook.Text("state") != "enabled" {
			t.Errorf("got %s and the next attempt at %v, %v, want it enabled", hook.Body, next, err)
		}
	}, options(0, time.Hour, 2*time.Hour))
}

// A dead endpoint with much that waits is asked with one request at a time. Once it answers, it gets everything, long
// before the next attempts would be due.
func TestSend_deadEndpointWithABacklog_getsEverythingOnceItRecovers(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusServiceUnavailable, "")
		webhooksCreate(s, e, "image.created")
		const backlog = 60
		err := s.App.DB.InTx(t.Context(), func(tx *db.Tx) error { // a new event would have it asked again at once
			for i := range backlog {
				if err := events.ImageCreated.Publish(t.Context(), tx, s.App.Events, s.ID(s.Session),
					webhooksImage(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		apptest.WaitFor(t, "probes", func() bool { return len(e.requests()) >= 9 })
		if n := len(e.requests()); n > backlog/2 {
			t.Errorf("a dead endpoint got %d requests within seconds, want few", n)
		}
		e.answer(http.StatusNoContent, "")
		before := len(e.requests())
		apptest.WaitFor(t, "everything", func() bool { return len(e.requests()) >= before+backlog })
		ids := map[string]bool{}
		for _, id := range e.ids()[before:] {
			ids[id] = true
		}
		if len(ids) != backlog {
			t.Errorf("got %d events once it recovered, want all %d", len(ids), backlog)
		}
	}, options(0, time.Hour, 2*time.Hour))
}

func TestSweep_shortensOldResponses(t *testing.T) {
	webhooksOnBoth(t, func(t *testing.T, s *apptest.Service) {
		e := newEndpoint(t)
		e.answer(http.StatusOK, strings.Repeat("é", 2000))
		path, _ := webhooksCreate(s, e, "image.created")
		webhooksPublish(t, s, events.ImageCreated, webhooksImage(1))
		sent := newest(t, s, path, "delivered")
		at := path + "/deliveries/" + sent.Text("id")
		length := func() int {
			got := s.Get(at, apptest.Bearer(s.Session.Access)).Want(http.StatusOK).Text("attempts.0.response")
			return len([]rune(got))
		}
		for newer, want := range []int{2000, 1000} {
			if newer > 0 {
				_, err := s.App.DB.Exec(t.Context(), `INSERT INTO webhook_deliveries
						(id, webhook_id, event_id, type, subject, body, state, event_at, created_at, base_at, next_at)
					SELECT 'z' || n, webhook_id, 'z' || n, type, subject, body, state, event_at, created_at, base_at, next_at
					FROM webhook_deliveries,
						(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 200)
						SELECT n FROM s) AS many`)
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := s.App.Webhooks.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := length(); got != want {
				t.Errorf("the response has %d characters, want %d", got, want)
			}
		}
	})
}
