package crawlers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

type store struct{ db *db.DB }

// errGone means that the report of a reading was deleted.
var errGone = errors.New("the report is gone")

// row is a Reading as it is stored.
type row struct {
	ID         string                `db:"id"`
	OwnerID    string                `db:"owner_id"`
	ReportID   *string               `db:"report_id"`
	Host       string                `db:"host"`
	URL        string                `db:"url"`
	State      string                `db:"state"`
	Error      string                `db:"error"`
	Lens       *db.JSON[*audit.Lens] `db:"lens"`
	CreatedAt  db.Millis             `db:"created_at"`
	FinishedAt db.Millis             `db:"finished_at"`
}

const columns = `id, owner_id, report_id, host, url, state, error, lens, created_at, finished_at`

func (r *row) reading() Reading {
	found := Reading{
		ID: r.ID, OwnerID: r.OwnerID, Host: r.Host, URL: r.URL, State: State(r.State), Error: r.Error,
		CreatedAt: r.CreatedAt.Time, FinishedAt: r.FinishedAt.Time,
	}
	if r.ReportID != nil {
		found.ReportID = *r.ReportID
	}
	if r.Lens != nil {
		found.Lens = r.Lens.V
	}
	return found
}

// insert stores a reading in place of an earlier one of the same report, and what else belongs to it. If one of the
// report isn't finished, that is returned instead. RateLimited and Conflict as [Service.Create] says.
func (s store) insert(ctx context.Context, made Reading, also func(*db.Tx) error) (running *Reading, err error) {
	var refused error
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		running, refused = nil, nil
		for _, lock := range []string{"crawlers at " + made.Host, "crawlers of " + made.OwnerID} {
			if err := tx.Lock(ctx, lock); err != nil {
				return err
			}
		}
		var r row
		err := tx.Get(ctx, &r, `SELECT `+columns+` FROM crawler_reads WHERE report_id = ? AND finished_at IS NULL`,
			made.ReportID)
		if err == nil {
			found := r.reading()
			running = &found
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if refused, err = refusal(ctx, tx, made); err != nil || refused != nil {
			return err
		}
		if _, err = tx.Exec(ctx, `UPDATE crawler_reads SET report_id = NULL WHERE report_id = ?`, made.ReportID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO crawler_reads (id, owner_id, report_id, host, url, state, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, made.ID, made.OwnerID, made.ReportID, made.Host, made.URL, string(made.State),
			db.Millis{Time: made.CreatedAt})
		if err != nil {
			return err
		}
		return also(tx)
	})
	if err != nil {
		return nil, fmt.Errorf("store a reading of %s for account %s: %w", made.ReportID, made.OwnerID, err)
	}
	return running, refused
}

// refusal returns why a reading may not begin now, or nil.
func refusal(ctx context.Context, tx *db.Tx, made Reading) (refused, err error) {
	var last db.Millis
	err = tx.Get(ctx, &last, `SELECT created_at FROM crawler_reads WHERE host = ?
		ORDER BY created_at DESC LIMIT 1`, made.Host)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if wait := hostPause - made.CreatedAt.Sub(last.Time); err == nil && wait > 0 {
		limit := apperr.New(apperr.RateLimited, fmt.Sprintf("A page of %s was read by the names of crawlers in the last ten "+
			"minutes. Try again in %s.", made.Host, humanize.Count(int((wait+time.Minute-1)/time.Minute), "minute")))
		limit.RetryAfter = wait
		return limit, nil
	}
	unfinished := 0
	err = tx.Get(ctx, &unfinished, `SELECT COUNT(*) FROM crawler_reads WHERE owner_id = ? AND finished_at IS NULL`,
		made.OwnerID)
	if err == nil && unfinished >= maxUnfinished {
		refused = apperr.New(apperr.Conflict, fmt.Sprintf("%d pages are being read by the names of crawlers. Wait for one.",
			maxUnfinished))
	}
	return refused, err
}

// of returns the reading of a report.
func (s store) of(ctx context.Context, reportID string) (Reading, bool, error) {
	return s.one(ctx, `report_id = ?`, reportID)
}

// find returns a reading.
func (s store) find(ctx context.Context, id string) (Reading, bool, error) {
	return s.one(ctx, `id = ?`, id)
}

func (s store) one(ctx context.Context, where, value string) (Reading, bool, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM crawler_reads WHERE `+where, value)
	if errors.Is(err, sql.ErrNoRows) {
		return Reading{}, false, nil
	}
	if err != nil {
		return Reading{}, false, fmt.Errorf("find the reading %s: %w", value, err)
	}
	return r.reading(), true, nil
}

// progress stores what was seen so far; errGone if the report was deleted.
func (s store) progress(ctx context.Context, id string, l *audit.Lens) error {
	rows, err := s.db.Exec(ctx, `UPDATE crawler_reads SET state = 'RUNNING', lens = ?
		WHERE id = ? AND report_id IS NOT NULL AND finished_at IS NULL`, db.JSON[*audit.Lens]{V: l}, id)
	if err != nil {
		return fmt.Errorf("store how far the reading %s is: %w", id, err)
	}
	if rows == 0 {
		return errGone
	}
	return nil
}

func setReady(ctx context.Context, tx *db.Tx, id string, l *audit.Lens, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE crawler_reads SET state = 'READY', lens = ?, finished_at = ? WHERE id = ?`,
		db.JSON[*audit.Lens]{V: l}, db.Millis{Time: at}, id)
	return err
}

func setFailed(ctx context.Context, tx *db.Tx, id, reason string, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE crawler_reads SET state = 'FAILED', error = ?, finished_at = ? WHERE id = ?`,
		reason, db.Millis{Time: at}, id)
	return err
}

// sweep deletes readings without a report from before a time.
func (s store) sweep(ctx context.Context, before time.Time) error {
	_, err := s.db.Exec(ctx, `DELETE FROM crawler_reads WHERE report_id IS NULL AND created_at < ?`,
		db.Millis{Time: before})
	if err != nil {
		return fmt.Errorf("delete old readings: %w", err)
	}
	return nil
}
