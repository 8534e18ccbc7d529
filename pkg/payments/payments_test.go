package payments_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
	"masthead/pkg/users"
)

// shop is a service that sells plans, with one account.
type shop struct {
	t      *testing.T
	stripe *stripetest.Stripe
	db     *db.DB
	users  *users.Service
	*payments.Service
	caller identity.Caller
	clock  time.Time
	events int
	failed []events.FailedPayment // that were published
}

func config(stripe *stripetest.Stripe) payments.Config {
	return payments.Config{
		SecretKey: "sk_test_1", WebhookSecret: stripetest.Secret, WebhookSecretPrevious: "whsec_previous", URL: stripe.URL,
		PlusMonth: "price_plus", PlusYear: "price_plus_year", ProMonth: "price_pro", BaseURL: "https://masthead.example",
	}
}

func newShop(t *testing.T, d *db.DB) *shop {
	t.Helper()
	l := auditlog.New(d)
	s := &shop{t: t, stripe: stripetest.New(t), db: d, users: users.New(d, l, nil), clock: db.Moment(time.Now())}
	bus := events.NewBus()
	events.PaymentFailed.Notify(bus, func(_ events.Event, data events.FailedPayment) { s.failed = append(s.failed, data) })
	s.Service = payments.New(config(s.stripe), payments.Deps{
		DB: d, Users: s.users, Events: bus, Jobs: jobs.NewWorker(d, time.Millisecond, nil),
	})
	s.SetNow(func() time.Time { return s.clock })
	s.users.SetNow(func() time.Time { return s.clock })
	user, err := s.users.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
	if err != nil {
		t.Fatal(err)
	}
	s.caller = user.Caller()
	return s
}

// customer starts a checkout, and returns the customer that this makes.
func (s *shop) customer() string {
	s.t.Helper()
	if _, err := s.Checkout(s.t.Context(), s.caller, "plus", "month"); err != nil {
		s.t.Fatal(err)
	}
	return s.stripe.All("customer")[0]["id"].(string)
}

// deliver sends an event and follows it.
func (s *shop) deliver(body []byte) {
	s.t.Helper()
	if err := s.Receive(s.t.Context(), body, stripetest.Sign(body, stripetest.Secret)); err != nil {
		s.t.Fatal(err)
	}
	s.FollowAll(s.t)
}

func (s *shop) want(what, plan string) {
	s.t.Helper()
	user, err := s.users.ByID(s.t.Context(), s.caller.UserID)
	if err != nil || user.Plan != plan {
		s.t.Errorf("%s: got the plan %s, %v, want %s", what, user.Plan, err, plan)
	}
}

// TestSequences_eachStepIsSeen delivers each event when it happens.
func TestSequences_eachStepIsSeen(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		customer := s.customer()
		plans := ""
		for _, change := range []struct {
			object string
			fields stripetest.Object
		}{
			{"sub_1", stripetest.Subscription(customer, "incomplete", "price_plus")},
			{"sub_1", stripetest.Object{"status": "active"}},
			{"sub_1", stripetest.Subscription(customer, "active", "price_pro")},
			{"sub_1", stripetest.Unpaid(s.clock)},
			{"sub_1", stripetest.Object{"status": "active"}},
			{"ch_1", stripetest.Object{"object": "charge", "customer": customer, "disputed": true, "amount_refunded": 5}},
			{"sub_1", stripetest.Object{"status": "canceled"}},
		} {
			s.stripe.Put(change.object, change.fields)
			s.deliver(s.event(change.object))
			user, err := s.users.ByID(t.Context(), s.caller.UserID)
			if err != nil {
				t.Fatal(err)
			}
			plans += user.Plan + " "
			if seen := !user.DisputedAt.IsZero() && !user.RefundedAt.IsZero(); seen != (len(s.stripe.All("charge")) > 0) {
				t.Errorf("the operator sees a dispute and a refund: %v", seen)
			}
		}
		if want := "free plus pro pro pro pro free "; plans != want {
			t.Errorf("got the plans %s, want %s", plans, want)
		}
		if len(s.failed) != 1 || s.failed[0].InvoiceUrl != "https://stripe.example/in_1" ||
			!time.Time(s.failed[0].KeptUntil).Equal(s.clock.Truncate(time.Second).AddDate(0, 0, 7)) {
			t.Errorf("got the events %+v, want one of the failed payment", s.failed)
		}
		s.stripe.Put("sub_1", stripetest.Object{"status": "past_due", "latest_invoice": nil})
		s.deliver(s.event("sub_1"))
		s.want("failed payment without an invoice", "pro")
		if len(s.failed) != 2 {
			t.Errorf("got %d events, want another one of the second failure", len(s.failed))
		}
		s.stripe.Put("sub_1", stripetest.Object{"status": "canceled"})
		// A dispute names a charge, and no customer.
		s.stripe.Put("dp_1", stripetest.Object{"object": "dispute", "charge": "ch_1"})
		s.stripe.Put("sub_1", stripetest.Object{"status": "active"})
		s.deliver(s.event("dp_1"))
		s.want("by the charge of a dispute", "pro")
	})
}

