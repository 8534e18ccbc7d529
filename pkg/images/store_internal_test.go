package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"masthead/pkg/auditlog"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
	"masthead/pkg/jobs"
	"masthead/pkg/lease"
	"masthead/pkg/projects"
	"masthead/render"
)

// keepTime is how long files are kept that nothing refers to.
const keepTime = time.Hour

// storage is a service that keeps what it is given, by a clock that the test moves.
type storage struct {
	*Service
	t       testing.TB
	d       *db.DB
	owner   string
	project string
	ahead   *atomic.Int64 // of the clock, in nanoseconds
}

func newStorage(t testing.TB, d *db.DB) *storage {
	t.Helper()
	disk, err := blob.OpenDisk(blob.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	st := &storage{t: t, d: d, owner: uuid.NewString(), ahead: &atomic.Int64{}}
	clock := func() time.Time { return time.Now().Add(time.Duration(st.ahead.Load())) }
	st.Service = New(Config{}, Addresses{}, Deps{
		DB: d, Blobs: disk, Files: files.New(d, clock), Projects: projects.New(d, auditlog.New(d), nil),
		Jobs: jobs.NewWorker(d, time.Hour, nil),
	})
	st.now = clock
	now := millis(time.Now())
	_, err = d.Exec(t.Context(), `INSERT INTO users
		(id, email, email_key, name, password_hash, role, plan, created_at, updated_at)
		VALUES (?, 'a@example.com', 'a@example.com', '', '', 'user', 'free', ?, ?)`, st.owner, now, now)
	if err != nil {
		t.Fatal(err)
	}
	p, err := st.projects.Create(t.Context(), st.caller(), projects.NewProject{Name: "Test"})
	if err != nil {
		t.Fatal(err)
	}
	st.project = p.ID
	return st
}

func (st *storage) caller() identity.Caller { return identity.Caller{UserID: st.owner} }

// drawn is a job under a key whose picture is drawn: one file for each of the texts. It
// replaces what there is.
func (st *storage) drawn(key string, texts ...string) *job {
	j := &job{caller: st.caller(), key: key, began: st.now(), request: Request{ProjectID: st.project, Force: true,
		Request: card.Request{Kind: card.OG, URL: "https://example.com/"}}}
	for i, text := range texts {
		name := "og.png"
		if i > 0 {
			name = fmt.Sprintf("og-%d.png", i)
		}
		picture := render.Card{Width: 1200, Height: 630}
		picture.Bytes, picture.ContentType = []byte(text), "image/png"
		j.drawn.Files = append(j.drawn.Files, card.File{Name: name, Card: picture})
	}
	return j
}

// keep stores the job's files and record, and returns its id.
func (st *storage) keep(key string, texts ...string) string {
	st.t.Helper()
	j := st.drawn(key, texts...)
	if err := errors.Join(st.keepFiles(st.t.Context(), j), st.keepRecord(st.t.Context(), j)); err != nil {
		st.t.Fatal(err)
	}
	return j.record.ID
}

func (st *storage) sweep() {
	st.t.Helper()
	if err := st.files.Sweep(st.t.Context()); err != nil {
		st.t.Fatal(err)
	}
}

// later moves the clock, and sweeps.
func (st *storage) later(d time.Duration) {
	st.t.Helper()
	st.ahead.Add(int64(d))
	st.sweep()
}

// delete removes an image as its owner does.
func (st *storage) delete(id string) {
	st.t.Helper()
	if err := st.Delete(st.t.Context(), st.caller(), id); err != nil {
		st.t.Fatal(err)
	}
}

// holds fails the test when the files are not exactly those of the texts, or have no rows.
func (st *storage) holds(texts ...string) {
	st.t.Helper()
	var names []blob.Name
	if err := st.d.Select(st.t.Context(), &names, `SELECT digest, name FROM files`); err != nil {
		st.t.Fatal(err)
	}
	got := map[string]bool{}
	for _, n := range names {
		data, err := st.blobs.Get(st.t.Context(), n)
		if err != nil && !errors.Is(err, blob.ErrNotFound) {
			st.t.Fatal(err)
		}
		got[string(data)] = true
	}
	for _, text := range texts {
		if !got[text] {
			st.t.Errorf("%q is gone; there are %v", text, got)
		}
	}
	if len(names) != len(texts) {
		st.t.Errorf("got the files %v, want %q", got, texts)
	}
}

// TestStore_cutOffAfterEachStep ends the making of an image, or the sweeping of a file, after each of its steps, as a
// kill does, and looks at what the sweeps make of that.
func TestStore_cutOffAfterEachStep(t *testing.T) {
	t.Parallel()
	type ctx = context.Context
	for name, test := range map[string]func(ctx, *storage){
		"after the files": func(ctx ctx, st *storage) {
			if err := st.keepFiles(ctx, st.drawn("k", "a", "b")); err != nil {
				st.t.Fatal(err)
			}
			st.later(keepTime - time.Minute)
			st.holds("a", "b")
			st.later(2 * time.Minute)
			st.holds()
		},
		"after the files, by a fault": func(ctx ctx, st *storage) {
			fault := errors.New("fault")
			making := stages{{name: "store", run: st.keepFiles}, {name: "record", run: func(context.Context, *job) error {
				return fault
			}}}
			if err := st.complete(ctx, making, st.drawn("k", "a", "b")); !errors.Is(err, fault) {
				st.t.Fatalf("got %v, want the fault", err)
			}
			st.later(keepTime - time.Minute)
			st.holds("a", "b")
			st.later(2 * time.Minute)
			st.holds()
		},
		"after the files of an image that is drawn again": func(ctx ctx, st *storage) {
			st.keep("k", "a")
			again := st.drawn("k", "b")
			if err := errors.Join(st.lookAgain(ctx, again), st.keepFiles(ctx, again)); err != nil {
				st.t.Fatal(err)
			}
			st.later(keepTime - time.Minute)
			st.holds("a", "b")
			st.later(2 * time.Minute)
			st.holds("a")
		},
		"after the record": func(_ ctx, st *storage) {
			id := st.keep("k", "a", "b")
			st.later(48 * time.Hour)
			st.holds("a", "b")
			st.delete(id)
			st.sweep()
			st.holds()
		},
		"after the files of another image with the same picture": func(ctx ctx, st *storage) {
			id := st.keep("k", "a")
			if err := st.keepFiles(ctx, st.drawn("l", "a")); err != nil {
				st.t.Fatal(err)
			}
			st.delete(id)
			st.later(keepTime + time.Minute)
			st.holds() // should its record still come, the file is written again
		},
		"after the files of a picture that is kept already": func(ctx ctx, st *storage) {
			id := st.keep("k", "a")
			if err := st.keepFiles(ctx, st.drawn("k", "a")); err != nil {
				st.t.Fatal(err)
			}
			st.later(keepTime + time.Minute)
			st.holds("a")
			st.delete(id)
			st.sweep()
			st.holds()
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) { test(t.Context(), newStorage(t, d)) })
		})
	}
}

