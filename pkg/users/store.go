package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// Milestones of an installation.
const (
	firstAccount = "first_account"
	firstAdmin   = "first_admin"
)

type store struct{ db *db.DB }

// row is a User as stored in its table.
type row struct {
	ID           string    `db:"id"`
	Email        string    `db:"email"`
	Name         string    `db:"name"`
	Snippet      string    `db:"snippet"`
	PasswordHash string    `db:"password_hash"`
	Role         Role      `db:"role"`
	Plan         string    `db:"plan"`
	GiftPlan     string    `db:"gift_plan"`
	GiftUntil    db.Millis `db:"gift_until"`
	GiftReason   string    `db:"gift_reason"`
	PaidPlan     string    `db:"paid_plan"`
	PaidUntil    db.Millis `db:"paid_until"`
	Disabled     bool      `db:"disabled"`
	TokenVersion int64     `db:"token_version"`
	ConfirmedAt  db.Millis `db:"email_confirmed_at"`
	RefusedAt    db.Millis `db:"email_refused_at"`
	DisputedAt   db.Millis `db:"payment_disputed_at"`
	RefundedAt   db.Millis `db:"payment_refunded_at"`
	DeletingAt   db.Millis `db:"deleting_at"`
	CreatedAt    db.Millis `db:"created_at"`
	UpdatedAt    db.Millis `db:"updated_at"`
}

const columns = `id, email, name, snippet, password_hash, role, plan, gift_plan, gift_until, gift_reason, paid_plan,
	paid_until, disabled, token_version, email_confirmed_at, email_refused_at, payment_disputed_at, payment_refunded_at,
	deleting_at, created_at, updated_at`

// noAccount is the message for a missing account.
const noAccount = "There is no account with this id."

func (r row) user() User {
	return User{
		ID: r.ID, Email: r.Email, Name: r.Name, Snippet: r.Snippet, Role: r.Role, Plan: r.Plan,
		Gift: Grant{r.GiftPlan, r.GiftUntil.Time}, Paid: Grant{r.PaidPlan, r.PaidUntil.Time}, Disabled: r.Disabled,
		GiftReason:   r.GiftReason,
		TokenVersion: r.TokenVersion, ConfirmedAt: r.ConfirmedAt.Time, RefusedAt: r.RefusedAt.Time,
		DisputedAt: r.DisputedAt.Time, RefundedAt: r.RefundedAt.Time,
		DeletingAt: r.DeletingAt.Time, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// insert stores a new account with the role that is determined in the same transaction; concurrent attempts at a
// milestone collide on a unique row. It runs along last in the same transaction. It returns the account with its
// role, or the error of role.
func (s store) insert(
	ctx context.Context, u User, emailKey, passwordHash string,
	role func(isFirst func(milestone string) (bool, error)) (Role, error), along func(tx *db.Tx, made User) error,
) (User, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		u.Role, err = role(func(milestone string) (bool, error) {
			return reach(ctx, tx, milestone, u.ID, u.CreatedAt)
		})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx,
			`INSERT INTO users
				(id, email, email_key, name, password_hash, role, plan, disabled, token_version, email_confirmed_at,
				created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			u.ID, u.Email, emailKey, u.Name, passwordHash, u.Role, u.Plan, u.Disabled, u.TokenVersion,
			db.Millis{Time: u.ConfirmedAt}, db.Millis{Time: u.CreatedAt}, db.Millis{Time: u.UpdatedAt})
		if err != nil {
			return err
		}
		return along(tx, u)
	})
	return u, err
}

// reached reports whether an account has reached a milestone.
func (s store) reached(ctx context.Context, milestone string) (bool, error) {
	var n int
	if err := s.db.Get(ctx, &n, `SELECT COUNT(*) FROM milestones WHERE name = ?`, milestone); err != nil {
		return false, fmt.Errorf("look for %s: %w", milestone, err)
	}
	return n > 0, nil
}

// reach records userID as the account that reached a milestone and reports whether it was the first. A concurrent
// transaction doing the same waits until this one ends.
func reach(ctx context.Context, tx *db.Tx, milestone, userID string, now time.Time) (bool, error) {
	rows, err := tx.Exec(ctx,
		`INSERT INTO milestones (name, user_id, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		milestone, userID, db.Millis{Time: now})
	if err != nil {
		return false, fmt.Errorf("reach %s: %w", milestone, err)
	}
	return rows == 1, nil
}

func (s store) byID(ctx context.Context, id string) (User, error) {
	var r row
	err := s.db.Brief().Get(ctx, &r, `SELECT `+columns+` FROM users WHERE id = ?`, id)
	return r.user(), db.Missing(err, noAccount, "find account "+id)
}

func (s store) byEmailKey(ctx context.Context, key string) (user User, passwordHash string, err error) {
	var r row
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM users WHERE email_key = ?`, key)
	return r.user(), r.PasswordHash, db.Missing(err, "There is no account with this email.", "find an account by email")
}

func (s store) firstAdmin(ctx context.Context) (User, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM users WHERE role = ? AND NOT disabled ORDER BY id LIMIT 1`,
		RoleAdmin)
	return r.user(), db.Missing(err, "There is no admin.", "find the first admin")
}

func (s store) passwordHash(ctx context.Context, id string) (string, error) {
	var hash string
	err := s.db.Get(ctx, &hash, `SELECT password_hash FROM users WHERE id = ? AND deleting_at IS NULL`, id)
	return hash, db.Missing(err, noAccount, "find account "+id)
}

// update returns the account before and after the change.
func (s store) update(
	ctx context.Context, id string, u Update, emailKey *string, now time.Time,
) (before, after User, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var old, changed row
		err := tx.Get(ctx, &old, `SELECT `+columns+` FROM users WHERE id = ? AND deleting_at IS NULL`, id)
		if err != nil {
			return db.Missing(err, noAccount, "find account "+id)
		}
		another := u.Email != nil && *u.Email != old.Email
		err = tx.Get(ctx, &changed,
			`UPDATE users SET name = COALESCE(?, name), snippet = COALESCE(?, snippet), email = COALESCE(?, email),
				email_key = COALESCE(?, email_key), updated_at = ?,
				email_confirmed_at = CASE WHEN ? THEN NULL ELSE email_confirmed_at END,
				email_refused_at = CASE WHEN ? THEN NULL ELSE email_refused_at END
			WHERE id = ? RETURNING `+columns,
			u.Name, u.Snippet, u.Email, emailKey, db.Millis{Time: now}, another && u.Unconfirmed, another, id)
		if err != nil {
			return db.Missing(err, noAccount, "update account "+id)
		}
		before, after = old.user(), changed.user()
		if u.Email == nil || before.Email == after.Email || u.Changed == nil {
			return nil
		}
		return u.Changed(ctx, tx, before, after)
	})
	return before, after, err
}

