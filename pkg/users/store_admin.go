package users

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/db"
)

// find returns the newest accounts that f selects, at most limit, whose IDs are less than before.
func (s store) find(ctx context.Context, f Filter, before string, limit int) ([]User, error) {
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(f.Query)) + "%"
	where, args := `id < ? AND deleting_at IS NULL AND (email_key LIKE ? ESCAPE '\' OR LOWER(name) LIKE ? ESCAPE '\')`,
		[]any{before, pattern, pattern}
	also := func(condition string, arg any) { where, args = where+` AND `+condition, append(args, arg) }
	if f.Plan != "" {
		also(`plan = ?`, f.Plan)
	}
	if f.Role != "" {
		also(`role = ?`, f.Role)
	}
	if f.Disabled != nil {
		also(`disabled = ?`, *f.Disabled)
	}
	list, err := db.SelectAs(ctx, s.db, row.user, `SELECT `+columns+` FROM users WHERE `+where+`
		ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("find accounts: %w", err)
	}
	return list, nil
}

// administer updates an account and calls also in the same transaction, whose account it returns. It returns Conflict
// if no admin would remain.
func (s store) administer(
	ctx context.Context, id string, a Administration, now time.Time,
	also func(tx *db.Tx, before, after User) (User, error),
) (User, error) {
	var old, changed row
	var done User
	condition := ""
	if takesAdmin(a) {
		condition = ` AND ` + notTheLastAdmin
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if takesAdmin(a) {
			if err := tx.Lock(ctx, admins); err != nil {
				return err
			}
		}
		if err := tx.Get(ctx, &old, `SELECT `+columns+` FROM users WHERE id = ? AND deleting_at IS NULL`, id); err != nil {
			return db.Missing(err, noAccount, "find account "+id)
		}
		raised := 0
		if a.Disabled != nil && *a.Disabled {
			raised = 1
		}
		err := tx.Get(ctx, &changed,
			`UPDATE users SET gift_plan = COALESCE(?, gift_plan), gift_until = CASE WHEN ? THEN ? ELSE gift_until END,
				gift_reason = CASE WHEN ? THEN ? ELSE gift_reason END,
				role = COALESCE(?, role), disabled = COALESCE(?, disabled), token_version = token_version + ?, updated_at = ?,
				payment_disputed_at = CASE WHEN ? THEN NULL ELSE payment_disputed_at END,
				payment_refunded_at = CASE WHEN ? THEN NULL ELSE payment_refunded_at END
			WHERE id = ?`+condition+` RETURNING `+columns,
			a.Plan, a.Plan != nil, db.Millis{Time: a.PlanUntil}, a.Plan != nil, a.PlanReason, a.Role, a.Disabled, raised, db.Millis{Time: now},
			a.PaymentsReviewed, a.PaymentsReviewed, id)
		if err != nil {
			return orLastAdmin(ctx, tx, id, err, "administer account "+id, "")
		}
		if changed.Role == RoleAdmin {
			// Once an operator has made an admin, nobody becomes one by registering.
			if _, err := reach(ctx, tx, firstAdmin, id, now); err != nil {
				return err
			}
		}
		done, err = also(tx, old.user(), changed.user())
		return err
	})
	return done, err
}

// takesAdmin reports whether the change removes the account's admin rights.
func takesAdmin(a Administration) bool {
	return a.Role != nil && *a.Role != RoleAdmin || a.Disabled != nil && *a.Disabled
}

// resetPassword calls first at the start of the transaction.
func (s store) resetPassword(
	ctx context.Context, id, hash string, now time.Time, first func(tx *db.Tx) error,
) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := first(tx); err != nil {
			return err
		}
		err := tx.Get(ctx, new(string), `UPDATE users SET password_hash = ?, token_version = token_version + 1,
			updated_at = ? WHERE id = ? AND (NOT disabled OR deleting_at IS NOT NULL) RETURNING id`,
			hash, db.Millis{Time: now}, id)
		return db.Missing(err, noAccount, "reset the password of account "+id)
	})
}
