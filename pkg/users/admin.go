package users

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
)

// This file has the changes to accounts that don't come from their signed-in owners: those made by an operator, or
// with a token instead of a password.

// maxReason bounds the reason of a gift, in characters.
const maxReason = 200

// Administration is an operator's change of an account; nil fields stay unchanged.
type Administration struct {
	// Plan is a gift, until PlanUntil if that isn't zero. Free takes a gift back; a subscription stays.
	Plan      *string
	PlanUntil time.Time
	// PlanReason is why, for other operators; with a Plan that isn't Free alone.
	PlanReason string
	Role       *Role
	Disabled   *bool
	// PaymentsReviewed clears DisputedAt and RefundedAt until there is another dispute or refund.
	PaymentsReviewed bool
}

// Filter selects accounts; the zero value selects all.
type Filter struct {
	// Query is part of the email address or the name, ignoring case.
	Query    string
	Plan     string
	Role     Role
	Disabled *bool
}

// Find returns a page of the accounts that f selects, newest first, and the cursor of the next page.
func (s *Service) Find(ctx context.Context, f Filter, p cursor.Page) (page []User, next string, err error) {
	return cursor.List(p, func(u User) string { return u.ID }, func(before string, limit int) ([]User, error) {
		return s.store.find(ctx, f, before, limit)
	})
}

// Administer changes the plan, role or status of an account and returns the updated account. Disabling an account
// permanently ends all its sessions. It returns BadRequest for an unknown plan or role, NotFound for an unknown
// account, and Conflict if no admin would remain.
func (s *Service) Administer(ctx context.Context, id string, a Administration) (User, error) {
	if a.Plan != nil && !slices.Contains(planNames, *a.Plan) {
		return User{}, apperr.Invalid("/plan", "plan must be one of "+strings.Join(planNames, ", ")+".")
	}
	if a.Role != nil && *a.Role != RoleUser && *a.Role != RoleAdmin {
		return User{}, apperr.Invalid("/role", "role must be user or admin.")
	}
	if !a.PlanUntil.IsZero() && (a.Plan == nil || *a.Plan == planFree) {
		return User{}, apperr.Invalid("/planUntil", "planUntil needs a plan that ends: plus or pro.")
	}
	if !a.PlanUntil.IsZero() && !a.PlanUntil.After(s.now()) {
		return User{}, apperr.Invalid("/planUntil", "planUntil must be in the future.")
	}
	a.PlanUntil, a.PlanReason = db.Moment(a.PlanUntil), cleantext.Clean(a.PlanReason, maxReason)
	if a.PlanReason != "" && (a.Plan == nil || *a.Plan == planFree) {
		return User{}, apperr.Invalid("/planReason", "planReason needs a plan: plus or pro.")
	}
	return s.store.administer(ctx, id, a, s.now(), func(tx *db.Tx, before, after User) (User, error) {
		if acts := changes(before, after); acts != "" {
			if err := s.auditlog.RecordIn(ctx, tx, auditlog.AdminActed, "", id+": "+acts); err != nil {
				return User{}, err
			}
		}
		settled, err := s.settle(ctx, tx, after)
		if err != nil || settled.Plan != before.Plan { // then it has published the event
			return settled, err
		}
		return settled, events.AccountChanged.Publish(ctx, tx, s.events, id, events.Account{UserId: id})
	})
}

// changes describes the differences between two versions of an account, other than its plan.
func changes(before, after User) string {
	var acts []string
	if before.Gift != after.Gift || before.GiftReason != after.GiftReason {
		gift := "gift " + after.Gift.Plan
		if !after.Gift.Until.IsZero() {
			gift += " until " + after.Gift.Until.UTC().Format(time.RFC3339)
		}
		if after.GiftReason != "" {
			gift += " (" + after.GiftReason + ")"
		}
		acts = append(acts, gift)
	}
	if before.DisputedAt != after.DisputedAt || before.RefundedAt != after.RefundedAt {
		acts = append(acts, "payments reviewed")
	}
	if before.Role != after.Role {
		acts = append(acts, fmt.Sprintf("role %s -> %s", before.Role, after.Role))
	}
	if before.Disabled != after.Disabled {
		acts = append(acts, map[bool]string{true: "disabled", false: "enabled"}[after.Disabled])
	}
	return strings.Join(acts, ", ")
}

// SetPlan gives an account a plan without an end. It returns BadRequest for an unknown plan.
func (s *Service) SetPlan(ctx context.Context, id, plan string) (User, error) {
	return s.Administer(ctx, id, Administration{Plan: &plan})
}

// ResetPassword sets the password hash of an account and increments its token version, which ends all sessions. Before
// that it calls first in the same transaction; an error of first stops the reset. It returns NotFound if the account
// was deleted or is disabled.
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
