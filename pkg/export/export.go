// Package export gives owners of accounts all that is stored about them, as a zip of JSON and files. A job writes it;
// the owner can download it for a day. tables.go has the one list of what is in it.
package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/clock"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
)

const (
	// lasts is how long an export can be downloaded.
	lasts = 24 * time.Hour
	// renewed is how long a request returns the export that is there, rather than another.
	renewed = time.Hour
	// writeTime bounds an attempt to write an export.
	writeTime = 30 * time.Minute
	// mostBytes bounds the files in an export. They are at most what the account's plan allows, so none comes near it.
	mostBytes = 50 << 30
	attempts  = 3
)

// State is where an export is on its way.
type State string

// The states.
const (
	Waiting State = "WAITING"
	Ready   State = "READY"
	Failed  State = "FAILED"
)

// Export is an export of an account.
type Export struct {
	ID        string
	State     State
	Size      int64  // in bytes, when it is ready
	URL       string // of the zip, which needs the owner's session; "" until it is ready
	CreatedAt time.Time
	ExpiresAt time.Time // 24 hours after it is ready, or was requested
}

// Deps are the service's dependencies.
type Deps struct {
	DB   *db.DB
	Jobs *jobs.Worker
	// Images and Reports have the files.
	Images, Reports blob.Store
	// Dir is the folder of the zips, which all nodes share as they share the pictures.
	Dir string
	// Base is the public address of the service, without a slash at the end.
	Base string
}

// Service writes exports. It is safe for concurrent use.
type Service struct {
	deps  Deps
	queue *jobs.Queue
	clock clock.Clock
}

// New returns a service whose jobs deps.Jobs does.
func New(deps Deps) (*Service, error) {
	if err := os.MkdirAll(deps.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of exports: %w", err)
	}
	s := &Service{deps: deps}
	s.queue = deps.Jobs.Handle("export", jobs.Work{
		Do: s.write, Fail: s.fail, AtOnce: 1, Time: writeTime, Attempts: attempts, Pause: jobs.Pauses(time.Minute),
	})
	return s, nil
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

func (s *Service) now() time.Time { return s.clock.Now() }

const columns = `id, state, size_bytes, created_at, expires_at`

type row struct {
	ID        string    `db:"id"`
	State     State     `db:"state"`
	Size      int64     `db:"size_bytes"`
	CreatedAt db.Millis `db:"created_at"`
	ExpiresAt db.Millis `db:"expires_at"`
}

func (s *Service) export(r row) Export {
	e := Export{ID: r.ID, State: r.State, Size: r.Size, CreatedAt: r.CreatedAt.Time, ExpiresAt: r.ExpiresAt.Time}
	if e.State == Ready {
		e.URL = s.deps.Base + "/users/me/export/" + e.ID + "/file"
	}
	return e
}

// Request begins an export of the caller's account, or returns the one that was requested in the last hour and didn't
// fail.
func (s *Service) Request(ctx context.Context, caller identity.Caller) (Export, error) {
	now := s.now()
	var r row
	err := s.deps.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, "export of "+caller.UserID); err != nil {
			return err
		}
		err := tx.Get(ctx, &r, `SELECT `+columns+` FROM exports WHERE owner_id = ? AND state <> ? AND created_at > ?
			ORDER BY id DESC LIMIT 1`, caller.UserID, Failed, db.Millis{Time: now.Add(-renewed)})
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		err = tx.Get(ctx, &r, `INSERT INTO exports (id, owner_id, state, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
			RETURNING `+columns, db.NewID(), caller.UserID, Waiting, db.Millis{Time: now}, db.Millis{Time: now.Add(lasts)})
		if err != nil {
			return err
		}
		return s.queue.Enqueue(ctx, tx, caller.UserID, r.ID, caller.UserID)
	})
	if db.IsForeignKey(err) {
		return Export{}, identity.Gone(err)
	}
	if err != nil {
		return Export{}, fmt.Errorf("request an export of account %s: %w", caller.UserID, err)
	}
	return s.export(r), nil
}

const noExport = "There is no export with this id. It lasts for a day."

