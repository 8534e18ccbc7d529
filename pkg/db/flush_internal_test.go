package db

import (
	"context"
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
	made := Regenerable(t.Context())
	for _, c := range []struct {
		name string
		ctx  context.Context
		want int
	}{
		{"at first", t.Context(), full}, {"regenerable", made, normal}, {"and again", made, normal},
		{"after that", t.Context(), full}, {"and again", t.Context(), full}, {"regenerable later", made, normal},
	} {
		var single, inTx int
		if err := d.GetWrite(c.ctx, &single, `PRAGMA synchronous`); err != nil {
			t.Fatal(err)
		}
		err := d.InTx(c.ctx, func(tx *Tx) error { return tx.Get(c.ctx, &inTx, `PRAGMA synchronous`) })
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
	count := func(ctx context.Context) {
		t.Helper()
		if _, err := d.Exec(ctx, `INSERT INTO nodes (id, seen_at) VALUES ('n', 1)
			ON CONFLICT (id) DO UPDATE SET seen_at = nodes.seen_at + 1`); err != nil {
			t.Fatal(err)
		}
	}
	if count(t.Context()); pending() {
		t.Error("a flush is to come, though the commit waited for the disk")
	}
	if count(Regenerable(t.Context())); !pending() {
		t.Error("nothing is going to flush what did not wait")
	}
	if err := f.sync(); err != nil {
		t.Errorf("got %v, want the log of an open database to be flushed", err)
	}
	if f.flush(); pending() {
		t.Error("a flush is to come after the flush")
	}
	count(Regenerable(t.Context()))
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
