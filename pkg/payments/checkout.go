package payments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// Checkout returns the address of a page of Stripe where the caller buys a plan. An account has at most one such page
// that can be paid: the same choice returns it again, another choice ends it first. It returns BadRequest for a plan
// and period without a price, Forbidden for an unconfirmed address, Conflict while the account has a subscription or
// another request chooses at the same time, and Unavailable if Stripe doesn't answer.
func (s *Service) Checkout(ctx context.Context, caller identity.Caller, plan, period string) (url string, err error) {
	if err := s.require(); err != nil {
		return "", err
	}
	i := slices.IndexFunc(s.remote.prices, func(p price) bool { return p.plan == plan && p.period == period })
	if i < 0 {
		return "", apperr.Invalid("/plan", "This plan can't be bought by the "+period+" on this server.")
	}
	if err := s.users.RequireConfirmed(ctx, caller, "buy a plan"); err != nil {
		return "", err
	}
	user, err := s.users.Get(ctx, caller)
	if err != nil {
		return "", err
	}
	customer, err := s.customer(ctx, user)
	if err != nil {
		return "", unanswered("Stripe couldn't start the checkout. You haven't been charged.", err)
	}
	for range maxRaces {
		found, err := s.refresh(ctx, customer)
		if errors.Is(err, errOvertaken) {
			continue
		}
		if err != nil {
			return "", unanswered("Stripe couldn't start the checkout. You haven't been charged.", err)
		}
		if !final(found.Status) {
			return "", apperr.New(apperr.Conflict, "This account already has a subscription. "+
				"Change or cancel it in the customer portal: POST /billing/portal.")
		}
		url, ok, err := s.open(ctx, found, s.remote.prices[i].id)
		if err != nil || ok {
			return url, unanswered("Stripe couldn't start the checkout. You haven't been charged.", err)
		}
	}
	return "", apperr.New(apperr.Conflict, "Another checkout of this account is being started. Try again in a moment.")
}

// customer returns the account's customer at Stripe, which it creates the first time.
func (s *Service) customer(ctx context.Context, user users.User) (id string, err error) {
	if err := s.store.add(ctx, user.ID, s.now()); err != nil {
		return "", err
	}
	found, err := s.store.byUser(ctx, user.ID)
	if err != nil || found.CustomerID != "" {
		return found.CustomerID, err
	}
	// A repeated key must come with the same values.
	digest := sha256.Sum256([]byte(user.Email))
	key := "masthead-customer-" + user.ID + "-" + hex.EncodeToString(digest[:8])
	if id, err = s.remote.newCustomer(ctx, user.ID, user.Email, key); err != nil {
		return "", err
	}
	if err := s.store.setCustomer(ctx, user.ID, id); err != nil {
		return "", err
	}
	found, err = s.store.byUser(ctx, user.ID) // a concurrent request may have stored another
	return found.CustomerID, err
}

// open returns the address of the account's one checkout, for a price. ok is false if another request overtook it.
func (s *Service) open(ctx context.Context, a account, priceID string) (url string, ok bool, err error) {
	if a.checkoutID != "" && a.checkoutPrice == priceID {
		url, paid, err := s.remote.openCheckout(ctx, a.checkoutID)
		if err != nil || url != "" {
			return url, true, err
		}
		if paid {
			return "", false, justPaid()
		}
	} else if a.checkoutID != "" {
		paid, err := s.remote.expire(ctx, a.checkoutID)
		if err != nil {
			return "", false, err
		}
		if paid {
			return "", false, justPaid()
		}
	}
	if ok, err := s.store.startCheckout(ctx, a, priceID, s.now()); err != nil || !ok {
		return "", false, err
	}
	a.CheckoutNumber++
	id, url, err := s.remote.newCheckout(ctx, a, priceID)
	if err != nil {
		return "", false, err
	}
	if ok, err = s.store.endCheckout(ctx, a, id); err != nil || ok {
		return url, ok, err
	}
	// Another checkout was started, or the account was deleted: nobody gets to see this one.
	_, err = s.remote.expire(ctx, id)
	return "", false, err
}

// justPaid is the error between a payment and its subscription.
func justPaid() error {
	return apperr.New(apperr.Conflict, "Your payment has arrived, and your plan is being set up. Try again in a minute.")
}

// Portal returns the address of Stripe's pages where the caller changes or cancels the subscription, and sees the
// invoices. It returns Conflict for an account that hasn't bought a plan.
func (s *Service) Portal(ctx context.Context, caller identity.Caller) (url string, err error) {
	if err := s.require(); err != nil {
		return "", err
	}
	found, err := s.store.byUser(ctx, caller.UserID)
	if err != nil {
		return "", err
	}
	if found.CustomerID == "" {
		return "", apperr.New(apperr.Conflict, "This account has no subscription yet. Buy a plan: POST /billing/checkout.")
	}
	url, err = s.remote.portal(ctx, found.CustomerID)
	return url, unanswered("Stripe couldn't open the customer portal.", err)
}