// TestPayments_marks follows what the operator sees of disputes and refunds.
func TestPayments_marks(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		customer := s.customer()
		s.stripe.Put("sub_1", stripetest.Subscription(customer, "active", "price_plus"))
		charge := func(id string, fields stripetest.Object) func() {
			return func() {
				s.stripe.Put(id, stripetest.Object{"object": "charge", "customer": customer})
				s.stripe.Put(id, fields)
			}
		}
		dispute := func(id, charge, status string) func() {
			return func() {
				s.stripe.Put(id, stripetest.Object{"object": "dispute", "charge": charge, "status": status})
			}
		}
		reviewed := func() {
			_, err := s.users.Administer(t.Context(), s.caller.UserID, users.Administration{PaymentsReviewed: true})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []struct {
			what               string
			do                 func()
			disputed, refunded bool
		}{
			{"nothing", func() {}, false, false},
			{"disputed", charge("ch_1", stripetest.Object{"disputed": true}), true, false},
			{"a dispute that needs a response", dispute("dp_1", "ch_1", "needs_response"), true, false},
			{"won", dispute("dp_1", "ch_1", "won"), false, false},
			{"a charge that has another dispute", dispute("dp_2", "ch_1", "lost"), true, false},
			{"reviewed", reviewed, false, false},
			{"refunded", charge("ch_2", stripetest.Object{"amount_refunded": 100}), false, true},
			{"reviewed again", reviewed, false, false},
			{"more is refunded", charge("ch_2", stripetest.Object{"amount_refunded": 300}), false, true},
			{"another charge is disputed", charge("ch_3", stripetest.Object{"disputed": true}), true, true},
			{"an inquiry that was closed", dispute("dp_3", "ch_3", "warning_closed"), true, true},
			{"reviewed at last", reviewed, false, false},
		} {
			step.do()
			s.deliver(s.event("sub_1"))
			user, err := s.users.ByID(t.Context(), s.caller.UserID)
			if err != nil || user.DisputedAt.IsZero() == step.disputed || user.RefundedAt.IsZero() == step.refunded {
				t.Errorf("%s: got a dispute at %v and a refund at %v, %v", step.what, user.DisputedAt, user.RefundedAt, err)
			}
		}
	})
}

func TestReceive_signatures(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		body := s.event("sub_1")
		for what, signature := range map[string]string{
			"none": "", "another secret": stripetest.Sign(body, "whsec_other"),
			"another body": stripetest.Sign(append(slices.Clone(body), ' '), stripetest.Secret),
			"no time":      strings.TrimPrefix(stripetest.Sign(body, stripetest.Secret), "t="),
		} {
			if err := s.Receive(t.Context(), body, signature); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%s: got %v, want BAD_REQUEST", what, err)
			}
		}
		for _, secret := range []string{stripetest.Secret, "whsec_previous"} {
			if err := s.Receive(t.Context(), body, stripetest.Sign(body, secret)); err != nil {
				t.Errorf("%s: %v", secret, err)
			}
		}
		var count int
		if err := d.Get(t.Context(), &count, `SELECT COUNT(*) FROM stripe_events`); err != nil || count != 1 {
			t.Errorf("got %d events, %v, want one", count, err)
		}
		err := testutil.CollectAndCompare(s.Collectors()[1], strings.NewReader(`
# HELP masthead_payments_events_total Events received from Stripe, by result.
# TYPE masthead_payments_events_total counter
masthead_payments_events_total{result="invalid"} 4
masthead_payments_events_total{result="new"} 1
masthead_payments_events_total{result="repeated"} 1
`))
		if err != nil {
			t.Error(err)
		}
	})
}

// TestCheckout_onlyOneCanBePaid has requests choose at the same time, with different choices.
func TestCheckout_onlyOneCanBePaid(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		var all sync.WaitGroup
		urls := make([]string, 8)
		for i := range urls {
			all.Go(func() {
				url, err := s.Checkout(t.Context(), s.caller, []string{"plus", "pro"}[i%2], "month")
				if err != nil && apperr.CodeOf(err) != apperr.Conflict {
					t.Error(err)
				}
				urls[i] = url
			})
		}
		all.Wait()
		open := 0
		for _, session := range s.stripe.All("checkout.session") {
			if session["status"] == "open" && slices.Contains(urls, session["url"].(string)) {
				open++
			}
		}
		if customers := len(s.stripe.All("customer")); open > 1 || customers != 1 {
			t.Errorf("got %d checkouts that can be paid and %d customers, want at most one, and one", open, customers)
		}
	})
}

