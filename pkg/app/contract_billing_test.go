package app_test

import (
	"net/http"
	"strings"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
)

// selling runs a case on a service of its own that sells plans.
func selling(send func(h *apptest.Service, stripe *stripetest.Stripe, prefix string) *apptest.Response) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		stripe := stripetest.New(h.T())
		s := apptest.StartSignedIn(h.T(), func(c *app.Config) {
			c.Payments = payments.Config{
				SecretKey: "sk_test", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
			}
		})
		return send(s, stripe, prefix)
	}
}

var plusByMonth = map[string]any{"plan": "plus", "period": "month"}

func buy(h *apptest.Service, prefix string) *apptest.Response {
	return h.Send("POST", prefix+"/billing/checkout", plusByMonth, apptest.Bearer(h.Session.Access))
}

// subscribe buys a plan and delivers the event of it.
func subscribe(h *apptest.Service, stripe *stripetest.Stripe, prefix string) *apptest.Response {
	buy(h, prefix).Want(http.StatusOK)
	customer := stripe.All("customer")[0]["id"].(string)
	stripe.Put("sub_1", stripetest.Subscription(customer, "active", "price_plus"))
	body := stripe.Event("evt_1", "customer.subscription.created", "sub_1")
	return h.Send("POST", prefix+"/billing/webhook", string(body), apptest.Header("Content-Type", "application/json"),
		apptest.Header("Stripe-Signature", stripetest.Sign(body, stripetest.Secret)))
}

var _ = contract(map[string]map[int]contractCase{
	"getSubscription": {
		200: selling(func(h *apptest.Service, stripe *stripetest.Stripe, prefix string) (r *apptest.Response) {
			subscribe(h, stripe, prefix).Want(http.StatusNoContent)
			apptest.WaitFor(h.T(), "the plan", func() bool {
				r = h.Get(prefix+"/billing/subscription", apptest.Bearer(h.Session.Access))
				return r.Text("plan") == "plus" && r.Text("subscription.status") == "active"
			})
			return r
		}),
		400: asUser("GET", "/billing/subscription?x=1", nil),
		401: anonymous("GET", "/billing/subscription", nil),
	},
	"createCheckout": {
		200: selling(func(h *apptest.Service, _ *stripetest.Stripe, prefix string) *apptest.Response {
			return buy(h, prefix)
		}),
		400: asUser("POST", "/billing/checkout", someBody),
		401: anonymous("POST", "/billing/checkout", plusByMonth),
		403: crossSite("POST", "/billing/checkout", plusByMonth),
		409: selling(func(h *apptest.Service, stripe *stripetest.Stripe, prefix string) *apptest.Response {
			subscribe(h, stripe, prefix)
			return buy(h, prefix)
		}),
		413: asUser("POST", "/billing/checkout", tooLong),
		415: asUser("POST", "/billing/checkout", plusByMonth, asText),
	},
	"createPortal": {
		200: selling(func(h *apptest.Service, _ *stripetest.Stripe, prefix string) *apptest.Response {
			buy(h, prefix)
			return h.Send("POST", prefix+"/billing/portal", nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("POST", "/billing/portal?x=1", nil),
		401: anonymous("POST", "/billing/portal", nil),
		403: crossSite("POST", "/billing/portal", nil),
		409: selling(func(h *apptest.Service, _ *stripetest.Stripe, prefix string) *apptest.Response {
			return h.Send("POST", prefix+"/billing/portal", nil, apptest.Bearer(h.Session.Access))
		}),
	},
	"receiveStripeEvent": {
		204: selling(subscribe),
		400: anonymous("POST", "/billing/webhook", "{}"),
		413: anonymous("POST", "/billing/webhook", strings.Repeat("x", 600<<10), apptest.Header("Stripe-Signature", "x")),
		415: anonymous("POST", "/billing/webhook", "{}", apptest.Header("Content-Type", "/"),
			apptest.Header("Stripe-Signature", "x")),
	},
})
