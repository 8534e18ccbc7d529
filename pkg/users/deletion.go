package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
)

// This file deletes accounts. An account that its owner deletes is closed first: it can do nothing any more, nobody
// sees it, and it is on Free. Signing in within [Grace] restores it, without what closing has deleted. After that the
// program deletes the rest.

// Grace is how long signing in restores a deleted account.
const Grace = 14 * 24 * time.Hour

// purgedAtOnce bounds the accounts that one call of [Service.Purge] deletes.
const purgedAtOnce = 100

// Blocked reports whether the account can't sign in: an operator has disabled it. One that its owner has deleted can:
// that restores it.
func (u User) Blocked() bool { return u.Disabled && u.DeletingAt.IsZero() }

// Close deletes the caller's account for [Grace]: its sessions, keys, webhooks and watches are deleted now, and its
// plan is Free. also is called in the same transaction. Close does nothing to an account that is closed, and returns
// Conflict for the last admin.
func (s *Service) Close(
	ctx context.Context, caller identity.Caller, also func(ctx context.Context, tx *db.Tx, closed User) error,
) error {
	err := s.store.close(ctx, caller.UserID, s.now(), func(tx *db.Tx, closed User) error {
		if err := also(ctx, tx, closed); err != nil {
			return err
		}
		if err := s.auditlog.RecordIn(ctx, tx, auditlog.AccountDeleted, closed.ID, closed.Email); err != nil {
			return err
		}
		return events.AccountChanged.Publish(ctx, tx, s.events, closed.ID, events.Account{UserId: closed.ID})
	})
	return gone(err)
}

// Restore makes an account that was closed an ordinary one again, in tx, and returns it. Other accounts stay as they
// are.
func (s *Service) Restore(ctx context.Context, tx *db.Tx, u User) (User, error) {
	if u.DeletingAt.IsZero() {
		return u, nil
	}
	var r row
	err := tx.Get(ctx, &r, `UPDATE users SET disabled = FALSE, deleting_at = NULL, updated_at = ?
		WHERE id = ? AND deleting_at IS NOT NULL RETURNING `+columns, db.Millis{Time: s.now()}, u.ID)
	if errors.Is(err, sql.ErrNoRows) { // another sign-in has just restored it
		err = tx.Get(ctx, &r, `SELECT `+columns+` FROM users WHERE id = ?`, u.ID)
		return r.user(), db.Missing(err, noAccount, "restore account "+u.ID)
	}
	if err != nil {
		return User{}, fmt.Errorf("restore account %s: %w", u.ID, err)
	}
	if err := s.auditlog.RecordIn(ctx, tx, auditlog.AccountRestored, u.ID, u.Email); err != nil {
		return User{}, err
	}
	return r.user(), events.AccountChanged.Publish(ctx, tx, s.events, u.ID, events.Account{UserId: u.ID})
}

