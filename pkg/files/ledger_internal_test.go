package files

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

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/lease"
)

// things is a kind of owner as a module adds one: a table of references with a foreign key and a trigger.
var things = map[db.Dialect]string{
	db.SQLite: `CREATE TRIGGER things_deleted AFTER DELETE ON things BEGIN
		UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name; END`,
	db.Postgres: `CREATE TRIGGER things_deleted AFTER DELETE ON things
		FOR EACH ROW EXECUTE FUNCTION file_reference_deleted()`,
}

// storage is a store of things, by a clock that the test moves.
type storage struct {
	*Store
	t     testing.TB
	d     *db.DB
	blobs *hookedStore
	ahead *atomic.Int64 // of the clock, in nanoseconds
	// remake is what the kind's Remake does; nil writes the file of the owner again.
	remake func(owner string, n blob.Name) error
}

// hookedStore is a store on disk, with functions that run before what it does.
type hookedStore struct {
	blob.Store
	put, delete func(n blob.Name) error
}

func (h *hookedStore) Put(ctx context.Context, n blob.Name, data []byte) error {
	if h.put != nil {
		if err := h.put(n); err != nil {
			return err
		}
	}
	return h.Store.Put(ctx, n, data)
}

func (h *hookedStore) Delete(ctx context.Context, n blob.Name) error {
	if h.delete != nil {
		if err := h.delete(n); err != nil {
			return err
		}
	}
	return h.Store.Delete(ctx, n)
}

