package payments_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/payments/stripetest"
)

// change is one thing that happens at Stripe.
type change struct {
	object string // that its event is about
	fields stripetest.Object
	plan   string // that the account should have after it
	later  string // a year later, if nothing else happens; "" for plan
}

// sequences are what happens to the subscription of a customer.
func sequences(customer string, now time.Time) map[string][]change {
	session := func(fields stripetest.Object, plan string) change { return change{"cs_2", fields, plan, ""} }
	paid := session(stripetest.Object{"status": "complete", "subscription": "sub_1"}, "free")
	sub := func(status, price, plan string) change {
		return change{"sub_1", stripetest.Subscription(customer, status, price), plan, ""}
	}
	set := func(name string, value any, plan string) change {
		return change{"sub_1", stripetest.Object{name: value}, plan, ""}
	}
	// The payment of an invoice failed some days ago. A subscription keeps its latest invoice.
	failed := func(days int, plan string) change {
		return change{"sub_1", stripetest.Unpaid(now.AddDate(0, 0, -days)), plan, "free"}
	}
	charge := func(id string, fields stripetest.Object, plan string) change {
		all := stripetest.Object{"object": "charge", "customer": customer}
		maps.Copy(all, fields)
		return change{id, all, plan, ""}
	}
	dispute := change{"dp_1", stripetest.Object{"object": "dispute", "charge": "ch_1"}, "pro", ""}
	return map[string][]change{
		"purchase": {
			sub("incomplete", "price_plus", "free"), paid, charge("ch_1", nil, "free"), set("status", "active", "plus"),
			set("latest_invoice", stripetest.Object{"id": "in_1", "object": "invoice", "status": "paid"}, "plus"),
		},
		"a purchase that is never paid": {
			sub("incomplete", "price_pro", "free"), charge("ch_1", stripetest.Object{"status": "failed"}, "free"),
			set("status", "incomplete_expired", "free"), session(stripetest.Object{"status": "expired"}, "free"),
		},
		"trial, pause and return": {
			paid, sub("trialing", "price_plus_year", "plus"), set("status", "paused", "free"),
			set("status", "active", "plus"), set("status", "unpaid", "free"),
		},
		"upgrade": {
			paid, sub("active", "price_plus", "plus"), charge("ch_1", nil, "plus"), sub("active", "price_pro", "pro"),
			charge("ch_2", nil, "pro"),
		},
		"a downgrade at the end of the period": {
			paid, sub("active", "price_pro", "pro"), set("schedule", "sub_sched_1", "pro"), sub("active", "price_plus", "plus"),
			set("schedule", nil, "plus"),
		},
		"a failed payment and recovery": {
			paid, sub("active", "price_plus", "plus"), failed(6, "plus"),
			charge("ch_1", stripetest.Object{"status": "failed"}, "plus").until("free"), set("status", "active", "plus"),
		},
		"a payment that fails for good": {
			paid, sub("active", "price_pro", "pro"), failed(8, "free"), set("status", "unpaid", "free"),
			set("status", "canceled", "free"),
		},
		"cancellation and return": {
			sub("active", "price_plus", "plus"), paid.gives("plus"), set("cancel_at_period_end", true, "plus"),
			set("status", "canceled", "free"),
			{"sub_2", stripetest.Subscription(customer, "active", "price_pro"), "pro", ""},
		},
		"cancellation taken back": {
			paid, sub("active", "price_plus", "plus"), set("cancel_at_period_end", true, "plus"),
			set("cancel_at_period_end", false, "plus"), set("cancel_at", now.Add(time.Hour).Unix(), "plus"),
		},
		"chargeback": {
			paid, sub("active", "price_pro", "pro"), charge("ch_1", stripetest.Object{"disputed": true}, "pro"), dispute,
			set("status", "canceled", "free"),
		},
		"a chargeback that is won": {
			paid, sub("active", "price_pro", "pro"), charge("ch_1", stripetest.Object{"disputed": true}, "pro"), dispute,
			{"dp_1", stripetest.Object{"status": "won"}, "pro", ""},
		},
		"refund": {
			paid, sub("active", "price_pro", "pro"), charge("ch_1", nil, "pro"),
			charge("ch_1", stripetest.Object{"amount_refunded": 500}, "pro"), set("status", "canceled", "free"),
		},
		"a price that isn't configured": {paid, sub("active", "price_other", "free"), sub("active", "price_plus", "plus")},
	}
}

func (c change) gives(plan string) change {
	c.plan = plan
	return c
}

