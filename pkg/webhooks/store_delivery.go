package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// deliveryRow is a Delivery as it is stored.
type deliveryRow struct {
	ID        string    `db:"id"`
	WebhookID string    `db:"webhook_id"`
	EventID   string    `db:"event_id"`
	Type      string    `db:"type"`
	Body      string    `db:"body"`
	State     State     `db:"state"`
	Attempts  int       `db:"attempts"`
	EventAt   db.Millis `db:"event_at"`
	CreatedAt db.Millis `db:"created_at"`
	BaseAt    db.Millis `db:"base_at"`
	NextAt    db.Millis `db:"next_at"`
}

const deliveryColumns = `id, webhook_id, event_id, type, body, state, attempts, event_at, created_at, base_at, next_at`

func (r deliveryRow) delivery() Delivery {
	d := Delivery{
		ID: r.ID, WebhookID: r.WebhookID, EventID: r.EventID, Type: r.Type, Body: r.Body, State: r.State,
		Attempts: r.Attempts, EventAt: r.EventAt.Time, CreatedAt: r.CreatedAt.Time, baseAt: r.BaseAt.Time,
	}
	if r.State == Waiting {
		d.NextAt = r.NextAt.Time
	}
	return d
}

// insertDelivery stores a delivery, unless its event is there for its webhook already.
func insertDelivery(ctx context.Context, tx *db.Tx, d Delivery, subject string) error {
	_, err := tx.Exec(ctx, `INSERT INTO webhook_deliveries
			(id, webhook_id, event_id, type, subject, body, state, event_at, created_at, base_at, next_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook_id, event_id) DO NOTHING`,
		d.ID, d.WebhookID, d.EventID, d.Type, subject, d.Body, string(d.State), db.Millis{Time: d.EventAt},
		db.Millis{Time: d.CreatedAt}, db.Millis{Time: d.baseAt}, db.Millis{Time: d.NextAt})
	if err != nil {
		return fmt.Errorf("store a delivery to webhook %s: %w", d.WebhookID, err)
	}
	return nil
}

// sendable selects the deliveries d of the webhook w that may be sent when they are due: the first that waits of each
// subject, and only tests while the webhook is disabled.
const sendable = ` FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
	WHERE d.webhook_id = ? AND d.state = 'waiting' AND w.deleting_at IS NULL
		AND (w.enabled OR d.type = '` + TestType + `') AND NOT EXISTS (
		SELECT 1 FROM webhook_deliveries e
		WHERE e.webhook_id = d.webhook_id AND e.subject = d.subject AND e.state = 'waiting'
			AND (e.event_at < d.event_at OR e.event_at = d.event_at AND e.id < d.id))`

// lastDay returns how many deliveries of the last 24 hours are in each state, for each webhook of an account.
func (s store) lastDay(ctx context.Context, ownerID string, now time.Time) (map[string]map[State]int, error) {
	var rows []struct {
		WebhookID string `db:"webhook_id"`
		State     State  `db:"state"`
		Count     int    `db:"count"`
	}
	err := s.db.Select(ctx, &rows, `SELECT webhook_id, state, COUNT(*) AS count FROM webhook_deliveries
		WHERE webhook_id IN (SELECT id FROM webhooks WHERE owner_id = ?) AND id > ? GROUP BY webhook_id, state`,
		ownerID, db.IDsSince(now.Add(-24*time.Hour)))
	if err != nil {
		return nil, fmt.Errorf("count the deliveries of account %s: %w", ownerID, err)
	}
	days := map[string]map[State]int{}
	for _, r := range rows {
		if days[r.WebhookID] == nil {
			days[r.WebhookID] = map[State]int{}
		}
		days[r.WebhookID][r.State] = r.Count
	}
	return days, nil
}

