package auth

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// seePlace records a sign-in from a network. isNew reports whether the account has other networks, but not this one;
// one that wasn't seen for longer than life doesn't count.
func seePlace(
	ctx context.Context, tx *db.Tx, userID, network string, now time.Time, life time.Duration,
) (isNew bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("record where account %s was signed in to: %w", userID, err)
		}
	}()
	oldest := db.Millis{Time: now.Add(-life)}
	rows, err := tx.Exec(ctx, `UPDATE sign_in_places SET seen_at = ? WHERE user_id = ? AND network = ? AND seen_at > ?`,
		db.Millis{Time: now}, userID, network, oldest)
	if err != nil || rows > 0 {
		return false, err
	}
	rows, err = tx.Exec(ctx, `INSERT INTO sign_in_places (user_id, network, seen_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at WHERE sign_in_places.seen_at <= ?`,
		userID, network, db.Millis{Time: now}, oldest)
	if err != nil || rows == 0 { // a concurrent sign-in recorded it
		return false, err
	}
	var others int
	err = tx.Get(ctx, &others, `SELECT COUNT(*) FROM sign_in_places WHERE user_id = ? AND network <> ?`, userID, network)
	if err != nil || others == 0 {
		return false, err
	}
	if others < maxPlaces {
		return true, nil
	}
	_, err = tx.Exec(ctx, `DELETE FROM sign_in_places WHERE user_id = ? AND network IN (SELECT network FROM sign_in_places
		WHERE user_id = ? ORDER BY seen_at DESC, network LIMIT 1000 OFFSET ?)`, userID, userID, maxPlaces)
	return true, err
}

// sweepPlaces deletes the places last seen before a time.
func (s store) sweepPlaces(ctx context.Context, before time.Time) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM sign_in_places WHERE seen_at < ?`, db.Millis{Time: before}); err != nil {
		return fmt.Errorf("delete old places of sign-ins: %w", err)
	}
	return nil
}
