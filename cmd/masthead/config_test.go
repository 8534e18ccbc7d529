package main

import "testing"

// config check says of each part whether it works, names the setting that opens private addresses, and ends with
// status 1 when the service could not start.
func TestConfigCheck_saysWhatWorks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check := func(settings ...string) ended {
		return masthead(t, dir, "", settings, "config", "check")
	}
	check().want(t, exitDone, "ok    settings", "ok    data folder", "ok    database     The embedded SQLite answers",
		"Only addresses on the public web", "MASTHEAD_FETCH_ALLOW=10.1.0.0/16", "AI is off")
	check("MASTHEAD_FETCH_ALLOW=10.0.0.0/8").want(t, exitDone, "MASTHEAD_FETCH_ALLOW opens 10.0.0.0/8")
	check("MASTHEAD_DATA_DIR=/dev/null/x").want(t, exitFailed, "FAIL  data folder", "MASTHEAD_DATA_DIR")
	check("MASTHEAD_RENDER_WORKERS=-1").want(t, exitUsage, "MASTHEAD_RENDER_WORKERS must be from")
	check("MASTHEAD_DATABASE_URL=postgres://m:the-password@127.0.0.1:1/m?sslmode=disable").
		want(t, exitFailed, "FAIL  database", "MASTHEAD_DATABASE_URL")
	check("MASTHEAD_DATABASE_URL=postgres://m@"+silentPostgres(t)+"/m").want(t, exitFailed, "sslmode=disable")
	check("MASTHEAD_FETCH_ALOW=10.0.0.0/8").want(t, exitUsage, "MASTHEAD_FETCH_ALLOW")
	// A database that there is stays as it is.
	masthead(t, dir, "", nil, "admin", "create", "a@example.com").want(t, exitDone)
	check().want(t, exitDone, "ok    database")
}
