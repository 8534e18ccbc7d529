package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

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

// TestBilling_withStripe buys a plan, up to the page at Stripe.
func TestBilling_withStripe(t *testing.T) {
	t.Parallel()
	stripe := stripetest.New(t)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Payments = payments.Config{
			SecretKey: "sk_test_1", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
		}
	})
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
