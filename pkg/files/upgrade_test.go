package files_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/files"
)

// oldLedger is the schema before images and reports shared a ledger.
const oldLedger = 37

// TestUpgrade_filesOfImagesAndReportsAreKept opens the ledgers of an older version, with rows in every state.
func TestUpgrade_filesOfImagesAndReportsAreKept(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		disk, err := blob.OpenDisk(blob.Config{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		raw := dbtest.OldSchema(t, cfg, oldLedger)
		now := time.Now()
		raw.MustExec(`INSERT INTO audits (id, public_id, url, final_url, title, overall, og, twitter, seo, created_at,
			ai_status, ai_error, report) VALUES ('report', 'p', '', '', '', 1, 1, 1, 1, 1, '', '', '{}')`)
		name := func(digits string) blob.Name {
			n := blob.Name{Digest: strings.Repeat(digits, 32), File: "og.png"}
			if err := disk.Put(t.Context(), n, []byte(digits)); err != nil {
				t.Fatal(err)
			}
			return n
		}
		fileOf := func(digits string, keepUntil, doomedUntil any) {
			n := name(digits)
			raw.MustExec(raw.Rebind(`INSERT INTO files (digest, name, keep_until, doomed_until, life) VALUES (?, ?, ?, ?, 'l')`),
				n.Digest, n.File, keepUntil, doomedUntil)
		}
		fileOf("01", nil, nil) // of an image
		fileOf("02", now.Add(time.Minute).UnixMilli(), nil)
		fileOf("03", 0, nil)
		fileOf("04", 0, now.Add(-time.Minute).UnixMilli())
		name("05") // written before its row, by a process that was killed
		pictureOf := func(digits string, auditID any, freeAt int64) {
			n := name(digits)
			raw.MustExec(raw.Rebind(`INSERT INTO audit_files (digest, name, size, audit_id, free_at) VALUES (?, ?, 2, ?, ?)`),
				n.Digest, n.File, auditID, freeAt)
		}
		pictureOf("11", "report", now.Add(-time.Minute).UnixMilli())
		pictureOf("12", nil, now.Add(time.Minute).UnixMilli())
		pictureOf("13", nil, 0)
		if err := raw.Close(); err != nil {
			t.Fatal(err)
		}

		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		ledger := files.New(d, func() time.Time { return now })
		ledger.Register(files.Kind{Name: "image", Blobs: disk, References: `SELECT f.digest, f.name, f.image_id AS owner,
			i.project_id AS scope, f.size_bytes AS size FROM image_files f JOIN images i ON i.id = f.image_id`})
		ledger.Register(files.Kind{Name: "report", Blobs: disk, References: `SELECT f.digest, f.name, f.audit_id AS owner,
			a.public_id AS scope, f.size FROM audit_files f JOIN audits a ON a.id = f.audit_id`})
		expect := func(when string, want ...string) {
			t.Helper()
			if err := ledger.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, prefix := range []string{"01", "02", "03", "04", "05", "11", "12", "13"} {
				names, err := disk.List(t.Context(), prefix)
				if err != nil {
					t.Fatal(err)
				}
				for range names {
					got = append(got, prefix)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got the files %v, want %v", when, got, want)
			}
		}
		expect("at once", "01", "02", "05", "11", "12")
		if err := ledger.ScrubAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		now = now.Add(2 * time.Minute)
		expect("after the old holds", "01", "05", "11")
		now = now.Add(2 * time.Hour)
		expect("after those of the scrub", "01", "11")
		if _, err := d.Exec(t.Context(), `DELETE FROM audits`); err != nil {
			t.Fatal(err)
		}
		expect("after the report", "01")
	})
}