func TestStore_replacedFilesStayForAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		id := st.keep("k", "a", "b", "c")
		if same := st.keep("k", "A", "b"); same != id {
			t.Errorf("got %s, want the image %s", same, id)
		}
		st.later(keepTime - time.Minute)
		st.holds("a", "b", "c", "A")
		if got, found, err := st.find(t.Context(), "k", st.isWhole); err != nil || !found || len(got.Files) != 2 ||
			got.Files[0].SizeBytes != 1 {
			t.Errorf("got %+v, %v, %v, want the two new files", got.Files, found, err)
		}
		st.later(2 * time.Minute)
		st.holds("A", "b")
		st.keep("k", "A", "b") // the same again
		st.later(2 * keepTime)
		st.holds("A", "b")
	})
}

func TestStore_filesGoWithProjectsAndAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		for i := range 210 {
			st.keep(fmt.Sprint(i), fmt.Sprintf("picture %d", i))
		}
		if err := st.projects.Delete(t.Context(), st.caller(), st.project); err != nil {
			t.Fatal(err)
		}
		st.sweep()
		st.holds()

		other := newProject(t, st)
		st.project = other
		st.keep("k", "a")
		if _, err := d.Exec(t.Context(), `DELETE FROM users WHERE id = ?`, st.owner); err != nil {
			t.Fatal(err)
		}
		st.sweep()
		st.holds()
	})
}

