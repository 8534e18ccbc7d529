package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/testenv"
)

// TestOG_walkOverStoredPagesDrawsNothing has a crawler ask once for each page of a site whose pictures are all stored,
// none in memory: with MASTHEAD_TEST_FULL=1 for 100,000 pages.
func TestOG_walkOverStoredPagesDrawsNothing(t *testing.T) {
	testenv.Sequential(t)
	t.Parallel()
	pages := 500
	if os.Getenv("MASTHEAD_TEST_FULL") == "1" {
		pages = 100_000
	}
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		drawn := s.og(s.Site.At("/page/first")).Want(http.StatusOK)
		s.copyPictures(t, s.Site.At("/page/first"), pages)
		read, stored := s.Site.Pages.Load(), count(t, plain, `SELECT COUNT(*) FROM images`)
		if stored != pages+1 {
			t.Fatalf("got %d images", stored)
		}
		var next atomic.Int64
		var walking sync.WaitGroup
		for range 8 {
			walking.Go(func() {
				for i := int(next.Add(1)); i <= pages && !t.Failed(); i = int(next.Add(1)) {
					got := s.get(fmt.Sprint("/walk/", i), searchBot)
					if !bytes.Equal(got.Body, drawn.Body) || got.Header.Get("Cache-Control") != forever {
						t.Errorf("page %d: got %d, %d bytes, %v", i, got.Status, len(got.Body), got.Header)
					}
				}
			})
		}
		walking.Wait()
		if got := s.Site.Pages.Load(); got != read {
			t.Errorf("%d pages were read", got-read)
		}
		if got := count(t, plain, `SELECT COUNT(*) FROM images`); got != stored {
			t.Errorf("got %d images, want the %d that were stored", got, stored)
		}
		wantOneMade(t, plain)
	})
}

// copyPictures stores the picture of a page as that of so many other pages, /walk/1 and so on, whose files it shares.
func (s *ogService) copyPictures(t *testing.T, page string, pages int) {
	t.Helper()
	ctx := t.Context()
	columns := func(table string, but ...string) string {
		t.Helper()
		query := `SELECT name FROM pragma_table_info('` + table + `')`
		if s.App.DB.Dialect() == db.Postgres {
			query = `SELECT column_name FROM information_schema.columns
				WHERE table_schema = current_schema() AND table_name = '` + table + `'`
		}
		var names []string
		if err := s.App.DB.Select(ctx, &names, query); err != nil {
			t.Fatal(err)
		}
		return strings.Join(slices.DeleteFunc(names, func(n string) bool { return slices.Contains(but, n) }), ", ")
	}
	var from string
	if err := s.App.DB.Get(ctx, &from, `SELECT id FROM images WHERE url = ?`, page); err != nil {
		t.Fatal(err)
	}
	const perTransaction = 200
	images := columns("images", "id", "public_id", "cache_key", "url", "base_key")
	files, variants := columns("image_files", "image_id"), columns("variants", "image_id")
	for first := 1; first <= pages; first += perTransaction {
		err := s.App.DB.InTx(ctx, func(tx *db.Tx) error {
			for i := first; i < first+perTransaction && i <= pages; i++ {
				id, at := db.NewID(), s.Site.At(fmt.Sprint("/walk/", i))
				key, err := s.App.Images.KeyOfPage(ctx, s.publicID, at)
				if err != nil {
					return err
				}
				for _, one := range []struct {
					query string
					args  []any
				}{
					{`INSERT INTO images (id, public_id, cache_key, url, base_key, ` + images + `)
						SELECT ?, ?, ?, ?, '', ` + images + ` FROM images WHERE id = ?`,
						[]any{id, base62.Random(22), key, at, from}},
					{`INSERT INTO image_files (image_id, ` + files + `) SELECT ?, ` + files + `
						FROM image_files WHERE image_id = ?`, []any{id, from}},
					{`INSERT INTO variants (image_id, ` + variants + `) SELECT ?, ` + variants + `
						FROM variants WHERE image_id = ?`, []any{id, from}},
				} {
					if _, err := tx.Exec(ctx, one.query, one.args...); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
