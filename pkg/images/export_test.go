package images

import (
	"context"
	"time"

	"masthead/pkg/blob"
)

// SetNow sets the clock.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

// ForgetUses lets the next use of each outdated picture be looked at, as if the last one were longer ago.
func (s *Service) ForgetUses() { s.redraws.ForgetAll() }

// RemakeLost does what the daily check of all files does when it finds one lost.
func (s *Service) RemakeLost(ctx context.Context, imageID string, n blob.Name) error {
	return s.remakeLost(ctx, imageID, n)
}
