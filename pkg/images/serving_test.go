package images_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// ofPicture are the headers of a picture's response, but for those that are another one's each time.
func ofPicture(r *apptest.Response) http.Header {
	h := r.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if name != "Date" && h.Get(name) == "" {
			h.Set(name, "is missing")
			continue
		}
		h.Del(name)
	}
	return h
}

func sameHeaders(t *testing.T, what string, got, want http.Header) {
	t.Helper()
	for name := range want {
		if strings.Join(got[name], "|") != strings.Join(want[name], "|") {
			t.Errorf("%s: %s: got %q, want %q", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: got %s: %q, want none", what, name, got[name])
		}
	}
}

// TestServing_whatIsAtHandIsAnsweredLikeTheRest compares responses that are sent from memory or by the kernel with
// those of the ordinary way, which an address in an unusual spelling takes.
func TestServing_whatIsAtHandIsAnsweredLikeTheRest(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	image := s.Generate("/page/one", nil).Want(200)
	cdn, og := image.Path("imageUrl"), image.Path("publicUrl")
	s.Get(og).Want(200) // so that the index knows it
	for _, path := range []string{cdn, og, "/api" + cdn, "/api" + og} {
		for _, added := range []string{"utm_source=x&v=2", "1732380000"} { // as sites and CDNs add to addresses of pictures
			got := s.Get(strings.Split(path, "?")[0] + "?" + added).Want(200)
			if got.Header.Get("ETag") == "" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s with %s: got %v, want a picture to keep", path, added, got.Header)
			}
		}
		ordinary := s.Get(unusual(path)).Want(200)
		tag := ordinary.Header.Get("ETag")
		for range 3 { // by the kernel, into memory, from memory
			got := s.Get(path).Want(200)
			sameHeaders(t, path, ofPicture(got), ofPicture(ordinary))
			if !bytes.Equal(got.Body, ordinary.Body) || len(got.Body) == 0 {
				t.Errorf("%s: got %d other bytes, want %d", path, len(got.Body), len(ordinary.Body))
			}
		}
		for _, header := range []string{tag, `W/` + tag, `"other", ` + tag, "*"} {
			got := s.Get(path, apptest.Header("If-None-Match", header)).Want(304)
			sameHeaders(t, path+" 304", ofPicture(got),
				ofPicture(s.Get(unusual(path), apptest.Header("If-None-Match", header)).Want(304)))
		}
		s.Get(path, apptest.Header("If-None-Match", `"other"`)).Want(200)
		got := s.Send(http.MethodHead, path, nil).Want(200)
		sameHeaders(t, path+" HEAD", ofPicture(got), ofPicture(s.Send(http.MethodHead, unusual(path), nil).Want(200)))
		s.Send(http.MethodPost, path, nil).Want(405)
	}
	s.Get(strings.Replace(cdn, "og.png", "og.jpg", 1)).Want(404)
	s.Get(cdn + "/more").Want(404)
	s.Get("/cdn/../" + cdn).Want(404)
}

// unusual spells the last part of a path in another way, which takes the regular path.
func unusual(path string) string {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + "%" + strings.ToUpper(hexOf(path[i])) + path[i+1:]
}

func hexOf(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

// withChangingPage starts a service and returns a function that changes a page and draws it anew: the public address
// of the image, which stays, and the ETag of its picture.
func withChangingPage(t *testing.T, cfg db.Config) (s *apptest.Service, draw func(title string) (og, tag string)) {
	t.Helper()
	var title atomic.Pointer[string]
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>" + *title.Load() + "</title>")) // the client left
	}))
	t.Cleanup(page.Close)
	s = apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(page.Listener.Addr().String()))
	})
	return s, func(as string) (og, tag string) {
		t.Helper()
		title.Store(&as)
		body := map[string]any{"url": page.URL, "projectId": s.Project, "force": true}
		drawn := s.Post("/images/generate", body, apptest.Bearer(s.Key)).Want(200)
		return drawn.Path("publicUrl"), `"` + strings.Split(drawn.Text("imageUrl"), "/cdn/")[1][:32] + `"`
	}
}

