package dashboard_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
	"masthead/pkg/web/webtest"
)

const billingPath = "/dashboard/billing"

func TestBilling_withoutStripe(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	page := v.Get(billingPath)
	if !strings.Contains(page.Body, "Plans are set by this server’s operator: by you, in ") ||
		title(page) != "Free plan" ||
		strings.Contains(page.Main(), "<button") || !strings.Contains(page.Body, "Your plan") {
		t.Errorf("the page: %s", page.Main())
	}
	other := webtest.SignIn(t, h.Base, h.Register().Access)
	if page := other.Get(billingPath); !strings.Contains(page.Body, "Plans are set by this server’s operator.<") {
		t.Errorf("of someone else: %s", page.Main())
	}
	for _, do := range []string{"portal", "buy", "nothing"} {
		page := v.Post(billingPath, fields("do", do, "plan", "plus", "period", "month"))
		if page.Status < 400 || page.Header.Get("Location") != "" {
			t.Errorf("%s: %d to %q", do, page.Status, page.Header.Get("Location"))
		}
	}
}

// sellsPlus starts a service that sells the plan Plus by the month, beside a stand-in for Stripe.
func sellsPlus(t *testing.T) (*stripetest.Stripe, *apptest.Service) {
	t.Helper()
	stripe := stripetest.New(t)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Payments = payments.Config{
			SecretKey: "sk_test_1", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
		}
	})
	return stripe, h
}

// TestBilling_withStripe buys a plan, up to the page at Stripe.
func TestBilling_withStripe(t *testing.T) {
	t.Parallel()
	stripe, h := sellsPlus(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	page := v.Get(billingPath)
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "form-action 'self' https://checkout.stripe.com https://billing.stripe.com;") {
		t.Errorf("forms can't lead to Stripe: %s", policy)
	}
	if !strings.Contains(page.Body, `name="plan" value="plus"`) ||
		strings.Contains(page.Body, `name="plan" value="free"`) {
		t.Errorf("the page: %s", page.Main())
	}
	for name, form := range map[string][]string{
		"a plan that isn't one": {"do", "buy", "plan", webtest.Payload, "period", "month"},
		"no customer":           {"do", "portal"},
	} {
		page := v.Post(billingPath, fields(form...))
		if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, `role="alert"`) {
			t.Errorf("%s: %d %s", name, page.Status, page.Main())
		}
	}
	bought := v.Post(billingPath, fields("do", "buy", "plan", "plus", "period", "month"))
	if to := bought.Header.Get("Location"); bought.Status != http.StatusSeeOther || !strings.HasPrefix(to, "http") ||
		strings.HasPrefix(to, h.Base) {
		t.Errorf("bought: %d to %q %s", bought.Status, to, bought.Main())
	}
	stripe.Down(true)
	down := v.Post(billingPath, fields("do", "buy", "plan", "plus", "period", "month"))
	if !strings.Contains(down.Body, "You haven’t been charged.") {
		t.Errorf("without Stripe: %d %s", down.Status, down.Main())
	}
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "billing", Path: billingPath})
}

// TestBilling_fromCheckoutToTheEnd buys a plan, whose payments then fail, and cancels it.
func TestBilling_fromCheckoutToTheEnd(t *testing.T) {
	t.Parallel()
	stripe, h := sellsPlus(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	ctx, browses := webtest.Browser(t)
	if browses {
		if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
			t.Fatal(err)
		}
	}
	if page := v.Get(billingPath); strings.Contains(page.Body, "yearly") || strings.Contains(page.Body, "Pro, monthly") {
		t.Errorf("what has no price is offered: %s", page.Main())
	}
	v.Post(billingPath, fields("do", "buy", "plan", "plus", "period", "month"))
	back := stripe.All("checkout.session")[0]
	if back["cancel_url"] != h.Base+billingPath || back["success_url"] != h.Base+billingPath+"?done=paid" {
		t.Fatalf("Stripe leads back to %s, after the payment to %s", back["cancel_url"], back["success_url"])
	}
	const paid = billingPath + "?done=paid"
	events := 0
	// tell delivers an event about the subscription with these fields.
	tell := func(fields stripetest.Object) {
		events++
		stripe.Put("sub_1", fields)
		body := stripe.Event("evt_"+strconv.Itoa(events), "customer.subscription.updated", "sub_1")
		h.Send("POST", "/billing/webhook", string(body), apptest.Header("Content-Type", "application/json"),
			apptest.Header("Stripe-Signature", stripetest.Sign(body, stripetest.Secret))).Want(http.StatusNoContent)
	}
	for _, step := range []struct {
		name, path    string
		fields        stripetest.Object // nil for no event
		title         string
		has, hasNot   []string
		looksDistinct bool
	}{
		{"before the event", paid, nil, "Free", []string{"Your plan is being set up", "data-waits"}, nil, true},
		{"bought", paid, stripetest.Subscription(stripe.All("customer")[0]["id"].(string), "active", "price_plus"), "Plus",
			[]string{"Your plan is set up", "Renews on", "Open at Stripe", "Change to Free"},
			[]string{"data-waits", `value="buy"`, "Change to Pro"}, true},
		{"declined", billingPath, stripetest.Unpaid(time.Now()), "Your last payment was declined",
			[]string{"Plus stays until", "Update payment method"}, []string{`value="buy"`}, true},
		{"declined for long", billingPath, stripetest.Unpaid(time.Now().Add(-8 * 24 * time.Hour)),
			"Your last payment was declined", []string{"Plus is back as soon as a payment succeeds", "Update payment method"},
			[]string{`value="buy"`, "stays until"}, false},
		{"unpaid", billingPath, stripetest.Object{"status": "unpaid"}, "Your last payment was declined",
			[]string{"Plus is back as soon as a payment succeeds"}, []string{`value="buy"`}, false},
		{"paused", billingPath, stripetest.Object{"status": "paused"}, "Free", []string{"Plus is paused at Stripe"},
			[]string{`value="buy"`}, false},
		{"incomplete", billingPath, stripetest.Object{"status": "incomplete"}, "Your payment isn’t complete",
			[]string{"Continue at Stripe"}, []string{`value="buy"`}, false},
		{"canceled, until its end", billingPath, stripetest.Object{"status": "active", "cancel_at_period_end": true}, "Plus, ends on",
			[]string{"Then the account is on Free", "Keep Plus"}, []string{`value="buy"`}, true},
		{"over", billingPath, stripetest.Object{"status": "canceled"}, "Free", []string{"Plus has ended", `value="buy"`},
			[]string{"Change to", "Keep Plus"}, true},
	} {
		if step.fields != nil {
			tell(step.fields)
		}
		var page webtest.Page
		apptest.WaitFor(t, step.name, func() bool {
			page = v.Get(step.path)
			return strings.HasPrefix(title(page), step.title) && strings.Contains(page.Body, step.has[0])
		})
		for _, text := range step.has {
			if !strings.Contains(page.Body, text) {
				t.Errorf("%s: %q is missing: %s", step.name, text, page.Main())
			}
		}
		for _, text := range step.hasNot {
			if strings.Contains(page.Body, text) {
				t.Errorf("%s: there is %q: %s", step.name, text, page.Main())
			}
		}
		if browses && step.looksDistinct {
			name := "billing-" + strings.ReplaceAll(strings.ReplaceAll(step.name, ",", ""), " ", "-")
			webtest.Look(t, ctx, h.Base, webtest.State{Name: name, Path: step.path})
		}
	}
}
