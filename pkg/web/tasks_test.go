package web_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
	"masthead/pkg/web/webtest"
)

const (
	newcomer    = "newcomer@example.com"
	newPassword = "four unrelated words here"
)

// TestNewcomer_twelveTasks does what a newcomer wants to do, from a new account to its deletion, by following links and
// sending the forms of the pages: everything is found from the start page, and needs no script.
func TestNewcomer_twelveTasks(t *testing.T) {
	t.Parallel()
	site := newStaticSite(t)
	stripe := stripetest.New(t)
	h := apptest.Start(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
		c.Payments = payments.Config{
			SecretKey: "sk_test_1", WebhookSecret: stripetest.Secret, URL: stripe.URL, PlusMonth: "price_plus",
		}
	})
	n := &newcomerTest{h, webtest.NewWalker(webtest.NewVisitor(t, h.Base)), site, stripe}
	n.card(t)
	n.tags(t)
	n.key(t)
	n.domain(t)
	n.watch(t)
	n.webhook(t)
	n.undo(t)
	n.usage(t)
	n.plan(t)
	n.password(t)
	n.secondFactor(t)
	n.deletion(t)
}

type newcomerTest struct {
	*apptest.Service

	w      *webtest.Walker
	site   *staticSite
	stripe *stripetest.Stripe
}

func (n *newcomerTest) card(t *testing.T) {
	t.Helper()
	n.w.Submit("See it in every design", "url", n.site.URL+"/post")
	apptest.WaitFor(t, "the card", func() bool { n.w.Reload(); return n.w.Has("Every design") })
	n.w.Follow("Save this card")
	n.w.Submit("Register", "email", newcomer, "password", apptest.Password)
	n.w.Want("Saved.") // with the account
	n.w.Want("Why we moved our queue")
}

// tags pastes the tags of the image into the page.
func (n *newcomerTest) tags(t *testing.T) {
	t.Helper()
	n.w.Want("og:image")
	lines := regexp.MustCompile(`(?m)^\s*<meta (property|name)="(og|twitter):[^>]*>$`)
	_, tags, _ := strings.Cut(n.w.Text(), "Tags to paste")
	n.site.write(strings.Join(lines.FindAllString(tags, 11), "\n"))
	wantCard(t, n.Service, n.site.URL+"/post")
}

func (n *newcomerTest) key(t *testing.T) {
	t.Helper()
	n.w.Follow("API")
	n.w.Submit("Create key", "name", "Site build")
	secret := regexp.MustCompile(`og_live_[0-9A-Za-z]{38}`).FindString(n.w.Text())
	n.w.Follow("I’ve saved it")
	if n.Get("/images", apptest.Bearer(secret)).Want(http.StatusOK); strings.Contains(n.w.Page.Body, secret) {
		t.Error("the secret of the key is shown twice")
	}
}

func (n *newcomerTest) domain(t *testing.T) {
	t.Helper()
	n.w.Follow("Projects")
	n.w.Follow("127.0.0.1") // the project that the card was saved for
	n.w.Submit("Add", "domain", "https://northlane.dev/blog")
	n.w.Want("The domain is added.")
	n.w.Want("northlane.dev")
}

func (n *newcomerTest) watch(t *testing.T) {
	t.Helper()
	n.w.Follow("Audits")
	n.w.Submit("Watch", "url", n.site.URL+"/post")
	n.w.Want("Watched.")
	apptest.WaitFor(t, "the first audit", func() bool {
		n.w.Reload()
		return !n.w.Has("The first audit is on its way")
	})
	n.w.Follow("Details of " + strings.TrimPrefix(n.site.URL, "http://") + "/post")
	n.w.Follow("Open the report")
	n.w.Want("What to fix")
}

func (n *newcomerTest) webhook(t *testing.T) {
	t.Helper()
	n.w.Open("/dashboard")
	n.w.Follow("API")
	n.w.Follow("Webhooks")
	n.w.Submit("Add the webhook", "url", n.site.URL+"/hook")
	n.w.Want("it’s shown only this once")
	n.w.Follow("I’ve saved it")
	n.w.Submit("Send a test")
	n.w.Want("webhook.test")
	apptest.WaitFor(t, "the delivery", n.site.signed.Load)
	n.w.Reload()
	n.w.Want("webhook.test")
}

