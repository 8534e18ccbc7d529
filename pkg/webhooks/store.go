package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

type store struct{ db *db.DB }

// row is a Webhook as it is stored.
type row struct {
	ID             string            `db:"id"`
	OwnerID        string            `db:"owner_id"`
	ProjectID      sql.NullString    `db:"project_id"`
	URL            string            `db:"url"`
	Events         db.JSON[[]string] `db:"events"`
	Secret         string            `db:"secret"`
	PreviousSecret string            `db:"previous_secret"`
	PreviousUntil  db.Millis         `db:"previous_until"`
	Enabled        bool              `db:"enabled"`
	Reason         string            `db:"reason"`
	Failures       int               `db:"failures"`
	CreatedAt      db.Millis         `db:"created_at"`
	UpdatedAt      db.Millis         `db:"updated_at"`
}

const columns = `id, owner_id, project_id, url, events, secret, previous_secret, previous_until, enabled, reason,
	failures, created_at, updated_at`

// present is the condition that a webhook isn't marked as deleted: see undo.go.
const present = ` AND deleting_at IS NULL`

// Messages for what doesn't exist or belongs to another account.
const (
	noWebhook  = "There is no webhook with this id."
	noDelivery = "There is no delivery with this id. Deliveries are kept for 14 days."
)

func (r row) webhook() Webhook {
	return Webhook{
		ID: r.ID, OwnerID: r.OwnerID, ProjectID: r.ProjectID.String, URL: r.URL, Events: r.Events.V, Enabled: r.Enabled,
		Reason: r.Reason, PreviousUntil: r.PreviousUntil.Time, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
		secret: r.Secret, previousSecret: r.PreviousSecret, failures: r.Failures,
	}
}

// insert stores a webhook and what else belongs to it, or returns TierLocked if its owner has as many as the plan
// allows.
func (s store) insert(
	ctx context.Context, w Webhook, plan billing.Plan, also func(context.Context, *db.Tx) error,
) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// The count doesn't see uncommitted inserts, so those of an account are serialized.
		if err := lockAccount(ctx, tx, w.OwnerID); err != nil {
			return err
		}
		rows, err := tx.Exec(ctx, `INSERT INTO webhooks
				(id, owner_id, project_id, url, events, secret, enabled, created_at, updated_at)
			SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
				TRUE, CAST(? AS BIGINT), CAST(? AS BIGINT)
			WHERE (SELECT COUNT(*) FROM webhooks WHERE owner_id = ? AND deleting_at IS NULL) < ?`,
			w.ID, w.OwnerID, sql.NullString{String: w.ProjectID, Valid: w.ProjectID != ""}, w.URL,
			db.JSON[[]string]{V: w.Events}, w.secret, db.Millis{Time: w.CreatedAt}, db.Millis{Time: w.UpdatedAt},
			w.OwnerID, plan.Webhooks)
		if err != nil {
			return err
		}
		if rows == 0 {
			return full(plan)
		}
		return also(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("store a webhook of account %s: %w", w.OwnerID, err)
	}
	return nil
}

// full says that an account has as many webhooks as its plan allows.
func full(plan billing.Plan) error {
	return apperr.New(apperr.TierLocked, fmt.Sprintf(
		"The plan %s allows %s. Delete one, or change the plan.",
		humanize.Capital(plan.Name), humanize.Count(plan.Webhooks, "webhook")))
}

// lockAccount lets one transaction at a time add webhooks to an account. A count doesn't see uncommitted ones.
func lockAccount(ctx context.Context, tx *db.Tx, ownerID string) error {
	return tx.Lock(ctx, "webhooks of "+ownerID)
}

// countAll returns how many webhooks an account has.
func countAll(ctx context.Context, tx *db.Tx, ownerID string) (count int, err error) {
	err = tx.Get(ctx, &count, `SELECT COUNT(*) FROM webhooks WHERE owner_id = ? AND deleting_at IS NULL`, ownerID)
	if err != nil {
		return 0, fmt.Errorf("count the webhooks of account %s: %w", ownerID, err)
	}
	return count, nil
}

func (s store) get(ctx context.Context, ownerID, id string) (Webhook, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM webhooks WHERE id = ? AND owner_id = ?`+present, id, ownerID)
	return r.webhook(), db.Missing(err, noWebhook, "find webhook "+id)
}

// find returns a webhook of any owner.
func (s store) find(ctx context.Context, id string) (w Webhook, found bool, err error) {
	var r row
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM webhooks WHERE id = ?`+present, id)
	if errors.Is(err, sql.ErrNoRows) {
		return w, false, nil
	}
	if err != nil {
		return w, false, fmt.Errorf("find webhook %s: %w", id, err)
	}
	return r.webhook(), true, nil
}

// list returns at most limit webhooks whose ids are less than before, newest first.
func (s store) list(ctx context.Context, ownerID, projectID, before string, limit int) ([]Webhook, error) {
	list, err := db.SelectAs(ctx, s.db.Brief(), row.webhook,
		`SELECT `+columns+` FROM webhooks WHERE owner_id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?) AND id < ?`+
			present+` ORDER BY id DESC LIMIT ?`, ownerID, projectID, projectID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the webhooks of account %s: %w", ownerID, err)
	}
	return list, nil
}