func (c change) until(later string) change {
	c.later = later
	return c
}

// history is a sequence and the account that it happens to.
type history struct {
	*shop
	name    string
	changes []change
	seen    map[string]bool
	reached int // states with the last change
}

// TestSequences_endInTheRightPlan delivers the events of each sequence in every order: each at any time after its
// change, also while a subscription is read, any number of times, or never. It goes through all states that deliveries
// can lead to, since what a delivery does depends on nothing but Stripe and what is stored of the account: a state is
// the number of changes so far, and that. In each of them a sweep finds the right plan, and nothing can be bought that
// would be charged twice.
func TestSequences_endInTheRightPlan(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		customer := s.customer()
		start := s.storedAccount()
		for name, changes := range sequences(customer, s.clock) {
			h := &history{shop: s, name: name, changes: changes, seen: map[string]bool{}}
			h.explore(0, start)
			if h.reached == 0 {
				t.Errorf("%s: no state with all changes was reached", name)
			}
		}
	})
}

// explore goes through the states that follow a state: the number of changes so far, and what is stored.
func (h *history) explore(changed int, state storedAccount) {
	key := fmt.Sprint(changed, state.withoutVersions())
	if h.seen[key] {
		return
	}
	h.seen[key] = true
	if changed == len(h.changes) {
		h.reached++
	}
	h.check(changed, state)
	if changed < len(h.changes) {
		h.explore(changed+1, state)
	}
	for i := range changed {
		h.to(changed, state)
		h.deliverTwice(i)
		h.wantNow(fmt.Sprintf("event %d delivered", i), changed)
		h.explore(changed, h.storedAccount())
		if changed == len(h.changes) {
			continue
		}
		// The next change happens after Stripe has read the subscription. Its event comes later.
		h.to(changed, state)
		h.duringRead(func() { h.put(changed) })
		h.deliverTwice(i)
		h.explore(changed+1, h.storedAccount())
		// Its event is followed meanwhile: the first reading mustn't replace the second.
		h.to(changed, state)
		h.duringRead(func() {
			h.put(changed)
			h.deliverTwice(changed)
		})
		h.deliverTwice(i)
		h.wantNow(fmt.Sprintf("event %d overtaken", i), changed+1)
		h.explore(changed+1, h.storedAccount())
	}
}

// check checks a state: a purchase, a sweep, and the clock a year ahead.
func (h *history) check(changed int, state storedAccount) {
	h.to(changed, state)
	_, err := h.Checkout(h.t.Context(), h.caller, "plus", "month")
	live := h.liveAtStripe()
	open := h.open()
	if err == nil && (open != 1 || live > 0) || err != nil && apperr.CodeOf(err) != apperr.Conflict || open > 1 {
		h.t.Errorf("%s, after %d changes: buying returns %v, with %d subscriptions and %d open checkouts",
			h.name, changed, err, live, open)
	}
	h.to(changed, state)
	start := h.clock
	defer func() { h.clock = start }()
	h.clock = start.Add(25 * time.Hour)
	h.sweep()
	if changed > 0 && h.changes[changed-1].later == "" {
		h.wantNow("swept", changed)
	}
	h.clock = start.AddDate(1, 0, 0)
	h.sweep()
	h.wantLater("a year later", changed)
	// The first event comes a year late, and the account has missed all others.
	if changed > 0 {
		h.clock = start
		h.to(changed, state)
		h.clock = start.AddDate(1, 0, 0)
		h.deliverTwice(0)
		h.wantLater("an event a year late", changed)
	}
}

// to restores a state.
func (h *history) to(changed int, state storedAccount) {
	h.t.Helper()
	for _, id := range []string{"sub_1", "sub_2", "ch_1", "ch_2", "dp_1"} {
		h.stripe.Remove(id)
	}
	for _, session := range h.stripe.All("checkout.session")[1:] {
		h.stripe.Remove(session["id"].(string))
	}
	h.stripe.Put("cs_2", stripetest.Object{"status": "open", "subscription": nil})
	for i := range changed {
		h.put(i)
	}
	h.restore(state)
}

func (h *history) put(i int) { h.stripe.Put(h.changes[i].object, h.changes[i].fields) }

// deliverTwice delivers the event of a change twice.
func (h *history) deliverTwice(i int) {
	h.t.Helper()
	body := h.event(h.changes[i].object)
	h.deliver(body)
	h.deliver(body)
}

