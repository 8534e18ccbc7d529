package images_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestOG_budgetKeepsWhatIsAskedFor evicts pictures that GET /og drew: files and records go, other pictures stay, and
// the address draws the picture again.
func TestOG_budgetKeepsWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		ctx := t.Context()
		s.Generate("/page/posted", map[string]any{"template": "minimal"}).Want(http.StatusOK)
		const template = "template=minimal"
		pages := []string{"/page/first", "/page/second", "/page/third"}
		for _, page := range pages {
			s.og(s.Site.At(page), template).Want(http.StatusOK)
		}
		// Each is as if it had half a megabyte, and was last served days ago; then the first is asked for.
		_, err := s.App.DB.Exec(ctx, `UPDATE variants SET bytes = 500000, served_at = served_at - ?`,
			(72 * time.Hour).Milliseconds())
		if err != nil {
			t.Fatal(err)
		}
		s.og(s.Site.At(pages[0]), template).Want(http.StatusOK)
		evictions := s.App.Images.Evictions()
		if err := evictions.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if err := evictions.Evict(ctx); err != nil {
			t.Fatal(err)
		}
		var left []string
		if err := s.App.DB.Select(ctx, &left, `SELECT url FROM images ORDER BY id`); err != nil {
			t.Fatal(err)
		}
		want := []string{s.Site.At("/page/posted"), s.Site.At(pages[0]), s.Site.At(pages[2])}
		if !slices.Equal(left, want) {
			t.Errorf("got %v left, want %v", left, want)
		}
		apptest.WaitFor(t, "the file to go", func() bool {
			var files int
			if err := s.App.DB.Get(ctx, &files, `SELECT COUNT(*) FROM files`); err != nil {
				t.Fatal(err)
			}
			return files == len(want)
		})
		read := s.Site.Pages.Load()
		s.og(s.Site.At(pages[0]), template).Want(http.StatusOK)
		if s.Site.Pages.Load() != read {
			t.Error("a picture that was asked for lately was drawn again")
		}
		s.og(s.Site.At(pages[1]), template).Want(http.StatusOK)
		if s.Site.Pages.Load() != read+1 {
			t.Error("the picture that was deleted is still served")
		}
	}, func(c *app.Config) { c.Images.Eviction.ProjectMB = 1 })
}
