package files

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"masthead/pkg/blob"
)

// This file checks slowly whether every file still holds what its digest says: docs/security.md.

const (
	// scrubBytes is how many bytes a second are read for it: a terabyte takes eleven days, and a day's share of one core
	// is less than a minute's.
	scrubBytes = 1 << 20
	// scrubLeast is what a file counts at least, for what opening it costs.
	scrubLeast = 64 << 10
	// scrubEvery is the time from the beginning of a pass to that of the next one; a pass that takes longer is followed
	// at once.
	scrubEvery = 24 * time.Hour
	// scrubRest is the pause at the start, and between looks whether there is something to do.
	scrubRest = time.Minute
	// scrubPause is the pause after each of the 256 parts of a pass, and after a picture that was made again: a lost
	// folder is no rush on other people's sites.
	scrubPause = time.Second
	scrubParts = 256
	// yieldTime is how long it waits each time it finds more urgent work.
	yieldTime = 250 * time.Millisecond
	// seenEvery is how often a node says that it is alive and looks at the others; after killedAfter without that, it
	// counts as killed. So others know within five minutes.
	seenEvery   = time.Minute
	killedAfter = 4 * seenEvery
	// scrubTime bounds one statement of its work.
	scrubTime = 30 * time.Second
)

// Scrub checks all files until ctx ends, once a day, and from the beginning once a node did not end well. On many nodes
// one does so at a time. What is damaged is deleted and made again; files without a row get one, for the sweep.
func (l *Ledger) Scrub(ctx context.Context) {
	node := uuid.NewString()
	var watching sync.WaitGroup
	defer func() {
		watching.Wait()
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
		defer cancel()
		if err := l.left(bounded, node); err != nil {
			slog.WarnContext(ctx, "the end is not noted; all files will be checked", "err", err)
		}
	}()
	if l.leases == nil {
		if err := l.noteStart(ctx, node); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "whether the last process was killed is not known; all files are checked daily", "err", err)
		}
	}
	watching.Go(func() { l.watchNodes(ctx, node) })
	for {
		if rest(ctx, scrubRest); ctx.Err() != nil {
			return
		}
		if err := l.scrubOn(ctx, newPace(scrubBytes, scrubPause)); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "scrub of the files failed", "err", err)
		}
	}
}

// watchNodes says that this node is alive and finds out whether others were killed, until ctx ends. It doesn't wait for
// the scrub, which may take hours.
func (l *Ledger) watchNodes(ctx context.Context, node string) {
	var others nodes
	for ctx.Err() == nil {
		var err error
		if others, err = l.watchOnce(ctx, node, others); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "whether other nodes ended well is not known for now", "err", err)
		}
		rest(ctx, seenEvery)
	}
}

// watchOnce is one look of watchNodes; see lookAround for atStart.
func (l *Ledger) watchOnce(ctx context.Context, node string, atStart nodes) (nodes, error) {
	now := l.now()
	if err := l.seen(ctx, node, millis(now)); err != nil {
		return atStart, err
	}
	if _, err := l.noteKilled(ctx, millis(now.Add(-killedAfter)), millis(now), node); err != nil {
		return atStart, err
	}
	return l.lookAround(ctx, node, atStart)
}

// noteStart notes, at the start of the only node, that it is alive and that those before it, which have not said that
// they ended, were killed: all files are scrubbed from the beginning then.
func (l *Ledger) noteStart(ctx context.Context, node string) error {
	now := l.now()
	if err := l.seen(ctx, node, millis(now)); err != nil {
		return err
	}
	_, err := l.noteKilled(ctx, millis(now.Add(scrubEvery)), millis(now), node)
	return err
}

// rest waits for a while or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// pace is how fast the check goes.
type pace struct {
	bytes *rate.Limiter
	pause time.Duration
}

func newPace(bytes int, pause time.Duration) *pace {
	return &pace{rate.NewLimiter(rate.Limit(bytes), max(bytes, scrubLeast)), pause}
}

// take waits until a file of so many bytes may be read.
func (p *pace) take(ctx context.Context, size int64) error {
	for left := max(size, scrubLeast); left > 0; {
		part := min(left, int64(p.bytes.Burst()))
		if err := p.bytes.WaitN(ctx, int(part)); err != nil {
			return err
		}
		left -= part
	}
	return nil
}

// scrubOn goes on with the pass that is under way, or begins one when it is time, and ends it; nothing while another
// node does.
func (l *Ledger) scrubOn(ctx context.Context, p *pace) error {
	now := l.now()
	if _, err := l.noteKilled(ctx, millis(now.Add(-killedAfter)), millis(now), ""); err != nil {
		return err
	}
	noticed, err := l.lastKilled(ctx)
	if err != nil {
		return err
	}
	last, err := l.lastPass(ctx)
	if err != nil {
		return err
	}
	killed := !noticed.IsZero() && !noticed.Before(last.BeganAt.Time)
	age := l.now().Sub(last.BeganAt.Time)
	if !killed && last.Next >= scrubParts && age.Abs() < scrubEvery {
		return nil
	}
	if l.leases != nil {
		held, err := l.leases.Acquire(ctx, "scrub of files")
		if err != nil || held == nil {
			return err
		}
		defer release(ctx, held)
	}
	if killed || last.Next >= scrubParts || last.BeganAt.IsZero() {
		last = pass{BeganAt: millis(l.now())}
		if err := l.savePass(ctx, last); err != nil {
			return err
		}
	}
	var found scrubResult
	for ; last.Next < scrubParts; rest(ctx, p.pause) {
		for _, s := range l.stores {
			if err := s.scrubPart(ctx, fmt.Sprintf("%02x", last.Next), p, &found); err != nil {
				return err
			}
		}
		last.Next++
		if err := l.savePass(ctx, last); err != nil {
			return err
		}
	}
	if err := l.forgetKilled(ctx, last.BeganAt); err != nil {
		return err
	}
	level := slog.LevelInfo
	if found.damaged+found.lost+found.orphans == 0 {
		level = slog.LevelDebug
	}
	slog.Log(ctx, level, "the files were scrubbed", "files", found.checked, "damaged", found.damaged,
		"lost", found.lost, "made_again", found.remade, "without_row", found.orphans)
	return nil
}