func TestCheckout_refusals(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		buy := func(plan, period string) (string, error) { return s.Checkout(t.Context(), s.caller, plan, period) }
		want := func(what string, err error, code apperr.Code) {
			t.Helper()
			if apperr.CodeOf(err) != code {
				t.Errorf("%s: got %v, want %s", what, err, code)
			}
		}
		_, err := s.Portal(t.Context(), s.caller)
		want("portal of nobody", err, apperr.Conflict)
		_, err = buy("pro", "year")
		want("without a price", err, apperr.BadRequest)
		s.stripe.Down(true)
		_, err = buy("plus", "month")
		want("Stripe is down", err, apperr.Unavailable)
		s.stripe.Down(false)
		if failed := testutil.CollectAndCount(s.Collectors()[0]); failed != 1 { // "failed", twice
			t.Errorf("%d results of requests are counted, want failed ones", failed)
		}
		first, err := buy("plus", "month")
		again, err2 := buy("plus", "month")
		if err != nil || err2 != nil || first != again {
			t.Errorf("the same choice: got %s, %v and %s, %v", first, err, again, err2)
		}
		other, err := buy("pro", "month")
		if err != nil || other == first || s.stripe.All("checkout.session")[0]["status"] != "expired" {
			t.Errorf("another choice: got %s, %v, and the first can still be paid", other, err)
		}
		// Paid, and the subscription isn't listed yet.
		session := s.stripe.All("checkout.session")[1]["id"].(string)
		s.stripe.Put(session, stripetest.Object{"status": "complete"})
		_, err = buy("pro", "month")
		want("just paid", err, apperr.Conflict)
		_, err = buy("plus", "month")
		want("just paid, another choice", err, apperr.Conflict)
		bought := stripetest.Subscription(s.stripe.All("customer")[0]["id"].(string), "active", "price_pro")
		s.stripe.Put("sub_1", bought)
		_, err = buy("plus", "month")
		want("subscribed", err, apperr.Conflict)
		s.want("read for the checkout", "pro")
		if _, err := s.Portal(t.Context(), s.caller); err != nil {
			t.Error(err)
		}
		// Canceled, it can be bought again.
		err = s.Cancel(t.Context(), s.caller.UserID)
		if err != nil || s.stripe.All("subscription")[0]["status"] != "canceled" {
			t.Errorf("cancel: %v", err)
		}
		s.stripe.Put(session, stripetest.Object{"subscription": stripetest.Object{"id": "sub_1", "object": "subscription", "status": "canceled"}})
		_, err = buy("plus", "month")
		want("while the account is being deleted", err, apperr.Conflict)
		s.clock = s.clock.Add(3 * time.Minute)
		if _, err = buy("plus", "month"); err != nil {
			t.Errorf("after a cancellation: %v", err)
		}
		// An address that isn't confirmed.
		if _, err := d.Exec(t.Context(), `UPDATE users SET email_confirmed_at = NULL`); err != nil {
			t.Fatal(err)
		}
		_, err = buy("plus", "month")
		want("unconfirmed", err, apperr.Forbidden)
	})
}

// TestSweep_readsSubscriptionsThatAreOver expects a subscription that the operator makes at Stripe to be found within a
// week, without an event of it.
func TestSweep_readsSubscriptionsThatAreOver(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		customer := s.customer()
		s.stripe.Put("sub_1", stripetest.Subscription(customer, "canceled", "price_plus"))
		s.clock = s.clock.AddDate(0, 1, 0)
		s.sweep()
		s.want("canceled", "free")
		s.stripe.Put("sub_2", stripetest.Subscription(customer, "active", "price_pro"))
		s.clock = s.clock.AddDate(0, 0, 6)
		s.sweep()
		s.want("six days later", "free")
		s.clock = s.clock.AddDate(0, 0, 2)
		s.sweep()
		s.want("after a week", "pro")
	})
}

func TestConfig_Validate(t *testing.T) {
	good := payments.Config{SecretKey: "sk", WebhookSecret: "w", PlusMonth: "a", ProMonth: "b"}
	for what, change := range map[string]func(c *payments.Config){
		"WEBHOOK_SECRET": func(c *payments.Config) { c.WebhookSecret = "" },
		"PRICE":          func(c *payments.Config) { c.PlusMonth, c.ProMonth = "", "" },
		"two plans":      func(c *payments.Config) { c.ProMonth = "a" },
		"STRIPE_URL":     func(c *payments.Config) { c.URL = "stripe" },
	} {
		bad := good
		change(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}
