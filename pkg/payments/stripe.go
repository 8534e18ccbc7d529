package payments

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/users"
)

// This file has all requests to Stripe.

const (
	// maxListed bounds the subscriptions and charges of a customer that are read: one page each.
	maxListed = 100
	// maxURL bounds the address of an invoice, in bytes.
	maxURL = 2048
	// planMetadata of a price names the plan that it buys, for prices that are no longer configured.
	planMetadata = "masthead_plan"
	// accountMetadata of customers and subscriptions is the id of their account.
	accountMetadata = "masthead_account"
)

// What we read of Stripe's objects.
type (
	stripeObject struct {
		ID  string `json:"id"`
		URL string `json:"url"` // of sessions
	}
	stripeSubscription struct {
		ID                string `json:"id"`
		Status            string `json:"status"`
		CancelAtPeriodEnd bool   `json:"cancel_at_period_end"`
		CancelAt          int64  `json:"cancel_at"`
		Items             struct {
			Data []struct {
				CurrentPeriodEnd int64       `json:"current_period_end"`
				Price            stripePrice `json:"price"`
			} `json:"data"`
		} `json:"items"`
		LatestInvoice *expandable[stripeInvoice] `json:"latest_invoice"`
	}
	stripePrice struct {
		ID        string `json:"id"`
		Recurring struct {
			Interval string `json:"interval"`
		} `json:"recurring"`
		Metadata map[string]string `json:"metadata"`
	}
	stripeInvoice struct {
		Created           int64  `json:"created"`
		HostedInvoiceURL  string `json:"hosted_invoice_url"`
		StatusTransitions struct {
			FinalizedAt int64 `json:"finalized_at"`
		} `json:"status_transitions"`
	}
	stripeCharge struct {
		ID             string                    `json:"id"`
		Customer       *expandable[stripeObject] `json:"customer"`
		AmountRefunded int64                     `json:"amount_refunded"`
		Disputed       bool                      `json:"disputed"`
	}
	stripeDispute struct {
		Status string `json:"status"`
	}
	stripeCheckout struct {
		Status       string                          `json:"status"`
		URL          string                          `json:"url"`
		Subscription *expandable[stripeSubscription] `json:"subscription"`
	}
)

// remote is Stripe.
type remote struct {
	api    *stripeAPI
	prices []price
	base   string
}

func newRemote(cfg Config, m *metrics) *remote {
	return &remote{
		api:    newStripeAPI(cfg.Address(), cfg.SecretKey, countingTransport{http.DefaultTransport, m.requests}),
		prices: cfg.prices(), base: cfg.BaseURL,
	}
}

// list returns the first page of a list, newest first, with at most maxListed elements.
func list[T any](ctx context.Context, a *stripeAPI, path string, query url.Values) ([]T, error) {
	query.Set("limit", strconv.Itoa(maxListed))
	var page struct {
		Data []T `json:"data"`
	}
	err := a.get(ctx, path, query, &page)
	return page.Data, err
}

// reading is what Stripe says of a customer.
type reading struct {
	subscription        // without FailedAt before the first failure
	invoice      string // where the failed one can be paid
	payments     users.Payments
}

// read reads the subscription of a customer that grants most, and whether any payment was disputed or refunded.
func (r *remote) read(ctx context.Context, customer string) (best reading, err error) {
	best.Status, best.Plan = statusNone, free
	subscriptions, err := r.subscriptions(ctx, customer)
	if err != nil {
		return reading{}, err
	}
	for _, s := range subscriptions {
		if found := r.readingOf(s); best.ID == "" || found.rank() > best.rank() {
			best = found
		}
	}
	charges, err := list[stripeCharge](ctx, r.api, "/v1/charges", url.Values{"customer": {customer}})
	if err != nil {
		return reading{}, err
	}
	for _, charge := range charges {
		best.payments.Refunded += charge.AmountRefunded
		if !charge.Disputed {
			continue
		}
		lost, err := r.disputed(ctx, charge.ID)
		if err != nil {
			return reading{}, err
		}
		if lost {
			best.payments.Disputes = append(best.payments.Disputes, charge.ID)
		}
	}
	return best, nil
}

// disputed reports whether a charge that was disputed has a dispute that wasn't won, so far. A charge stays disputed
// when its dispute is won.
func (r *remote) disputed(ctx context.Context, charge string) (bool, error) {
	disputes, err := list[stripeDispute](ctx, r.api, "/v1/disputes", url.Values{"charge": {charge}})
	if err != nil {
		return false, err
	}
	for _, dispute := range disputes {
		if dispute.Status != "won" && dispute.Status != "warning_closed" {
			return true, nil
		}
	}
	return len(disputes) == 0, nil
}

// subscriptions returns the subscriptions of a customer in every status, newest first.
func (r *remote) subscriptions(ctx context.Context, customer string) ([]stripeSubscription, error) {
	return list[stripeSubscription](ctx, r.api, "/v1/subscriptions", url.Values{
		"customer": {customer}, "status": {"all"}, "expand[0]": {"data.latest_invoice"},
	})
}

