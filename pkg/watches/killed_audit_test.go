package watches_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/users"
	"masthead/pkg/watches"
)

// auditing is what nodes that audit pages of a real server have in common.
type auditing struct {
	site    *site // its clock
	scraper *scrape.Scraper
	folder  *blob.Disk
}

func newAuditing(t *testing.T, server *httptest.Server) *auditing {
	t.Helper()
	client, err := fetch.New(fetch.Config{
		AllowHosts: []string{strings.TrimPrefix(server.URL, "http://")},
		Limits:     fetch.Limits{HostRate: 1000, HostBurst: 1024},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	folder, err := blob.OpenDisk(blob.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return &auditing{
		site: &site{now: time.Now().Add(time.Hour)}, folder: folder,
		scraper: scrape.New(client, picture.NewDecoder(picture.Config{}), nil),
	}
}

// node returns a node with its own audits. It counts the events of their reports in the table told.
func (a *auditing) node(t *testing.T, d *db.DB) (*node, *audit.Service) {
	t.Helper()
	bus := events.NewBus()
	audits := audit.New(audit.Config{}, audit.Deps{
		DB: d, Scraper: a.scraper, Files: files.New(d, time.Now), Pictures: a.folder, Events: bus,
		Plans: billing.New(billing.Config{}, users.New(d, nil, nil), nil), Jobs: jobs.NewWorker(d, time.Hour, nil),
	})
	events.AuditCompleted.Within(bus, func(ctx context.Context, tx *db.Tx, e events.Event, _ events.Audit) error {
		_, err := tx.Exec(ctx, `INSERT INTO told (watch_id, type, problems) VALUES (?, ?, '')`, e.OwnerID, e.Type)
		return err
	})
	return newNodeWith(t, d, a.site, bus, audits), audits
}

// TestRun_killedInsideAnAudit_storesOneReport kills a node before the nth step of an audit that finds a lost picture,
// and of storing it, for all n, and lets another go on: there is one report of it with its pictures, one event, one
// audit in the history, and the owner is told once.
func TestRun_killedInsideAnAudit_storesOneReport(t *testing.T) {
	var icon bytes.Buffer
	if err := png.Encode(&icon, image.NewNRGBA(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	var share bytes.Buffer
	if err := png.Encode(&share, image.NewNRGBA(image.Rect(0, 0, 120, 63))); err != nil {
		t.Fatal(err)
	}
	var lost atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			_, _ = fmt.Fprint(w, `<html lang="en"><head><title>A title</title><meta property="og:title" content="A title">
				<meta property="og:image" content="/share.png"><link rel="icon" href="/icon.png"></head><body><h1>A</h1></body></html>`)
		case r.URL.Path == "/share.png" && !lost.Load():
			_, _ = w.Write(share.Bytes())
		case r.URL.Path == "/icon.png":
			_, _ = w.Write(icon.Bytes())
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		a := newAuditing(t, server)
		killed := 0
		for n := 1; n <= killed+3; n++ { // what runs at the same time doesn't always take as many
			lost.Store(false)
			first, _ := a.node(t, d)
			caller := first.account(t, "plus")
			w, err := first.watches.Create(t.Context(), caller, watches.New{URL: server.URL + "/", Every: watches.Week})
			if err != nil {
				t.Fatal(err)
			}
			first.runUntil(t, func() bool { return idle(t, d, a.site) })
			lost.Store(true)
			if _, err := first.watches.Run(t.Context(), caller, w.ID); err != nil {
				t.Fatal(err)
			}
			k := &killer{left: n}
			victim, _ := a.node(t, d.Interrupted(k.before))
			victim.runUntil(t, func() bool { return k.dead() || idle(t, d, a.site) })
			if k.dead() {
				killed = n
			}
			// The leases of the killed node expire.
			if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0, holder = '' WHERE holder <> ''`); err != nil {
				t.Fatal(err)
			}
			next, audits := a.node(t, d)
			next.runUntil(t, func() bool { return idle(t, d, a.site) })
			checkOneReport(t, next, audits, caller, w.ID, n)
		}
		if killed < 15 {
			t.Errorf("killed before %d steps, want it killed while it stores the report too", killed)
		}
	})
}

func checkOneReport(t *testing.T, of *node, audits *audit.Service, caller identity.Caller, id string, n int) {
	t.Helper()
	var counts struct {
		Reports int `db:"reports"`
		Events  int `db:"events"`
	}
	err := of.db.Get(t.Context(), &counts, `SELECT (SELECT COUNT(*) FROM audits WHERE owner_id = ?) AS reports,
		(SELECT COUNT(*) FROM told WHERE watch_id = ?) AS events`, caller.UserID, caller.UserID)
	if err != nil || counts.Reports != 2 || counts.Events != 2 {
		t.Errorf("killed before step %d: got %+v, %v, want two reports, each with its event", n, counts, err)
	}
	runs, _, _, err := of.watches.History(t.Context(), caller, id, cursor.Page{})
	if err != nil || len(runs) != 2 {
		t.Fatalf("killed before step %d: the history is %+v, %v, want two audits", n, runs, err)
	}
	for _, r := range runs {
		report, err := audits.Get(t.Context(), caller, r.ReportID)
		if err != nil {
			t.Errorf("killed before step %d: the report of an audit: %v", n, err)
			continue
		}
		shown := 0
		for _, p := range report.Pictures {
			if p.Shown == nil {
				continue
			}
			shown++
			if _, _, err := audits.ShownFile(t.Context(), r.ReportID, p.Shown.Name); err != nil {
				t.Errorf("killed before step %d: a picture of the report isn't served: %v", n, err)
			}
		}
		if shown == 0 {
			t.Errorf("killed before step %d: the report shows no picture", n)
		}
	}
	if got := told(t, of.db, id); got["og:image returns 404."] != 1 {
		t.Errorf("killed before step %d: told %v, want of the lost picture once", n, got)
	}
}
