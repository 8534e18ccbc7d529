package images

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"masthead/pkg/blob"
)

// This file checks slowly whether every kept file still holds what its digest says. Source: security requirements,
// "Staying up".

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
	// yieldTime is how long the check, and redraws, wait each time they find all places for drawing taken.
	yieldTime = 250 * time.Millisecond
	// seenEvery is how often a node says that it lives; killedAfter, without that, it counts as killed.
	seenEvery   = 5 * time.Minute
	killedAfter = 4 * seenEvery
	// scrubTime bounds one statement of its work.
	scrubTime = 30 * time.Second
)

// Scrub checks all files until ctx ends, once a day, and from the beginning once a node did not end well. On many nodes
// one does so at a time. What is damaged is deleted and made again; files that have no row, as a program leaves that is
// killed before it names them, are noted for the sweep.
func (s *Service) Scrub(ctx context.Context) {
	node := uuid.NewString()
	defer func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
		defer cancel()
		if err := s.store.left(bounded, node); err != nil {
			slog.WarnContext(ctx, "the end is not noted; all files will be checked", "err", err)
		}
	}()
	var seen time.Time
	if s.leases == nil {
		seen = s.noteKilled(ctx, node)
	}
	var others nodes
	for {
		var err error
		if others, err = s.lookAround(ctx, node, others); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "whether other nodes ended well is not known for now", "err", err)
		}
		if now := s.now(); now.Sub(seen).Abs() >= seenEvery {
			if err := s.store.seen(ctx, node, millis(now)); err == nil {
				seen = now
			}
		}
		if rest(ctx, scrubRest); ctx.Err() != nil {
			return
		}
		if err := s.scrubOn(ctx, newPace(scrubBytes, scrubPause)); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "check of the kept pictures failed", "err", err)
		}
	}
}

// noteKilled looks at the start of the only node whether the one before it was killed: then the files that it may have
// left without a row are noted for the sweep at once, and all are checked from the beginning. It returns when it has
// said that this node lives, the zero value when it could not.
func (s *Service) noteKilled(ctx context.Context, node string) (seen time.Time) {
	now := s.now()
	err := s.store.seen(ctx, node, millis(now))
	if err == nil {
		seen = now
		var killed bool
		if killed, err = s.store.noteKilled(ctx, millis(now.Add(scrubEvery)), millis(now), node); err == nil && killed {
			err = s.noteLeft(ctx, now)
		}
	}
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "what a killed program may have left is not looked for; the daily check will", "err", err)
	}
	return seen
}

func (s *Service) noteLeft(ctx context.Context, now time.Time) error {
	if err := s.store.savePass(ctx, pass{BeganAt: millis(now)}); err != nil {
		return err
	}
	var found scrubbed
	for i := range scrubParts {
		if _, err := s.adoptUnder(ctx, fmt.Sprintf("%02x", i), &found); err != nil {
			return err
		}
	}
	return nil
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
func (s *Service) scrubOn(ctx context.Context, p *pace) error {
	now := s.now()
	if _, err := s.store.noteKilled(ctx, millis(now.Add(-killedAfter)), millis(now), ""); err != nil {
		return err
	}
	noticed, err := s.store.lastKilled(ctx)
	if err != nil {
		return err
	}
	last, err := s.store.lastPass(ctx)
	if err != nil {
		return err
	}
	killed := !noticed.IsZero() && !noticed.Before(last.BeganAt.Time)
	age := s.now().Sub(last.BeganAt.Time)
	if !killed && last.Next >= scrubParts && age.Abs() < scrubEvery {
		return nil
	}
	if s.leases != nil {
		held, err := s.leases.Acquire(ctx, "scrub of files")
		if err != nil || held == nil {
			return err
		}
		defer s.release(ctx, held)
	}
	if killed || last.Next >= scrubParts || last.BeganAt.IsZero() {
		last = pass{BeganAt: millis(s.now())}
		if err := s.store.savePass(ctx, last); err != nil {
			return err
		}
	}
	var found scrubbed
	for ; last.Next < scrubParts; rest(ctx, p.pause) {
		if err := s.scrubPart(ctx, fmt.Sprintf("%02x", last.Next), p, &found); err != nil {
			return err
		}
		last.Next++
		if err := s.store.savePass(ctx, last); err != nil {
			return err
		}
	}
	if err := s.store.forgetKilled(ctx, last.BeganAt); err != nil {
		return err
	}
	level := slog.LevelInfo
	if found.damaged+found.lost+found.orphans == 0 {
		level = slog.LevelDebug
	}
	slog.Log(ctx, level, "the kept pictures were checked", "files", found.checked, "damaged", found.damaged,
		"lost", found.lost, "made_again", found.remade, "without_row", found.orphans)
	return nil
}

// scrubbed is what a check has found.
type scrubbed struct{ checked, damaged, lost, remade, orphans int }

// scrubPart checks the files whose digests begin with two hexadecimal digits.
func (s *Service) scrubPart(ctx context.Context, prefix string, p *pace, found *scrubbed) error {
	rows, err := s.adoptUnder(ctx, prefix, found)
	if err != nil {
		return err
	}
	byName := map[blob.Name][]keptFile{}
	for _, r := range rows {
		byName[r.Name] = append(byName[r.Name], r)
	}
	for _, r := range rows {
		images := byName[r.Name]
		if r.ImageID == "" || r.ImageID != images[0].ImageID {
			continue // nobody names it, or it was checked for another image
		}
		if err := s.scrubFile(ctx, images, p, found); err != nil {
			return err
		}
	}
	return nil
}

// adoptUnder notes the files without a row whose digests begin with prefix, and returns the rows of the others.
func (s *Service) adoptUnder(ctx context.Context, prefix string, found *scrubbed) ([]keptFile, error) {
	// The files first: of those that are there then, the ones without a row were left, or are about to be named, which
	// claims the row that it then finds.
	there, err := s.blobs.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, scrubTime)
	defer cancel()
	rows, err := s.store.filesUnder(bounded, prefix)
	if err != nil {
		return nil, err
	}
	known := map[blob.Name]bool{}
	for _, r := range rows {
		known[r.Name] = true
	}
	orphans := slices.DeleteFunc(there, func(n blob.Name) bool { return known[n] })
	return rows, s.adopt(ctx, orphans, found)
}