func (r *remote) readingOf(s stripeSubscription) reading {
	found := reading{subscription: subscription{
		ID: s.ID, Status: s.Status, Plan: free, Ending: s.CancelAtPeriodEnd || s.CancelAt != 0,
	}}
	if len(s.Items.Data) > 0 {
		item := s.Items.Data[0]
		found.PeriodEnd = moment(item.CurrentPeriodEnd)
		found.Plan, found.Period = r.planOf(item.Price)
	}
	if s.LatestInvoice != nil && found.Status == statusPastDue {
		i := s.LatestInvoice.Object
		found.FailedAt = moment(i.Created)
		if strings.HasPrefix(i.HostedInvoiceURL, "https://") && len(i.HostedInvoiceURL) <= maxURL {
			found.invoice = i.HostedInvoiceURL
		}
		if i.StatusTransitions.FinalizedAt != 0 {
			found.FailedAt = moment(i.StatusTransitions.FinalizedAt)
		}
	}
	return found
}

// planOf returns the plan that a price buys, Free if it is unknown.
func (r *remote) planOf(p stripePrice) (plan, period string) {
	period = p.Recurring.Interval
	for _, known := range r.prices {
		if known.id == p.ID {
			return known.plan, known.period
		}
	}
	if plan = p.Metadata[planMetadata]; plan == "plus" || plan == "pro" {
		return plan, period
	}
	return free, period
}

// customerOf returns the customer of a charge, or "".
func (r *remote) customerOf(ctx context.Context, charge string) (string, error) {
	var found stripeCharge
	err := r.api.get(ctx, "/v1/charges/"+url.PathEscape(charge), nil, &found)
	if err != nil || found.Customer == nil {
		return "", err
	}
	return found.Customer.ID, nil
}

// newCustomer creates the customer of an account, once for each key.
func (r *remote) newCustomer(ctx context.Context, accountID, email, key string) (id string, err error) {
	var made stripeObject
	err = r.api.send(ctx, http.MethodPost, "/v1/customers", url.Values{
		"email": {email}, "metadata[" + accountMetadata + "]": {accountID},
	}, key, &made)
	return made.ID, err
}

// billingPage is the path of the page that Stripe's pages return to.
const billingPage = "/dashboard/billing"

// newCheckout creates a checkout session, once for each key.
func (r *remote) newCheckout(ctx context.Context, a account, priceID string) (id, address string, err error) {
	key := "masthead-checkout-" + a.UserID + "-" + strconv.FormatInt(a.CheckoutNumber, 10)
	var made stripeObject
	err = r.api.send(ctx, http.MethodPost, "/v1/checkout/sessions", url.Values{
		"mode": {"subscription"}, "customer": {a.CustomerID}, "client_reference_id": {a.UserID},
		"line_items[0][price]": {priceID}, "line_items[0][quantity]": {"1"},
		"subscription_data[metadata][" + accountMetadata + "]": {a.UserID},
		"success_url": {r.base + billingPage + "?done=paid"}, "cancel_url": {r.base + billingPage},
	}, key, &made)
	return made.ID, made.URL, err
}

// openCheckout returns the address of a session that can still be paid, or "". paid reports that it was paid and its
// subscription isn't over.
func (r *remote) openCheckout(ctx context.Context, id string) (address string, paid bool, err error) {
	var found stripeCheckout
	err = r.api.get(ctx, "/v1/checkout/sessions/"+url.PathEscape(id), url.Values{"expand[0]": {"subscription"}}, &found)
	if err != nil {
		return "", false, err
	}
	switch found.Status {
	case "open":
		return found.URL, false, nil
	case "complete":
		return "", found.Subscription == nil || !final(found.Subscription.Object.Status), nil
	}
	return "", false, nil
}

// expire ends an open checkout session, so that it can't be paid. paid reports that it was paid before and its
// subscription isn't over.
func (r *remote) expire(ctx context.Context, id string) (paid bool, err error) {
	path := "/v1/checkout/sessions/" + url.PathEscape(id) + "/expire"
	err = r.api.send(ctx, http.MethodPost, path, nil, "", &stripeObject{})
	if err == nil {
		return false, nil
	}
	open, paid, readErr := r.openCheckout(ctx, id)
	if readErr != nil || open != "" {
		return false, errors.Join(err, readErr)
	}
	return paid, nil
}

// portal returns the address of a session of Stripe's customer portal.
func (r *remote) portal(ctx context.Context, customer string) (address string, err error) {
	var made stripeObject
	err = r.api.send(ctx, http.MethodPost, "/v1/billing_portal/sessions", url.Values{
		"customer": {customer}, "return_url": {r.base + billingPage},
	}, "", &made)
	return made.URL, err
}

// cancelAll cancels all subscriptions of a customer at once.
func (r *remote) cancelAll(ctx context.Context, customer string) error {
	all, err := r.subscriptions(ctx, customer)
	if err != nil {
		return err
	}
	for _, s := range all {
		if final(s.Status) {
			continue
		}
		err := r.api.send(ctx, http.MethodDelete, "/v1/subscriptions/"+url.PathEscape(s.ID), nil, "", &stripeObject{})
		if err != nil {
			return err
		}
	}
	return nil
}

func moment(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// rank orders the subscriptions of a customer: those that grant a plan first, of these the larger plan.
func (s subscription) rank() int {
	return cmp.Or(map[string]int{"active": 40, "trialing": 40, statusPastDue: 30}[s.Status],
		map[bool]int{true: 0, false: 10}[final(s.Status)]) + map[string]int{"plus": 1, "pro": 2}[s.Plan]
}
