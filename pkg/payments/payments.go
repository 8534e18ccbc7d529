// Package payments sells plans through Stripe.
//
// What it keeps true: the plan that an account has paid for is the one of its subscription at Stripe, as of the last
// reading. Nothing is taken from an event but which customer to read; a reading is stored only if no other was stored
// since it began. So it doesn't matter in which order events arrive, how often, or whether one is lost: [Service.Sweep]
// reads each subscription that can change at least once a day.
//
// Nobody is charged twice: an account has one customer, at most one checkout that can be paid, and none while it has a
// subscription (checkout.go), or is being deleted.
package payments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

const (
	free = "free"
	// grace is how long a plan is kept after the first failed payment.
	grace = 7 * 24 * time.Hour
	// fresh is the age of a reading from which the sweep reads again.
	fresh = 24 * time.Hour
	// rare is the age of a reading from which the sweep reads a subscription that is over again.
	rare = 7 * 24 * time.Hour
	// abandoned is the age of a checkout from which it can't become a subscription any more: Stripe's sessions expire
	// after a day.
	abandoned = 3 * 24 * time.Hour
	// eventLife is how long ids of events are kept. Stripe sends an event again for three days.
	eventLife = 30 * 24 * time.Hour
	// deletion is how long an account may take to be deleted after its subscription was canceled.
	deletion = 3 * time.Minute
	// maxRaces bounds the attempts at something that another request or node overtakes.
	maxRaces = 5
)

// Statuses of subscriptions that are treated by name; others are Stripe's.
const (
	statusNone    = "none"
	statusPastDue = "past_due"
)

// final reports whether a subscription in a status stays in it forever.
func final(status string) bool {
	return status == statusNone || status == "canceled" || status == "incomplete_expired"
}

// subscription is a subscription at Stripe.
type subscription struct {
	ID        string // "" for none
	Status    string
	Plan      string // of its price, whatever the status
	Period    string // month or year
	PeriodEnd time.Time
	Ending    bool      // it is canceled and ends later
	FailedAt  time.Time // the first failed payment, while it is past due
}

// grants returns the plan that the subscription gives.
func (s subscription) grants() users.Grant {
	switch s.Status {
	case "active", "trialing":
		return users.Grant{Plan: s.Plan}
	case statusPastDue:
		return users.Grant{Plan: s.Plan, Until: s.FailedAt.Add(grace)}
	}
	return users.Grant{Plan: free}
}

// account is an account at Stripe.
type account struct {
	UserID, CustomerID string
	subscription
	CheckoutNumber int64

	version                   int64
	checkoutID, checkoutPrice string
}

// Service sells plans. It is safe for concurrent use.
type Service struct {
	cfg    Config
	store  store
	remote *remote // nil without Stripe
	users  *users.Service
	events *events.Bus
	queue  *jobs.Queue
	now    func() time.Time

	metrics *metrics
}

// Deps are what a [Service] needs.
type Deps struct {
	DB     *db.DB
	Users  *users.Service
	Events *events.Bus
	Jobs   *jobs.Worker
}

// New returns a service. cfg is valid.
func New(cfg Config, deps Deps) *Service {
	s := &Service{cfg: cfg, store: store{deps.DB}, users: deps.Users, events: deps.Events, now: time.Now}
	s.metrics = newMetrics()
	if cfg.Enabled() {
		s.remote = newRemote(cfg, s.metrics)
		s.queue = deps.Jobs.Handle("stripe", jobs.Work{
			Do: s.follow, AtOnce: 4, Time: time.Minute, Attempts: 12,
			Pause: jobs.Pauses(5*time.Second, 30*time.Second, 5*time.Minute, 30*time.Minute, 2*time.Hour),
		})
	}
	return s
}

// Enabled reports whether plans can be bought.
func (s *Service) Enabled() bool { return s.remote != nil }

// Periods returns by what each plan can be bought, "month" or "year", by the plan's name; nil without Stripe.
func (s *Service) Periods() map[string][]string {
	if !s.Enabled() {
		return nil
	}
	periods := map[string][]string{}
	for _, p := range s.remote.prices {
		periods[p.plan] = append(periods[p.plan], p.period)
	}
	return periods
}

// require returns Unavailable without Stripe.
func (s *Service) require() error {
	if s.Enabled() {
		return nil
	}
	return apperr.New(apperr.Unavailable, "Plans can't be bought on this server. Its operator sets them.")
}

// unanswered is the error of a request to Stripe for a caller; what is what didn't happen, in sentences.
func unanswered(what string, err error) error {
	var known *apperr.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return apperr.Wrap(apperr.Unavailable, what+" Try again in a minute.", err)
}