// Get returns an export of the caller's account, or NotFound.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Export, error) {
	var r row
	err := s.deps.DB.Get(ctx, &r, `SELECT `+columns+` FROM exports WHERE id = ? AND owner_id = ? AND expires_at > ?`,
		id, caller.UserID, db.Millis{Time: s.now()})
	return s.export(r), db.Missing(err, noExport, "find export "+id)
}

// Open opens the zip of an export of the caller's account, which must be closed. It returns NotFound if there is none,
// and Conflict if it isn't ready.
func (s *Service) Open(ctx context.Context, caller identity.Caller, id string) (f *os.File, size int64, err error) {
	found, err := s.Get(ctx, caller, id)
	if err != nil {
		return nil, 0, err
	}
	switch found.State {
	case Waiting:
		return nil, 0, apperr.New(apperr.Conflict, "The export isn't ready yet. Ask for its state again in a moment.")
	case Failed:
		return nil, 0, apperr.New(apperr.Conflict, "The export failed. Request another one.")
	}
	if f, err = os.Open(s.path(found.ID)); err != nil {
		return nil, 0, fmt.Errorf("open export %s: %w", id, err)
	}
	return f, found.Size, nil
}

func (s *Service) path(id string) string { return filepath.Join(s.deps.Dir, id+suffix) }

const suffix = ".zip"

// write writes the zip of a job's export.
func (s *Service) write(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var found struct {
		OwnerID string `db:"owner_id"`
		State   State  `db:"state"`
	}
	err := s.deps.DB.Get(ctx, &found, `SELECT owner_id, state FROM exports WHERE id = ?`, j.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the account was deleted
	}
	if err != nil {
		return nil, fmt.Errorf("find export %s: %w", j.Key, err)
	}
	size, err := s.writeFile(ctx, j.Key, found.OwnerID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE exports SET state = ?, size_bytes = ?, expires_at = ? WHERE id = ?`,
			Ready, size, db.Millis{Time: s.now().Add(lasts)}, j.Key)
		return err
	}, nil
}

// fail marks the export of a job that was given up.
func (s *Service) fail(_ context.Context, j *jobs.Job, _ error) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE exports SET state = ? WHERE id = ?`, Failed, j.Key)
		return err
	}
}

// writeFile writes the zip of an account under the name of an export, which it has when it is whole.
func (s *Service) writeFile(ctx context.Context, id, ownerID string) (size int64, err error) {
	if err := s.deps.Images.Room(ctx); err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(s.deps.Dir, id+"-*.writing")
	if err != nil {
		return 0, fmt.Errorf("write export %s: %w", id, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write export %s: %w", id, errors.Join(err, f.Close(), os.Remove(f.Name())))
		}
	}()
	if err := s.archive(ctx, f, ownerID); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := os.Rename(f.Name(), s.path(id)); err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

// Sweep deletes exports that have expired, and files without one: those of deleted accounts, and what killed nodes
// left.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := s.deps.DB.Exec(ctx, `DELETE FROM exports WHERE expires_at <= ?`, db.Millis{Time: s.now()})
	if err != nil {
		return fmt.Errorf("delete expired exports: %w", err)
	}
	entries, err := os.ReadDir(s.deps.Dir)
	if err != nil {
		return fmt.Errorf("read the folder of exports: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		errs = append(errs, s.sweepFile(ctx, entry))
	}
	return errors.Join(errs...)
}

// sweepFile deletes a file if it belongs to no export, or is of a write that ended long ago.
func (s *Service) sweepFile(ctx context.Context, entry os.DirEntry) error {
	info, err := entry.Info()
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the folder of exports: %w", err)
	}
	if id, whole := strings.CutSuffix(entry.Name(), suffix); whole {
		err := s.deps.DB.Get(ctx, new(string), `SELECT id FROM exports WHERE id = ?`, id)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	} else if s.now().Sub(info.ModTime()) < 2*writeTime {
		return nil
	}
	if err := os.Remove(filepath.Join(s.deps.Dir, entry.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete an export: %w", err)
	}
	return nil
}