// scrubResult is what a check has found.
type scrubResult struct{ checked, damaged, lost, remade, orphans int }

// reference is what refers to a file.
type reference struct {
	blob.Name
	Owner string `db:"owner"`
	Scope string `db:"scope"`
	Size  int64  `db:"size"`
}

// scrubPart checks the files whose digests begin with two hexadecimal digits.
func (s *Store) scrubPart(ctx context.Context, prefix string, p *pace, found *scrubResult) error {
	if err := s.noteOrphans(ctx, prefix, found); err != nil || s.kind.Remake == nil {
		return err
	}
	references, err := s.references(ctx, prefix)
	if err != nil {
		return err
	}
	for len(references) > 0 {
		same := 1
		for same < len(references) && references[same].Name == references[0].Name {
			same++
		}
		if err := s.scrubFile(ctx, references[:same], p, found); err != nil {
			return err
		}
		references = references[same:]
	}
	return nil
}

// references returns what refers to files whose digests begin with two hexadecimal digits, by their names.
func (s *Store) references(ctx context.Context, prefix string) (found []reference, err error) {
	ctx, cancel := context.WithTimeout(ctx, scrubTime)
	defer cancel()
	err = s.db.Select(ctx, &found, `SELECT digest, name, owner, scope, size FROM (`+s.kind.References+`) AS r
		WHERE digest >= ? AND digest < ? ORDER BY digest, name, owner`, prefix, prefix+"g") // which comes after f
	if err != nil {
		return nil, fmt.Errorf("list what refers to files under %s: %w", prefix, err)
	}
	return found, nil
}

// noteOrphans gives the files that have no row one, for a sweep in an hour. There are such files after a power cut,
// since SQLite doesn't wait for the disk with the row of a hold, where the database is older than the files, and after
// a program was killed that stored files before their rows, as those before migration 0039 did.
func (s *Store) noteOrphans(ctx context.Context, prefix string, found *scrubResult) error {
	// The files first: of those, each has a row by now, unless it is an orphan.
	there, err := s.kind.Blobs.List(ctx, prefix)
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, scrubTime)
	defer cancel()
	var rows []blob.Name
	err = s.db.Select(bounded, &rows, `SELECT digest, name FROM files WHERE digest >= ? AND digest < ?`,
		prefix, prefix+"g")
	if err != nil {
		return fmt.Errorf("list the files under %s: %w", prefix, err)
	}
	known := map[blob.Name]bool{}
	for _, n := range rows {
		known[n] = true
	}
	for _, n := range there {
		if known[n] {
			continue
		}
		_, err := s.db.Exec(ctx, `INSERT INTO files (digest, name, kind, keep_until) VALUES (?, ?, ?, ?)
			ON CONFLICT (digest, name) DO NOTHING`, n.Digest, n.File, s.kind.Name, millis(s.now().Add(keepTime)))
		if err != nil {
			return fmt.Errorf("note a file without a row: %w", err)
		}
		slog.InfoContext(ctx, "a file without a row will be deleted", "digest", n.Digest, "name", n.File)
		found.orphans++
		s.scrubs.WithLabelValues("orphan").Inc()
	}
	return nil
}

// idle waits until there is no more urgent work, or ctx ends.
func (s *Store) idle(ctx context.Context) error {
	for s.kind.Busy != nil && s.kind.Busy() && ctx.Err() == nil {
		rest(ctx, yieldTime)
	}
	return ctx.Err()
}

// scrubFile checks one file by what refers to it, and has it made again if it is not whole.
func (s *Store) scrubFile(ctx context.Context, references []reference, p *pace, found *scrubResult) error {
	if err := s.idle(ctx); err != nil {
		return err
	}
	n, scope := references[0].Name, references[0].Scope
	if err := p.take(ctx, references[0].Size); err != nil {
		return err
	}
	data, err := s.kind.Blobs.Get(ctx, n)
	found.checked++
	switch {
	case errors.Is(err, blob.ErrNotFound):
		found.lost++
		s.scrubs.WithLabelValues("lost").Inc()
	case err == nil && Digest(scope, data) == n.Digest:
		s.Whole(n)
		s.scrubs.WithLabelValues("whole").Inc()
		return nil
	case err == nil || errors.Is(err, blob.ErrDamaged):
		found.damaged++
		s.scrubs.WithLabelValues("damaged").Inc()
		if err := s.Discard(ctx, n, scope); err != nil {
			return err
		}
	default:
		return err
	}
	defer rest(ctx, p.pause)
	for _, r := range references {
		if err := s.kind.Remake(ctx, r.Owner, n); err == nil {
			found.remade++
		} else if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// ScrubAll checks all files now, as fast as they are read.
func (l *Ledger) ScrubAll(ctx context.Context) error {
	if err := l.savePass(ctx, pass{BeganAt: millis(l.now())}); err != nil {
		return err
	}
	return l.scrubOn(ctx, newPace(1<<30, 0))
}
