package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// KilledAfter is how long a node counts as running after it last said that it is alive.
const KilledAfter = killedAfter

// pass is how far the check of all files has come.
type pass struct {
	Next    int       `db:"next"`
	BeganAt db.Millis `db:"began_at"`
}

// lastPass returns the pass that was begun last; the zero value before the first.
func (l *Ledger) lastPass(ctx context.Context) (p pass, err error) {
	err = l.db.Get(ctx, &p, `SELECT next, began_at FROM scrub`)
	if errors.Is(err, sql.ErrNoRows) {
		return pass{}, nil
	}
	if err != nil {
		return pass{}, fmt.Errorf("read how far the check of files is: %w", err)
	}
	return p, nil
}

func (l *Ledger) savePass(ctx context.Context, p pass) error {
	_, err := l.db.Exec(ctx, `INSERT INTO scrub (singleton, next, began_at) VALUES (1, ?, ?)
		ON CONFLICT (singleton) DO UPDATE SET next = excluded.next, began_at = excluded.began_at`, p.Next, p.BeganAt)
	if err != nil {
		return fmt.Errorf("note how far the check of files is: %w", err)
	}
	return nil
}

// seen says that a node is alive.
func (l *Ledger) seen(ctx context.Context, node string, now db.Millis) error {
	_, err := l.db.Exec(ctx, `INSERT INTO nodes (id, seen_at) VALUES (?, ?)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`, node, now)
	if err != nil {
		return fmt.Errorf("note that the node is alive: %w", err)
	}
	return nil
}

// left says that a node has ended well.
func (l *Ledger) left(ctx context.Context, node string) error {
	if _, err := l.db.Exec(ctx, `DELETE FROM nodes WHERE id = ?`, node); err != nil {
		return fmt.Errorf("note that the node has ended: %w", err)
	}
	return nil
}

// The rows of nodes that were killed stay until all files were checked. Their seen_at is the negative of the moment at
// which that was noticed.

// noteKilled notes that the nodes but one that were not seen since a moment were killed, and reports whether there are
// any.
func (l *Ledger) noteKilled(ctx context.Context, since, now db.Millis, but string) (bool, error) {
	rows, err := l.db.Exec(ctx, `UPDATE nodes SET seen_at = ? WHERE seen_at >= 0 AND seen_at < ? AND id <> ?`,
		-now.UnixMilli(), since, but)
	if err != nil {
		return false, fmt.Errorf("look for nodes that were killed: %w", err)
	}
	return rows > 0, nil
}

// lastKilled returns when it was last noticed that a node was killed, of those after which not all files were checked;
// zero when there is none.
func (l *Ledger) lastKilled(ctx context.Context) (at db.Millis, err error) {
	var noticed int64
	if err := l.db.Get(ctx, &noticed, `SELECT COALESCE(MIN(seen_at), 0) FROM nodes WHERE seen_at < 0`); err != nil {
		return db.Millis{}, fmt.Errorf("look for nodes that were killed: %w", err)
	}
	if noticed < 0 {
		at.Time = time.UnixMilli(-noticed)
	}
	return at, nil
}

// forgetKilled forgets the killed nodes that were noticed until a moment: all files were checked since.
func (l *Ledger) forgetKilled(ctx context.Context, until db.Millis) error {
	_, err := l.db.Exec(ctx, `DELETE FROM nodes WHERE seen_at < 0 AND seen_at >= ?`, -until.UnixMilli())
	if err != nil {
		return fmt.Errorf("forget the nodes that were killed: %w", err)
	}
	return nil
}

// nodeRow is a node: SeenAt is when it last showed that it lives, or negative (see noteKilled).
type nodeRow struct {
	ID     string `db:"id"`
	SeenAt int64  `db:"seen_at"`
}

// nodes returns all nodes but one.
func (l *Ledger) nodes(ctx context.Context, but string) (rows []nodeRow, err error) {
	if err := l.db.Select(ctx, &rows, `SELECT id, seen_at FROM nodes WHERE id <> ?`, but); err != nil {
		return nil, fmt.Errorf("list the nodes: %w", err)
	}
	return rows, nil
}
