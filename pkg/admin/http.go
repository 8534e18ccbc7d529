package admin

import (
	"context"
	"strconv"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"masthead/gen"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/maintenance"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

// API has the operations for operators.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListUsers serves GET /admin/users: it returns a page of accounts.
func (a *API) ListUsers(ctx context.Context, r gen.ListUsersRequestObject) (gen.ListUsersResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.Find(ctx, identity.CallerOf(ctx), users.Filter{
		Query: wire.Value(r.Params.Query), Plan: string(wire.Value(r.Params.Plan)),
		Role: users.Role(wire.Value(r.Params.Role)), Disabled: r.Params.Disabled,
	}, page)
	if err != nil {
		return nil, err
	}
	return gen.ListUsers200JSONResponse{Items: wire.Items(found, wireUser), NextCursor: wire.OrNull(next)}, nil
}

// CreateUser serves POST /admin/users: it creates an ordinary account.
func (a *API) CreateUser(ctx context.Context, r gen.CreateUserRequestObject) (gen.CreateUserResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), string(r.Body.Email), r.Body.Password,
		wire.Value(r.Body.Name))
	if err != nil {
		return nil, err
	}
	return gen.CreateUser201JSONResponse(wireUser(made)), nil
}

// UpdateUser serves PATCH /admin/users/{userId}: it changes plan, role or the disabled flag.
func (a *API) UpdateUser(ctx context.Context, r gen.UpdateUserRequestObject) (gen.UpdateUserResponseObject, error) {
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.UserId.String(), users.Administration{
		Plan: (*string)(r.Body.Plan), PlanUntil: time.Time(wire.Value(r.Body.PlanUntil)),
		PlanReason: wire.Value(r.Body.PlanReason),
		Role:       (*users.Role)(r.Body.Role), Disabled: r.Body.Disabled, PaymentsReviewed: r.Body.PaymentsReviewed != nil,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateUser200JSONResponse(wireUser(changed)), nil
}

// ListJobs serves GET /admin/jobs.
func (a *API) ListJobs(ctx context.Context, r gen.ListJobsRequestObject) (gen.ListJobsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	filter := jobs.Filter{Kind: wire.Value(r.Params.Kind), GivenUp: wire.Value(r.Params.GivenUp)}
	found, next, err := a.service.Jobs(ctx, identity.CallerOf(ctx), filter, page)
	if err != nil {
		return nil, err
	}
	return gen.ListJobs200JSONResponse{Items: wire.Items(found, wireJob), NextCursor: wire.OrNull(next)}, nil
}

// RetryJob serves POST /admin/jobs/{jobId}/retry.
func (a *API) RetryJob(ctx context.Context, r gen.RetryJobRequestObject) (gen.RetryJobResponseObject, error) {
	if err := a.service.RetryJob(ctx, identity.CallerOf(ctx), r.JobId.String()); err != nil {
		return nil, err
	}
	return gen.RetryJob204Response{}, nil
}

// CancelJob serves POST /admin/jobs/{jobId}/cancel.
func (a *API) CancelJob(ctx context.Context, r gen.CancelJobRequestObject) (gen.CancelJobResponseObject, error) {
	if err := a.service.CancelJob(ctx, identity.CallerOf(ctx), r.JobId.String()); err != nil {
		return nil, err
	}
	return gen.CancelJob204Response{}, nil
}

// ListAuditLog serves GET /admin/audit-log: a page of events, or a table of the newest ones.
func (a *API) ListAuditLog(
	ctx context.Context, r gen.ListAuditLogRequestObject,
) (gen.ListAuditLogResponseObject, error) {
	caller, filter := identity.CallerOf(ctx), auditlog.Filter{
		Action: auditlog.Action(wire.Value(r.Params.Action)), ActorID: wire.ID(r.Params.ActorId),
		Subject: wire.Value(r.Params.Subject), From: time.Time(wire.Value(r.Params.From)),
		To: time.Time(wire.Value(r.Params.To)),
	}
	if identity.MediaTypeOf(ctx) == wire.MediaTypeCSV {
		all, err := a.service.AllEvents(ctx, caller, filter)
		if err != nil {
			return nil, err
		}
		table, size := wire.CSV(eventColumns, all, wireEventRow)
		return gen.ListAuditLog200TextcsvResponse{Body: table, ContentLength: size}, nil
	}
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.Events(ctx, caller, filter, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAuditLog200JSONResponse{Items: wire.Items(found, wireEvent), NextCursor: wire.OrNull(next)}, nil
}

// ListFailedSignIns serves GET /admin/failed-sign-ins.
func (a *API) ListFailedSignIns(
	ctx context.Context, r gen.ListFailedSignInsRequestObject,
) (gen.ListFailedSignInsResponseObject, error) {
	found, err := a.service.FailedSignIns(ctx, identity.CallerOf(ctx), wire.Value(r.Params.Hours))
	if err != nil {
		return nil, err
	}
	return gen.ListFailedSignIns200JSONResponse{Items: wire.Items(found, wireFailure)}, nil
}

// GetMaintenance serves GET /admin/maintenance.
func (a *API) GetMaintenance(
	ctx context.Context, _ gen.GetMaintenanceRequestObject,
) (gen.GetMaintenanceResponseObject, error) {
	state, err := a.service.Maintenance(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.GetMaintenance200JSONResponse(wireMaintenance(state)), nil
}

// PutMaintenance serves PUT /admin/maintenance.
func (a *API) PutMaintenance(
	ctx context.Context, r gen.PutMaintenanceRequestObject,
) (gen.PutMaintenanceResponseObject, error) {
	state, err := a.service.SetMaintenance(ctx, identity.CallerOf(ctx), r.Body.Enabled, wire.Value(r.Body.Reason))
	if err != nil {
		return nil, err
	}
	return gen.PutMaintenance200JSONResponse(wireMaintenance(state)), nil
}

// GetStats serves GET /admin/stats.
func (a *API) GetStats(ctx context.Context, _ gen.GetStatsRequestObject) (gen.GetStatsResponseObject, error) {
	stats, err := a.service.Stats(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.GetStats200JSONResponse(wireStats(stats)), nil
}

func wireStats(s Stats) gen.Stats {
	w := gen.Stats{
		Accounts: gen.StatsAccounts{
			Total: int(s.Accounts.Total), Free: int(s.Accounts.Free), Plus: int(s.Accounts.Plus), Pro: int(s.Accounts.Pro),
			Disabled: int(s.Accounts.Disabled), New: int(s.Accounts.New),
		},
		Images: wire.Items(s.Images, func(k OfKind) gen.StatsKind {
			return gen.StatsKind{Kind: gen.ImageKind(k.Kind), Count: int(k.Count)}
		}),
		Days: wire.Items(s.Days, func(d Day) gen.StatsDay {
			date, _ := time.Parse(time.DateOnly, d.Date) // stored in this format
			return gen.StatsDay{
				Date: openapi_types.Date{Time: date}, Drawn: int(d.Drawn), GenerateHits: int(d.GenerateHits),
				PublicHits: int(d.PublicHits),
			}
		}),
		Fallbacks: wire.Items(s.Fallbacks, func(r OfReason) gen.StatsFallback {
			return gen.StatsFallback{Reason: r.Reason, Count: int(r.Count)}
		}),
		Ai: gen.StatsSpending{SpentCents: int(s.SpentCents), CeilingCents: int(s.CeilingCents)},
		Jobs: wire.Items(s.Jobs, func(j OfJobs) gen.StatsJobs {
			return gen.StatsJobs{
				Kind: j.Kind, Waiting: int(j.Waiting), Later: int(j.Later), Running: int(j.Running), GivenUp: int(j.GivenUp),
			}
		}),
		StoredBytes: int(s.StoredBytes), CountedAt: wire.MomentOrNull(s.CountedAt),
		Owners: wire.Items(s.Owners, func(o OfOwner) gen.StatsOwner {
			return gen.StatsOwner{UserId: wire.UUID(o.ID), Email: o.Email, Bytes: int(o.Bytes)}
		}),
	}
	if d := s.Drawing; d.Count > 0 {
		w.Drawing = &gen.StatsDrawing{
			Pictures: int(d.Count), MedianMs: milliseconds(d.Median), P99Ms: milliseconds(d.P99),
		}
	}
	if rate, ok := s.HitRate(); ok {
		w.CacheHitRate = &rate
	}
	return w
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func wireMaintenance(s maintenance.State) gen.Maintenance {
	return gen.Maintenance{
		Enabled: !s.Since.IsZero(), Since: wire.MomentOrNull(s.Since), Reason: wire.OrNull(s.Reason),
	}
}

func wireJob(j jobs.Summary) gen.Job {
	return gen.Job{
		Id: wire.UUID(j.ID), Kind: j.Kind, Key: j.Key, OwnerId: wire.OrNull(j.OwnerID), State: gen.JobState(j.State),
		Attempts: j.Attempts, DueAt: wire.MomentOrNull(j.DueAt), GivenUpAt: wire.MomentOrNull(j.GivenUpAt),
		LastError: wire.OrNull(j.LastError), Retryable: j.Retryable,
	}
}

func wireEvent(e auditlog.Event) gen.AuditEvent {
	return gen.AuditEvent{
		Id: wire.UUID(e.ID), At: wire.Moment(e.At), Action: string(e.Action), ActorId: wire.OrNull(e.ActorID),
		Subject: wire.OrNull(e.Subject), Address: wire.OrNull(e.Address), RequestId: wire.OrNull(e.RequestID),
		Times: e.Times,
	}
}

// eventColumns are the names of the cells of wireEventRow.
var eventColumns = []string{"id", "at", "action", "actorId", "subject", "address", "requestId", "times"}

func wireEventRow(e auditlog.Event) []string {
	return []string{
		e.ID, wire.Moment(e.At).String(), string(e.Action), e.ActorID, e.Subject, e.Address, e.RequestID,
		strconv.Itoa(e.Times),
	}
}

func wireFailure(f auditlog.Failure) gen.FailedSignIn {
	what := gen.FailedSignInWhatPassword
	if f.SecondFactor {
		what = gen.FailedSignInWhatSecondFactor
	}
	return gen.FailedSignIn{
		What: what, Subject: wire.OrNull(f.Subject), Address: wire.OrNull(f.Address), Attempts: int(f.Attempts),
		FirstAt: wire.Moment(f.First), LastAt: wire.Moment(f.Last),
	}
}

func wireUser(u users.User) gen.AdminUser {
	source, until := u.PlanSource()
	return gen.AdminUser{
		Id: wire.UUID(u.ID), Email: u.Email, Name: u.Name, Role: gen.RoleName(u.Role), Plan: gen.PlanName(u.Plan),
		PlanSource: gen.PlanSource(source), PlanUntil: wire.MomentOrNull(until), PlanReason: wire.OrNull(u.GiftReason),
		PaymentDisputedAt: wire.MomentOrNull(u.DisputedAt), PaymentRefundedAt: wire.MomentOrNull(u.RefundedAt),
		EmailRefused: !u.RefusedAt.IsZero(), Disabled: u.Disabled,
		CreatedAt: wire.Moment(u.CreatedAt), UpdatedAt: wire.Moment(u.UpdatedAt),
	}
}