func newProject(t *testing.T, st *storage) string {
	t.Helper()
	p, err := st.projects.Create(t.Context(), st.caller(), projects.NewProject{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

// TestStore_recordAfterItsFileWentWritesItAgain lets a sweep take the file between the stages store and record: another
// image named the same file, which ended the claim, and was deleted.
func TestStore_recordAfterItsFileWentWritesItAgain(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		late := st.drawn("late", "a")
		if err := st.keepFiles(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		st.delete(st.keep("k", "a"))
		st.sweep()
		st.holds()
		if err := st.keepRecord(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		st.later(48 * time.Hour)
		st.holds("a")
	})
}

func TestStore_stagesSettleWhatTheyReserved(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		var events []string
		reserve := stage{name: "reserve", run: func(_ context.Context, j *job) error {
			j.commit = append(j.commit, func(ctx context.Context, tx *db.Tx) error {
				events = append(events, "commit")
				_, err := tx.Exec(ctx, `INSERT INTO milestones (name, user_id, created_at) VALUES (?, 'u', 1)`, j.key)
				return err
			})
			j.release = append(j.release, func(context.Context) { events = append(events, "release") })
			return nil
		}}
		making := stages{reserve, {name: "store", run: st.keepFiles}, {name: "record", run: st.keepRecord}}
		if err := st.complete(ctx, making, st.drawn("k", "a")); err != nil {
			t.Fatal(err)
		}
		// The second one fails in the transaction: it keeps no image.
		if err := st.complete(ctx, making, st.drawn("k", "b")); !db.IsUnique(err) {
			t.Errorf("got %v, want the fault of the commit", err)
		}
		if got := strings.Join(events, " "); got != "commit commit release" {
			t.Errorf("got %s, want the first committed and the second released", got)
		}
		kept, found, err := st.find(ctx, "k", st.isWhole)
		if err != nil || !found || kept.Files[0].Digest != files.Digest(st.project,
			[]byte("a")) {
			t.Errorf("got %+v, %v, %v, want the first picture", kept, found, err)
		}
	})
}

// TestStore_recordsHaveTheirFilesBesideSweeps keeps and deletes images of the same few pictures while sweeps run.
func TestStore_recordsHaveTheirFilesBesideSweeps(t *testing.T) {
	t.Parallel()
	const makers, rounds = 3, 60
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		var made, swept sync.WaitGroup
		stop := make(chan struct{})
		for range 2 {
			swept.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						st.sweep()
					}
				}
			})
		}
		for maker := range makers {
			made.Go(func() {
				for round := range rounds {
					if !st.keepCheckDelete(fmt.Sprintf("%d", maker), fmt.Sprintf("picture %d", round/4%2), round%3 == 0) {
						return
					}
				}
			})
		}
		made.Wait()
		close(stop)
		swept.Wait()
		if _, err := d.Exec(t.Context(), `DELETE FROM images`); err != nil {
			t.Fatal(err)
		}
		st.later(2 * keepTime)
		st.holds()
	})
}

// keepCheckDelete keeps an image, makes sure of its file, and deletes it again when last says so.
func (st *storage) keepCheckDelete(key, text string, last bool) bool {
	j, ctx := st.drawn(key, text), st.t.Context()
	if err := errors.Join(st.keepFiles(ctx, j), st.keepRecord(ctx, j)); err != nil {
		st.t.Errorf("keep: %v", err)
		return false
	}
	for range 3 {
		if got, err := st.blobs.Get(ctx, j.files[0].BlobName()); err != nil || !bytes.Equal(got, []byte(text)) {
			st.t.Errorf("the file of a record: got %q, %v, want %q", got, err, text)
			return false
		}
	}
	if last {
		if err := st.Delete(ctx, st.caller(), j.record.ID); err != nil {
			st.t.Errorf("delete: %v", err)
		}
	}
	return true
}

func TestStore_slowJobKeepsTheImageOfAForcedOne(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		slow := st.drawn("k", "old")
		slow.request.Force = false
		if err := errors.Join(st.lookAgain(ctx, slow), st.keepFiles(ctx, slow)); err != nil || slow.done {
			t.Fatalf("got %v, done %v, want nothing under the key", err, slow.done)
		}
		id := st.keep("k", "new")
		if err := st.keepRecord(ctx, slow); err != nil || slow.record.ID != id || slow.saved || slow.record.Cached {
			t.Errorf("got image %s, %v, kept %v, want %s as new", slow.record.ID, err, slow.saved, id)
		}
		got, whole, err := st.find(ctx, "k", st.isWhole)
		if want := files.Digest(st.project, []byte("new")); err != nil || !whole || got.Files[0].Digest != want {
			t.Errorf("got %+v, %v, %v, want the forced picture", got.Files, whole, err)
		}
		// A lost file is replaced by a plain job, which has seen the image.
		if err := st.blobs.Delete(ctx, got.Files[0].BlobName()); err != nil {
			t.Fatal(err)
		}
		again := st.drawn("k", "newer")
		again.request.Force = false
		err = errors.Join(st.lookAgain(ctx, again), st.keepFiles(ctx, again), st.keepRecord(ctx, again))
		if err != nil || !again.saved || again.record.ID != id {
			t.Errorf("got image %s, kept %v, %v, want %s drawn anew", again.record.ID, again.saved, err, id)
		}
	})
}

