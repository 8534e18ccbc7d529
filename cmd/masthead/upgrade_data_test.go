//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jmoiron/sqlx"

	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/testenv"
)

// TestUpgrade_dataOfAnOlderProgramIsKept has an older program make images, a report, a watch and a webhook, and this
// one continue on its data: nothing is lost or changed, sessions and keys go on, and the images are served byte for
// byte.
func TestUpgrade_dataOfAnOlderProgramIsKept(t *testing.T) {
	t.Parallel()
	old, ok := testenv.OldProgram(t)
	if !ok {
		return
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		upgrade(t, old, dir, "sqlite", filepath.Join(dir, "masthead.db"))
	})
	dbtest.Empty(t, func(t *testing.T, url string) {
		upgrade(t, old, t.TempDir(), "postgres", url,
			"MASTHEAD_DATABASE_URL="+url, "MASTHEAD_JWT_SECRET="+base62.Random(43))
	})
}

func upgrade(t *testing.T, old, dir, driver, address string, settings ...string) {
	site := newChangingSite(t)
	p := launchFile(t, old, dir, site, settings...)
	p.listens(dir)
	session := p.signIn(dir)
	pictures := map[string][]byte{} // by path
	orders := []order{{page: "/page/one", title: "One"}, {page: "/page/two", title: "Two", dark: true},
		{page: "/page/one", title: "Icons", icons: true}}
	for _, o := range orders {
		made, status, err := p.generate(site, o)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%+v: got %d, %v", o, status, err)
		}
		digest, name := made.file(t)
		path := "/cdn/" + digest + "/" + name
		if status, pictures[path] = p.get(path); status != http.StatusOK {
			t.Fatalf("%s: got %d", path, status)
		}
	}
	report := p.send("POST", "/audits", session, fmt.Sprintf(`{"url": %q}`, site.URL+"/page/one"))
	p.send("POST", "/watches", session, fmt.Sprintf(`{"url": %q, "every": "day"}`, site.URL+"/page/two"))
	p.send("POST", "/webhooks", session, `{"url": "https://93.184.216.34/in", "events": ["image.created"]}`)
	apptest.WaitFor(t, "the first audit of the watched page", func() bool {
		watched, _ := p.send("GET", "/watches", session, "")["items"].([]any)
		first, _ := watched[0].(map[string]any)
		return first["lastRunAt"] != nil
	})
	reads := []string{"/images", "/projects", "/keys", "/audits", "/audits/" + report["id"].(string), "/watches",
		"/webhooks", "/users/me"}
	before := map[string]map[string]any{}
	for _, path := range reads {
		before[path] = p.send("GET", path, session, "")
	}
	base := p.base
	p.signal(syscall.SIGTERM)
	if code := p.wait().ExitCode(); code != 0 {
		t.Fatalf("the older program ended with %d: %s", code, p.log.String())
	}
	rows := countRows(t, driver, address)

	check := append([]string{"MASTHEAD_DATA_DIR=" + dir}, settings...)
	masthead(t, dir, "", check, "upgrade", "--check").want(t, exitDone, "The first start applies ", newestMigration(t))
	p = open(t, dir, site, settings...)
	for _, path := range reads {
		var want any // at its new address
		if err := json.Unmarshal([]byte(strings.ReplaceAll(asText(t, before[path]), base, p.base)), &want); err != nil {
			t.Fatal(err)
		}
		wantKept(t, path, want, p.send("GET", path, session, ""))
	}
	for path, want := range pictures {
		if status, got := p.get(path); status != http.StatusOK || !bytes.Equal(got, want) {
			t.Errorf("%s: got %d and %d bytes, want the picture as it was", path, status, len(got))
		}
	}
	for _, o := range orders {
		if made, status, err := p.generate(site, o); err != nil || status != http.StatusOK || !made.Cached {
			t.Errorf("%+v: got %d, %+v, %v, want the image that there is", o, status, made, err)
		}
	}
	masthead(t, dir, "", check, "upgrade", "--check").want(t, exitDone, "The data is up to date")
	now := countRows(t, driver, address)
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if now[table] < rows[table] {
			t.Errorf("%s has %d rows, and had %d", table, now[table], rows[table])
		}
	}
	if len(rows) < 30 || rows["images"] != 3 || rows["audits"] < 1 || rows["webhooks"] != 1 {
		t.Errorf("the older program made %v", rows)
	}
}

// wantKept fails the test unless every member of a response is still in it. A newer program may add members.
func wantKept(t *testing.T, what string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		of, _ := got.(map[string]any)
		for name, value := range want {
			if name == "metaTags" {
				continue // what to paste is advice of the program that answers
			}
			if name == "gain" && value == 0.0 && of[name] == nil {
				continue // what gained nothing was 0, and is null
			}
			wantKept(t, what+"/"+name, value, of[name])
		}
	case []any:
		of, _ := got.([]any)
		if len(of) != len(want) {
			t.Errorf("%s has %d items, and had %d", what, len(of), len(want))
			return
		}
		for i, value := range want {
			wantKept(t, fmt.Sprintf("%s/%d", what, i), value, of[i])
		}
	default:
		if a, b := asText(t, want), asText(t, got); a != b {
			t.Errorf("%s is %s, and was %s", what, b, a)
		}
	}
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// passing are the tables whose rows come and go by themselves.
var passing = []string{"jobs", "leases", "nodes", "goose_db_version", "file_holds", "event_deliveries"}

// countRows returns how many rows each table has, but for those whose rows come and go.
func countRows(t *testing.T, driver, address string) map[string]int {
	t.Helper()
	d, err := sqlx.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	list := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if driver == "postgres" {
		list = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	var tables []string
	if err := d.Select(&tables, list); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, table := range tables {
		if slices.Contains(passing, table) {
			continue
		}
		var count int
		if err := d.Get(&count, `SELECT COUNT(*) FROM `+table); err != nil {
			t.Fatal(err)
		}
		rows[table] = count
	}
	return rows
}
