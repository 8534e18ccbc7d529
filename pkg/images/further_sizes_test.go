package images_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// sides are sizes as requests have them.
func sides(sizes ...image.Point) (all []any) {
	for _, s := range sizes {
		all = append(all, map[string]any{"width": s.X, "height": s.Y})
	}
	return all
}

// filesOf returns the sizes of an image's files as they are served, that of imageUrl first, and their addresses. It
// compares them with what the record says.
func filesOf(t *testing.T, h *apptest.Service, record *apptest.Response) (sizes []image.Point, paths []string) {
	t.Helper()
	add := func(path string, width, height any) {
		_, size := pixel(t, h.Get(path), 5, 5)
		if width != float64(size.X) || height != float64(size.Y) {
			t.Errorf("%s has %v, and %vx%v in the record", path, size, width, height)
		}
		sizes, paths = append(sizes, size), append(paths, path)
	}
	add(record.Path("imageUrl"), record.Value("width"), record.Value("height"))
	assets, _ := record.Value("assets").([]any)
	for i := range assets {
		at := fmt.Sprintf("assets.%d.", i)
		add(record.Path(at+"url"), record.Value(at+"width"), record.Value(at+"height"))
	}
	return sizes, paths
}

var (
	og, square  = image.Pt(1200, 630), image.Pt(1080, 1080)
	feed, story = image.Pt(1080, 1350), image.Pt(1080, 1920)
	header      = image.Pt(1500, 500)
	allSizes    = []image.Point{og, square, feed, story, header}
)

// TestGenerate_sizes draws a page in several sizes as one image, which is cached, redrawn, restored, downloaded, made
// again and deleted as a whole.
func TestGenerate_sizes(t *testing.T) {
	t.Parallel()
	onBothWithDiary(t, func(t *testing.T, h *apptest.Service, d *diary) {
		me := apptest.Bearer(h.Session.Access)
		sized := map[string]any{"sizes": sides(story, header, square, feed)}
		first := d.draw(h, "Monday", sized).Want(http.StatusOK)
		sizes, paths := filesOf(t, h, first)
		if !slices.Equal(sizes, allSizes) || first.Text("kind") != "og" ||
			!strings.HasSuffix(paths[1], "/og-1080x1080.png") {
			t.Errorf("got %v at %v: %s", sizes, paths, first.Body)
		}
		if tags := first.Text("metaTags"); strings.Count(tags, `"og:image"`) != 1 ||
			!strings.Contains(tags, `"og:image:width" content="1200"`) || !strings.Contains(tags, first.Text("publicUrl")) {
			t.Errorf("got the tags %s", tags)
		}
		delete(sized, "force")
		other := h.Post("/images/generate", map[string]any{
			"url": d.URL + "/", "projectId": h.Project, "sizes": sides(square, feed, header, story, og),
		}, apptest.Bearer(h.Key)).Want(http.StatusOK)
		if other.Text("id") != first.Text("id") || other.Value("cached") != true {
			t.Errorf("in another order: got %s", other.Body)
		}
		plain := h.Post("/images/generate", map[string]any{"url": d.URL + "/", "projectId": h.Project},
			apptest.Bearer(h.Key)).Want(http.StatusOK)
		if plain.Text("id") == first.Text("id") || plain.Value("assets") != nil {
			t.Errorf("without sizes: got %s", plain.Body)
		}
		names, zipped := unzip(t, h.Get("/images/"+first.Text("id")+"/download", me).Want(http.StatusOK).Body)
		if want := []string{
			"og.png", "og-1080x1080.png", "og-1080x1350.png", "og-1080x1920.png", "og-1500x500.png", "meta-tags.html",
		}; !slices.Equal(names, want) {
			t.Errorf("got the archive %v", names)
		}
		if !bytes.Equal(zipped[names[2]], h.Get(paths[2]).Body) {
			t.Error("the archive has another picture")
		}
		second := d.draw(h, "Tuesday", sized).Want(http.StatusOK)
		if _, now := filesOf(t, h, second); second.Text("id") != first.Text("id") || len(now) != len(paths) ||
			slices.ContainsFunc(now, func(path string) bool { return slices.Contains(paths, path) }) {
			t.Errorf("redrawn: got %v", now)
		}
		back := restore(h, first, 1).Want(http.StatusOK)
		if _, now := filesOf(t, h, back); !slices.Equal(now, paths) {
			t.Errorf("restored: got %v, want %v", now, paths)
		}
		d.title.Store("Monday")
		madeAgain(t, h, paths[3])
		h.Send("DELETE", "/images/"+plain.Text("id"), nil, me).Want(http.StatusNoContent)
		h.Send("DELETE", "/images/"+first.Text("id"), nil, me).Want(http.StatusNoContent)
		apptest.WaitFor(t, "the sweep of all files", func() bool { return count(t, h, `SELECT COUNT(*) FROM files`) == 0 })
	})
}

// madeAgain loses a file, and compares what is served instead.
func madeAgain(t *testing.T, h *apptest.Service, path string) {
	t.Helper()
	whole := h.Get(path).Want(http.StatusOK).Body
	part := strings.Split(path, "/") // /cdn/DIGEST/NAME
	file := filepath.Join(h.Config.DataDir, "images", part[2][:2], part[2]+"."+part[3])
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	apptest.WaitFor(t, "the lost file to be made again", func() bool {
		if got := h.Get(path).Want(http.StatusOK); !bytes.Equal(got.Body, whole) {
			t.Errorf("got %d bytes, want the %d of before", len(got.Body), len(whole))
		}
		_, err := os.Stat(file)
		return err == nil
	})
}

