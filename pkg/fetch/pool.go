package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fair"
)

// Bounds of the pool. Source: security requirements, "Staying up": 64 places, a queue of 256. Half of each is the most
// that one owner has; who gets no place in placeTime is told to come again.
const (
	maxPlaces     = 64
	maxPlaceQueue = 256
	placeTime     = 2 * time.Second
)

// pool is the slots for exchanges under way, with whatever host. Waiting for a host's turn takes none.
type pool struct{ *fair.Pool }

func newPool(places, queueLength int) *pool {
	return &pool{fair.NewPool(fair.Limits{
		Slots: places, OwnerSlots: max(places/2, 1), Queue: queueLength, OwnerQueue: (queueLength + 1) / 2, Wait: placeTime,
	})}
}

// enter takes a slot for owner, waiting up to placeTime for it. leave gives it back. Without a slot the error is
// UNAVAILABLE.
func (p *pool) enter(ctx context.Context, owner string) (leave func(), err error) {
	leave, err = p.Enter(ctx, owner)
	switch {
	case err == nil:
		return leave, nil
	case !errors.Is(err, fair.ErrFull) && errors.Is(context.Cause(ctx), context.Canceled):
		return nil, fmt.Errorf("wait for a place: %w", context.Canceled)
	}
	return nil, errNoPlace()
}

// errNoPlace is for a request that got no place in time.
func errNoPlace() error {
	return &apperr.Error{
		Code: apperr.Unavailable, Detail: "Too many pages are being fetched; try again in a moment.", RetryAfter: placeTime,
	}
}