// adopt notes files without a row.
func (s *Service) adopt(ctx context.Context, orphans []blob.Name, found *scrubbed) error {
	for len(orphans) > 0 {
		some := orphans[:min(len(orphans), sweepBatch)]
		orphans = orphans[len(some):]
		if err := s.store.adoptFiles(ctx, some, millis(s.now().Add(keepTime))); err != nil {
			return err
		}
		for _, n := range some {
			slog.InfoContext(ctx, "a file without a row will be swept", "digest", n.Digest, "name", n.File)
		}
		found.orphans += len(some)
		s.metrics.scrubbed("orphan", len(some))
	}
	return nil
}

// idle waits until a place for drawing is free, or ctx ends.
func (s *Service) idle(ctx context.Context) error {
	for s.workers.busy() && ctx.Err() == nil {
		rest(ctx, yieldTime)
	}
	return ctx.Err()
}

// scrubFile checks one file, which all of images name, and has it made again when it is not whole.
func (s *Service) scrubFile(ctx context.Context, images []keptFile, p *pace, found *scrubbed) error {
	if err := s.idle(ctx); err != nil {
		return err
	}
	n, projectID := images[0].Name, images[0].ProjectID
	if err := p.take(ctx, images[0].SizeBytes); err != nil {
		return err
	}
	data, err := s.blobs.Get(ctx, n)
	found.checked++
	switch {
	case errors.Is(err, blob.ErrNotFound):
		found.lost++
		s.metrics.scrubbed("lost", 1)
	case err == nil && fileDigest(projectID, data) == n.Digest:
		s.unsure.found(n)
		s.metrics.scrubbed("whole", 1)
		return nil
	case err == nil || errors.Is(err, blob.ErrDamaged):
		found.damaged++
		s.metrics.scrubbed("damaged", 1)
		if err := s.discard(ctx, n, projectID); err != nil {
			return err
		}
	default:
		return err
	}
	defer rest(ctx, p.pause)
	for _, named := range images {
		if err := s.scrubImage(ctx, named, found); err != nil {
			return err
		}
	}
	return nil
}

// scrubImage makes an image again that names a file which is not there any more. That it could not be made is logged.
func (s *Service) scrubImage(ctx context.Context, named keptFile, found *scrubbed) error {
	kept, there, err := s.store.image(ctx, named.ImageID)
	if err != nil || !there {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, s.making().bound())
	defer cancel()
	err = s.remake(bounded, kept)
	if err == nil {
		found.remade++
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.tellLoss(ctx, kept.ID, named.Name, err)
	return nil
}

// ScrubAll checks all files now, as fast as they are read.
func (s *Service) ScrubAll(ctx context.Context) error {
	if err := s.store.savePass(ctx, pass{BeganAt: millis(s.now())}); err != nil {
		return err
	}
	return s.scrubOn(ctx, newPace(1<<30, 0))
}
