package batches

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// store has the SQL of batches.
type store struct{ db *db.DB }

const noBatch = "There is no batch with this id. Batches are deleted 7 days after they are done."

// get returns a batch of an account, or NOT_FOUND.
func (s store) get(ctx context.Context, ownerID, id string) (Batch, error) {
	var r struct {
		ID        string    `db:"id"`
		ProjectID string    `db:"project_id"`
		Total     int       `db:"total"`
		Waiting   int       `db:"waiting"`
		Failed    int       `db:"failed"`
		CreatedAt db.Millis `db:"created_at"`
		EndedAt   db.Millis `db:"ended_at"`
	}
	err := s.db.Brief().Get(ctx, &r, `SELECT id, COALESCE(project_id, '') AS project_id, total, waiting, failed,
		created_at, ended_at FROM batches WHERE id = ? AND owner_id = ?`, id, ownerID)
	if err != nil {
		return Batch{}, db.Missing(err, noBatch, "find batch "+id)
	}
	return Batch{r.ID, r.ProjectID, r.Total, r.Waiting, r.Failed, r.CreatedAt.Time, r.EndedAt.Time}, nil
}

// entries returns entries of a batch in their order.
func (s store) entries(ctx context.Context, batchID string, first int64, limit int) ([]Entry, error) {
	list, err := db.SelectAs(ctx, s.db, entryRow.entry, `SELECT position, url, state, image_id, public_url, problem
		FROM batch_entries WHERE batch_id = ? AND position >= ? ORDER BY position LIMIT ?`, batchID, first, limit)
	if err != nil {
		return nil, fmt.Errorf("list the entries of batch %s: %w", batchID, err)
	}
	return list, nil
}

// entryRow is an Entry as its table has it.
type entryRow struct {
	Position  int    `db:"position"`
	URL       string `db:"url"`
	State     string `db:"state"`
	ImageID   string `db:"image_id"`
	PublicURL string `db:"public_url"`
	Problem   string `db:"problem"`
}

func (r entryRow) entry() Entry {
	e := Entry{Index: r.Position, URL: r.URL, State: State(r.State), ImageID: r.ImageID, PublicURL: r.PublicURL}
	if r.Problem != "" {
		e.Problem = &Problem{}
		_ = json.Unmarshal([]byte(r.Problem), e.Problem) // setResult wrote it
	}
	return e
}

// waiting returns an entry without a result; ok is false if there is none.
func (s store) waiting(ctx context.Context, batchID string, index int) (e pendingEntry, ok bool, err error) {
	var rows []pendingEntry
	err = s.db.Brief().Select(ctx, &rows, `SELECT b.owner_id, b.key_id, b.key_project_id, e.request, b.created_at
		FROM batch_entries e JOIN batches b ON b.id = e.batch_id
		WHERE e.batch_id = ? AND e.position = ? AND e.state = 'WAITING'`, batchID, index)
	if err != nil {
		return pendingEntry{}, false, fmt.Errorf("find entry %d of batch %s: %w", index, batchID, err)
	}
	if len(rows) == 0 {
		return pendingEntry{}, false, nil
	}
	return rows[0], true, nil
}

// countWaiting returns the number of entries of an account without a result.
func countWaiting(ctx context.Context, tx *db.Tx, ownerID string) (count int, err error) {
	err = tx.Get(ctx, &count, `SELECT COALESCE(SUM(waiting), 0) FROM batches WHERE owner_id = ? AND ended_at IS NULL`,
		ownerID)
	if err != nil {
		return 0, fmt.Errorf("count the waiting entries of account %s: %w", ownerID, err)
	}
	return count, nil
}

// insert stores a batch with its entries.
func insert(ctx context.Context, tx *db.Tx, caller identity.Caller, b Batch, entries []New) error {
	_, err := tx.Exec(ctx, `INSERT INTO batches
			(id, owner_id, project_id, key_id, key_project_id, total, waiting, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, b.ID, caller.UserID, db.OrNull(b.ProjectID), caller.KeyID, caller.KeyProjectID,
		b.Total, b.Waiting, db.Millis{Time: b.CreatedAt})
	if err != nil {
		return fmt.Errorf("store batch %s: %w", b.ID, err)
	}
	rows := make([][]any, len(entries))
	for i, e := range entries {
		rows[i] = []any{b.ID, i, e.URL, string(e.Request)}
	}
	if err := tx.InsertRows(ctx, `INSERT INTO batch_entries (batch_id, position, url, request)`, rows); err != nil {
		return fmt.Errorf("store the entries of batch %s: %w", b.ID, err)
	}
	return nil
}

// keepLatest deletes some of the oldest batches of an account that are done, if it has more than most.
func keepLatest(ctx context.Context, tx *db.Tx, ownerID string, most int) error {
	const atOnce = 5
	_, err := tx.Exec(ctx, `DELETE FROM batches WHERE id IN (SELECT id FROM batches
		WHERE owner_id = ? AND ended_at IS NOT NULL ORDER BY id DESC LIMIT ? OFFSET ?)`, ownerID, atOnce, most)
	if err != nil {
		return fmt.Errorf("delete the oldest batches of account %s: %w", ownerID, err)
	}
	return nil
}

// setResult writes the result of an entry that has none. The batch is locked before the entry, in the order of
// deletions.
func setResult(ctx context.Context, tx *db.Tx, batchID string, e Entry, now time.Time) error {
	failed := 0
	if e.State == Failed {
		failed = 1
	}
	rows, err := tx.Exec(ctx, `UPDATE batches SET waiting = waiting - 1, failed = failed + ?,
			ended_at = CASE WHEN waiting = 1 THEN CAST(? AS BIGINT) ELSE NULL END
		WHERE id = ? AND EXISTS (SELECT 1 FROM batch_entries WHERE batch_id = ? AND position = ? AND state = 'WAITING')`,
		failed, db.Millis{Time: now}, batchID, batchID, e.Index)
	if err != nil || rows == 0 {
		return err
	}
	problem := ""
	if e.Problem != nil {
		text, err := json.Marshal(e.Problem)
		if err != nil {
			return fmt.Errorf("encode a problem: %w", err)
		}
		problem = string(text)
	}
	_, err = tx.Exec(ctx, `UPDATE batch_entries SET state = ?, request = '', image_id = ?, public_url = ?, problem = ?
		WHERE batch_id = ? AND position = ?`, string(e.State), e.ImageID, e.PublicURL, problem, batchID, e.Index)
	if err != nil {
		return fmt.Errorf("store the result of entry %d of batch %s: %w", e.Index, batchID, err)
	}
	return nil
}

// sweep deletes the batches that were done before a time, few in each statement, since each has up to 1,000 entries.
func (s store) sweep(ctx context.Context, before time.Time) error {
	const atOnce = 5
	for {
		rows, err := s.db.Exec(ctx, `DELETE FROM batches WHERE id IN (SELECT id FROM batches
			WHERE ended_at < ? ORDER BY ended_at LIMIT ?)`, db.Millis{Time: before}, atOnce)
		if err != nil {
			return fmt.Errorf("delete batches: %w", err)
		}
		if rows < atOnce {
			return nil
		}
	}
}
