// Package webhooks sends events to endpoints of accounts, as Standard Webhooks describes
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
//
//   - collect.go subscribes to events: in the publisher's transaction it stores a [Delivery] for each endpoint that
//     wants the event, so deliveries are there in the order of events.
//   - send.go sends what is due to one endpoint, as a job of that endpoint. So endpoints take turns, an endpoint has at
//     most four requests at a time on all nodes together, and one that is slow or dead delays no other.
//   - sign.go has the secrets and signatures.
//
// What is promised: each event arrives at each endpoint that wants it, unless the endpoint fails for a day. An event is
// sent again only if the response to it wasn't a success, or was lost; the header webhook-id stays the same. Events
// about the same thing are sent in the order they happened: none before an earlier one has arrived or was given up.
//
// To send a new type of event, add it to collect.go and to x-webhooks in openapi.yaml.
package webhooks

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/undo"
	"masthead/pkg/users"
	"masthead/pkg/weburl"
)

const (
	// keptFor is how long deliveries are kept.
	keptFor = 14 * 24 * time.Hour
	// keptResponses is how many deliveries of an endpoint, the newest, keep the responses to them whole.
	keptResponses = 200
	// rotation is how long the previous secret signs too.
	rotation = 24 * time.Hour
)

// Webhook is an endpoint.
type Webhook struct {
	ID, OwnerID string
	// ProjectID is the one project whose events are sent, and events about no project aren't; "" for all.
	ProjectID string
	URL       string
	// Events are the types that are sent.
	Events  []string
	Enabled bool
	// Reason is why the program disabled it, a sentence; "" if its owner did.
	Reason string
	// Paused means that the owner's plan has no room for it: it gets no new events.
	Paused bool
	// PreviousUntil is until when the secret before the last rotation signs too; zero if it doesn't.
	PreviousUntil        time.Time
	CreatedAt, UpdatedAt time.Time
	// LastDay is how many deliveries of the last 24 hours are in each state.
	LastDay map[State]int

	secret, previousSecret string
	failures               int
}

// State is how far a delivery is.
type State string

// The states of deliveries.
const (
	Waiting   State = "waiting"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// Delivery is an event for an endpoint.
type Delivery struct {
	ID, WebhookID, EventID, Type string
	// Body is the JSON that is sent.
	Body     string
	State    State
	Attempts int
	// NextAt is when the next attempt is due; zero unless the delivery waits.
	NextAt             time.Time
	EventAt, CreatedAt time.Time
	// Made are the requests, oldest first. [Service.Deliveries] returns them without their responses.
	Made []Attempt

	baseAt time.Time
}

// Attempt is one request.
type Attempt struct {
	At time.Time
	// Status is that of the response, 0 if there was none; then Error says why.
	Status   int
	Error    string
	Response string // the beginning of its body, at most 64 KiB
	Duration time.Duration
}

// New is what a new webhook is created with.
type New struct {
	// ID is that of the webhook; "" for a new one. One that exists was created by an earlier attempt.
	ID             string
	URL, ProjectID string
	Events         []string
}

// Update changes what isn't nil.
type Update struct {
	URL     *string
	Events  []string
	Enabled *bool
}

// Service has the webhooks. It is safe for concurrent use.
type Service struct {
	store     store
	deps      Deps
	queue     *jobs.Queue
	deletions *undo.Deletions
	now       func() time.Time
	schedule  []time.Duration
}

// Deps are what a [Service] needs.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	Projects *projects.Service
	Plans    *billing.Service
	Events   *events.Bus
	Jobs     *jobs.Worker
	Fetch    *fetch.Client
	AuditLog *auditlog.Log
}

// NewService returns a service. It subscribes to the events of accounts.
func NewService(cfg Config, deps Deps) *Service {
	s := &Service{store: store{deps.DB}, deps: deps, now: time.Now, schedule: cfg.Schedule}
	if len(s.schedule) == 0 {
		s.schedule = schedule
	}
	s.queue = deps.Jobs.Handle("webhook", jobs.Work{
		Do: s.run, AtOnce: atOnce, Time: runTime, Attempts: 1 << 30, Pause: jobs.Pauses(5*time.Second, time.Minute),
	})
	s.deletions = s.newDeletions(deps.Jobs)
	deps.Plans.Limited(overLimit)
	s.collect(deps.Events)
	return s
}

// Config is for tests: no setting changes when requests are repeated.
type Config struct {
	// Schedule are the times of the attempts, from the first; empty is that of docs/webhooks.md.
	Schedule []time.Duration `kong:"-"`
}