// TestServing_changesShowAtOnceHere changes a shown image in every way on the node that shows it.
func TestServing_changesShowAtOnceHere(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		t.Parallel()
		s, draw := withChangingPage(t, cfg)
		session := apptest.Bearer(s.Session.Access)
		shown := func(name string) (id, og string) {
			image := s.Generate("/page/"+name, nil).Want(200)
			og = image.Path("publicUrl")
			for range 3 {
				s.Get(og).Want(200)
			}
			return image.Text("id"), og
		}
		draw("First")
		for _, name := range []string{"Second", "Third", "Fourth"} {
			og, want := draw(name)
			for range 3 {
				if got := s.Get(og).Want(200).Header.Get("ETag"); got != want {
					t.Errorf("%s: got ETag %s, want %s", name, got, want)
				}
			}
		}
		id, og := shown("deleted")
		s.Send(http.MethodDelete, "/images/"+id, nil, session).Want(204)
		s.Get(og).Want(404)
		_, og = shown("of-project")
		s.Send(http.MethodDelete, "/projects/"+s.Project, nil, session).Want(204)
		s.Get(og).Want(404)
		s.Project = s.NewProject(s.Session)
		s.Key = s.NewKey(s.Session, s.Project)
		_, og = shown("of-account")
		anotherAdmin(t, s)
		s.Send(http.MethodDelete, "/users/me", nil, session).Want(204)
		s.Get(og).Want(200) // for 14 days, in which the account can be restored
		purge(t, s)
		s.Get(og).Want(404)
	})
}

// TestServing_changesOfOtherNodesShowSoon changes images on one node, and by hand with a transaction that commits late,
// and asks another.
func TestServing_changesOfOtherNodesShowSoon(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		s, draw := withChangingPage(t, db.Config{URL: url})
		other := s.StartNode()
		session := apptest.Bearer(s.Session.Access)
		shown := func(name string) (id, og string) {
			image := s.Generate("/page/"+name, nil).Want(200)
			og = image.Path("publicUrl")
			for range 3 {
				other.Get(og).Want(200)
			}
			return image.Text("id"), og
		}
		soon := func(what string, done func() bool) {
			t.Helper()
			began := time.Now()
			apptest.WaitFor(t, what, done)
			if got := time.Since(began); got > soonEnough {
				t.Errorf("%s: shown after %v, want 2 s", what, got)
			}
		}
		late, lateOG := shown("late")
		id, og := shown("deleted")
		raw := sqlx.MustOpen("postgres", url)
		t.Cleanup(func() { _ = raw.Close() })
		tx := raw.MustBegin()
		tx.MustExec(`DELETE FROM images WHERE id = $1`, late)
		s.Send(http.MethodDelete, "/images/"+id, nil, session).Want(204) // after it began, and before it ends
		soon("the deletion", func() bool { return other.Get(og).Status == 404 })
		other.Get(lateOG).Want(200)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		soon("what was committed late", func() bool { return other.Get(lateOG).Status == 404 })

		og, tag := draw("First")
		other.Get(og).Want(200)
		for _, name := range []string{"Second", "Third"} {
			before := tag
			if _, tag = draw(name); tag == before {
				t.Fatal("the picture is the same as before")
			}
			soon("another picture", func() bool { return other.Get(og).Header.Get("ETag") == tag })
		}

		_, og = shown("of-project")
		s.Send(http.MethodDelete, "/projects/"+s.Project, nil, session).Want(204)
		soon("the end of the project", func() bool { return other.Get(og).Status == 404 })
	})
}

// TestServing_goesOnWithoutDatabase takes the database away under what was shown before.
func TestServing_goesOnWithoutDatabase(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		for name, harm := range map[string]func(*dbtest.Proxy){
			"stopped": (*dbtest.Proxy).Refuse, "silent": (*dbtest.Proxy).Silence,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				proxy, err := dbtest.NewProxy(url)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(proxy.Close)
				s := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: proxy.Through(url)}))
				image, unseen := s.Generate("/page/one", nil).Want(200), s.Generate("/page/two", nil).Want(200)
				og, cdn := image.Path("publicUrl"), image.Path("imageUrl")
				tag := s.Get(og).Want(200).Header.Get("ETag")
				harm(proxy)
				t.Cleanup(func() { _ = proxy.Heal() })
				for range 3 {
					s.Get(og).Want(200)
					s.Get(cdn).Want(200)
					s.Get(unseen.Path("imageUrl")).Want(200)
					s.Get(og, apptest.Header("If-None-Match", tag)).Want(304)
					s.Send(http.MethodHead, og, nil).Want(200)
				}
				s.Get(unseen.Path("publicUrl")).WantProblem(503, "UNAVAILABLE")
				time.Sleep(2500 * time.Millisecond) // in which the looking for changes fails
				s.Get(og).Want(200)
				if err := proxy.Heal(); err != nil {
					t.Fatal(err)
				}
				apptest.WaitFor(t, "the database", func() bool { return s.Get(unseen.Path("publicUrl")).Status == 200 })
			})
		}
	})
}

// soonEnough is the 2 s in which other nodes show a change, with room for a slow machine. Without the following of
// changes nothing is shown for longer.
const soonEnough = 15 * time.Second
