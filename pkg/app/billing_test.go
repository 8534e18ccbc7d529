package app_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
)

// TestBilling_modulesKnowOfASubscription buys a plan, whose limits hold at once, and deletes the account, which cancels
// the subscription first and isn't deleted if that fails.
func TestBilling_modulesKnowOfASubscription(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		stripe := stripetest.New(t)
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Payments = payments.Config{
				SecretKey: "sk_test", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
			}
		})
		me, id := apptest.Bearer(h.Session.Access), h.ID(h.Session)
		if r := h.Get("/billing/plans").Want(http.StatusOK); r.Value("purchasable") != true {
			t.Error("plans can't be bought")
		}
		plan := func() string {
			t.Helper()
			found, err := h.App.Billing.PlanOf(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return found.Name
		}
		if got := plan(); got != "free" {
			t.Errorf("at first: got %s, want free", got)
		}
		subscribe(h, stripe, "").Want(http.StatusNoContent)
		apptest.WaitFor(t, "the plan", func() bool {
			return h.Get("/billing/subscription", me).Text("plan") == "plus"
		})
		if got := plan(); got != "plus" {
			t.Errorf("right after the purchase: got %s, want plus", got)
		}
		other := map[string]any{"role": "admin"} // so that the first admin may leave
		h.Send(http.MethodPatch, "/admin/users/"+h.ID(h.Register()), other, me).Want(http.StatusOK)
		stripe.Down(true)
		h.Send(http.MethodDelete, "/users/me", nil, me).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		stripe.Down(false)
		h.Get("/users/me", me).Want(http.StatusOK)
		h.Send(http.MethodDelete, "/users/me", nil, me).Want(http.StatusNoContent)
		if got := stripe.All("subscription")[0]["status"]; got != "canceled" {
			t.Errorf("after the deletion: the subscription is %v, want canceled", got)
		}
	})
}
