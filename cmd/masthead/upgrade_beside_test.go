//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"masthead/pkg/base62"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/testenv"
)

// TestUpgrade_olderNodeServesBesideTheNewOne starts this program beside a node of an older one, on its database and its
// pictures, as an update of one node after another does. The older one draws and serves while the schema changes and
// afterwards, and each of the two has what the other one makes.
func TestUpgrade_olderNodeServesBesideTheNewOne(t *testing.T) {
	t.Parallel()
	file, ok := testenv.OldProgram(t)
	if !ok {
		return
	}
	dbtest.Empty(t, func(t *testing.T, url string) {
		dir, site := t.TempDir(), newChangingSite(t)
		settings := []string{"MASTHEAD_DATABASE_URL=" + url, "MASTHEAD_JWT_SECRET=" + base62.Random(43)}
		older := launchFile(t, file, dir, site, settings...)
		older.listens(dir)
		b := &beside{t: t, site: site, pictures: map[string][]byte{}, made: map[string]imageResponse{}}
		b.draws(older, order{page: "/page/before", title: "Before"})

		started, end := context.WithCancel(t.Context())
		var visits sync.WaitGroup
		visits.Go(func() { b.keepsDrawing(started, older) })
		newer := func() *process {
			defer visits.Wait() // also when it fails to start, which ends the test
			defer end()
			return open(t, dir, site, settings...)
		}()
		for i := range 3 {
			for name, p := range map[string]*process{"older": older, "newer": newer} {
				title := fmt.Sprint(name, " ", i)
				b.draws(p, order{page: fmt.Sprint("/page/", name, i), title: title, dark: i == 1, icons: i == 2})
			}
		}
		b.forces(older, order{page: "/page/newer0", title: "newer 0", force: true}, newer)
		b.forces(newer, order{page: "/page/older0", title: "older 0", force: true}, older)
		session := older.signIn(dir)
		for name, p := range map[string]*process{"older": older, "newer": newer} {
			report := p.send("POST", "/audits", session, fmt.Sprintf(`{"url": %q}`, site.URL+"/page/audit-"+name))
			for _, other := range []*process{older, newer} {
				got := other.send("GET", fmt.Sprint("/audits/", report["id"]), session, "")["score"]
				if got != report["score"] {
					t.Errorf("the report of the %s node has the score %v, and elsewhere %v", name, report["score"], got)
				}
			}
		}
		b.served(older)
		b.served(newer)
		older.signal(syscall.SIGTERM)
		if code := older.wait().ExitCode(); code != 0 {
			t.Errorf("the older program ended with %d: %s", code, older.log.String())
		}
		b.served(newer)
		for title, k := range b.made {
			if got := newer.send("GET", "/images/"+k.ID, newer.key, ""); got["id"] != k.ID {
				t.Errorf("%s: got %v, want the image %s", title, got, k.ID)
			}
		}
	})
}

// beside is what two nodes of different versions have made.
type beside struct {
	t        *testing.T
	site     *changingSite
	pictures map[string][]byte        // by path
	made     map[string]imageResponse // by title
}

// draws has a node draw an image, and keeps what its picture is.
func (b *beside) draws(p *process, o order) {
	b.t.Helper()
	k, status, err := p.generate(b.site, o)
	if err != nil || status != http.StatusOK || k.Cached {
		b.t.Errorf("%+v: got %d, %+v, %v; want it drawn", o, status, k, err)
		return
	}
	digest, name := k.file(b.t)
	path := "/cdn/" + digest + "/" + name
	status, b.pictures[path] = p.get(path)
	if status != http.StatusOK {
		b.t.Errorf("%s: got %d", path, status)
	}
	b.made[o.title] = k
}

// keepsDrawing has a node draw one page after another, without an error, until ctx ends.
func (b *beside) keepsDrawing(ctx context.Context, p *process) {
	for i := 0; ctx.Err() == nil; i++ {
		b.draws(p, order{page: fmt.Sprint("/page/meanwhile-", i), title: fmt.Sprint("Meanwhile ", i)})
	}
}

// forces has a node draw an image of the other one again, which finds it then.
func (b *beside) forces(p *process, o order, other *process) {
	b.t.Helper()
	was := b.made[o.title]
	b.draws(p, o)
	if now := b.made[o.title]; now.ID != was.ID || now.ImageURL == was.ImageURL {
		b.t.Errorf("%+v: got %+v, want another picture of %+v", o, now, was)
	}
	o.force = false
	if k, status, err := other.generate(b.site, o); err != nil || status != http.StatusOK || !k.Cached ||
		k.ID != was.ID {
		b.t.Errorf("%+v: the other node has %d, %+v, %v; want the same image", o, status, k, err)
	}
}

// served wants all pictures from a node, byte for byte.
func (b *beside) served(p *process) {
	b.t.Helper()
	for path, want := range b.pictures {
		if status, got := p.get(path); status != http.StatusOK || !bytes.Equal(got, want) {
			b.t.Errorf("%s: got %d and %d bytes, want %d", path, status, len(got), len(want))
		}
	}
}