// Create creates a webhook and returns it with its secret. BadRequest for an address that can't be sent to, Forbidden
// for an unconfirmed account, TierLocked for more webhooks than the plan allows, NotFound for a project of others.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n New) (made Webhook, secret string, err error) {
	if err := s.deps.Users.RequireConfirmed(ctx, caller, "create a webhook"); err != nil {
		return made, "", err
	}
	address, err := s.address(ctx, n.URL)
	if err != nil {
		return made, "", err
	}
	if n.ProjectID != "" {
		if _, err := s.deps.Projects.Get(ctx, caller, n.ProjectID); err != nil {
			return made, "", err
		}
	}
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return made, "", err
	}
	now := db.Moment(s.now())
	made = Webhook{
		ID: cmp.Or(n.ID, db.NewID()), OwnerID: caller.UserID, ProjectID: n.ProjectID, URL: address,
		Events: typesOf(n.Events), Enabled: true, secret: newSecret(), CreatedAt: now, UpdatedAt: now,
	}
	err = s.store.insert(ctx, made, plan, func(ctx context.Context, tx *db.Tx) error {
		return s.deps.AuditLog.RecordIn(ctx, tx, auditlog.WebhookCreated, caller.UserID, made.ID)
	})
	if err != nil {
		if n.ID != "" && (db.IsUnique(err) || apperr.CodeOf(err) == apperr.TierLocked) { // it may be the last one allowed
			if earlier, missing := s.store.get(ctx, caller.UserID, n.ID); missing == nil {
				return earlier, "", nil
			}
		}
		return Webhook{}, "", err
	}
	return made, made.secret, nil
}

// address returns the address of an endpoint as it is stored, or why nothing can be sent to it.
func (s *Service) address(ctx context.Context, text string) (string, error) {
	u, err := weburl.Parse(text)
	if err == nil {
		err = s.deps.Fetch.CheckPost(ctx, u)
	}
	var known *apperr.Error
	switch {
	case err == nil:
		return u.String(), nil
	case errors.As(err, &known) && known.Code != apperr.Unavailable:
		return "", apperr.Invalid("/url", known.Detail)
	}
	return "", err
}

// typesOf returns the types of events that a list stands for, in the order of the document; an empty one is all.
func typesOf(given []string) []string {
	if len(given) == 0 {
		return slices.Clone(Types)
	}
	return slices.DeleteFunc(slices.Clone(Types), func(t string) bool { return !slices.Contains(given, t) })
}

// List returns a page of the caller's webhooks, of a project or "" for all, newest first, and the cursor of the next
// page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, projectID string, p cursor.Page,
) (page []Webhook, next string, err error) {
	page, next, err = cursor.List(p, func(w Webhook) string { return w.ID },
		func(before string, limit int) ([]Webhook, error) {
			return s.store.list(ctx, caller.UserID, projectID, before, limit)
		})
	if err != nil || len(page) == 0 {
		return page, next, err
	}
	sent, err := s.sent(ctx, caller.UserID)
	if err != nil {
		return nil, "", err
	}
	days, err := s.store.lastDay(ctx, caller.UserID, s.now())
	for i := range page {
		page[i].Paused = page[i].Enabled && !slices.Contains(sent, page[i].ID)
		page[i].LastDay = days[page[i].ID]
	}
	return page, next, err
}

// sent returns the ids of an account's webhooks that its plan has room for: the oldest that are enabled.
func (s *Service) sent(ctx context.Context, ownerID string) ([]string, error) {
	plan, err := s.deps.Plans.PlanOf(ctx, ownerID)
	if err != nil {
		return nil, err
	}
	return s.store.oldest(ctx, ownerID, plan.Webhooks)
}

// Get returns a webhook of the caller, or NotFound.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Webhook, error) {
	w, err := s.store.get(ctx, caller.UserID, id)
	if err != nil {
		return Webhook{}, err
	}
	sent, err := s.sent(ctx, caller.UserID)
	if err != nil {
		return Webhook{}, err
	}
	days, err := s.store.lastDay(ctx, caller.UserID, s.now())
	w.Paused, w.LastDay = w.Enabled && !slices.Contains(sent, id), days[id]
	return w, err
}

// Update changes a webhook of the caller and returns it. What waits is sent at once to one that is enabled again or
// has another address.
func (s *Service) Update(ctx context.Context, caller identity.Caller, id string, u Update) (Webhook, error) {
	if u.URL != nil {
		address, err := s.address(ctx, *u.URL)
		if err != nil {
			return Webhook{}, err
		}
		u.URL = &address
	}
	if u.Events != nil {
		u.Events = typesOf(u.Events)
	}
	err := s.store.db.InTx(ctx, func(tx *db.Tx) error {
		// Deliveries come first, as where an attempt is stored: so they can't block each other. If the webhook is another
		// account's, update fails, and nothing is changed.
		if u.URL != nil || wantsEvents(u.Enabled) {
			if err := restart(ctx, tx, id, s.now()); err != nil {
				return err
			}
		}
		if err := update(ctx, tx, caller.UserID, id, u, s.now()); err != nil {
			return err
		}
		return s.queue.Wake(ctx, tx, id, id, nil)
	})
	if err != nil {
		return Webhook{}, err
	}
	return s.Get(ctx, caller, id)
}

func wantsEvents(enabled *bool) bool { return enabled != nil && *enabled }

