package moduletest_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/app/apptest"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/scrape"
	"masthead/pkg/users"
)

// disk is a store whose deleting can be made to fail.
type disk struct {
	*blob.Disk
	stuck   bool
	written func() // after a file was written; may be nil
}

func (f *disk) Put(ctx context.Context, n blob.Name, data []byte) error {
	err := f.Disk.Put(ctx, n, data)
	if f.written != nil {
		f.written()
	}
	return err
}

func (f *disk) Delete(ctx context.Context, n blob.Name) error {
	if f.stuck {
		return errors.New("the disk is busy")
	}
	return f.Disk.Delete(ctx, n)
}

// keeping is a service of its own, with a clock and a site of pictures.
type keeping struct {
	*audit.Service
	db     *db.DB
	ledger *files.Ledger
	files  *disk
	at     time.Time
	page   string
}

func newKeeping(t *testing.T, d *db.DB, cfg audit.Config) *keeping {
	t.Helper()
	at, scraper := serve(t, map[string]auditFile{
		"/": htmlOf(tagged), "/share.jpg": jpegOf(t, auditFlat(1200, 630, nil)),
		"/icon.png": auditPngOf(t, auditFlat(64, 64, nil)),
	})
	return newKeepingOf(t, d, cfg, at("/").String(), scraper)
}

// newKeepingOf is newKeeping with a page and its scraper.
func newKeepingOf(t testing.TB, d *db.DB, cfg audit.Config, page string, scraper *scrape.Scraper) *keeping {
	t.Helper()
	folder, err := blob.OpenDisk(blob.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	k := &keeping{db: d, files: &disk{Disk: folder}, at: time.Now(), page: page}
	k.ledger = files.New(d, func() time.Time { return k.at })
	k.Service = audit.New(cfg, audit.Deps{
		DB: d, Scraper: scraper, Files: k.ledger, Pictures: k.files,
		Plans: billing.New(billing.Config{}, users.New(d, nil, nil), nil), Jobs: jobs.NewWorker(d, time.Hour, nil),
	})
	k.SetNow(func() time.Time { return k.at })
	return k
}

// made audits the page for nobody.
func (k *keeping) made(t *testing.T) *audit.Record {
	t.Helper()
	r, err := k.Create(t.Context(), identity.Caller{}, audit.Request{URL: k.page})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (k *keeping) sweep(t *testing.T) {
	t.Helper()
	if err := errors.Join(k.Sweep(t.Context()), k.ledger.Sweep(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// shown returns how many of the report's pictures are served; -1 when there is no report.
func (k *keeping) shown(t *testing.T, id string) int {
	t.Helper()
	r, err := k.Get(t.Context(), identity.Caller{}, id)
	if apperr.CodeOf(err) == apperr.NotFound && err != nil {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range r.Pictures {
		if p.Shown == nil {
			continue
		}
		if _, _, err := k.ShownFile(t.Context(), id, p.Shown.Name); err != nil {
			t.Errorf("the report shows %s, which is not served: %v", p.Shown.Name, err)
		}
		n++
	}
	return n
}

// rows returns how many rows a table has.
func (k *keeping) rows(t *testing.T, table string) int {
	t.Helper()
	var n int
	if err := k.db.Get(t.Context(), &n, `SELECT COUNT(*) FROM `+table); err != nil {
		t.Fatal(err)
	}
	return n
}

// onDisk returns how many files there are.
func (k *keeping) onDisk(t *testing.T) int {
	t.Helper()
	n := 0
	for i := range 256 {
		names, err := k.files.List(t.Context(), string("0123456789abcdef"[i>>4])+string("0123456789abcdef"[i&15]))
		if err != nil {
			t.Fatal(err)
		}
		n += len(names)
	}
	return n
}

func TestSweep_nobodysReports_goAfterTheirDays(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{Days: 7})
		old := k.made(t)
		k.at = k.at.Add(6 * 24 * time.Hour)
		young := k.made(t)
		k.sweep(t)
		if k.shown(t, old.ID) != 2 || k.shown(t, young.ID) != 2 {
			t.Fatal("after 6 days: pictures are missing")
		}
		k.sweep(t) // the files that they were drawn from
		if k.shown(t, old.ID) != 2 || k.shown(t, young.ID) != 2 || k.onDisk(t) != 4 {
			t.Fatalf("after 6 days: got %d and %d pictures, %d files", k.shown(t, old.ID), k.shown(t, young.ID),
				k.onDisk(t))
		}
		k.at = k.at.Add(25 * time.Hour)
		if k.shown(t, old.ID) != -1 {
			t.Error("after 7 days, before the sweep: the report is still there")
		}
		k.sweep(t)
		if k.rows(t, "audits") != 1 || k.rows(t, "audit_files") != 2 || k.onDisk(t) != 2 || k.shown(t, young.ID) != 2 {
			t.Errorf("got %d reports, %d rows of files, %d files, want 1, 2, 2",
				k.rows(t, "audits"), k.rows(t, "audit_files"), k.onDisk(t))
		}
	})
}

func TestSweep_fileThatCannotBeDeleted_isTriedAgain(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{Days: 7})
		k.made(t)
		k.at = k.at.Add(8 * 24 * time.Hour)
		k.files.stuck = true
		if err := errors.Join(k.Sweep(t.Context()), k.ledger.Sweep(t.Context())); err == nil {
			t.Error("got no error, want one of the disk")
		}
		if k.rows(t, "audits") != 0 || k.rows(t, "files") != 2 {
			t.Errorf("got %d reports and %d rows, want the rows kept", k.rows(t, "audits"), k.rows(t, "files"))
		}
		k.files.stuck = false
		k.at = k.at.Add(2 * time.Minute)
		k.sweep(t)
		if k.rows(t, "files") != 0 || k.onDisk(t) != 0 {
			t.Errorf("got %d rows and %d files, want none", k.rows(t, "files"), k.onDisk(t))
		}
	})
}