// oldestEnabled are the webhooks of an account that its plan has room for.
const oldestEnabled = ` FROM webhooks WHERE owner_id = ? AND enabled` + present + ` ORDER BY id LIMIT ?`

func (s store) oldest(ctx context.Context, ownerID string, most int) (ids []string, err error) {
	if err := s.db.Select(ctx, &ids, `SELECT id`+oldestEnabled, ownerID, most); err != nil {
		return nil, fmt.Errorf("list the webhooks of account %s: %w", ownerID, err)
	}
	return ids, nil
}

// enabled returns the webhooks of an account that get its events.
func enabled(ctx context.Context, tx *db.Tx, ownerID string, most int) ([]Webhook, error) {
	var rows []row
	if err := tx.Select(ctx, &rows, `SELECT `+columns+oldestEnabled, ownerID, most); err != nil {
		return nil, fmt.Errorf("list the webhooks of account %s: %w", ownerID, err)
	}
	list := make([]Webhook, len(rows))
	for i, r := range rows {
		list[i] = r.webhook()
	}
	return list, nil
}

// planOf returns the name of an account's plan, also in a transaction that changes it.
func planOf(ctx context.Context, tx *db.Tx, ownerID string) (plan string, err error) {
	if err := tx.Get(ctx, &plan, `SELECT plan FROM users WHERE id = ?`, ownerID); err != nil {
		return "", fmt.Errorf("read the plan of account %s: %w", ownerID, err)
	}
	return plan, nil
}

// isEnabled reports whether a webhook of an account is enabled, or returns NotFound.
func isEnabled(ctx context.Context, tx *db.Tx, ownerID, id string) (is bool, err error) {
	err = tx.Get(ctx, &is, `SELECT enabled FROM webhooks WHERE id = ? AND owner_id = ?`+present, id, ownerID)
	return is, db.Missing(err, noWebhook, "find webhook "+id)
}

// update changes a webhook, or returns NotFound. A change of its owner removes the program's reason for disabling it.
func update(ctx context.Context, tx *db.Tx, ownerID, id string, u Update, now time.Time) error {
	var events any
	if u.Events != nil {
		events = db.JSON[[]string]{V: u.Events}
	}
	rows, err := tx.Exec(ctx, `UPDATE webhooks SET url = COALESCE(CAST(? AS TEXT), url),
			events = COALESCE(CAST(? AS TEXT), events), enabled = COALESCE(CAST(? AS BOOLEAN), enabled),
			reason = CASE WHEN COALESCE(CAST(? AS BOOLEAN), enabled) = enabled THEN reason ELSE '' END,
			failures = CASE WHEN CAST(? AS BOOLEAN) THEN 0 ELSE failures END, updated_at = ?
		WHERE id = ? AND owner_id = ?`+present,
		u.URL, events, u.Enabled, u.Enabled, u.URL != nil || u.Enabled != nil, db.Millis{Time: now}, id, ownerID)
	return one(rows, err, noWebhook, "change webhook "+id)
}

// one returns the error of a statement that changes one row, or NotFound if there is none.
func one(rows int64, err error, missing, doing string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, missing)
	}
	return nil
}

func remove(ctx context.Context, tx *db.Tx, ownerID, id string) error {
	rows, err := tx.Exec(ctx, `DELETE FROM webhooks WHERE id = ? AND owner_id = ?`+present, id, ownerID)
	return one(rows, err, noWebhook, "delete webhook "+id)
}

// rotate replaces the secret of a webhook; the previous one is used too until a time.
func rotate(
	ctx context.Context, tx *db.Tx, ownerID, id, secret string, now, until time.Time,
) error {
	rows, err := tx.Exec(ctx, `UPDATE webhooks SET previous_secret = secret, previous_until = ?, secret = ?, updated_at = ?
		WHERE id = ? AND owner_id = ?`+present, db.Millis{Time: until}, secret, db.Millis{Time: now}, id, ownerID)
	return one(rows, err, noWebhook, "rotate the secret of webhook "+id)
}

// disable disables a webhook with a reason; disabled is false if it was disabled already.
func disable(ctx context.Context, tx *db.Tx, id, reason string, now time.Time) (disabled bool, err error) {
	rows, err := tx.Exec(ctx, `UPDATE webhooks SET enabled = FALSE, reason = ?, updated_at = ? WHERE id = ? AND enabled`,
		reason, db.Millis{Time: now}, id)
	if err != nil {
		return false, fmt.Errorf("disable webhook %s: %w", id, err)
	}
	return rows > 0, nil
}

// failed counts a failure of an endpoint, and returns how many there are since the last success.
func failed(ctx context.Context, tx *db.Tx, id string) (failures int, err error) {
	err = tx.Get(ctx, &failures, `UPDATE webhooks SET failures = failures + 1 WHERE id = ? RETURNING failures`, id)
	if err != nil {
		return 0, fmt.Errorf("count a failure of webhook %s: %w", id, err)
	}
	return failures, nil
}

// endFailures forgets the failures of an endpoint; recovered reports whether there were any.
func endFailures(ctx context.Context, tx *db.Tx, id string) (recovered bool, err error) {
	rows, err := tx.Exec(ctx, `UPDATE webhooks SET failures = 0 WHERE id = ? AND failures > 0`, id)
	if err != nil {
		return false, fmt.Errorf("forget the failures of webhook %s: %w", id, err)
	}
	return rows > 0, nil
}
