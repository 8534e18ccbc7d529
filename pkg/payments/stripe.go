package payments

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/form"

	"masthead/pkg/users"
)

// This file has all requests to Stripe.

const (
	// requestTime bounds a request to Stripe.
	requestTime = 10 * time.Second
	// retries is how often a request is sent again after a failure of the network or of Stripe. All requests carry
	// idempotency keys.
	retries = 1
	// maxListed bounds the subscriptions and charges of a customer that are read: one page each.
	maxListed = 100
	// maxURL bounds the address of an invoice, in bytes.
	maxURL = 2048
	// planMetadata of a price names the plan that it buys, for prices that are no longer configured.
	planMetadata = "masthead_plan"
	// accountMetadata of customers and subscriptions is the id of their account.
	accountMetadata = "masthead_account"
)

// remote is Stripe. Its requests go through the library's backend and not through stripe.Client, whose 200 services the
// linker can't tell apart from those in use: they are 5 MB of the program.
type remote struct {
	api    stripe.Backend
	key    string
	prices []price
	base   string
}

func newRemote(cfg Config, m *metrics) *remote {
	backend := &stripe.BackendConfig{
		HTTPClient:        &http.Client{Timeout: requestTime, Transport: counted{http.DefaultTransport, m.requests}},
		MaxNetworkRetries: stripe.Int64(retries),
		EnableTelemetry:   stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if cfg.URL != "" {
		backend.URL = stripe.String(cfg.URL)
	}
	return &remote{
		api: stripe.GetBackendWithConfig(stripe.APIBackend, backend), key: cfg.SecretKey,
		prices: cfg.prices(), base: cfg.BaseURL,
	}
}

// paramsOf returns the parameters that every request has.
func paramsOf(ctx context.Context) stripe.Params { return stripe.Params{Context: ctx} }

// list returns the first page of a list, newest first, with at most maxListed elements.
func list[T any](ctx context.Context, r *remote, path string, params stripe.ListParamsContainer) ([]T, error) {
	common := params.GetListParams()
	common.Context, common.Limit = ctx, stripe.Int64(maxListed)
	query := &form.Values{}
	form.AppendTo(query, params)
	var page struct {
		stripe.APIResource
		Data []T `json:"data"`
	}
	err := r.api.CallRaw(http.MethodGet, path, r.key, []byte(query.Encode()), common.ToParams(), &page)
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
	charges, err := list[stripe.Charge](ctx, r, "/v1/charges", &stripe.ChargeListParams{Customer: &customer})
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
	disputes, err := list[stripe.Dispute](ctx, r, "/v1/disputes", &stripe.DisputeListParams{Charge: &charge})
	if err != nil {
		return false, err
	}
	for _, dispute := range disputes {
		if dispute.Status != stripe.DisputeStatusWon && dispute.Status != stripe.DisputeStatusWarningClosed {
			return true, nil
		}
	}
	return len(disputes) == 0, nil
}

// subscriptions returns the subscriptions of a customer in every status, newest first.
func (r *remote) subscriptions(ctx context.Context, customer string) ([]*stripe.Subscription, error) {
	params := &stripe.SubscriptionListParams{Customer: &customer, Status: stripe.String("all")}
	params.AddExpand("data.latest_invoice")
	return list[*stripe.Subscription](ctx, r, "/v1/subscriptions", params)
}

func (r *remote) readingOf(s *stripe.Subscription) reading {
	found := reading{subscription: subscription{
		ID: s.ID, Status: string(s.Status), Plan: free, Ending: s.CancelAtPeriodEnd || s.CancelAt != 0,
	}}
	if s.Items != nil && len(s.Items.Data) > 0 {
		item := s.Items.Data[0]
		found.PeriodEnd = moment(item.CurrentPeriodEnd)
		if item.Price != nil {
			found.Plan, found.Period = r.planOf(item.Price)
		}
	}
	if i := s.LatestInvoice; i != nil && found.Status == statusPastDue {
		found.FailedAt = moment(i.Created)
		if strings.HasPrefix(i.HostedInvoiceURL, "https://") && len(i.HostedInvoiceURL) <= maxURL {
			found.invoice = i.HostedInvoiceURL
		}
		if i.StatusTransitions != nil && i.StatusTransitions.FinalizedAt != 0 {
			found.FailedAt = moment(i.StatusTransitions.FinalizedAt)
		}
	}
	return found
}

// planOf returns the plan that a price buys, Free if it is unknown.
func (r *remote) planOf(p *stripe.Price) (plan, period string) {
	if p.Recurring != nil {
		period = string(p.Recurring.Interval)
	}
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
	var found stripe.Charge
	params := &stripe.ChargeRetrieveParams{Params: paramsOf(ctx)}
	err := r.api.Call(http.MethodGet, stripe.FormatURLPath("/v1/charges/%s", charge), r.key, params, &found)
	if err != nil || found.Customer == nil {
		return "", err
	}
	return found.Customer.ID, nil
}

// newCustomer creates the customer of an account, once for each key.
func (r *remote) newCustomer(ctx context.Context, accountID, email, key string) (id string, err error) {
	params := &stripe.CustomerCreateParams{
		Params: paramsOf(ctx), Email: &email, Metadata: map[string]string{accountMetadata: accountID},
	}
	params.SetIdempotencyKey(key)
	var made stripe.Customer
	err = r.api.Call(http.MethodPost, "/v1/customers", r.key, params, &made)
	return made.ID, err
}

// billingPage is the path of the page that Stripe's pages return to.
const billingPage = "/dashboard/billing"

// newCheckout creates a checkout session, once for each key.
func (r *remote) newCheckout(ctx context.Context, a account, priceID string) (id, url string, err error) {
	params := &stripe.CheckoutSessionCreateParams{
		Params: paramsOf(ctx),
		Mode:   stripe.String("subscription"), Customer: &a.CustomerID, ClientReferenceID: &a.UserID,
		LineItems: []*stripe.CheckoutSessionCreateLineItemParams{{Price: &priceID, Quantity: stripe.Int64(1)}},
		SubscriptionData: &stripe.CheckoutSessionCreateSubscriptionDataParams{
			Metadata: map[string]string{accountMetadata: a.UserID},
		},
		SuccessURL: stripe.String(r.base + billingPage + "?done=paid"), CancelURL: stripe.String(r.base + billingPage),
	}
	params.SetIdempotencyKey("masthead-checkout-" + a.UserID + "-" + strconv.FormatInt(a.CheckoutNumber, 10))
	var made stripe.CheckoutSession
	err = r.api.Call(http.MethodPost, "/v1/checkout/sessions", r.key, params, &made)
	return made.ID, made.URL, err
}

// openCheckout returns the address of a session that can still be paid, or "". paid reports that it was paid and its
// subscription isn't over.
func (r *remote) openCheckout(ctx context.Context, id string) (url string, paid bool, err error) {
	params := &stripe.CheckoutSessionRetrieveParams{Params: paramsOf(ctx)}
	params.AddExpand("subscription")
	var found stripe.CheckoutSession
	path := stripe.FormatURLPath("/v1/checkout/sessions/%s", id)
	if err := r.api.Call(http.MethodGet, path, r.key, params, &found); err != nil {
		return "", false, err
	}
	switch found.Status {
	case stripe.CheckoutSessionStatusOpen:
		return found.URL, false, nil
	case stripe.CheckoutSessionStatusComplete:
		return "", found.Subscription == nil || !final(string(found.Subscription.Status)), nil
	}
	return "", false, nil
}

// expire ends an open checkout session, so that it can't be paid. paid reports that it was paid before and its
// subscription isn't over.
func (r *remote) expire(ctx context.Context, id string) (paid bool, err error) {
	params := &stripe.CheckoutSessionExpireParams{Params: paramsOf(ctx)}
	path := stripe.FormatURLPath("/v1/checkout/sessions/%s/expire", id)
	err = r.api.Call(http.MethodPost, path, r.key, params, &stripe.CheckoutSession{})
	if err == nil {
		return false, nil
	}
	url, paid, readErr := r.openCheckout(ctx, id)
	if readErr != nil || url != "" {
		return false, errors.Join(err, readErr)
	}
	return paid, nil
}

// portal returns the address of a session of Stripe's customer portal.
func (r *remote) portal(ctx context.Context, customer string) (url string, err error) {
	params := &stripe.BillingPortalSessionCreateParams{
		Params: paramsOf(ctx), Customer: &customer, ReturnURL: stripe.String(r.base + billingPage),
	}
	var made stripe.BillingPortalSession
	err = r.api.Call(http.MethodPost, "/v1/billing_portal/sessions", r.key, params, &made)
	return made.URL, err
}

// cancelAll cancels all subscriptions of a customer at once.
func (r *remote) cancelAll(ctx context.Context, customer string) error {
	all, err := r.subscriptions(ctx, customer)
	if err != nil {
		return err
	}
	for _, s := range all {
		if !final(string(s.Status)) {
			params := &stripe.SubscriptionCancelParams{Params: paramsOf(ctx)}
			path := stripe.FormatURLPath("/v1/subscriptions/%s", s.ID)
			if err := r.api.Call(http.MethodDelete, path, r.key, params, &stripe.Subscription{}); err != nil {
				return err
			}
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
