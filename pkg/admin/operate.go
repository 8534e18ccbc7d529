package admin

import (
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/maintenance"
)

// This file has what operators see of the jobs and of the audit log, and the maintenance mode.

// maxHours bounds how far back failed sign-ins are counted: 30 days.
const maxHours = 720

// Jobs returns a page of the jobs that wait, run, or were given up in the last 7 days, the newest first, and the cursor
// of the next page.
func (s *Service) Jobs(
	ctx context.Context, caller identity.Caller, f jobs.Filter, p cursor.Page,
) (page []jobs.Summary, next string, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, "", err
	}
	return s.deps.Jobs.List(ctx, f, p)
}

// RetryJob makes a job that was given up due again. See [jobs.Worker.Retry] for its errors.
func (s *Service) RetryJob(ctx context.Context, caller identity.Caller, id string) error {
	if err := caller.RequireAdmin(); err != nil {
		return err
	}
	if err := s.deps.Jobs.Retry(ctx, id); err != nil {
		return err
	}
	s.deps.AuditLog.Record(ctx, auditlog.AdminActed, caller.UserID, "retried job "+id)
	return nil
}

// CancelJob ends a job, which then fails. See [jobs.Worker.Cancel] for its errors.
func (s *Service) CancelJob(ctx context.Context, caller identity.Caller, id string) error {
	if err := caller.RequireAdmin(); err != nil {
		return err
	}
	if err := s.deps.Jobs.Cancel(ctx, id); err != nil {
		return err
	}
	s.deps.AuditLog.Record(ctx, auditlog.AdminActed, caller.UserID, "canceled job "+id)
	return nil
}

// Events returns a page of the audit log, the newest first, and the cursor of the next page.
func (s *Service) Events(
	ctx context.Context, caller identity.Caller, f auditlog.Filter, p cursor.Page,
) (page []auditlog.Event, next string, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, "", err
	}
	return s.deps.AuditLog.List(ctx, f, p)
}

// AllEvents returns the newest events of the audit log, at most [auditlog.MostRows].
func (s *Service) AllEvents(
	ctx context.Context, caller identity.Caller, f auditlog.Filter,
) ([]auditlog.Event, error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, err
	}
	return s.deps.AuditLog.All(ctx, f)
}

// FailedSignIns returns where sign-ins failed in the last hours, at most 720, the most attempts first. 0 hours are 24.
func (s *Service) FailedSignIns(
	ctx context.Context, caller identity.Caller, hours int,
) ([]auditlog.Failure, error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, err
	}
	if hours < 0 || hours > maxHours {
		return nil, apperr.Invalid("query.hours", "hours must be from 1 to 720.")
	}
	if hours == 0 {
		hours = 24
	}
	return s.deps.AuditLog.Failures(ctx, s.clock.Now().Add(-time.Duration(hours)*time.Hour))
}

// Maintenance returns whether there is maintenance.
func (s *Service) Maintenance(ctx context.Context, caller identity.Caller) (maintenance.State, error) {
	if err := caller.RequireAdmin(); err != nil {
		return maintenance.State{}, err
	}
	return s.deps.Mode.State(ctx)
}

// SetMaintenance begins maintenance with a reason for users, which may be "", or ends it.
func (s *Service) SetMaintenance(
	ctx context.Context, caller identity.Caller, on bool, reason string,
) (state maintenance.State, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return maintenance.State{}, err
	}
	act := "ended maintenance"
	if on {
		act = "began maintenance"
		state, err = s.deps.Mode.Begin(ctx, reason)
	} else {
		state, err = s.deps.Mode.End(ctx)
	}
	if err == nil {
		s.deps.AuditLog.Record(ctx, auditlog.AdminActed, caller.UserID, act)
	}
	return state, err
}