func (s store) changePassword(ctx context.Context, id, from, to string, now time.Time) (User, error) {
	var r row
	err := s.db.GetWrite(ctx, &r,
		`UPDATE users SET password_hash = ?, token_version = token_version + 1, updated_at = ?
		WHERE id = ? AND password_hash = ? RETURNING `+columns,
		to, db.Millis{Time: now}, id, from)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, apperr.New(apperr.Conflict, "The password has just been changed in another session. Sign in again.")
	}
	if err != nil {
		return User{}, fmt.Errorf("change the password of account %s: %w", id, err)
	}
	return r.user(), nil
}

func (s store) rehash(ctx context.Context, id, from, to string) error {
	_, err := s.db.Exec(ctx, `UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?`, to, id, from)
	if err != nil {
		return fmt.Errorf("rehash the password of account %s: %w", id, err)
	}
	return nil
}

func (s store) promote(ctx context.Context, id string, now time.Time) (User, error) {
	var r row
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, &r, `UPDATE users SET role = ?, updated_at = ? WHERE id = ? RETURNING `+columns,
			RoleAdmin, db.Millis{Time: now}, id)
		if err != nil {
			return db.Missing(err, noAccount, "promote account "+id)
		}
		// Once an operator has made an admin, nobody becomes one by registering.
		_, err = reach(ctx, tx, firstAdmin, id, now)
		return err
	})
	return r.user(), err
}

// mayDelete returns Conflict for the last admin.
func (s store) mayDelete(ctx context.Context, id string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, new(string), `SELECT id FROM users WHERE id = ? AND `+notTheLastAdmin, id)
		if err != nil {
			return orLastAdmin(ctx, tx, id, err, "delete account "+id, orRemove)
		}
		return nil
	})
}

// admins is the lock for every change that removes an admin. Without it, two concurrent removals would each still see
// the other admin.
const admins = "admins"

// notTheLastAdmin is the condition that the installation has an admin other than this account.
const notTheLastAdmin = `(role <> 'admin' OR disabled OR EXISTS
	(SELECT 1 FROM users other WHERE other.role = 'admin' AND NOT other.disabled AND other.id <> users.id))`

// ErrLastAdmin means that the installation would have no admin left.
var ErrLastAdmin = errors.New("the last admin")

// orRemove is what else someone may want who is alone on a server and deletes the account.
const orRemove = " If nobody else uses this server, stop it and delete its data instead: the data folder, and the " +
	"Postgres database and the bucket if it has them."

// orLastAdmin returns the error of a statement with notTheLastAdmin on account id: Conflict if that condition is why
// it found no row, with the sentence or after what to do.
func orLastAdmin(ctx context.Context, tx *db.Tx, id string, err error, doing, or string) error {
	if !errors.Is(err, sql.ErrNoRows) {
		return db.Missing(err, noAccount, doing)
	}
	if err := tx.Get(ctx, new(string), `SELECT id FROM users WHERE id = ?`, id); err != nil {
		return db.Missing(err, noAccount, doing)
	}
	return apperr.Wrap(apperr.Conflict, "This is the last admin of the installation. "+
		`Make another account an admin first: PATCH /admin/users/{userId} with {"role": "admin"}.`+or, ErrLastAdmin)
}