func (n *newcomerTest) undo(t *testing.T) {
	t.Helper()
	n.w.Follow("Images")
	n.w.Follow("Why we moved our queue")
	n.w.Submit("Delete")
	n.w.Want("The image is deleted.")
	n.w.Submit("Undo")
	n.w.Want("The image is back.")
}

func (n *newcomerTest) usage(t *testing.T) {
	t.Helper()
	n.w.Follow("Usage")
	n.w.Follow("Download CSV")
	rows, err := csv.NewReader(strings.NewReader(n.w.Page.Body)).ReadAll()
	if err != nil || len(rows) < 2 || rows[1][0] != time.Now().UTC().Format(time.DateOnly) {
		t.Errorf("the file has %v, %v", rows, err)
	}
}

// plan buys a plan at Stripe, whose event changes the page.
func (n *newcomerTest) plan(t *testing.T) {
	t.Helper()
	n.w.Open("/dashboard")
	n.w.Follow("Settings")
	n.w.Follow("Billing")
	n.w.Submit("Plus, monthly")
	if to := n.w.Page.Header.Get("Location"); n.w.Page.Status != http.StatusSeeOther || strings.HasPrefix(to, n.Base) {
		t.Fatalf("the plan leads to %q: %s", to, n.w.Page.Main())
	}
	customer, _ := n.stripe.All("customer")[0]["id"].(string)
	n.stripe.Put("sub_1", stripetest.Subscription(customer, "active", "price_plus"))
	event := n.stripe.Event("evt_1", "customer.subscription.created", "sub_1")
	n.Post("/billing/webhook", string(event), apptest.Header("Content-Type", "application/json"),
		apptest.Header("Stripe-Signature", stripetest.Sign(event, stripetest.Secret))).Want(http.StatusNoContent)
	n.w.Open("/dashboard/billing")
	apptest.WaitFor(t, "the plan", func() bool { n.w.Reload(); return strings.Contains(n.w.Page.Main(), `<h1 class="any">Plus`) })
}

func (n *newcomerTest) password(t *testing.T) {
	t.Helper()
	n.w.Follow("Settings")
	n.w.Submit("Change", "currentPassword", apptest.Password, "newPassword", newPassword)
	n.w.Want("The password is changed")
}

// secondFactor sets up an app, and signs in with it.
func (n *newcomerTest) secondFactor(t *testing.T) {
	t.Helper()
	n.w.Submit("Set up an authenticator app")
	address := regexp.MustCompile(`otpauth://[^"]*`).FindString(n.w.Page.Body)
	key, err := url.Parse(strings.ReplaceAll(address, "&amp;", "&"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	code, err := totp.GenerateCode(key.Query().Get("secret"), now)
	if err != nil {
		t.Fatal(err)
	}
	n.w.Submit("Turn it on", "code", code)
	n.w.Want("Your recovery codes")
	recovery := regexp.MustCompile(`<code><b dir="auto">([0-9a-zA-Z-]+)\n`).FindStringSubmatch(n.w.Page.Body)
	n.w.Follow("I’ve saved them")
	n.w.Submit("Sign out")
	n.w.Follow("Sign in")
	n.w.Submit("Sign in", "email", newcomer, "password", newPassword)
	if recovery == nil {
		t.Fatalf("no recovery code: %s", n.w.Page.Main())
	}
	n.w.Submit("Sign in", "code", recovery[1], "password", newPassword)
	n.w.Want("Recently drawn")
}

func (n *newcomerTest) deletion(t *testing.T) {
	t.Helper()
	n.w.Follow("Settings")
	n.w.Follow("Delete account")
	n.w.Submit("Delete it", "confirm", newcomer)
	if !n.w.Has("You’re the only admin.") || !n.w.Has("stop it and delete its data instead: the data folder") {
		t.Fatalf("the first account was deleted: %s", n.w.Page.Main())
	}
	other := n.Register()
	n.w.Follow("Administration")
	n.w.Follow("People")
	n.w.Submit("Save: "+other.Email, "role", "admin")
	n.w.Want("Saved.")
	n.w.Follow("Settings")
	n.w.Follow("Delete account")
	n.w.Submit("Delete it", "confirm", newcomer)
	n.w.Want("Your account is deleted.")
	n.w.Follow("Sign in")
	n.w.Want("Email")
}
