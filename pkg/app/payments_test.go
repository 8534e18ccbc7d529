package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/events"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
	"masthead/pkg/usage"
)

// sells runs a test on a service that sells plans, on both databases.
func sells(t *testing.T, test func(t *testing.T, s *apptest.Service, stripe *stripetest.Stripe)) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		stripe := stripetest.New(t)
		test(t, s.StartNode(func(c *app.Config) {
			c.Payments = payments.Config{
				SecretKey: "sk_test_1", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
			}
		}), stripe)
	})
}

// bought makes the account a customer with a subscription, and waits for its plan.
func bought(s *apptest.Service, stripe *stripetest.Stripe) {
	subscribe(s, stripe, "").Want(http.StatusNoContent)
	apptest.WaitFor(s.T(), "the plan", func() bool {
		return s.Get("/billing/subscription", apptest.Bearer(s.Session.Access)).Text("plan") == "plus"
	})
}

// tellStripe delivers an event about an object as it is now.
func tellStripe(s *apptest.Service, stripe *stripetest.Stripe, id, object string) {
	body := stripe.Event(id, "test", object)
	s.Send("POST", "/billing/webhook", string(body), apptest.Header("Content-Type", "application/json"),
		apptest.Header("Stripe-Signature", stripetest.Sign(body, stripetest.Secret))).Want(http.StatusNoContent)
}