// Purge deletes the accounts that were closed longer than [Grace] ago: see [Service.Delete].
func (s *Service) Purge(ctx context.Context) error {
	before := s.now().Add(-Grace)
	due, err := s.store.closedBefore(ctx, before)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range due {
		err := s.delete(ctx, id, `deleting_at <= ?`, db.Millis{Time: before})
		switch apperr.CodeOf(err) {
		case apperr.NotFound, apperr.Conflict: // another node has deleted it, or its owner has restored it
		default:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Delete deletes the caller's account and everything it owns at once. What stays is in the audit log for a year: the
// ids of accounts, projects and keys, and digests of email addresses in place of them. It returns Conflict for the
// last admin.
func (s *Service) Delete(ctx context.Context, caller identity.Caller) error {
	return gone(s.delete(ctx, caller.UserID, notTheLastAdmin))
}

// delete deletes an account for which a condition holds, or returns Conflict.
func (s *Service) delete(ctx context.Context, id, condition string, args ...any) error {
	return s.store.delete(ctx, id, condition, args, func(tx *db.Tx, deleted User) error {
		if err := s.auditlog.ForgetAddresses(ctx, tx, id, deleted.Email); err != nil {
			return err
		}
		if err := s.auditlog.RecordIn(ctx, tx, auditlog.AccountPurged, id, ""); err != nil {
			return err
		}
		return events.AccountDeleted.Publish(ctx, tx, s.events, id, events.Account{UserId: id})
	})
}

// endsWith are the tables whose rows of an account are deleted when it is closed, with their column of the owner.
var endsWith = []struct{ table, owner string }{
	{"sessions", "user_id"}, {"api_keys", "owner_id"}, {"webhooks", "owner_id"}, {"watches", "owner_id"},
	{"exports", "owner_id"}, {"email_changes", "user_id"},
}

// close closes an account that isn't closed yet, or returns Conflict for the last admin. It calls also last, in the
// same transaction.
func (s store) close(ctx context.Context, id string, now time.Time, also func(*db.Tx, User) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, admins); err != nil {
			return err
		}
		var r row
		err := tx.Get(ctx, &r, `SELECT `+columns+` FROM users WHERE id = ?`, id)
		if err == nil && !r.DeletingAt.IsZero() {
			return nil // another request has closed it
		}
		err = tx.Get(ctx, &r, `UPDATE users SET disabled = TRUE, deleting_at = ?, token_version = token_version + 1,
				plan = 'free', plan_until = NULL, gift_plan = 'free', gift_until = NULL, gift_reason = '', paid_plan = 'free',
				paid_until = NULL, updated_at = ?
			WHERE id = ? AND `+notTheLastAdmin+` RETURNING `+columns,
			db.Millis{Time: now}, db.Millis{Time: now}, id)
		if err != nil {
			return orLastAdmin(ctx, tx, id, err, "close account "+id, orRemove)
		}
		for _, of := range endsWith {
			if _, err := tx.Exec(ctx, `DELETE FROM `+of.table+` WHERE `+of.owner+` = ?`, id); err != nil {
				return fmt.Errorf("close account %s: delete its %s: %w", id, of.table, err)
			}
		}
		return also(tx, r.user())
	})
}

// closedBefore returns the ids of accounts that were closed before a time, the first ones first.
func (s store) closedBefore(ctx context.Context, before time.Time) (ids []string, err error) {
	err = s.db.Select(ctx, &ids, `SELECT id FROM users WHERE deleting_at IS NOT NULL AND deleting_at <= ?
		ORDER BY deleting_at LIMIT ?`, db.Millis{Time: before}, purgedAtOnce)
	if err != nil {
		return nil, fmt.Errorf("find deleted accounts: %w", err)
	}
	return ids, nil
}

// delete deletes an account for which a condition holds, or returns Conflict. Most tables refer to it; these don't:
// mails that were sent to its address alone, jobs, and milestones. It calls also last, in the same transaction.
func (s store) delete(
	ctx context.Context, id, condition string, args []any, also func(*db.Tx, User) error,
) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, admins); err != nil {
			return err
		}
		var r row
		err := tx.Get(ctx, &r, `DELETE FROM users WHERE id = ? AND `+condition+` RETURNING `+columns,
			append([]any{id}, args...)...)
		if err != nil {
			return orLastAdmin(ctx, tx, id, err, "delete account "+id, orRemove)
		}
		_, err1 := tx.Exec(ctx, `DELETE FROM mails WHERE user_id IS NULL AND recipient = ?`, r.Email)
		_, err2 := tx.Exec(ctx, `DELETE FROM jobs WHERE owner = ?`, id)
		_, err3 := tx.Exec(ctx, `UPDATE milestones SET user_id = '' WHERE user_id = ?`, id)
		if err := errors.Join(err1, err2, err3); err != nil {
			return fmt.Errorf("delete account %s: %w", id, err)
		}
		return also(tx, r.user())
	})
}