// Delete deletes a webhook of the caller with its deliveries, or returns NotFound.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := remove(ctx, tx, caller.UserID, id); err != nil {
			return err
		}
		return s.deps.AuditLog.RecordIn(ctx, tx, auditlog.WebhookDeleted, caller.UserID, id)
	})
}

// Rotate gives a webhook of the caller another secret, and returns both. The previous secret signs too for a day; an
// older one doesn't any more.
func (s *Service) Rotate(ctx context.Context, caller identity.Caller, id string) (w Webhook, secret string, err error) {
	secret = newSecret()
	now := s.now()
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := rotate(ctx, tx, caller.UserID, id, secret, now, now.Add(rotation)); err != nil {
			return err
		}
		return s.deps.AuditLog.RecordIn(ctx, tx, auditlog.WebhookRotated, caller.UserID, id)
	})
	if err != nil {
		return Webhook{}, "", err
	}
	w, err = s.Get(ctx, caller, id)
	return w, secret, err
}

// Test stores an event of the type webhook.test for a webhook of the caller, and returns its delivery. It is attempted
// once, also while the webhook is disabled.
func (s *Service) Test(ctx context.Context, caller identity.Caller, id string) (Delivery, error) {
	w, err := s.store.get(ctx, caller.UserID, id)
	if err != nil {
		return Delivery{}, err
	}
	now := db.Moment(s.now())
	e := events.Event{ID: db.NewID(), Type: TestType, OwnerID: caller.UserID, At: now}
	d, err := newDelivery(w.ID, e, []byte(`{"webhookId":"`+w.ID+`"}`), e.ID, now)
	if err != nil {
		return Delivery{}, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := insertDelivery(ctx, tx, d, e.ID); err != nil {
			return err
		}
		return s.queue.Wake(ctx, tx, w.ID, w.ID, nil)
	})
	return d, err
}

// Deliveries returns a page of the deliveries to a webhook of the caller, newest first, without the bodies of
// responses, and the cursor of the next page.
func (s *Service) Deliveries(
	ctx context.Context, caller identity.Caller, id string, p cursor.Page,
) (page []Delivery, next string, err error) {
	if _, err := s.store.get(ctx, caller.UserID, id); err != nil {
		return nil, "", err
	}
	return cursor.List(p, func(d Delivery) string { return d.ID }, func(before string, limit int) ([]Delivery, error) {
		return s.store.deliveries(ctx, id, before, limit)
	})
}

// Delivery returns a delivery to a webhook of the caller with the responses, or NotFound.
func (s *Service) Delivery(ctx context.Context, caller identity.Caller, id, deliveryID string) (Delivery, error) {
	return s.store.delivery(ctx, caller.UserID, id, deliveryID)
}

// Replay sends a delivery to a webhook of the caller again, with the same webhook-id and as many attempts as a new one.
// Conflict while the webhook is disabled.
func (s *Service) Replay(ctx context.Context, caller identity.Caller, id, deliveryID string) (Delivery, error) {
	if _, err := s.replay(ctx, caller, id, selection{delivery: deliveryID}); err != nil {
		return Delivery{}, err
	}
	return s.Delivery(ctx, caller, id, deliveryID)
}

// Range selects deliveries by the time of their event.
type Range struct {
	From, To time.Time // To is exclusive
	// FailedOnly leaves out what was delivered.
	FailedOnly bool
}

// ReplayRange is [Service.Replay] for all deliveries in a range but tests; it returns how many there are.
func (s *Service) ReplayRange(ctx context.Context, caller identity.Caller, id string, r Range) (int, error) {
	if !r.From.Before(r.To) {
		return 0, apperr.Invalid("/to", "The range must begin before it ends.")
	}
	return s.replay(ctx, caller, id, selection{r: r})
}

func (s *Service) replay(ctx context.Context, caller identity.Caller, id string, of selection) (count int, err error) {
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		enabled, err := isEnabled(ctx, tx, caller.UserID, id)
		if err != nil {
			return err
		}
		if !enabled {
			return apperr.New(apperr.Conflict, "The webhook is disabled. Enable it first.")
		}
		if count, err = again(ctx, tx, id, of, s.now()); err != nil {
			return err
		}
		if count == 0 && of.delivery != "" {
			return apperr.New(apperr.NotFound, noDelivery)
		}
		return s.queue.Wake(ctx, tx, id, id, nil)
	})
	return count, err
}

// overLimit returns what of an account a plan has no room for; see [billing.Service.Limited].
func overLimit(ctx context.Context, tx *db.Tx, accountID string, p billing.Plan) ([]string, error) {
	all, err := enabled(ctx, tx, accountID, maxLimit)
	if err != nil {
		return nil, err
	}
	var paused []string
	for _, w := range all[min(p.Webhooks, len(all)):] {
		paused = append(paused, "the webhook "+w.URL)
	}
	return paused, nil
}

// maxLimit bounds how many webhooks of an account get events, whatever its plan.
const maxLimit = 200

// Sweep deletes deliveries after 14 days, and all but the beginning of the responses to all but the newest 200 of each
// webhook.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.sweep(ctx, s.now().Add(-keptFor), keptResponses)
}