// TestGenerate_sizes_ofCustomAndAuto draws the sizes of the kind custom, and of a design that the page chooses.
func TestGenerate_sizes_ofCustomAndAuto(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for name, c := range map[string]struct {
		body map[string]any
		want []image.Point
	}{
		"a size and others":  {map[string]any{"kind": "custom", "size": sides(story)[0], "sizes": sides(square)}, []image.Point{story, square}},
		"sizes alone":        {map[string]any{"kind": "custom", "sizes": sides(header, square)}, []image.Point{header, square}},
		"with a share image": {map[string]any{"kind": "custom", "sizes": sides(square, og)}, []image.Point{og, square}},
		"a share image":      {map[string]any{"kind": "custom", "size": sides(og)[0]}, []image.Point{og}},
		"auto":               {map[string]any{"template": "auto", "sizes": sides(square, story)}, []image.Point{og, square, story}},
	} {
		made := h.Generate("/page/one", c.body).Want(http.StatusOK)
		if got, _ := filesOf(t, h, made); !slices.Equal(got, c.want) || made.Text("template") != "editorial" {
			t.Errorf("%s: got %v: %s", name, got, made.Body)
		}
	}
	for pointer, body := range map[string]map[string]any{
		"/sizes":           {"template": "minimal", "sizes": sides(square, feed)},
		"/sizes of a hero": {"kind": "blog_hero", "sizes": sides(square)},
		"/sizes of icons":  {"kind": "icon_set", "sizes": sides(square)},
		"/sizes/0/width":   {"sizes": sides(image.Pt(100, 300))},
		"/sizes, none":     {"sizes": []any{}},
		"/sizes, too many": {"sizes": sides(og, og, og, og, og, og, og)},
		"/sizes/1/height":  {"sizes": sides(square, image.Pt(2048, 2049))},
	} {
		problem := h.Generate("/page/one", body).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if got := problem.Text("errors.0.pointer"); !strings.HasPrefix(pointer, got) || got == "" {
			t.Errorf("%s: got %s", pointer, problem.Body)
		}
	}
	if problem := h.Generate("/page/one", map[string]any{"template": "minimal", "sizes": sides(feed)}); !strings.Contains(
		string(problem.Body), "1080x1080, 1500x500, 1584x396") {
		t.Errorf("got %s, want the sizes that there are", problem.Body)
	}
}

// TestGenerate_sizes_ofADesign draws the sizes that a design lists, and others after a new version.
func TestGenerate_sizes_ofADesign(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		document := func(color, sizes string) string {
			return `<meta name="card-sizes" content="` + sizes + `">` + flatDesign(color)
		}
		at := newDesign(h, "posts", document("#f00", "1080x1080 1200x630"))
		want := func(name string, body map[string]any, sizes ...image.Point) *apptest.Response {
			t.Helper()
			body["template"] = "posts"
			made := h.Generate("/page/one", body).Want(http.StatusOK)
			if got, _ := filesOf(t, h, made); !slices.Equal(got, sizes) {
				t.Errorf("%s: got %v, want %v", name, got, sizes)
			}
			return made
		}
		made := want("og", map[string]any{}, og, square)
		custom := want("custom", map[string]any{"kind": "custom"}, og, square)
		single := want("one", map[string]any{"sizes": sides(og)}, og)
		own := want("of the request", map[string]any{"sizes": sides(story)}, og, story)
		want("a size", map[string]any{"kind": "custom", "size": sides(feed)[0]}, feed)
		h.Send("PUT", at, map[string]any{"html": document("#00f", "1080x1350")}, me).Want(http.StatusOK)
		for _, old := range []*apptest.Response{made, custom, single, own} {
			apptest.WaitFor(t, "the image in the new version", func() bool {
				now := h.Get(old.Path("publicUrl"))
				c, _ := pixel(t, now, 5, 5)
				return c == blue && now.Header.Get("Cache-Control") == forever
			})
		}
		for _, c := range []struct {
			was   *apptest.Response
			name  string
			body  map[string]any
			sizes []image.Point
		}{
			{made, "og", map[string]any{}, []image.Point{og, feed}},
			{custom, "custom", map[string]any{"kind": "custom"}, []image.Point{feed}},
			{single, "one", map[string]any{"sizes": sides(og)}, []image.Point{og}},
			{own, "of the request", map[string]any{"sizes": sides(story)}, []image.Point{og, story}},
		} {
			if now := want("later "+c.name, c.body, c.sizes...); now.Text("id") != c.was.Text("id") ||
				now.Value("cached") != true {
				t.Errorf("%s: got %s, want the redrawn image", c.name, now.Body)
			}
		}
		faulty := h.Send("PUT", at, map[string]any{"html": document("#00f", "1x1")}, me)
		if problem := faulty.WantProblem(http.StatusBadRequest, "BAD_REQUEST"); problem.Text("errors.0.pointer") != "/html" ||
			!strings.Contains(problem.Text("errors.0.detail"), "card-sizes") {
			t.Errorf("got %s", problem.Body)
		}
	})
}
