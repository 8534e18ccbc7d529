package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// This file determines which SQLite commits wait for the disk: FULL for accounts and ledgers, NORMAL elsewhere
// (sqlite.org/pragma.html#pragma_synchronous). In a WAL, a commit that doesn't wait is as safe as one that does, except
// in a power failure; it is flushed along with a later one that waits.

// flushWithin is the maximum age of commits that a power failure can lose if they didn't wait for the disk.
const flushWithin = time.Second

// flusher sets for SQLite's writer whether the next commit waits for the disk, and flushes those that didn't.
type flusher struct {
	writer *sqlx.DB // has one connection
	wal    string   // path of the write-ahead log

	// relaxed means that the connection may be set to not wait. The holder of the writer's gate slot owns it.
	relaxed bool

	mu     sync.Mutex
	timer  *time.Timer // runs while there is something to flush
	closed bool
}

// prepare is called before each use of the writer; relaxed means that its commit need not wait for the disk.
func (f *flusher) prepare(ctx context.Context, relaxed bool) error {
	if relaxed == f.relaxed {
		return nil
	}
	level := "FULL"
	if relaxed {
		// From here on it counts as relaxed, even if the setting fails: a connection that the driver has reopened then waits
		// unnecessarily, which is harmless.
		level, f.relaxed = "NORMAL", true
	}
	if _, err := f.writer.ExecContext(ctx, "PRAGMA synchronous="+level); err != nil {
		return fmt.Errorf("set how to flush: %w", err)
	}
	f.relaxed = relaxed
	return nil
}

// flushSoon is called after a commit that didn't wait.
func (f *flusher) flushSoon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil && !f.closed {
		f.timer = time.AfterFunc(flushWithin, f.flush)
	}
}

// flush waits until the disk has the log, without blocking anything else.
func (f *flusher) flush() {
	f.mu.Lock()
	f.timer = nil // later writes are flushed in their turn
	f.mu.Unlock()
	// SQLite removes the log once all of it is in the database.
	if err := f.sync(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the latest writes may not survive a power failure", "err", err)
	}
}

// sync may open the log next to SQLite: SQLite's locks, which closing our descriptor would release, are on its other
// files.
func (f *flusher) sync() error {
	log, err := os.OpenFile(f.wal, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(log.Sync(), log.Close())
}

// close is called before the writer's connection is closed, which flushes everything.
func (f *flusher) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.timer != nil {
		f.timer.Stop()
	}
}
