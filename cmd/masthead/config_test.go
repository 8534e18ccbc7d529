package main

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// config check says of each part whether it works, names the setting that opens private addresses, and exits with
// status 1 if something doesn't work.
func TestConfigCheck_saysWhatWorks(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	dir := t.TempDir()
	check := func(settings ...string) runResult {
		// A base URL keeps the check from asking the resolver of this machine.
		return masthead(t, dir, "", append([]string{"MASTHEAD_BASE_URL=http://localhost:8080"}, settings...), "config", "check")
	}
	check().want(t, exitDone, "ok    settings", "ok    data folder", "ok    database     The embedded SQLite responds",
		"the first start creates its tables", "Only addresses on the public web", "MASTHEAD_FETCH_ALLOW=10.1.0.0/16", "AI is off",
		"ok    permissions", "ok    disk", "ok    clock", "the data folder's", "ok    DNS          localhost is ", "ok    mail",
		"MASTHEAD_SMTP_HOST", "ok    sign-in", "ok    payments", "ok    outgoing")
	check("MASTHEAD_FETCH_ALLOW=10.0.0.0/8").want(t, exitDone, "MASTHEAD_FETCH_ALLOW opens 10.0.0.0/8")
	check("MASTHEAD_DATA_DIR=/dev/null/x").want(t, exitFailed, "FAIL  data folder", "MASTHEAD_DATA_DIR")
	check("MASTHEAD_RENDER_WORKERS=-1").want(t, exitUsage, "MASTHEAD_RENDER_WORKERS must be from")
	check("MASTHEAD_DATABASE_URL=postgres://m:the-password@127.0.0.1:1/m?sslmode=disable").
		want(t, exitFailed, "FAIL  database", "MASTHEAD_DATABASE_URL")
	check("MASTHEAD_DATABASE_URL=postgres://m@"+silentPostgres(t)+"/m").want(t, exitFailed, "sslmode=disable")
	check("MASTHEAD_FETCH_ALOW=10.0.0.0/8").want(t, exitUsage, "MASTHEAD_FETCH_ALLOW")
	// A database that there is stays as it is.
	masthead(t, dir, "", nil, "admin", "create", "a@example.com").want(t, exitDone)
	check().want(t, exitDone, "ok    database", "its schema is up to date")
	if runtime.GOOS != "windows" {
		file := filepath.Join(dir, "data", "masthead.db")
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
		check().want(t, exitFailed, "FAIL  permissions", "masthead.db has mode 0644", "chmod 600")
	}
}

// Each engine is connected to: one that listens is reachable, one that doesn't has failed, by its name and address.
func TestConfigCheck_connectsToEveryEngine(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", testenv.FreeAddress(t)) // nobody takes it when it is closed
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	check := func() runResult {
		return masthead(t, t.TempDir(), "", []string{
			"MASTHEAD_BASE_URL=http://localhost:8080",
			"MASTHEAD_SMTP_HOST=" + host, "MASTHEAD_SMTP_PORT=" + port, "MASTHEAD_SMTP_FROM=a@example.com",
			"MASTHEAD_AI_BASE_URL=http://" + listener.Addr().String() + "/v1", "MASTHEAD_AI_TEXT_MODEL=m",
			"MASTHEAD_OIDC_ISSUER=http://" + listener.Addr().String(), "MASTHEAD_OIDC_CLIENT_ID=c",
			"MASTHEAD_OIDC_CLIENT_SECRET=s", "MASTHEAD_STRIPE_URL=http://" + listener.Addr().String(),
			"MASTHEAD_REDIS_URL=redis://" + listener.Addr().String(), "MASTHEAD_STRIPE_SECRET_KEY=sk", "MASTHEAD_STRIPE_WEBHOOK_SECRET=wh", "MASTHEAD_STRIPE_PRICE_PRO_MONTH=p",
		}, "config", "check")
	}
	engines := []string{"limits", "mail", "AI", "sign-in", "payments"}
	up := check()
	up.want(t, exitDone)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	down := check()
	down.want(t, exitFailed)
	for _, name := range engines {
		at := name + ` .* at 127\.0\.0\.1:` + port
		if !regexp.MustCompile(`(?m)^ok    ` + at + ` accepts connections\.$`).MatchString(up.out) {
			t.Errorf("%s is up, and the check says %s", name, up.out)
		}
		if !regexp.MustCompile(`(?m)^FAIL  ` + at + ` can't be reached: `).MatchString(down.out) {
			t.Errorf("%s is down, and the check says %s", name, down.out)
		}
	}
}

// A clock before the program's own date, and a missing secret of several nodes, have failed.
func TestCheck_ofClockAndSecret(t *testing.T) {
	t.Parallel()
	cfg := app.Config{Storage: app.Storage{DataDir: t.TempDir()}}
	cfg.Server.BaseURL = "http://localhost:8080"
	state := func(part string, built time.Time) (app.State, string) {
		for _, c := range cfg.Check(t.Context(), built) {
			if c.Part == part {
				return c.State, c.Says
			}
		}
		t.Fatalf("there is no check of the %s", part)
		return "", ""
	}
	if got, says := state("clock", time.Now().AddDate(0, 0, -1)); got != app.Passed {
		t.Errorf("got %s, %s", got, says)
	}
	if got, says := state("clock", time.Now().AddDate(0, 0, 2)); got != app.Failed {
		t.Errorf("a program from the future: got %s, %s", got, says)
	}
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		if h.Config.Database.URL == "" {
			return
		}
		cfg.Database = h.Config.Database
		if got, says := state("database", time.Time{}); got != app.Failed {
			t.Errorf("without a secret: got %s, %s", got, says)
		}
		cfg.Auth.Secret = h.Config.Auth.Secret
		if got, says := state("database", time.Time{}); got != app.Passed {
			t.Errorf("with a secret: got %s, %s", got, says)
		}
		got, says := state("clock", time.Time{})
		if got != app.Passed || !strings.Contains(says, "the database's") {
			t.Errorf("got %s, %s", got, says)
		}
	})
}
