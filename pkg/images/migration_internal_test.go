package images

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
	"masthead/pkg/jobs"
)

// TestMigration_imagesKeepTheirFiles opens a database of the time when an image had one file, in its own row.
func TestMigration_imagesKeepTheirFiles(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		ids := fillOldDatabase(t, cfg)
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		s := store.New(d)
		for i, id := range ids {
			got, err := s.ByID(t.Context(), "owner", id)
			if err != nil {
				t.Fatal(err)
			}
			want := store.File{Name: "og.png", Digest: oldDigest(i), ContentType: "image/png", Width: 1200, Height: 630,
				SizeBytes: 34_000}
			if len(got.Files) != 1 || got.Files[0] != want || got.Alt != "A page" {
				t.Errorf("got %+v, want the image with the file %+v", got, want)
			}
			if r := (&Service{}).record(got); r.PublicURL != "/og/"+got.PublicID+"?v="+oldDigest(i)[:12] {
				t.Errorf("publicUrl: got %s", r.PublicURL)
			}
		}
		// Two of them share a file, which stays with the last.
		ledger := files.New(d, time.Now)
		swept := &deletions{}
		New(Config{}, Addresses{}, Deps{DB: d, Blobs: swept, Files: ledger, Jobs: jobs.NewWorker(d, time.Hour, nil)})
		for i, want := range []int{0, 1, 2} {
			if _, err := s.Delete(t.Context(), "owner", ids[i]); err != nil {
				t.Fatal(err)
			}
			if err := ledger.Sweep(t.Context()); err != nil || len(swept.names) != want {
				t.Errorf("after the deletion of %d images: got %v, %v, want %d files deleted", i+1, swept.names, err, want)
			}
		}
	})
}

// deletions is a store that notes what is deleted.
type deletions struct {
	blob.Store
	names []blob.Name
}

func (d *deletions) Delete(_ context.Context, n blob.Name) error {
	d.names = append(d.names, n)
	return nil
}

// oldDigest is the digest of the i-th old image; the first two have the same.
func oldDigest(i int) string { return strings.Repeat("ab", 31) + []string{"00", "00", "11"}[i] }

// fillOldDatabase makes a database of schema 4 with three images and returns their ids.
func fillOldDatabase(t *testing.T, cfg db.Config) (ids []string) {
	t.Helper()
	raw := dbtest.OldSchema(t, cfg, 4)
	raw.MustExec(`INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at, updated_at)
		VALUES ('owner', 'a@example.com', 'a@example.com', '', '', 'user', 'free', 1, 1)`)
	raw.MustExec(`INSERT INTO projects (id, public_id, owner_id, name, domains, public_ai, created_at, updated_at)
		VALUES ('project', 'p', 'owner', 'Test', '[]', TRUE, 1, 1)`)
	for i := range 3 {
		id := uuid.NewString()
		raw.MustExec(raw.Rebind(`INSERT INTO images (id, public_id, cache_key, owner_id, project_id, kind, url, template,
			style, ai, source, alt, width, height, digest, version, file_name, content_type, size_bytes, created_at, updated_at)
			VALUES (?, ?, ?, 'owner', 'project', 'og', 'https://example.com/', 'editorial', '{}', 'null', '{}', 'A page',
				1200, 630, ?, 'abcdefabcdef', 'og.png', 'image/png', 34000, 1, 1)`), id, "public"+id, id, oldDigest(i))
		ids = append(ids, id)
	}
	return ids
}