func TestSweep_filesOfAnAuditThatWasCutOff_goAfterAnHour(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{})
		// A table without one of its columns cuts it off between the files and the report.
		if _, err := d.Exec(t.Context(), `ALTER TABLE audits RENAME COLUMN overall TO other`); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Create(t.Context(), identity.Caller{}, audit.Request{URL: k.page}); err == nil {
			t.Fatal("got a report, want an error")
		}
		if _, err := d.Exec(t.Context(), `ALTER TABLE audits RENAME COLUMN other TO overall`); err != nil {
			t.Fatal(err)
		}
		k.sweep(t)
		if k.onDisk(t) != 2 {
			t.Errorf("at once: got %d files, want them kept for the audit that may be under way", k.onDisk(t))
		}
		k.at = k.at.Add(61 * time.Minute)
		k.sweep(t)
		if k.onDisk(t) != 0 || k.rows(t, "files") != 0 {
			t.Errorf("after an hour: got %d files, want none", k.onDisk(t))
		}
	})
}

func TestSweep_tooManyPictures_thoseOfTheOldestGo(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{PictureMB: 1})
		var made []*audit.Record
		for range 4 {
			made = append(made, k.made(t))
			k.at = k.at.Add(time.Minute)
		}
		// Pictures of 0.2 MB each, two a report.
		if _, err := d.Exec(t.Context(), `UPDATE audit_files SET size = 200000`); err != nil {
			t.Fatal(err)
		}
		k.sweep(t)
		if first, second, last := k.shown(t, made[0].ID), k.shown(t, made[1].ID), k.shown(t, made[3].ID); first != 0 ||
			second+first < 1 || last != 2 {
			t.Errorf("got %d, %d and %d pictures, want none of the oldest report, which stays, and all of the newest",
				first, second, last)
		}
		k.sweep(t) // the files that they were drawn from
		if k.onDisk(t) != 5 {
			t.Errorf("got %d files, want the 5 that make 1 MB", k.onDisk(t))
		}
	})
}

func TestCreate_noRoomForPictures_keepsTheReport(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{})
		noSpace := func(string) (free, total uint64, err error) { return 1, 1 << 40, nil }
		full, err := blob.OpenDisk(blob.Config{Dir: t.TempDir(), Space: noSpace})
		if err != nil {
			t.Fatal(err)
		}
		k.files.Disk = full
		if r := k.made(t); k.shown(t, r.ID) != 0 {
			t.Errorf("got %d pictures, want a report without", k.shown(t, r.ID))
		}
	})
}

