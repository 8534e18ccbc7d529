package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

func TestWebhooksListen_forwardsSigned(t *testing.T) {
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer endpoint.Close()
	verified := make(chan error, 1)
	secret := ""
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		w.WriteHeader(http.StatusTeapot)
		verified <- err
	}))
	defer local.Close()
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32")
		c.JobsEvery = 5 * time.Millisecond
	})
	user := apptest.Bearer(s.Session.Access)
	made := s.Post("/webhooks", map[string]any{"url": endpoint.URL}, user).Want(http.StatusCreated)
	secret = made.Text("secret")
	test := "/webhooks/" + made.Text("id") + "/test"
	before := s.Post(test, nil, user).Want(http.StatusAccepted).Text("eventId")

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out output
	ended := make(chan error, 1)
	c := webhookListenCommand{Service: s.Base, Email: s.Session.Email, Password: s.Session.Password, Forward: local.URL,
		Secret: secret, every: 5 * time.Millisecond}
	go func() { ended <- c.run(ctx, &out) }()
	apptest.WaitFor(t, "listening", func() bool { return strings.Contains(out.String(), "Listening to "+endpoint.URL) })
	event := s.Post(test, nil, user).Want(http.StatusAccepted).Text("eventId")
	if err := <-verified; err != nil {
		t.Errorf("what is forwarded isn't signed as the service signs: %v", err)
	}
	apptest.WaitFor(t, "the answer", func() bool { return strings.Contains(out.String(), "status 418") })
	if text := out.String(); !strings.Contains(text, event) || strings.Contains(text, before) {
		t.Errorf("printed %s, want the new event alone", text)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("interrupted: got %v, want no error", err)
	}
}

func TestWebhooksListen_withoutAnyOrWithAWrongPassword(t *testing.T) {
	s := apptest.StartSignedIn(t)
	c := webhookListenCommand{Service: s.Base, Email: s.Session.Email, Password: s.Session.Password}
	if err := c.run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "POST /webhooks") {
		t.Errorf("without webhooks: got %v, want how to create one", err)
	}
	c.Password = "wrong"
	if err := c.run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("with a wrong password: got %v, want the service's error", err)
	}
}

// A command's change of a plan says what no longer fits, as one over HTTP does.
func TestAdminPlan_saysWhatNoLongerFits(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32")
		c.JobsEvery = 5 * time.Millisecond
	})
	o := operator{s, t}
	o.does(exitDone, "admin", "plan", s.Session.Email, "plus")
	user := apptest.Bearer(s.Session.Access)
	for _, path := range []string{"/one", "/two"} {
		s.Post("/webhooks", map[string]any{"url": s.Site.At(path)}, user).Want(http.StatusCreated)
	}
	o.does(exitDone, "admin", "plan", s.Session.Email, "free")
	apptest.WaitFor(t, "the event", func() bool {
		sent := s.Get("/webhooks?limit=1", user).Want(http.StatusOK)
		if sent.Text("items.0.state") != "paused" {
			return false
		}
		var told int
		err := s.App.DB.Get(t.Context(), &told, `SELECT COUNT(*) FROM notifications WHERE kind = 'plan_changed'`)
		return err == nil && told == 2
	})
	var lines string
	err := s.App.DB.Get(t.Context(), &lines, `SELECT data FROM notifications WHERE kind = 'plan_changed'
		ORDER BY id DESC LIMIT 1`)
	if err != nil || !strings.Contains(lines, s.Site.At("/two")) || strings.Contains(lines, s.Site.At("/one")) {
		t.Errorf("the account was told %s (%v), want that the newer webhook is paused", lines, err)
	}
}