// state is what an account has, and what it would have less of on a smaller plan.
type state struct {
	users.User
	subscription // as of the last reading
	downgrades   []users.Downgrade
}

// Get returns the state of the caller's account.
func (s *Service) Get(ctx context.Context, caller identity.Caller) (state, error) {
	if err := s.require(); err != nil {
		return state{}, err
	}
	user, err := s.users.Get(ctx, caller)
	if err != nil {
		return state{}, err
	}
	found, err := s.store.byUser(ctx, caller.UserID)
	if err != nil {
		return state{}, err
	}
	downgrades, err := s.users.Downgrades(ctx, user)
	return state{user, found.subscription, downgrades}, err
}

// refresh reads the subscription of a customer and stores what it grants. It returns a zero account for an unknown
// customer.
func (s *Service) refresh(ctx context.Context, customer string) (account, error) {
	for range maxRaces {
		found, err := s.store.byCustomer(ctx, customer)
		if err != nil || found.UserID == "" {
			return account{}, err
		}
		read, err := s.remote.read(ctx, customer)
		if err != nil {
			return account{}, fmt.Errorf("read the subscription of account %s: %w", found.UserID, err)
		}
		saved, err := s.save(ctx, found, read)
		if !errors.Is(err, errOvertaken) {
			return saved, err
		}
	}
	return account{}, errOvertaken
}

// save stores a reading of an account, and what it grants.
func (s *Service) save(ctx context.Context, a account, read reading) (account, error) {
	if read.Status == statusPastDue && read.FailedAt.IsZero() { // without an invoice
		read.FailedAt = db.Moment(s.now())
	}
	if first := a.FailedAt; read.Status == statusPastDue && read.ID == a.ID && !first.IsZero() &&
		first.Before(read.FailedAt) {
		read.FailedAt = first // the invoice of a later period
	}
	if !final(read.Status) && read.Plan == free {
		slog.WarnContext(ctx, "a subscription has a price that isn't configured: it grants no plan",
			"subscription", read.ID, "account", a.UserID)
	}
	known := a.ID == read.ID && !a.FailedAt.IsZero()
	a.subscription = read.subscription
	err := s.store.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.now()
		if _, err := s.users.SetPaid(ctx, tx, a.UserID, a.grants()); err != nil {
			return err
		}
		if err := s.users.NotePayments(ctx, tx, a.UserID, read.payments); err != nil {
			return err
		}
		if err := s.store.save(ctx, tx, a, now); err != nil {
			return err
		}
		until := a.grants().Until
		if a.Status != statusPastDue || known || !now.Before(until) {
			return nil
		}
		return events.PaymentFailed.Publish(ctx, tx, s.events, a.UserID, events.FailedPayment{
			Plan: events.PlanName(a.Plan), KeptUntil: wire.Moment(until), InvoiceUrl: read.invoice,
		})
	})
	if apperr.CodeOf(err) == apperr.NotFound {
		return account{}, nil // the account was deleted
	}
	if err != nil {
		return account{}, err
	}
	return a, nil
}

// Sweep reads the subscriptions that can change and weren't read for a day, in case an event never arrived, and those
// that are over once a week. It deletes old ids of events.
func (s *Service) Sweep(ctx context.Context) error {
	if !s.Enabled() {
		return nil
	}
	now := s.now()
	customers, err := s.store.due(ctx, now.Add(-fresh), now.Add(-abandoned), now.Add(-rare))
	faults := []error{err, s.store.forget(ctx, now.Add(-eventLife))}
	for _, customer := range customers {
		if _, err := s.refresh(ctx, customer); err != nil {
			faults = append(faults, err)
			if ctx.Err() != nil || len(faults) > maxRaces { // Stripe is down: the next sweep goes on
				break
			}
		}
	}
	return errors.Join(faults...)
}

const notCanceled = "Stripe couldn't cancel your subscription, so your account wasn't deleted."

// Cancel cancels the subscription of an account that is about to be deleted, and ends its checkout; for some minutes,
// no other starts. It returns Unavailable if that can't be done now.
func (s *Service) Cancel(ctx context.Context, userID string) error {
	found, err := s.store.close(ctx, userID, s.now().Add(deletion))
	if err != nil || found.CustomerID == "" {
		return err
	}
	if !s.Enabled() {
		if final(found.Status) {
			return nil
		}
		return apperr.New(apperr.Unavailable, "This account has a subscription, which can't be canceled: the server has no "+
			"connection to Stripe. Ask its operator.")
	}
	if found.checkoutID != "" {
		if _, err := s.remote.expire(ctx, found.checkoutID); err != nil {
			return unanswered(notCanceled, err)
		}
	}
	return unanswered(notCanceled, s.remote.cancelAll(ctx, found.CustomerID))
}