func TestDeletedAccount_takesItsReports(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		owner := apptest.Bearer(s.Register().Access)
		made := audits(s, "/page/one", owner).Want(http.StatusOK)
		s.Send("DELETE", "/users/me", nil, owner).Want(http.StatusNoContent)
		s.Get("/audits/" + made.Text("id")).Want(http.StatusNotFound)
		s.Get(made.Path("pictures.0.shownUrl")).Want(http.StatusNotFound)
	})
}

func TestHistory_hasABound_theOldestGo(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		owner := apptest.Bearer(s.Session.Access)
		first := audits(s, "/page/one", owner).Want(http.StatusOK)
		second := audits(s, "/page/two", owner).Want(http.StatusOK)
		// Copies of the second up to the bound, in one statement.
		if _, err := s.App.DB.Exec(t.Context(), `
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO audits (id, public_id, owner_id, url, final_url, title, overall, og, twitter, seo, created_at,
				ai_status, ai_error, report)
			SELECT id || '-' || i, public_id || '-' || i, owner_id, url, final_url, title, overall, og, twitter, seo,
				created_at, ai_status, ai_error, '{}' FROM audits, n WHERE public_id = ?`,
			audit.MaxReports-2, second.Text("id")); err != nil {
			t.Fatal(err)
		}
		s.Get("/audits/" + first.Text("id")).Want(http.StatusOK)
		audits(s, "/page/three", owner).Want(http.StatusOK)
		s.Get("/audits/" + first.Text("id")).Want(http.StatusNotFound)
		s.Get("/audits/" + second.Text("id")).Want(http.StatusOK)
	})
}

func TestCreate_sentAgainWithItsKey_isOneReport(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		options := []apptest.RequestOption{apptest.Bearer(s.Session.Access), apptest.Header("Idempotency-Key", "one")}
		first := audits(s, "/page/one", options...).Want(http.StatusOK)
		again := audits(s, "/page/one", options...).Want(http.StatusOK)
		if string(first.Body) != string(again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("got %.200s, want the first answer", again.Body)
		}
		// The answer was not kept, the report was: as a kill between the two leaves it.
		if _, err := s.App.DB.Exec(t.Context(),
			`UPDATE idempotency_keys SET status = NULL, leased_until = 0`); err != nil {
			t.Fatal(err)
		}
		if third := audits(s, "/page/one", options...).Want(http.StatusOK); third.Text("id") != first.Text("id") {
			t.Errorf("got another report %s, want %s", third.Text("id"), first.Text("id"))
		}
	})
}

// TestSweep_tellsWhatPicturesTake compares the metric with the files on disk.
func TestSweep_tellsWhatPicturesTake(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{})
		var want float64
		for _, p := range k.made(t).Pictures {
			if p.Shown != nil {
				want += float64(len(p.Shown.Data))
			}
		}
		k.sweep(t)
		registry := prometheus.NewPedanticRegistry()
		for _, c := range k.Collectors() {
			registry.MustRegister(c)
		}
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		taken := map[string]float64{}
		for _, f := range families {
			if f.GetName() == "masthead_audit_pictures_bytes" {
				for _, m := range f.GetMetric() {
					taken[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
				}
			}
		}
		if want == 0 || !maps.Equal(taken, map[string]float64{"nobody": want, "accounts": 0}) {
			t.Errorf("got %v, want %v of nobody", taken, want)
		}
	})
}

// A sweep deletes a picture of a report between its writing and the transaction that refers to it, as if the process
// had been suspended for an hour: the pictures are written again.
func TestCreate_pictureDeletedMeanwhile_isWrittenAgain(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{})
		swept := 0
		k.files.written = func() {
			if swept++; swept == 1 {
				k.at = k.at.Add(2 * time.Hour)
				k.sweep(t)
			}
		}
		r := k.made(t)
		if n := k.shown(t, r.ID); n != 2 || swept <= 2 {
			t.Errorf("%d pictures are shown after %d writes, want both, one of them written again", n, swept)
		}
	})
}
