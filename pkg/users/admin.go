package users

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
)

// This file has what is done to accounts for their owners: by an operator, or with a token instead of a password.

// Administration is what an operator changes of an account; nil leaves a field as it is.
type Administration struct {
	Plan     *string
	Role     *Role
	Disabled *bool
}

// Find returns a page of the accounts whose email address or name has query in it, in any case, newest first, and the
// cursor of the next page. All accounts have "".
func (s *Service) Find(ctx context.Context, query string, p cursor.Page) (page []User, next string, err error) {
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(query)) + "%"
	return cursor.List(p, func(u User) string { return u.ID }, func(before string, limit int) ([]User, error) {
		return s.store.find(ctx, pattern, before, limit)
	})
}

// Administer changes what an account may do, and returns it as it is then. Disabling it ends all its sessions for good.
// BAD_REQUEST for a plan or a role that there is not, NotFound for an account that there is not, Conflict when the last
// admin would be none.
func (s *Service) Administer(ctx context.Context, id string, a Administration) (User, error) {
	if a.Plan != nil && !slices.Contains(planNames, *a.Plan) {
		return User{}, apperr.Invalid("/plan", "plan must be one of "+strings.Join(planNames, ", ")+".")
	}
	if a.Role != nil && *a.Role != RoleUser && *a.Role != RoleAdmin {
		return User{}, apperr.Invalid("/role", "role must be user or admin.")
	}
	changed, err := s.store.administer(ctx, id, a, s.now(), func(tx *db.Tx, before, after User) error {
		for action, subject := range changes(before, after) {
			if err := s.auditlog.RecordIn(ctx, tx, action, "", id+": "+subject); err != nil {
				return err
			}
		}
		return nil
	})
	s.Changed(id) // with an error too: the change may be committed, and its answer lost
	return changed, err
}

// changes says what was done to an account, by the actions of the audit log.
func changes(before, after User) map[auditlog.Action]string {
	all := map[auditlog.Action]string{}
	if before.Plan != after.Plan {
		all[auditlog.PlanChanged] = before.Plan + " -> " + after.Plan
	}
	var acts []string
	if before.Role != after.Role {
		acts = append(acts, fmt.Sprintf("role %s -> %s", before.Role, after.Role))
	}
	if before.Disabled != after.Disabled {
		acts = append(acts, map[bool]string{true: "disabled", false: "enabled"}[after.Disabled])
	}
	if len(acts) > 0 {
		all[auditlog.AdminActed] = strings.Join(acts, ", ")
	}
	return all
}

// SetPlan gives an account a plan; BAD_REQUEST for one that there is not.
func (s *Service) SetPlan(ctx context.Context, id, plan string) (User, error) {
	return s.Administer(ctx, id, Administration{Plan: &plan})
}

// ResetPassword gives an account a password hash and raises the token version, which ends every session. first is done
// in the same transaction, before that: it says whether it may be. NotFound when the account is gone or disabled.
func (s *Service) ResetPassword(
	ctx context.Context, id, hash string, first func(ctx context.Context, tx *db.Tx) error,
) error {
	return s.store.resetPassword(ctx, id, hash, s.now(), func(tx *db.Tx) error {
		if err := first(ctx, tx); err != nil {
			return err
		}
		return s.auditlog.RecordIn(ctx, tx, auditlog.PasswordReset, id, id)
	})
}
