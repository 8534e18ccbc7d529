package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fair"
)

// Limits of the pool: 64 slots and a queue of 256. One owner gets at most half of each. A request without a slot after
// placeTime fails and should be retried later.
const (
	maxPlaces     = 64
	maxPlaceQueue = 256
	placeTime     = 2 * time.Second
)

// pool has the slots for running exchanges with any host. Waiting for a host's turn takes none.
type pool struct{ *fair.Pool }

func newPool(places, queueLength int) *pool {
	return &pool{fair.NewPool(fair.Limits{
		Slots: places, OwnerSlots: max(places/2, 1), Queue: queueLength, OwnerQueue: (queueLength + 1) / 2, Wait: placeTime,
	})}
}

// enter takes a slot for owner, waiting up to placeTime for it. leave releases it. Without a slot the error is
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

// errNoPlace is for a request without a slot in time.
func errNoPlace() error {
	return &apperr.Error{
		Code: apperr.Unavailable, RetryAfter: placeTime,
		Detail: "The server is busy fetching other pages. Try again in a moment.",
	}
}