func newStorage(t testing.TB, d *db.DB) *storage {
	t.Helper()
	for _, statement := range []string{
		`CREATE TABLE things (owner TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, size BIGINT NOT NULL,
			PRIMARY KEY (owner, name), FOREIGN KEY (digest, name) REFERENCES files (digest, name))`,
		things[d.Dialect()],
	} {
		if _, err := d.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return newNode(t, d, t.TempDir())
}

// newNode returns another node on the database and folder of things.
func newNode(t testing.TB, d *db.DB, dir string) *storage {
	t.Helper()
	disk, err := blob.OpenDisk(blob.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	st := &storage{t: t, d: d, blobs: &hookedStore{Store: disk}, ahead: &atomic.Int64{}}
	ledger := New(d, func() time.Time { return time.Now().Add(time.Duration(st.ahead.Load())) })
	st.Store = ledger.Register(Kind{
		Name: "thing", Blobs: st.blobs,
		References: `SELECT digest, name, owner, 'scope' AS scope, size FROM things`,
		Remake: func(_ context.Context, owner string, n blob.Name) error {
			if st.remake == nil {
				return errors.New("it cannot be made again")
			}
			return st.remake(owner, n)
		},
	})
	return st
}

// nameOf is the name of a file that holds a text.
func nameOf(text string) blob.Name {
	return blob.Name{Digest: Digest("scope", []byte(text)), File: "og.png"}
}

func dataOf(texts ...string) map[blob.Name][]byte {
	data := map[blob.Name][]byte{}
	for _, text := range texts {
		data[nameOf(text)] = []byte(text)
	}
	return data
}

// write does the first step of storing a file.
func (st *storage) write(texts ...string) Hold {
	st.t.Helper()
	hold, err := st.Write(st.t.Context(), dataOf(texts...))
	if err != nil {
		st.t.Fatal(err)
	}
	return hold
}

// refer does the second: the owner has the file from then on, in place of the one before.
func (st *storage) refer(owner, text string, hold Hold) error {
	ctx, n := st.t.Context(), nameOf(text)
	return st.d.InTx(ctx, func(tx *db.Tx) error {
		var old []blob.Name
		if err := tx.Select(ctx, &old, `SELECT digest, name FROM things WHERE owner = ?`, owner); err != nil {
			return err
		}
		if err := st.Refer(ctx, tx, hold, old); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO things (owner, name, digest, size) VALUES (?, ?, ?, ?)
			ON CONFLICT (owner, name) DO UPDATE SET digest = excluded.digest, size = excluded.size`,
			owner, n.File, n.Digest, len(text))
		return err
	})
}

// keep stores a file and refers to it, as a module does.
func (st *storage) keep(owner, text string) error {
	for {
		hold, err := st.Write(st.t.Context(), dataOf(text))
		if err == nil {
			err = st.refer(owner, text, hold)
		}
		if !errors.Is(err, ErrGone) {
			return err
		}
	}
}

func (st *storage) kept(owner, text string) {
	st.t.Helper()
	if err := st.keep(owner, text); err != nil {
		st.t.Fatal(err)
	}
}

func (st *storage) delete(owner string) {
	st.t.Helper()
	if _, err := st.d.Exec(st.t.Context(), `DELETE FROM things WHERE owner = ?`, owner); err != nil {
		st.t.Fatal(err)
	}
}

func (st *storage) sweep() {
	st.t.Helper()
	if err := st.Sweep(st.t.Context()); err != nil {
		st.t.Fatal(err)
	}
}

// later moves the clock, and sweeps.
func (st *storage) later(d time.Duration) {
	st.t.Helper()
	st.ahead.Add(int64(d))
	st.sweep()
}

// rows returns all files that have a row.
func (st *storage) rows() (names []blob.Name) {
	st.t.Helper()
	if err := st.d.Select(st.t.Context(), &names, `SELECT digest, name FROM files`); err != nil {
		st.t.Fatal(err)
	}
	return names
}

// markAll does the first step of a sweep.
func (st *storage) markAll() []blob.Name {
	st.t.Helper()
	marked, err := st.mark(st.t.Context(), st.rows(), millis(st.now()), millis(st.now().Add(markTime)))
	if err != nil || len(marked) == 0 {
		st.t.Fatalf("got %v, %v, want all that nothing refers to", marked, err)
	}
	return marked
}

// holds fails the test if the files with rows, and those on disk, are not exactly those of the texts.
func (st *storage) holds(texts ...string) {
	st.t.Helper()
	onDisk := 0
	for i := range scrubParts {
		names, err := st.blobs.List(st.t.Context(), fmt.Sprintf("%02x", i))
		if err != nil {
			st.t.Fatal(err)
		}
		onDisk += len(names)
	}
	for _, text := range texts {
		st.hasFile(nameOf(text), text)
	}
	if rows := st.rows(); len(rows) != len(texts) || onDisk != len(texts) {
		st.t.Errorf("got %d rows and %d files, want %q", len(rows), onDisk, texts)
	}
}

// hasFile fails the test when the file does not hold text; "" stands for no file.
func (st *storage) hasFile(n blob.Name, text string) {
	st.t.Helper()
	data, err := st.blobs.Get(st.t.Context(), n)
	if text == "" && !errors.Is(err, blob.ErrNotFound) || text != "" && (err != nil || string(data) != text) {
		st.t.Errorf("got %q, %v, want %q", data, err, text)
	}
}

func (st *storage) put(n blob.Name, text string) {
	st.t.Helper()
	if err := st.blobs.Store.Put(st.t.Context(), n, []byte(text)); err != nil {
		st.t.Fatal(err)
	}
}

// TestLedger_killedAfterEachStep ends the storing of a file, or a sweep, after each statement and each access to the
// disk, as a kill does, and looks at what the sweeps make of that.
func TestLedger_killedAfterEachStep(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for name, test := range map[string]func(st *storage){
		"storing, after the row": func(st *storage) {
			st.blobs.put = func(blob.Name) error { return killed }
			if _, err := st.Write(st.t.Context(), dataOf("a")); !errors.Is(err, killed) {
				st.t.Fatalf("got %v, want it killed", err)
			}
			st.later(keepTime - time.Minute)
			if rows := st.rows(); len(rows) != 1 {
				st.t.Errorf("got %d rows, want the one that was there before the bytes", len(rows))
			}
			st.later(2 * time.Minute)
			st.holds()
		},
		"storing, after the first of two files": func(st *storage) {
			st.blobs.put = func(n blob.Name) error {
				if n == nameOf("b") {
					return killed
				}
				return nil
			}
			if _, err := st.Write(st.t.Context(), dataOf("a", "b")); !errors.Is(err, killed) {
				st.t.Fatalf("got %v, want it killed", err)
			}
			st.later(keepTime + time.Minute)
			st.holds()
		},
		"storing, after the bytes": func(st *storage) {
			st.write("a")
			st.later(keepTime - time.Minute)
			st.holds("a")
			st.later(2 * time.Minute)
			st.holds()
		},
		"storing, in the transaction of the reference": func(st *storage) {
			hold := st.write("a")
			err := st.d.InTx(st.t.Context(), func(tx *db.Tx) error {
				return errors.Join(st.Refer(st.t.Context(), tx, hold, nil), killed)
			})
			if !errors.Is(err, killed) {
				st.t.Fatalf("got %v, want it killed", err)
			}
			st.later(keepTime - time.Minute)
			st.holds("a")
			st.later(2 * time.Minute)
			st.holds()
		},
		"storing, after the reference": func(st *storage) {
			st.kept("k", "a")
			st.later(48 * time.Hour)
			st.holds("a")
			st.delete("k")
			st.sweep()
			st.holds()
		},
		"storing again what is there, after the bytes": func(st *storage) {
			st.kept("k", "a")
			st.write("a")
			st.later(keepTime + time.Minute)
			st.holds("a")
			st.delete("k")
			st.sweep()
			st.holds()
		},
		"storing again what is there, which is deleted": func(st *storage) {
			st.kept("k", "a")
			hold := st.write("a")
			st.delete("k")
			st.sweep()
			st.holds("a") // it is held
			if err := st.refer("l", "a", hold); err != nil {
				st.t.Fatal(err)
			}
			st.later(48 * time.Hour)
			st.holds("a")
		},
		"a sweep, after the marks": func(st *storage) {
			st.kept("k", "a")
			st.delete("k")
			st.markAll()
			st.sweep()
			st.holds("a") // another sweep keeps out of the way
			if hold, err := st.tryHold(st.t.Context(), st.rows()); len(hold) > 0 || err != nil {
				st.t.Errorf("got %v, %v, want no hold of a file that is being deleted", hold, err)
			}
			st.later(markTime + time.Second)
			st.holds()
		},
		"a sweep, after the marks, and the clock goes back": func(st *storage) {
			st.kept("k", "a")
			st.delete("k")
			st.ahead.Add(int64(24 * time.Hour))
			st.markAll()
			st.ahead.Add(-int64(24 * time.Hour))
			if hold, err := st.tryHold(st.t.Context(), st.rows()); len(hold) == 0 || err != nil {
				st.t.Fatalf("got %v, %v, want the file of a sweep that is long over", hold, err)
			}
			st.kept("l", "a")
			st.holds("a")
		},
		"a sweep, after the bytes": func(st *storage) {
			st.kept("k", "a")
			st.delete("k")
			for _, n := range st.markAll() {
				if err := st.blobs.Delete(st.t.Context(), n); err != nil {
					st.t.Fatal(err)
				}
			}
			st.ahead.Add(int64(markTime + time.Second))
			st.kept("l", "a") // it is written again
			st.later(48 * time.Hour)
			st.holds("a")
		},
		"a sweep, after the bytes, and nobody writes them again": func(st *storage) {
			st.kept("k", "a")
			st.delete("k")
			for _, n := range st.markAll() {
				if err := st.blobs.Delete(st.t.Context(), n); err != nil {
					st.t.Fatal(err)
				}
			}
			st.later(markTime + time.Second)
			st.holds()
		},
		"discarding, after the mark": func(st *storage) {
			st.kept("k", "a")
			st.put(nameOf("a"), "b")
			st.blobs.delete = func(blob.Name) error { return killed }
			bounded, cancel := context.WithCancel(st.t.Context())
			st.blobs.delete = func(blob.Name) error { cancel(); return killed }
			if err := st.Discard(bounded, nameOf("a"), "scope"); !errors.Is(err, killed) {
				st.t.Fatalf("got %v, want it killed", err)
			}
			st.blobs.delete = nil
			st.ahead.Add(int64(markTime + time.Second))
			st.kept("k", "a")
			st.later(48 * time.Hour)
			st.holds("a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) { test(newStorage(t, d)) })
		})
	}
}

// TestRefer_fileThatMayHaveGoneIsWrittenAgain has other writers and a sweep come between the writing of a file and the
// reference to it.
func TestRefer_fileThatMayHaveGoneIsWrittenAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		between func(st *storage)
		want    error
	}{
		"nothing":                      {func(*storage) {}, nil},
		"another owner keeps the file": {func(st *storage) { st.kept("l", "a") }, nil},
		"another writer holds it": {func(st *storage) {
			st.ahead.Add(int64(time.Second)) // the moments would be different ones
			st.write("a")
		}, nil},
		"another owner keeps and deletes it": {func(st *storage) {
			st.kept("l", "a")
			st.delete("l")
			st.sweep()
		}, ErrGone},
		// The row is there again, and its bytes may not be.
		"and a third is about to write it": {func(st *storage) {
			st.kept("l", "a")
			st.delete("l")
			st.sweep()
			time.Sleep(2 * time.Millisecond) // the moments are different ones
			if hold, err := st.tryHold(st.t.Context(), []blob.Name{nameOf("a")}); len(hold) != 1 || err != nil {
				st.t.Fatalf("got %v, %v, want it held", hold, err)
			}
		}, ErrGone},
		"a sweep after an hour": {func(st *storage) { st.later(keepTime + time.Second) }, ErrGone},
		"a sweep is deleting it": {func(st *storage) {
			st.ahead.Add(int64(keepTime + time.Second))
			st.markAll()
		}, ErrGone},
		"it was damaged and discarded": {func(st *storage) {
			st.kept("l", "a")
			st.put(nameOf("a"), "b")
			if err := st.Discard(st.t.Context(), nameOf("a"), "scope"); err != nil {
				st.t.Fatal(err)
			}
		}, ErrGone},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				st := newStorage(t, d)
				hold := st.write("a")
				c.between(st)
				err := st.refer("k", "a", hold)
				if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
					t.Fatalf("got %v, want %v", err, c.want)
				}
				if err != nil {
					st.ahead.Add(int64(markTime + time.Second))
					st.kept("k", "a")
				}
				st.later(48 * time.Hour)
				st.hasFile(nameOf("a"), "a")
			})
		})
	}
}

// TestSweep_writerOfTheSameFileWaits has another node write and refer to a file between the marking and the deleting of
// its bytes: without the mark, a file that is referred to would be deleted. A lease of the sweep doesn't prevent that.
func TestSweep_writerOfTheSameFileWaits(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		newStorage(t, d)
		st, other := newNode(t, d, dir), newNode(t, d, dir)
		st.kept("k", "a")
		st.delete("k")
		var writing sync.WaitGroup
		began := make(chan struct{})
		st.blobs.delete = func(n blob.Name) error {
			writing.Go(func() {
				close(began)
				if err := other.keep("l", "a"); err != nil {
					t.Errorf("keep: %v", err)
				}
			})
			<-began
			if hold, err := other.tryHold(t.Context(), []blob.Name{n}); len(hold) > 0 || err != nil {
				t.Errorf("got %v, %v, want no hold while the file is being deleted", hold, err)
			}
			return nil
		}
		st.sweep()
		writing.Wait()
		st.later(48 * time.Hour)
		st.holds("a")
	})
}

func TestRefer_replacedFilesStayForAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.kept("k", "a")
		st.kept("k", "b")
		st.later(keepTime - time.Minute)
		st.holds("a", "b")
		st.later(2 * time.Minute)
		st.holds("b")
		st.kept("k", "b") // the same again
		st.later(2 * keepTime)
		st.holds("b")
	})
}

func TestSweep_sharedFileStaysWithItsLastOwner(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.kept("k", "a")
		st.kept("l", "a")
		st.delete("k")
		st.sweep()
		st.holds("a")
		if left, err := st.candidates(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("got %v, %v, want no more candidates: the sweep saw the reference", left, err)
		}
		st.delete("l")
		st.sweep()
		st.holds()
	})
}

// TestSweep_goesOnBehindFilesThatStay has more of them than a sweep looks at in one batch.
func TestSweep_goesOnBehindFilesThatStay(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		stuck := map[blob.Name]bool{}
		for i := range sweepBatch + 1 {
			text := fmt.Sprintf("file %d", i)
			st.kept(text, text)
			stuck[nameOf(text)] = true
			st.delete(text)
		}
		st.ahead.Add(int64(time.Second))
		st.kept("k", "a")
		st.delete("k")
		st.blobs.delete = func(n blob.Name) error {
			if stuck[n] {
				return errors.New("stuck")
			}
			return nil
		}
		if err := st.Sweep(t.Context()); err == nil || !strings.Contains(err.Error(), "101 files") {
			t.Errorf("got %v, want the number of files that stay", err)
		}
		if got := len(st.rows()); got != sweepBatch+1 {
			t.Errorf("got %d files, want the %d that cannot be deleted alone", got, sweepBatch+1)
		}
		st.blobs.delete = nil
		st.kept("l", "file 1") // at once: nobody is deleting it any more
		st.later(sweepAfterFault + time.Second)
		st.holds("file 1")
	})
}

func TestSweep_writesNothingWhenThereIsNothing(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.kept("k", "a")
		// A database that may not be written tells who writes: on SQLite its one writer is taken, on Postgres the tables are
		// held.
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if d.Dialect() == db.Postgres {
				if _, err := tx.Exec(t.Context(), `LOCK TABLE files, leases IN SHARE MODE`); err != nil {
					return err
				}
			}
			bounded, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			return st.Sweep(bounded)
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestSweep_oneNodeAtATime(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), db.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		st := newStorage(t, d)
		st.kept("k", "a")
		st.delete("k")
		held, err := lease.New(d, leaseTime).Acquire(t.Context(), "sweep of files")
		if err != nil || held == nil {
			t.Fatal(held, err)
		}
		st.sweep()
		st.holds("a")
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		st.sweep()
		st.holds()
	})
}

// TestLedger_ownersHaveTheirFilesBesideSweeps keeps and deletes a few files on two nodes, of which both sweep.
func TestLedger_ownersHaveTheirFilesBesideSweeps(t *testing.T) {
	t.Parallel()
	const makers, rounds = 4, 60
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		newStorage(t, d)
		nodes := []*storage{newNode(t, d, dir), newNode(t, d, dir)}
		var made, swept sync.WaitGroup
		stop := make(chan struct{})
		for _, node := range nodes {
			node.leases = nil // both sweep at the same time
			swept.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						node.sweep()
					}
				}
			})
		}
		for maker := range makers {
			node := nodes[maker%len(nodes)]
			made.Go(func() {
				owner := fmt.Sprint(maker)
				for round := range rounds {
					text := fmt.Sprintf("file %d", round/4%2)
					if err := node.keep(owner, text); err != nil {
						t.Errorf("keep: %v", err)
						return
					}
					for range 3 {
						if got, err := node.blobs.Get(t.Context(), nameOf(text)); err != nil || !bytes.Equal(got, []byte(text)) {
							t.Errorf("an owner's file: got %q, %v, want %q", got, err, text)
							return
						}
					}
					if round%3 == 0 {
						if _, err := d.Exec(t.Context(), `DELETE FROM things WHERE owner = ?`, owner); err != nil {
							t.Errorf("delete: %v", err)
						}
					}
				}
			})
		}
		made.Wait()
		close(stop)
		swept.Wait()
		if _, err := d.Exec(t.Context(), `DELETE FROM things`); err != nil {
			t.Fatal(err)
		}
		nodes[0].later(2 * keepTime)
		nodes[0].holds()
	})
}

func TestDiscard_takesDamagedFilesAlone(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		n := nameOf("a")
		discard := func() {
			t.Helper()
			if err := st.Discard(t.Context(), n, "scope"); err != nil {
				t.Fatal(err)
			}
		}
		st.kept("k", "a")
		st.put(n, "b")
		discard()
		st.hasFile(n, "")
		st.kept("k", "a")
		discard()
		st.hasFile(n, "a") // it is whole
		st.kept("k", "a")
		hold := st.write("a")
		st.put(n, "b")
		discard()
		st.hasFile(n, "b") // a writer has it
		if err := st.refer("k", "a", hold); err != nil {
			t.Fatal(err)
		}
		discard()
		st.hasFile(n, "")
		st.kept("k", "a")
		st.later(48 * time.Hour)
		st.holds("a")
	})
}