// TestLookAgain_looksOnlyWhenSomethingWasKept has a job whose caller has seen that there is none.
func TestLookAgain_looksOnlyWhenSomethingWasKept(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.leases = nil
		j := st.drawn("k", "new")
		j.request.Force = false
		if err := st.lookUp(t.Context(), j); err != nil || j.done {
			t.Fatalf("got %v, done %v, want nothing under the key", err, j.done)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := st.lookAgain(ended, j); err != nil || j.done {
			t.Errorf("got %v, done %v, want no look: nobody has kept any since", err, j.done)
		}
		st.leases = lease.New(d, leaseTime)
		if err := st.lookAgain(ended, j); err == nil {
			t.Error("got no fault, want a look: another node may have kept it since")
		}
		st.leases = nil
		id := st.keep("k", "old")
		if err := st.lookAgain(t.Context(), j); err != nil || !j.done || j.record.ID != id {
			t.Errorf("got image %s, %v, want %s, which was kept since", j.record.ID, err, id)
		}
	})
}

// TestLookAgain_forcedJobDraws has another node, whose clock is ahead, keep the image of a page that it read before.
func TestLookAgain_forcedJobDraws(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		forced := st.drawn("k", "fresh")
		st.ahead.Add(int64(time.Second))
		st.keep("k", "stale")
		st.ahead.Add(-int64(time.Second))
		if err := st.lookAgain(t.Context(), forced); err != nil || forced.done {
			t.Errorf("got %v, done %v, want it drawn anew", err, forced.done)
		}
	})
}

// deletedOnGet is a store that has an image deleted just before its file is read.
type deletedOnGet struct {
	blob.Store
	before func()
}

func (s deletedOnGet) Get(context.Context, blob.Name) ([]byte, error) {
	s.before()
	return nil, blob.ErrNotFound
}

func TestPublic_deletedMeanwhileIsNotLost(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		id := st.keep("k", "a")
		kept, _, err := st.find(t.Context(), "k", st.isWhole)
		if err != nil {
			t.Fatal(err)
		}
		st.blobs = deletedOnGet{st.blobs, func() { st.delete(id) }}
		if _, err := st.Public(t.Context(), kept.PublicID, ""); err == nil || err.Error() != store.ErrNoImage.Error() {
			t.Errorf("got %v, want %v", err, store.ErrNoImage)
		}
	})
}

// TestShare_killedHolderBlocksNobodyForLong has a node die under a job: another one draws in its place.
func TestShare_killedHolderBlocksNobodyForLong(t *testing.T) {
	t.Parallel()
	if leaseTime > 20*time.Second {
		t.Errorf("a killed node blocks its images for %v, want well below the 50 s of a request", leaseTime)
	}
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		st.leases = lease.New(d, leaseTime)
		_, err := d.Exec(ctx, `INSERT INTO leases (name, holder, expires_at) VALUES ('image k', 'killed', ?)`,
			millis(time.Now().Add(time.Second)))
		if err != nil {
			t.Fatal(err)
		}
		var waited bool
		_, err = st.share(ctx, &job{key: "k"}, nil, stages{{name: "draw", bound: 10 * time.Second,
			run: func(_ context.Context, j *job) error { waited = j.waited; return nil }}})
		if err != nil || !waited {
			t.Errorf("got %v, waited %v, want it drawn after the killed one's time", err, waited)
		}
	})
}

// TestRelease_hangingDatabaseEndsByItsBound holds the table of leases, as a database that hangs does.
func TestRelease_hangingDatabaseEndsByItsBound(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), db.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		st := newStorage(t, d)
		held, err := lease.New(d, leaseTime).Acquire(t.Context(), "k")
		if err != nil || held == nil {
			t.Fatal(held, err)
		}
		other := sqlx.MustOpen("postgres", url)
		t.Cleanup(func() { _ = other.Close() })
		tx := other.MustBegin()
		tx.MustExec(`LOCK TABLE leases IN ACCESS EXCLUSIVE MODE`)
		released := make(chan struct{})
		go func() { defer close(released); st.release(t.Context(), held) }()
		select {
		case <-released:
		case <-time.After(5 * databaseTime):
			t.Error("the release waits on")
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	})
}
