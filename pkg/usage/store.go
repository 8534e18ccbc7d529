package usage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

type store struct{ db *db.DB }

// unit is a unit of the ledger. Transactions that change a unit and its month change the unit first, to prevent
// deadlocks.
type unit struct {
	OwnerID    string    `db:"owner_id"`
	Month      string    `db:"month"`
	Job        string    `db:"job"`
	Pro        bool      `db:"pro"`
	Public     bool      `db:"public"`
	State      string    `db:"state"`
	ReservedAt db.Millis `db:"reserved_at"`
	ExpiresAt  db.Millis `db:"expires_at"`
}

// States of a unit.
const (
	stateReserved = "reserved"
	stateKept     = "kept"
	stateReleased = "released"
)

// subject returns the unit's name in the audit log.
func (u unit) subject() string { return u.Month + " " + u.Job }

// reserve reserves u. If u's job already has a unit, in any month, u becomes that unit, which costs nothing more, and
// taken is false.
func reserve(ctx context.Context, tx *db.Tx, u *unit, plan billing.Plan) (taken bool, err error) {
	if err := tx.Lock(ctx, "usage "+u.OwnerID+" "+u.Job); err != nil {
		return false, err
	}
	live, err := renew(ctx, tx, u)
	if err != nil || live {
		return false, err
	}
	u.State = stateReserved
	rows, err := tx.Exec(ctx, `INSERT INTO usage_units (owner_id, month, job, pro, public, kind, state,
			reserved_at, expires_at)
		VALUES (?, ?, ?, ?, ?, '', ?, ?, ?)
		ON CONFLICT (owner_id, month, job) DO UPDATE SET pro = excluded.pro, public = excluded.public,
			state = excluded.state, reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
			WHERE usage_units.state = 'released'`,
		u.OwnerID, u.Month, u.Job, u.Pro, u.Public, u.State, u.ReservedAt, u.ExpiresAt)
	if err != nil {
		return false, err
	}
	if rows == 0 { // a concurrent transaction committed the unit, although its lease had expired
		_, err := renew(ctx, tx, u)
		return false, err
	}
	if err := take(ctx, tx, *u, plan); err != nil || !u.Public {
		return true, err
	}
	// The month's row is locked now, so nothing else counts concurrently.
	counted, err := countPublic(ctx, tx, u.OwnerID, u.Month, startOfDay(u.ReservedAt.Time))
	if err == nil && counted.beyond(plan, 0) {
		err = ErrQuota
	}
	return true, err
}

// renew extends the lease of the unit that u's job has in any month, and sets u to that unit. live is false if there
// is none or it was released.
func renew(ctx context.Context, tx *db.Tx, u *unit) (live bool, err error) {
	var found unit
	err = tx.Get(ctx, &found, `UPDATE usage_units
		SET expires_at = CASE WHEN expires_at > ? THEN expires_at ELSE ? END
		WHERE owner_id = ? AND job = ? AND state <> 'released'
		RETURNING owner_id, month, job, pro, public, state, reserved_at, expires_at`,
		u.ExpiresAt, u.ExpiresAt, u.OwnerID, u.Job)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		*u = found
	}
	return err == nil, err
}

// take counts a unit in its month, in one statement. It returns [ErrQuota] if the plan's units, or those of the pro
// model, are used up.
func take(ctx context.Context, tx *db.Tx, u unit, plan billing.Plan) error {
	pro := int64(0)
	if u.Pro {
		pro = 1
	}
	if plan.AIUnits < 1 || plan.ProUnits < pro {
		return fmt.Errorf("%w: the plan %s doesn't include this model", ErrQuota, humanize.Capital(plan.Name))
	}
	rows, err := tx.Exec(ctx, `INSERT INTO usage_months (owner_id, month, units, pro_units) VALUES (?, ?, 1, ?)
		ON CONFLICT (owner_id, month) DO UPDATE SET units = usage_months.units + 1,
			pro_units = usage_months.pro_units + excluded.pro_units
		WHERE usage_months.units < ? AND (excluded.pro_units = 0 OR usage_months.pro_units < ?)`,
		u.OwnerID, u.Month, pro, plan.AIUnits, plan.ProUnits)
	if err != nil {
		return err
	}
	if rows == 0 {
		return ErrQuota
	}
	return nil
}

// keep commits a reserved unit, and takes it again if its lease has expired. kept is false if the unit was already
// committed.
func keep(ctx context.Context, tx *db.Tx, u unit, from Source, plan billing.Plan) (kept bool, err error) {
	for {
		for _, state := range []string{stateReserved, stateReleased} {
			rows, err := tx.Exec(ctx, `UPDATE usage_units SET state = 'kept', project_id = ?, key_id = ?, kind = ?
				WHERE owner_id = ? AND month = ? AND job = ? AND state = ?`,
				from.ProjectID, from.KeyID, from.Kind, u.OwnerID, u.Month, u.Job, state)
			if err != nil {
				return false, err
			}
			if rows == 1 && state == stateReleased {
				return true, take(ctx, tx, u, plan)
			}
			if rows == 1 {
				return true, nil
			}
		}
		// Another attempt at the job may have reserved the unit again between the two statements.
		var reserved int
		err := tx.Get(ctx, &reserved, `SELECT COUNT(*) FROM usage_units
			WHERE owner_id = ? AND month = ? AND job = ? AND state <> 'kept'`, u.OwnerID, u.Month, u.Job)
		if err != nil || reserved == 0 {
			return false, err
		}
	}
}

// release releases a reserved unit and subtracts it from its month. If expired isn't zero, it does so only if the
// lease ended by then.
func release(ctx context.Context, tx *db.Tx, u unit, expired db.Millis) (released bool, err error) {
	query, args := `UPDATE usage_units SET state = 'released'
		WHERE owner_id = ? AND month = ? AND job = ? AND state = 'reserved'`, []any{u.OwnerID, u.Month, u.Job}
	if !expired.IsZero() {
		query, args = query+` AND expires_at < ?`, append(args, expired)
	}
	rows, err := tx.Exec(ctx, query, args...)
	if err != nil || rows == 0 {
		return false, err
	}
	pro := 0
	if u.Pro {
		pro = 1
	}
	_, err = tx.Exec(ctx, `UPDATE usage_months SET units = units - 1, pro_units = pro_units - ?
		WHERE owner_id = ? AND month = ?`, pro, u.OwnerID, u.Month)
	return err == nil, err
}

// expired returns the oldest reserved units whose lease has expired, at most limit.
func (s store) expired(ctx context.Context, now db.Millis, limit int) ([]unit, error) {
	var units []unit
	err := s.db.Select(ctx, &units, `SELECT owner_id, month, job, pro, state, reserved_at, expires_at FROM usage_units
		WHERE state = 'reserved' AND expires_at < ? ORDER BY expires_at LIMIT ?`, now, limit)
	if err != nil {
		return nil, fmt.Errorf("find units with expired leases: %w", err)
	}
	return units, nil
}
