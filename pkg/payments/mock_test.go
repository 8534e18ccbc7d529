package payments_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/payments/stripetest"
)

// requests is how many different requests stripe.go has.
const requests = 10

// TestRequests_areValidForStripe makes each request that we send to Stripe with stripe-mock behind the fake: it refuses
// requests that Stripe's OpenAPI document doesn't allow, and answers with all fields that Stripe's answers have.
func TestRequests_areValidForStripe(t *testing.T) {
	document, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	mock, err := server.NewStubServer(fixtures, document, false, false)
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.stripe.Mock(http.HandlerFunc(mock.HandleRequest))
		made := map[string]bool{}
		s.stripe.Around(func(r *http.Request, answered bool) error {
			made[r.Pattern] = answered
			return nil
		})
		customer := s.customer()
		for _, plan := range []string{"pro", "pro"} { // it ends the first checkout, and finds its own
			if _, err := s.Checkout(t.Context(), s.caller, plan, "month"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Portal(t.Context(), s.caller); err != nil {
			t.Fatal(err)
		}
		s.stripe.Put("sub_1", stripetest.Subscription(customer, "active", "price_pro"))
		s.stripe.Put("ch_1", stripetest.Object{"object": "charge", "customer": customer, "disputed": true})
		s.stripe.Put("dp_1", stripetest.Object{"object": "dispute", "charge": "ch_1"})
		s.deliver(s.event("sub_1"))
		s.want("an event", "pro")
		s.stripe.Put("sub_1", stripetest.Unpaid(s.clock))
		s.deliver(s.event("dp_1"))
		s.want("an event of a dispute", "pro")
		user, err := s.users.ByID(t.Context(), s.caller.UserID)
		if err != nil || user.DisputedAt.IsZero() || !user.RefundedAt.IsZero() {
			t.Errorf("got a dispute at %v and a refund at %v, %v, want only a dispute", user.DisputedAt, user.RefundedAt, err)
		}
		if err := s.Cancel(t.Context(), s.caller.UserID); err != nil || s.liveAtStripe() > 0 {
			t.Errorf("canceled: %v, %d subscriptions are left", err, s.liveAtStripe())
		}
		delete(made, "") // before they are routed
		if len(made) != requests {
			t.Errorf("made the requests %v, want all %d of stripe.go", slices.Sorted(maps.Keys(made)), requests)
		}
		for _, refused := range s.stripe.Refused() {
			t.Error(refused)
		}
	})
}
