package notifications

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/mail"
)

type store struct{ db *db.DB }

// row is a notification as it is stored.
type row struct {
	ID        string             `db:"id"`
	Kind      mail.Kind          `db:"kind"`
	Data      db.JSON[mail.Data] `db:"data"`
	CreatedAt db.Millis          `db:"created_at"`
	ReadAt    *db.Millis         `db:"read_at"`
}

func (r row) notification() Notification {
	n := Notification{ID: r.ID, Kind: r.Kind, Data: r.Data.V, CreatedAt: r.CreatedAt.Time}
	if r.ReadAt != nil {
		n.ReadAt = r.ReadAt.Time
	}
	return n
}

// insert inserts a notification for the owner of an event, unless they don't want it or have it already, and deletes
// the oldest of too many.
func insert(ctx context.Context, tx *db.Tx, e events.Event, t notice) error {
	rows, err := tx.Exec(ctx, `INSERT INTO notifications (id, user_id, kind, cause, data, created_at)
		SELECT CAST(? AS TEXT), id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT) FROM users
		WHERE id = ? AND COALESCE((SELECT wanted FROM notification_preferences
			WHERE user_id = users.id AND kind = ? AND channel = 'inbox'), TRUE)
		ON CONFLICT (user_id, kind, cause) DO NOTHING`,
		db.NewID(), string(t.kind), t.cause, db.JSON[mail.Data]{V: t.data}, db.Millis{Time: e.At}, e.OwnerID, string(t.kind))
	if err == nil && rows > 0 {
		_, err = tx.Exec(ctx, `DELETE FROM notifications WHERE user_id = ? AND id < (
			SELECT id FROM notifications WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`, e.OwnerID, e.OwnerID, maxKept-1)
	}
	if err != nil {
		return fmt.Errorf("store a notification of account %s: %w", e.OwnerID, err)
	}
	return nil
}

// list returns the newest notifications of an account whose ids are less than before, at most limit.
func (s store) list(ctx context.Context, userID, before string, limit int) ([]Notification, error) {
	list, err := db.SelectAs(ctx, s.db.Brief(), row.notification, `SELECT id, kind, data, created_at, read_at
		FROM notifications WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`, userID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list notifications: %w", err)
	}
	return list, nil
}

// unread counts the unread notifications of an account.
func (s store) unread(ctx context.Context, userID string) (count int, err error) {
	err = s.db.Brief().Get(ctx, &count, `SELECT COUNT(*) FROM notifications WHERE user_id = ? AND read_at IS NULL`, userID)
	if err != nil {
		return 0, fmt.Errorf("count unread notifications: %w", err)
	}
	return count, nil
}

// read marks a notification of an account as read; NotFound if there is none.
func (s store) read(ctx context.Context, userID, id string, now time.Time) error {
	rows, err := s.db.Exec(ctx, `UPDATE notifications SET read_at = COALESCE(read_at, ?) WHERE id = ? AND user_id = ?`,
		db.Millis{Time: now}, id, userID)
	if err != nil {
		return fmt.Errorf("mark notification %s as read: %w", id, err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, "There is no notification with this id.")
	}
	return nil
}

// readAll marks all notifications of an account as read.
func (s store) readAll(ctx context.Context, userID string, now time.Time) error {
	_, err := s.db.Exec(ctx, `UPDATE notifications SET read_at = ? WHERE user_id = ? AND read_at IS NULL`,
		db.Millis{Time: now}, userID)
	if err != nil {
		return fmt.Errorf("mark the notifications of account %s as read: %w", userID, err)
	}
	return nil
}

// choice is what a preference is about.
type choice struct {
	kind    mail.Kind
	channel Channel
}

// preferences returns what an account has chosen itself.
func (s store) preferences(ctx context.Context, userID string) (map[choice]bool, error) {
	var rows []struct {
		Kind    mail.Kind `db:"kind"`
		Channel Channel   `db:"channel"`
		Wanted  bool      `db:"wanted"`
	}
	err := s.db.Select(ctx, &rows, `SELECT kind, channel, wanted FROM notification_preferences WHERE user_id = ?`, userID)
	if err != nil {
		return nil, fmt.Errorf("read the preferences of account %s: %w", userID, err)
	}
	said := map[choice]bool{}
	for _, r := range rows {
		said[choice{r.Kind, r.Channel}] = r.Wanted
	}
	return said, nil
}

// Wants reports whether an account wants a kind of notification over a channel, within tx.
func Wants(ctx context.Context, tx *db.Tx, userID string, kind mail.Kind, channel Channel) (wanted bool, err error) {
	err = tx.Get(ctx, &wanted, `SELECT COALESCE((SELECT wanted FROM notification_preferences
		WHERE user_id = ? AND kind = ? AND channel = ?), CAST(? AS BOOLEAN))`,
		userID, string(kind), string(channel), byDefault(kind, channel))
	if err != nil {
		return false, fmt.Errorf("read a preference of account %s: %w", userID, err)
	}
	return wanted, nil
}

// prefer stores what an account has chosen.
func (s store) prefer(ctx context.Context, userID string, changes []Change) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, c := range changes {
			for _, channel := range channels {
				on, given := c.On[channel]
				if !given {
					continue
				}
				_, err := tx.Exec(ctx, `INSERT INTO notification_preferences (user_id, kind, channel, wanted)
					VALUES (?, ?, ?, ?) ON CONFLICT (user_id, kind, channel) DO UPDATE SET wanted = excluded.wanted`,
					userID, string(c.Kind), string(channel), on)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store preferences of account %s: %w", userID, err)
	}
	return nil
}

// sweep deletes the notifications from before a time.
func (s store) sweep(ctx context.Context, before time.Time) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM notifications WHERE created_at < ?`, db.Millis{Time: before}); err != nil {
		return fmt.Errorf("delete old notifications: %w", err)
	}
	return nil
}
