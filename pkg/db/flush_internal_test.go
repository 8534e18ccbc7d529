package db

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRegenerable_aloneDoesNotWaitForTheDisk(t *testing.T) {
	d, err := Open(t.Context(), Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	const full, normal = 2, 1 // sqlite.org/pragma.html#pragma_synchronous
	made := d.Regenerable()
	for _, c := range []struct {
		name string
		db   *DB
		want int
	}{
		{"at first", d, full}, {"regenerable", made, normal}, {"and again", made, normal},
		{"after that", d, full}, {"and again", d, full}, {"regenerable later", made, normal},
	} {
		var single, inTx int
		if err := c.db.GetWrite(t.Context(), &single, `PRAGMA synchronous`); err != nil {
			t.Fatal(err)
		}
		err := c.db.InTx(t.Context(), func(tx *Tx) error { return tx.Get(t.Context(), &inTx, `PRAGMA synchronous`) })
		if err != nil || single != c.want || inTx != c.want {
			t.Errorf("%s: got %d for a statement and %d in a transaction, %v; want %d", c.name, single, inTx, err, c.want)
		}
	}
}

func TestFlusher_flushesWhatDidNotWait(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	f := d.write.flusher
	pending := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.timer != nil
	}
	count := func(d *DB) {
		t.Helper()
		if _, err := d.Exec(t.Context(), `INSERT INTO nodes (id, seen_at) VALUES ('n', 1)
			ON CONFLICT (id) DO UPDATE SET seen_at = nodes.seen_at + 1`); err != nil {
			t.Fatal(err)
		}
	}
	if count(d); pending() {
		t.Error("a flush is to come, though the commit waited for the disk")
	}
	if count(d.Regenerable()); !pending() {
		t.Error("nothing is going to flush what did not wait")
	}
	if err := f.sync(); err != nil {
		t.Errorf("got %v, want the log of an open database to be flushed", err)
	}
	if f.flush(); pending() {
		t.Error("a flush is to come after the flush")
	}
	count(d.Regenerable())
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if f.flushSoon(); pending() && f.timer.Stop() {
		t.Error("a flush is to come after the end")
	}
	// All of it is in the database at the end.
	if _, err := os.Stat(filepath.Join(dir, "masthead.db-wal")); !os.IsNotExist(err) {
		t.Errorf("got %v, want the log to be gone", err)
	}
	f.flush() // says nothing of a log that is gone
}
