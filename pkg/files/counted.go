package files

import (
	"context"
	"fmt"
	"strings"

	"masthead/pkg/db"
)

// This file adds up what accounts store of the kinds that count: see Kind.Counted.

// Counted returns how many bytes of an account count.
func (l *Ledger) Counted(ctx context.Context, ownerID string) (bytes int64, err error) {
	if err := l.db.Get(ctx, &bytes, l.countQuery(), ownerID); err != nil {
		return 0, fmt.Errorf("count what account %s stores: %w", ownerID, err)
	}
	return bytes, nil
}

// Fits reports whether what counts of an account, with what tx has added, is at most limit bytes. Transactions of the
// account that ask this, or have called [LockAccount], wait until tx ends.
func (l *Ledger) Fits(ctx context.Context, tx *db.Tx, ownerID string, limit int64) (bool, error) {
	if err := LockAccount(ctx, tx, ownerID); err != nil {
		return false, err
	}
	var bytes int64
	if err := tx.Get(ctx, &bytes, l.countQuery(), ownerID); err != nil {
		return false, fmt.Errorf("count what account %s stores: %w", ownerID, err)
	}
	return bytes <= limit, nil
}

// LockAccount lets other transactions that add to what an account stores wait until tx ends: a sum doesn't see what
// isn't committed.
func LockAccount(ctx context.Context, tx *db.Tx, ownerID string) error {
	return tx.Lock(ctx, "bytes of "+ownerID)
}

func (l *Ledger) countQuery() string {
	var counted []string
	for _, s := range l.stores {
		if s.kind.Counted != "" {
			counted = append(counted, s.kind.Counted)
		}
	}
	return `SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM (` + strings.Join(counted, " UNION ALL ") +
		`) AS counted WHERE owner_id = ?`
}