// TestDowngrade_saysWhatNoLongerFits asks before, and reads the event and the notification after it.
func TestDowngrade_saysWhatNoLongerFits(t *testing.T) {
	sells(t, func(t *testing.T, s *apptest.Service, stripe *stripetest.Stripe) {
		bought(s, stripe)
		me, month := s.ID(s.Session), usage.MonthOf(time.Now())
		for _, row := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO usage_analyses (owner_id, month, units) VALUES (?, ?, 30)`, []any{me, month}},
			{`INSERT INTO audits (id, public_id, owner_id, url, final_url, title, overall, og, twitter, seo, created_at,
				ai_status, ai_error, ai_analysis, report) VALUES ('1', '1', ?, '', '', '', 0, 0, 0, 0, 0, 'READY', '', '{}', '{}')`,
				[]any{me}},
		} {
			if _, err := s.App.DB.Exec(t.Context(), row.query, row.args...); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{
			"AI analyses for the rest of " + month + ": 30 used, 20 included", "AI analyses of 1 report in the history",
		}
		before := s.Get("/billing/subscription", apptest.Bearer(s.Session.Access))
		texts := before.Text("downgrades.0.paused.0") + "|" + before.Text("downgrades.0.paused.1")
		if before.Text("downgrades.0.plan") != "free" || texts != strings.Join(want, "|") {
			t.Errorf("before the downgrade: got %s, want %q", before.Body, want)
		}
		published := make(chan events.Subscription, 1)
		events.SubscriptionChanged.Notify(s.App.Events, func(_ events.Event, data events.Subscription) { published <- data })
		stripe.Put("sub_1", stripetest.Object{"status": "canceled"})
		tellStripe(s, stripe, "evt_2", "sub_1")
		data := <-published
		if data.Plan != "free" || data.Paused == nil || !slices.Equal(*data.Paused, want) {
			t.Errorf("got the event %+v, want %q", data, want)
		}
		apptest.WaitFor(t, "the notification", func() bool {
			inbox := s.Get("/notifications", apptest.Bearer(s.Session.Access))
			return strings.Contains(string(inbox.Body), want[0])
		})
		after := s.Get("/billing/subscription", apptest.Bearer(s.Session.Access))
		if none, ok := after.Value("downgrades").([]any); !ok || len(none) > 0 {
			t.Errorf("on the smallest plan: got %s", after.Body)
		}
	})
}

// TestDeleteAccount_whileStripeIsDown expects that nothing is lost: neither the account nor the subscription.
func TestDeleteAccount_whileStripeIsDown(t *testing.T) {
	sells(t, func(t *testing.T, s *apptest.Service, stripe *stripetest.Stripe) {
		s.Session = s.Register() // the first account is the last admin
		bought(s, stripe)
		remove := func() *apptest.Response {
			return s.Send("DELETE", "/users/me", nil, apptest.Bearer(s.Session.Access))
		}
		stripe.Down(true)
		got := remove().WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		if !strings.HasPrefix(got.Text("detail"), "Stripe couldn't cancel your subscription, so your account wasn't") {
			t.Errorf("got %q", got.Text("detail"))
		}
		stripe.Down(false)
		state := s.Get("/billing/subscription", apptest.Bearer(s.Session.Access))
		if state.Text("plan") != "plus" || state.Text("subscription.status") != "active" {
			t.Errorf("got %s after a deletion that failed, want the subscription", state.Body)
		}
		if status := stripe.All("subscription")[0]["status"]; status != "active" {
			t.Errorf("the subscription is %s at Stripe, want active", status)
		}
		remove().Want(http.StatusNoContent)
		if status := stripe.All("subscription")[0]["status"]; status != "canceled" {
			t.Errorf("the subscription of a deleted account is %s", status)
		}
		s.Get("/users/me", apptest.Bearer(s.Session.Access)).Want(http.StatusUnauthorized)
	})
}

// TestFailedPayment_isTold expects it in the inbox and the outbox, and the operator to clear what is shown of a refund.
func TestFailedPayment_isTold(t *testing.T) {
	sells(t, func(t *testing.T, s *apptest.Service, stripe *stripetest.Stripe) {
		bought(s, stripe)
		stripe.Put("sub_1", stripetest.Unpaid(time.Now()))
		stripe.Put("ch_1", stripetest.Object{
			"object": "charge", "customer": stripe.All("customer")[0]["id"], "amount_refunded": 500,
		})
		tellStripe(s, stripe, "evt_2", "sub_1")
		me := apptest.Bearer(s.Session.Access)
		apptest.WaitFor(t, "the notification", func() bool {
			return strings.Contains(string(s.Get("/notifications", me).Body), `"kind":"payment_failed"`)
		})
		if outbox := s.Get("/admin/outbox", me); !strings.Contains(string(outbox.Body), `"kind":"payment_failed"`) {
			t.Errorf("got the outbox %s, want the email", outbox.Body)
		}
		account := func() *apptest.Response { return s.Get("/admin/users?query="+s.Session.Email, me).Want(http.StatusOK) }
		if account().Value("items.0.paymentRefundedAt") == nil {
			t.Errorf("got %s, want the refund", account().Body)
		}
		s.Send("PATCH", "/admin/users/"+s.ID(s.Session), map[string]any{"paymentsReviewed": true}, me).Want(http.StatusOK)
		tellStripe(s, stripe, "evt_3", "sub_1")
		if account().Value("items.0.paymentRefundedAt") != nil {
			t.Errorf("got %s after a review, want no refund", account().Body)
		}
	})
}

// TestBilling_withoutStripe expects the operations to say why they aren't available.
func TestBilling_withoutStripe(t *testing.T) {
	s := apptest.StartSignedIn(t)
	me := apptest.Bearer(s.Session.Access)
	for _, got := range []*apptest.Response{
		s.Get("/billing/subscription", me), s.Post("/billing/checkout", plusByMonth, me),
		s.Send("POST", "/billing/portal", nil, me),
		s.Send("POST", "/billing/webhook", "{}", apptest.Header("Content-Type", "application/json"),
			apptest.Header("Stripe-Signature", "t=1,v1=00")),
	} {
		got.WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		if text := got.Text("detail"); text != "Plans can't be bought on this server. Its operator sets them." {
			t.Errorf("got %q", text)
		}
	}
	if plans := s.Get("/billing/plans"); plans.Value("purchasable") != false {
		t.Errorf("got %s, want that nothing can be bought", plans.Body)
	}
}
