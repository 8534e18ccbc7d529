// Package export gives owners of accounts all that is stored about them, as a zip of JSON and files. A job writes it;
// the owner can download it for a day. tables.go has the one list of what is in it, and parts.go where its bytes are.
package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/clock"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/wire"
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
	// Images and Reports have the files of accounts, and Files has those of the exports. All nodes share them.
	Images, Reports, Files blob.Store
	Events                 *events.Bus // for [events.ExportCompleted]; may be nil
	// Base is the public address of the service, without a slash at the end.
	Base string
}

// Service writes exports. It is safe for concurrent use.
type Service struct {
	deps  Deps
	queue *jobs.Queue
	clock clock.Clock
	// partBytes is the length of all parts of a zip but the last.
	partBytes int
}

// New returns a service whose jobs deps.Jobs does.
func New(deps Deps) *Service {
	s := &Service{deps: deps, partBytes: partBytes}
	s.queue = deps.Jobs.Handle("export", jobs.Work{
		Do: s.write, Fail: s.fail, AtOnce: 1, Time: writeTime, Attempts: attempts, Pause: jobs.Pauses(time.Minute),
	})
	return s
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

// SetPartBytes makes the parts of zips smaller, for tests.
func (s *Service) SetPartBytes(n int) { s.partBytes = n }

// GiveUp ends an export as after its last attempt, for tests.
func (s *Service) GiveUp(ctx context.Context, id string) error {
	end := s.fail(ctx, &jobs.Job{Key: id}, errors.New("no room"))
	return s.deps.DB.InTx(ctx, func(tx *db.Tx) error { return end(ctx, tx) })
}

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
// and Conflict if it isn't ready, or its files are gone.
func (s *Service) Open(
	ctx context.Context, caller identity.Caller, id string,
) (_ io.ReadCloser, size int64, err error) {
	found, err := s.Get(ctx, caller, id)
	if err != nil {
		return nil, 0, err
	}
	switch found.State {
	case Waiting:
		return nil, 0, apperr.New(apperr.Conflict, "The export isn't ready yet. Ask for its state again in a moment.")
	case Failed:
		return nil, 0, apperr.New(apperr.Conflict, failed)
	}
	zip, err := s.openParts(ctx, found.ID)
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) {
		slog.WarnContext(ctx, "the files of an export are gone", "export", found.ID, "err", err)
		if _, err := s.deps.DB.Exec(ctx, `UPDATE exports SET state = ? WHERE id = ?`, Failed, found.ID); err != nil {
			return nil, 0, fmt.Errorf("mark export %s: %w", id, err)
		}
		return nil, 0, apperr.New(apperr.Conflict, failed)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open export %s: %w", id, err)
	}
	return zip, found.Size, nil
}

const failed = "The export failed. Request another one."

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
	if err := s.deps.Files.Room(ctx); err != nil {
		return nil, err
	}
	w := &partWriter{ctx: ctx, s: s, exportID: j.Key, attempt: db.NewID()}
	if err := s.archive(ctx, w, found.OwnerID); err != nil {
		return nil, fmt.Errorf("write export %s: %w", j.Key, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write export %s: %w", j.Key, err)
	}
	return func(ctx context.Context, tx *db.Tx) error {
		return s.end(ctx, tx, `UPDATE exports SET state = ?, attempt = ?, size_bytes = ?, expires_at = ? WHERE id = ?`,
			Ready, w.attempt, w.written, db.Millis{Time: s.now().Add(lasts)}, j.Key)
	}, nil
}

// fail marks the export of a job that was given up.
func (s *Service) fail(_ context.Context, j *jobs.Job, _ error) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		return s.end(ctx, tx, `UPDATE exports SET state = ? WHERE id = ?`, Failed, j.Key)
	}
}

// end ends an export with an UPDATE of its row, and publishes that.
func (s *Service) end(ctx context.Context, tx *db.Tx, update string, args ...any) error {
	var r struct {
		row

		OwnerID string `db:"owner_id"`
	}
	err := tx.Get(ctx, &r, update+` RETURNING owner_id, `+columns, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // the account was deleted
	}
	if err != nil {
		return err
	}
	return events.ExportCompleted.Publish(ctx, tx, s.deps.Events, r.OwnerID, events.Export{
		ExportId: r.ID, State: events.ExportState(r.State), StartedAt: wire.Moment(r.CreatedAt.Time),
		ExpiresAt: wire.Moment(r.ExpiresAt.Time),
	})
}

// Sweep deletes exports that have expired, and the parts of those that are gone or were written by another attempt.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := s.deps.DB.Exec(ctx, `DELETE FROM exports WHERE expires_at <= ?`, db.Millis{Time: s.now()})
	if err != nil {
		return fmt.Errorf("delete expired exports: %w", err)
	}
	return s.sweepParts(ctx)
}
