package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"masthead/pkg/db"
)

// States of a mail.
const (
	Waiting = "waiting" // to be sent, or for a mail server
	Sent    = "sent"
	Refused = "refused" // by the mail server, for good
)

// row is a mail as it is stored.
type row struct {
	ID        string         `db:"id"`
	Cause     string         `db:"cause"`
	Kind      Kind           `db:"kind"`
	UserID    sql.NullString `db:"user_id"`
	Recipient string         `db:"recipient"`
	Data      string         `db:"data"`
	State     string         `db:"state"`
	Error     string         `db:"error"`
	CreatedAt db.Millis      `db:"created_at"`
	EndedAt   *db.Millis     `db:"ended_at"`
}

const columns = `id, cause, kind, user_id, recipient, data, state, error, created_at, ended_at`

// waiting returns a mail that is to be sent; found is false if it was sent, or deleted with its account.
func (s *Service) waiting(ctx context.Context, id string) (m row, found bool, err error) {
	err = s.db.Get(ctx, &m, `SELECT `+columns+` FROM mails WHERE id = ? AND state = 'waiting'`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, false, nil
	}
	if err != nil {
		return row{}, false, fmt.Errorf("find mail %s: %w", id, err)
	}
	return m, true, nil
}

// end records how a mail ended, with those that it contains as a digest. The data of those that were sent isn't needed
// any more; the others can be sent again.
func (s *Service) end(ctx context.Context, tx *db.Tx, id, state, answer string) error {
	_, err := tx.Exec(ctx, `UPDATE mails SET state = ?, error = ?, data = CASE WHEN ? = 'sent' THEN '{}' ELSE data END,
		ended_at = ? WHERE id = ? OR digest = ?`, state, answer, state, db.Millis{Time: s.now()}, id, id)
	if err != nil {
		return fmt.Errorf("end mail %s: %w", id, err)
	}
	return nil
}

// markAddress marks the address of an account as one that refuses mail, unless the account has another one by now.
func (s *Service) markAddress(ctx context.Context, tx *db.Tx, m row) error {
	_, err := tx.Exec(ctx, `UPDATE users SET email_refused_at = ? WHERE id = ? AND email = ?`,
		db.Millis{Time: s.now()}, m.UserID.String, m.Recipient)
	if err != nil {
		return fmt.Errorf("mark the address of email %s: %w", m.ID, err)
	}
	return nil
}

// resume enqueues all mails that wait and have no job.
func (s *Service) resume(ctx context.Context) error {
	var list []row
	err := s.db.Select(ctx, &list, `SELECT `+columns+` FROM mails WHERE state = 'waiting' AND digest IS NULL AND NOT EXISTS
		(SELECT 1 FROM jobs WHERE kind = 'mail' AND key = mails.id AND given_up_at IS NULL)
		ORDER BY created_at LIMIT 10000`)
	if err != nil {
		return fmt.Errorf("find waiting mails: %w", err)
	}
	for _, m := range list {
		err := s.db.InTx(ctx, func(tx *db.Tx) error { return s.queue.Enqueue(ctx, tx, m.UserID.String, m.ID, nil) })
		if err != nil {
			return err
		}
	}
	return nil
}

func logResume(ctx context.Context, err error) {
	slog.ErrorContext(ctx, "waiting mails not enqueued", "err", err)
}