// due returns the oldest deliveries to a webhook that are due, at most limit.
func (s store) due(ctx context.Context, w Webhook, now time.Time, limit int) ([]Delivery, error) {
	list, err := db.SelectAs(ctx, s.db, deliveryRow.delivery, `SELECT d.id, d.webhook_id, d.event_id, d.type, d.body,
			d.state, d.attempts, d.event_at, d.created_at, d.base_at, d.next_at`+sendable+` AND d.next_at <= ?
		ORDER BY d.event_at, d.id LIMIT ?`, w.ID, db.Millis{Time: now}, limit)
	if err != nil {
		return nil, fmt.Errorf("find what to send to webhook %s: %w", w.ID, err)
	}
	return list, nil
}

// nextDue returns when the next delivery to a webhook is due; waits is false if there is none.
func nextDue(ctx context.Context, tx *db.Tx, id string) (at time.Time, waits bool, err error) {
	var next db.Millis
	if err := tx.Get(ctx, &next, `SELECT MIN(d.next_at)`+sendable, id); err != nil {
		return at, false, fmt.Errorf("find what is next for webhook %s: %w", id, err)
	}
	return next.Time, !next.IsZero(), nil
}

// insertAttempt stores an attempt; known is false if its delivery is gone.
func insertAttempt(ctx context.Context, tx *db.Tx, deliveryID string, a Attempt) (known bool, err error) {
	rows, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE id = ?`, deliveryID)
	if err == nil && rows > 0 {
		_, err = tx.Exec(ctx, `INSERT INTO webhook_attempts (id, delivery_id, at, status, error, response, duration)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			db.NewID(), deliveryID, db.Millis{Time: a.At}, a.Status, a.Error, a.Response, a.Duration.Milliseconds())
	}
	if err != nil {
		return false, fmt.Errorf("store an attempt at delivery %s: %w", deliveryID, err)
	}
	return rows > 0, nil
}

// finish ends a delivery in a state.
func finish(ctx context.Context, tx *db.Tx, deliveryID string, state State) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET state = ? WHERE id = ?`, string(state), deliveryID)
	if err != nil {
		return fmt.Errorf("end delivery %s: %w", deliveryID, err)
	}
	return nil
}

// postpone sets the time of a delivery's next attempt.
func postpone(ctx context.Context, tx *db.Tx, deliveryID string, next time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET next_at = ? WHERE id = ?`, db.Millis{Time: next}, deliveryID)
	if err != nil {
		return fmt.Errorf("postpone delivery %s: %w", deliveryID, err)
	}
	return nil
}

// bringForward makes everything that waits for a webhook due now, but for what has failed too often.
func bringForward(ctx context.Context, tx *db.Tx, id string, now time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET next_at = ? WHERE webhook_id = ? AND state = 'waiting'
		AND next_at > ? AND attempts < ?`, db.Millis{Time: now}, id, db.Millis{Time: now}, mostForward)
	if err != nil {
		return fmt.Errorf("bring forward what waits for webhook %s: %w", id, err)
	}
	return nil
}

// restart makes everything that waits for a webhook wait for its first attempt again.
func restart(ctx context.Context, tx *db.Tx, id string, now time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET attempts = 0, base_at = ?, next_at = ?
		WHERE webhook_id = ? AND state = 'waiting'`, db.Millis{Time: now}, db.Millis{Time: now}, id)
	if err != nil {
		return fmt.Errorf("begin again with what waits for webhook %s: %w", id, err)
	}
	return nil
}

// selection is what to replay: one delivery, or those in a range.
type selection struct {
	delivery string
	r        Range
}

// again makes deliveries to a webhook wait for their first attempt again, and returns how many.
func again(ctx context.Context, tx *db.Tx, id string, of selection, now time.Time) (count int, err error) {
	query := `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, base_at = ?, next_at = ? WHERE webhook_id = ?`
	args := []any{db.Millis{Time: now}, db.Millis{Time: now}, id}
	if of.delivery != "" {
		query, args = query+` AND id = ?`, append(args, of.delivery)
	} else {
		query, args = query+` AND event_at >= ? AND event_at < ? AND type <> ?`,
			append(args, db.Millis{Time: of.r.From}, db.Millis{Time: of.r.To}, TestType)
	}
	if of.r.FailedOnly {
		query += ` AND state = 'failed'`
	}
	rows, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("replay deliveries to webhook %s: %w", id, err)
	}
	return int(rows), nil
}

