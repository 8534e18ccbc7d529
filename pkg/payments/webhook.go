package payments

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// tolerance bounds the age of a signature.
const tolerance = 5 * time.Minute

// hint is what an event says: whose subscription to read.
type hint struct {
	Customer string `json:"customer,omitempty"`
	Charge   string `json:"charge,omitempty"` // of a dispute, which doesn't name the customer
}

// Receive takes an event with the signature of its bytes, and enqueues a reading of what it is about. It does nothing
// for an event that was received before. It returns BadRequest for a signature that isn't Stripe's.
func (s *Service) Receive(ctx context.Context, body []byte, signature string) error {
	if err := s.require(); err != nil {
		return err
	}
	found, err := s.verify(body, signature)
	if err != nil {
		s.metrics.events.WithLabelValues(eventInvalid).Inc()
		return apperr.Wrap(apperr.BadRequest, "The signature in Stripe-Signature isn't valid for this body.", err)
	}
	about := hintOf(found)
	result := eventRepeated
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		isNew, err := s.store.event(ctx, tx, found.ID, s.now())
		if isNew {
			result = eventNew
		}
		if err != nil || !isNew || about == (hint{}) {
			return err
		}
		// The key is the event's, since a job that already runs may have read the subscription before the event.
		return s.queue.Enqueue(ctx, tx, about.Customer, found.ID, about)
	})
	if err == nil {
		s.metrics.events.WithLabelValues(result).Inc()
	}
	return err
}

// event is what we read of an event of Stripe's. Its version doesn't matter: only ids are read.
type event struct {
	ID   string `json:"id"`
	Data struct {
		Object map[string]any `json:"object"`
	} `json:"data"`
}

// verify returns the event of a body that one of the secrets signed.
func (s *Service) verify(body []byte, signature string) (found event, err error) {
	for _, secret := range []string{s.cfg.WebhookSecret, s.cfg.WebhookSecretPrevious} {
		if secret == "" {
			continue
		}
		if fault := checkSignature(body, signature, secret, time.Now()); fault != nil {
			err = errors.Join(err, fault)
			continue
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return event{}, err
		}
		if found.ID == "" {
			return event{}, errors.New("the event has no id")
		}
		return found, nil
	}
	return event{}, err
}

// hintOf returns whose event it is, or a zero hint.
func hintOf(e event) (about hint) {
	text := func(name string) string {
		switch value := e.Data.Object[name].(type) {
		case string:
			return value
		case map[string]any: // expanded
			id, _ := value["id"].(string)
			return id
		}
		return ""
	}
	if text("object") == "customer" {
		return hint{Customer: text("id")}
	}
	if customer := text("customer"); customer != "" {
		return hint{Customer: customer}
	}
	return hint{Charge: text("charge")}
}

// follow is the job of an event.
func (s *Service) follow(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var about hint
	if err := json.Unmarshal(j.Payload, &about); err != nil {
		return nil, err
	}
	if about.Customer == "" {
		var err error
		if about.Customer, err = s.remote.customerOf(ctx, about.Charge); err != nil || about.Customer == "" {
			return nil, err
		}
	}
	_, err := s.refresh(ctx, about.Customer)
	return nil, err
}