// duringRead calls fn once, after Stripe has listed the subscriptions and before we get the list.
func (h *history) duringRead(fn func()) {
	h.stripe.Around(func(r *http.Request, answered bool) error {
		if answered && r.Method+r.URL.Path == "GET/v1/subscriptions" {
			h.stripe.Around(nil)
			fn()
		}
		return nil
	})
}

func (h *history) wantNow(what string, changed int) {
	h.t.Helper()
	if changed > 0 {
		h.want(fmt.Sprintf("%s, after %d changes, %s", h.name, changed, what), h.changes[changed-1].plan)
	}
}

func (h *history) wantLater(what string, changed int) {
	h.t.Helper()
	if changed > 0 && h.changes[changed-1].later != "" {
		h.want(fmt.Sprintf("%s, after %d changes, %s", h.name, changed, what), h.changes[changed-1].later)
		return
	}
	h.wantNow(what, changed)
}

// liveAtStripe counts the subscriptions that aren't over.
func (s *shop) liveAtStripe() (live int) {
	for _, sub := range s.stripe.All("subscription") {
		if sub["status"] != "canceled" && sub["status"] != "incomplete_expired" {
			live++
		}
	}
	return live
}

// open counts the checkouts that can be paid.
func (s *shop) open() (open int) {
	for _, session := range s.stripe.All("checkout.session") {
		if session["status"] == "open" {
			open++
		}
	}
	return open
}

// storedAccount is what is stored of the account.
type storedAccount struct {
	Plan      string    `db:"plan"`
	PlanUntil db.Millis `db:"plan_until"`
	Paid      string    `db:"paid_plan"`
	PaidUntil db.Millis `db:"paid_until"`
	Disputed  db.Millis `db:"payment_disputed_at"`
	Refunded  db.Millis `db:"payment_refunded_at"`
	Disputes  string    `db:"payment_disputes"`
	Refunds   int64     `db:"payment_refunds"`

	Version  int64     `db:"version"`
	ID       string    `db:"subscription_id"`
	Status   string    `db:"status"`
	Bought   string    `db:"bought"`
	Period   string    `db:"billing_period"`
	End      db.Millis `db:"period_end"`
	Ending   bool      `db:"ending"`
	FailedAt db.Millis `db:"failed_at"`

	Number     int64     `db:"checkout_number"`
	Checkout   string    `db:"checkout_id"`
	Price      string    `db:"checkout_price"`
	CheckoutAt db.Millis `db:"checkout_at"`
}

func (s storedAccount) withoutVersions() storedAccount {
	s.Version = 0
	return s
}

func (s *shop) storedAccount() (now storedAccount) {
	s.t.Helper()
	err := s.db.Get(s.t.Context(), &now, `SELECT u.plan, u.plan_until, u.paid_plan, u.paid_until, u.payment_disputed_at,
			u.payment_refunded_at, u.payment_disputes, u.payment_refunds, p.version, p.subscription_id, p.status,
			p.plan AS bought, p.billing_period, p.period_end,
			p.ending, p.failed_at, p.checkout_number, p.checkout_id, p.checkout_price, p.checkout_at
		FROM users u JOIN subscriptions p ON p.user_id = u.id`)
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}

// restore stores what was stored, as of now.
func (s *shop) restore(to storedAccount) {
	s.t.Helper()
	_, err := s.db.Exec(s.t.Context(), `UPDATE users SET plan = ?, plan_until = ?, paid_plan = ?, paid_until = ?,
		payment_disputed_at = ?, payment_refunded_at = ?, payment_disputes = ?, payment_refunds = ?`, to.Plan,
		to.PlanUntil, to.Paid, to.PaidUntil, to.Disputed,
		to.Refunded, to.Disputes, to.Refunds)
	if err == nil {
		_, err = s.db.Exec(s.t.Context(), `UPDATE subscriptions SET version = ?, subscription_id = ?, status = ?, plan = ?,
			billing_period = ?, period_end = ?, ending = ?, failed_at = ?, checkout_number = ?, checkout_id = ?,
			checkout_price = ?, checkout_at = ?, read_at = ?`, to.Version, to.ID, to.Status, to.Bought, to.Period, to.End,
			to.Ending, to.FailedAt, to.Number, to.Checkout, to.Price, to.CheckoutAt, db.Millis{Time: s.clock})
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// event returns an event about an object as it is now, with an id of its own.
func (s *shop) event(object string) []byte {
	s.events++
	return s.stripe.Event(fmt.Sprintf("evt_%d", s.events), "test", object)
}

func (s *shop) sweep() {
	s.t.Helper()
	if err := s.Sweep(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if err := s.users.EndPlans(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}
