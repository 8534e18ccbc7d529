package payments

import (
	"encoding/json"
	"testing"
	"time"

	"masthead/pkg/jobs"
)

// CheckSignature reports an error unless a Stripe-Signature is one of a body.
var CheckSignature = checkSignature

// SetNow replaces the clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// FollowAll makes an attempt at each job that waits, and ends it.
func (s *Service) FollowAll(t *testing.T) {
	t.Helper()
	var waiting []struct {
		Key     string `db:"key"`
		Payload string `db:"payload"`
	}
	if err := s.store.db.Select(t.Context(), &waiting, `SELECT key, payload FROM jobs WHERE kind = 'stripe'`); err != nil {
		t.Fatal(err)
	}
	for _, j := range waiting {
		if _, err := s.follow(t.Context(), &jobs.Job{Key: j.Key, Payload: json.RawMessage(j.Payload)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.store.db.Exec(t.Context(), `DELETE FROM jobs WHERE kind = 'stripe'`); err != nil {
		t.Fatal(err)
	}
}
