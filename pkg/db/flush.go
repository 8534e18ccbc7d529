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

// This file owns which commits of SQLite wait for the disk. Source: security requirements, "Staying up" (FULL for
// accounts and ledger, NORMAL elsewhere), and sqlite.org/pragma.html#pragma_synchronous: in a WAL a commit that does
// not wait is as safe as one that does, but for a power cut; what a later one waits for, it is flushed with.

// flushWithin is the most of a moment that a power cut takes of what did not wait for the disk.
const flushWithin = time.Second

// flusher sets for SQLite's writer whether the next commit waits for the disk, and flushes what did not.
type flusher struct {
	writer *sqlx.DB // has one connection
	wal    string   // path of the write-ahead log

	// relaxed says that the connection may be set to not wait. Whoever holds the place of the writer's gate has it.
	relaxed bool

	mu     sync.Mutex
	timer  *time.Timer // runs while something is to be flushed
	closed bool
}

// prepare is called before each use of the writer; relaxed says that its commit need not wait for the disk.
func (f *flusher) prepare(ctx context.Context, relaxed bool) error {
	if relaxed == f.relaxed {
		return nil
	}
	level := "FULL"
	if relaxed {
		// From here on, that the setting fails included, it counts as relaxed: a connection that the driver opened anew
		// waits in vain, which is no harm.
		level, f.relaxed = "NORMAL", true
	}
	if _, err := f.writer.ExecContext(ctx, "PRAGMA synchronous="+level); err != nil {
		return fmt.Errorf("set how to flush: %w", err)
	}
	f.relaxed = relaxed
	return nil
}

// flushSoon is called after a commit that did not wait.
func (f *flusher) flushSoon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil && !f.closed {
		f.timer = time.AfterFunc(flushWithin, f.flush)
	}
}

// flush waits for the disk to have the log; it stands in no other's way.
func (f *flusher) flush() {
	f.mu.Lock()
	f.timer = nil // what is written from here on is flushed in its turn
	f.mu.Unlock()
	// SQLite removes the log when all of it is in the database.
	if err := f.sync(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("what was written last may not survive a power cut", "err", err)
	}
}

// sync may open the log beside SQLite: its locks, which would end with our descriptor, are on its other files.
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
