package payments

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
)

// Config has the operator's settings for Stripe; see docs/billing.md.
type Config struct {
	SecretKey             string `name:"stripe-secret-key" env:"MASTHEAD_STRIPE_SECRET_KEY" placeholder:"…" help:"Secret key of the Stripe account. If empty, plans can't be bought: operators set them."`
	WebhookSecret         string `name:"stripe-webhook-secret" env:"MASTHEAD_STRIPE_WEBHOOK_SECRET" placeholder:"…" help:"Signing secret of the webhook at Stripe. Required with MASTHEAD_STRIPE_SECRET_KEY."`
	WebhookSecretPrevious string `name:"stripe-webhook-secret-previous" env:"MASTHEAD_STRIPE_WEBHOOK_SECRET_PREVIOUS" placeholder:"…" help:"The previous signing secret, which is accepted too while the secret is rotated."`
	URL                   string `name:"stripe-url" env:"MASTHEAD_STRIPE_URL" placeholder:"URL" help:"Address of the Stripe API. If empty, Stripe's own."`

	PlusMonth string `name:"stripe-price-plus-month" env:"MASTHEAD_STRIPE_PRICE_PLUS_MONTH" placeholder:"ID" help:"Price of the Plus plan by the month. A plan and period without a price can't be bought."`
	PlusYear  string `name:"stripe-price-plus-year" env:"MASTHEAD_STRIPE_PRICE_PLUS_YEAR" placeholder:"ID" help:"Price of the Plus plan by the year."`
	ProMonth  string `name:"stripe-price-pro-month" env:"MASTHEAD_STRIPE_PRICE_PRO_MONTH" placeholder:"ID" help:"Price of the Pro plan by the month."`
	ProYear   string `name:"stripe-price-pro-year" env:"MASTHEAD_STRIPE_PRICE_PRO_YEAR" placeholder:"ID" help:"Price of the Pro plan by the year."`

	// BaseURL is our public address, to which Stripe's pages return.
	BaseURL string `kong:"-"`
}

// Enabled reports whether plans can be bought.
func (c Config) Enabled() bool { return c.SecretKey != "" }

// Address returns the URL of the Stripe API.
func (c Config) Address() string { return cmp.Or(c.URL, stripeURL) }

// price is what a price at Stripe buys.
type price struct{ id, plan, period string }

// prices returns the configured prices.
func (c Config) prices() (all []price) {
	for _, p := range []price{
		{c.PlusMonth, "plus", "month"}, {c.PlusYear, "plus", "year"}, {c.ProMonth, "pro", "month"}, {c.ProYear, "pro", "year"},
	} {
		if p.id != "" {
			all = append(all, p)
		}
	}
	return all
}

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	if c.Enabled() && c.WebhookSecret == "" {
		faults = append(faults, errors.New("MASTHEAD_STRIPE_WEBHOOK_SECRET is required with MASTHEAD_STRIPE_SECRET_KEY"))
	}
	if c.Enabled() && len(c.prices()) == 0 {
		faults = append(faults, errors.New("MASTHEAD_STRIPE_SECRET_KEY needs at least one price, "+
			"such as MASTHEAD_STRIPE_PRICE_PLUS_MONTH"))
	}
	seen := map[string]bool{}
	for _, p := range c.prices() {
		if seen[p.id] {
			faults = append(faults, fmt.Errorf("MASTHEAD_STRIPE_PRICE_*: %s is the price of two plans or periods", p.id))
		}
		seen[p.id] = true
	}
	u, err := url.Parse(c.URL)
	if c.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		faults = append(faults, errors.New("MASTHEAD_STRIPE_URL must be an http or https address"))
	}
	return errors.Join(faults...)
}