// attemptRow is an Attempt as it is stored.
type attemptRow struct {
	DeliveryID string    `db:"delivery_id"`
	At         db.Millis `db:"at"`
	Status     int       `db:"status"`
	Error      string    `db:"error"`
	Response   string    `db:"response"`
	Duration   int64     `db:"duration"`
}

func (r attemptRow) attempt() Attempt {
	return Attempt{
		At: r.At.Time, Status: r.Status, Error: r.Error, Response: r.Response,
		Duration: time.Duration(r.Duration) * time.Millisecond,
	}
}

// deliveries returns at most limit deliveries to a webhook whose ids are less than before, newest first, with their
// attempts but without the responses.
func (s store) deliveries(ctx context.Context, id, before string, limit int) ([]Delivery, error) {
	list, err := db.SelectAs(ctx, s.db, deliveryRow.delivery, `SELECT `+deliveryColumns+` FROM webhook_deliveries
		WHERE webhook_id = ? AND id < ? ORDER BY id DESC LIMIT ?`, id, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the deliveries to webhook %s: %w", id, err)
	}
	if len(list) == 0 {
		return list, nil
	}
	var rows []attemptRow
	err = s.db.Select(ctx, &rows, `SELECT a.delivery_id, a.at, a.status, a.error, '' AS response, a.duration
		FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
		WHERE d.webhook_id = ? AND d.id <= ? AND d.id >= ? ORDER BY a.id`, id, list[0].ID, list[len(list)-1].ID)
	if err != nil {
		return nil, fmt.Errorf("list the attempts at webhook %s: %w", id, err)
	}
	made := map[string][]Attempt{}
	for _, r := range rows {
		made[r.DeliveryID] = append(made[r.DeliveryID], r.attempt())
	}
	for i := range list {
		list[i].Made = made[list[i].ID]
	}
	return list, nil
}

// delivery returns a delivery to a webhook of an account with its attempts, or NotFound.
func (s store) delivery(ctx context.Context, ownerID, id, deliveryID string) (Delivery, error) {
	if _, err := s.get(ctx, ownerID, id); err != nil {
		return Delivery{}, err
	}
	var r deliveryRow
	err := s.db.Get(ctx, &r, `SELECT `+deliveryColumns+` FROM webhook_deliveries WHERE id = ? AND webhook_id = ?`,
		deliveryID, id)
	if err != nil {
		return Delivery{}, db.Missing(err, noDelivery, "find delivery "+deliveryID)
	}
	d := r.delivery()
	d.Made, err = db.SelectAs(ctx, s.db, attemptRow.attempt, `SELECT delivery_id, at, status, error, response, duration
		FROM webhook_attempts WHERE delivery_id = ? ORDER BY id`, deliveryID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Delivery{}, fmt.Errorf("list the attempts at delivery %s: %w", deliveryID, err)
	}
	return d, nil
}

// sweep deletes deliveries from before a time, and shortens the responses to all but the newest of each webhook to 1000
// characters.
func (s store) sweep(ctx context.Context, before time.Time, newest int) error {
	const most = 1000 // rows of a statement
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{`DELETE FROM webhook_deliveries WHERE id IN (
			SELECT id FROM webhook_deliveries WHERE created_at < ? LIMIT ?)`, []any{db.Millis{Time: before}, most}},
		{`UPDATE webhook_attempts SET response = SUBSTR(response, 1, 1000) WHERE id IN (
			SELECT a.id FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
			WHERE LENGTH(a.response) > 1000 AND (SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries n
				WHERE n.webhook_id = d.webhook_id AND n.id > d.id LIMIT ?) AS newer) >= ? LIMIT ?)`,
			[]any{newest, newest, most}},
	} {
		for rows := int64(most); rows == most; {
			var err error
			if rows, err = s.db.Exec(ctx, statement.query, statement.args...); err != nil {
				return fmt.Errorf("delete old deliveries to webhooks: %w", err)
			}
		}
	}
	return nil
}
