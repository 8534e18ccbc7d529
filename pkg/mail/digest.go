package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

// This file puts the mails of a kind that an account gets beyond five in an hour into one, a digest. A mail in a digest
// is a row like others, without a job and with the digest's id.

const (
	// maxAnHour is how many mails of a kind an account gets in an hour before the others are held for a digest.
	maxAnHour = 5
	// inboxPath is the page that a digest leads to, which has all that its mails are about.
	inboxPath = "/dashboard/notifications"
	// digestAfter is how long a digest collects mails before it is sent.
	digestAfter = time.Hour
)

// lockKind makes transactions that send mails of a kind to an account take turns, so that each counts the others, and
// none adds to a digest that is being sent.
func lockKind(ctx context.Context, tx *db.Tx, accountID string, kind Kind) error {
	return tx.Lock(ctx, "mails "+string(kind)+" "+accountID)
}

// hold puts a mail that was just inserted into the digest of its kind, if that is collecting or the account has got
// enough mails in the last hour. The caller has locked the kind.
func (s *Service) hold(ctx context.Context, tx *db.Tx, accountID string, kind Kind, id string) (held bool, err error) {
	var digest string
	err = tx.Get(ctx, &digest, `SELECT id FROM mails WHERE user_id = ? AND collects = ?`, accountID, string(kind))
	if errors.Is(err, sql.ErrNoRows) {
		digest, err = s.openDigest(ctx, tx, accountID, kind, id)
	}
	if err != nil {
		return false, fmt.Errorf("find the digest of email %s: %w", id, err)
	}
	if digest == "" {
		return false, nil
	}
	if _, err := tx.Exec(ctx, `UPDATE mails SET digest = ? WHERE id = ?`, digest, id); err != nil {
		return false, fmt.Errorf("hold email %s: %w", id, err)
	}
	return true, nil
}

// openDigest inserts a digest that collects the mails of a kind from mail id on, and returns its id; "" if the account
// has got few mails in the last hour.
func (s *Service) openDigest(
	ctx context.Context, tx *db.Tx, accountID string, kind Kind, id string,
) (digest string, err error) {
	now := s.now()
	var recent int
	err = tx.Get(ctx, &recent, `SELECT COUNT(*) FROM mails
		WHERE user_id = ? AND kind = ? AND created_at > ? AND digest IS NULL AND id <> ?`,
		accountID, string(kind), db.Millis{Time: now.Add(-time.Hour)}, id)
	if err != nil || recent < maxAnHour {
		return "", err
	}
	digest = db.NewID()
	_, err = s.insert(ctx, tx, row{ID: digest, Kind: Digest, Cause: digest}, Data{},
		`SELECT id, email FROM users WHERE id = ?`, accountID)
	if err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, `UPDATE mails SET collects = ? WHERE id = ?`, string(kind), digest)
	if err != nil || s.queue == nil {
		return digest, err
	}
	return digest, s.queue.EnqueueAt(ctx, tx, accountID, digest, now.Add(digestAfter), nil)
}

// fill ends the collecting of a digest, so that every attempt to send it has the same mails, and sets its data. kind is
// theirs. It returns ErrMoved if the account has another address by now, is disabled, or doesn't want them any more.
func (s *Service) fill(ctx context.Context, m *row) (kind Kind, err error) {
	var held []row
	var all int
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Get(ctx, &kind, `SELECT collects FROM mails WHERE id = ?`, m.ID); err != nil {
			return err
		}
		if kind != "" {
			if err := lockKind(ctx, tx, m.UserID.String, kind); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `UPDATE mails SET collects = '' WHERE id = ?`, m.ID); err != nil {
				return err
			}
		}
		if err := tx.Get(ctx, &all, `SELECT COUNT(*) FROM mails WHERE digest = ?`, m.ID); err != nil {
			return err
		}
		return tx.Select(ctx, &held, `SELECT `+columns+` FROM mails WHERE digest = ? ORDER BY id LIMIT ?`, m.ID, maxLines)
	})
	if err != nil {
		return "", fmt.Errorf("read what is in digest %s: %w", m.ID, err)
	}
	if len(held) == 0 {
		return "", ErrMoved
	}
	kind = held[0].Kind
	if err := s.stillWanted(ctx, *m, kind); err != nil {
		return "", err
	}
	d := Data{
		About: humanize.Count(all, "more email") + " about " + kinds[kind].topic, Lines: make([]string, all), Path: inboxPath,
	}
	for i, h := range held { // further lines are only counted
		var of Data
		if err := json.Unmarshal([]byte(h.Data), &of); err != nil {
			return "", fmt.Errorf("read email %s: %w", h.ID, err)
		}
		d.Lines[i] = contentOf(kind, of).line()
	}
	text, err := json.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("write digest %s: %w", m.ID, err)
	}
	m.Data = string(text)
	return kind, nil
}

// stillWanted returns ErrMoved if a mail that was held must not be sent any more.
func (s *Service) stillWanted(ctx context.Context, m row, kind Kind) error {
	condition, args := ``, []any{m.UserID.String, m.Recipient}
	if !kinds[kind].security {
		condition, args = ` AND `+wanted(kind), append(args, string(kind))
	}
	err := s.db.Get(ctx, new(string), `SELECT id FROM users WHERE id = ? AND email = ? AND NOT disabled`+condition,
		args...)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrMoved
	}
	if err != nil {
		return fmt.Errorf("find the account of email %s: %w", m.ID, err)
	}
	return nil
}

// line is a mail as one line of a digest: its subject, and the first fact that the subject doesn't name.
func (c content) line() string {
	for _, f := range c.Facts {
		if !strings.Contains(c.Subject, f.Value) {
			return c.Subject + ": " + f.Value
		}
	}
	return c.Subject
}
