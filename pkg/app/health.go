package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/blob"
)

// health answers supervisors and load balancers.
type health struct {
	// alive reports whether the database answers, and room whether the disk takes new pictures.
	alive, room func(context.Context) error
	// pools report whether enough workers are left of each kind.
	pools []func() error
	// limits reports whether requests are counted together with other nodes.
	limits  func() bool
	leaving atomic.Bool
}

// GetHealth says that the process is alive.
func (h *health) GetHealth(context.Context, gen.GetHealthRequestObject) (gen.GetHealthResponseObject, error) {
	return gen.GetHealth200JSONResponse{Status: gen.HealthStatusOk}, nil
}

// leavingRetry is when a request to a node that shuts down is worth sending again: when another has taken its place.
const leavingRetry = 25 * time.Second

// GetReadiness says whether requests can be answered; not while the process is shutting down, the database does not
// answer, or too many workers are lost. What is kept is served in the last two cases all the same. A node whose disk is
// full stays ready, and says that it takes no new pictures: nodes share their files, so another one could do no better.
func (h *health) GetReadiness(
	ctx context.Context, _ gen.GetReadinessRequestObject,
) (gen.GetReadinessResponseObject, error) {
	if h.leaving.Load() {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is shutting down.", RetryAfter: leavingRetry}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for _, usable := range h.pools {
		if err := usable(); err != nil {
			return nil, err
		}
	}
	err := h.alive(ctx)
	write := true
	if err == nil {
		if err = h.room(ctx); errors.Is(err, blob.ErrNoRoom) {
			write, err = false, nil
		}
	}
	if err != nil {
		unavailable := apperr.Wrap(apperr.Unavailable, "Something that this node depends on does not answer.", err)
		unavailable.RetryAfter = 5 * time.Second
		return nil, unavailable
	}
	limits := gen.ReadinessLimitsNode
	if h.limits() {
		limits = gen.ReadinessLimitsShared
	}
	return gen.GetReadiness200JSONResponse{Status: gen.ReadinessStatusOk, Write: write, Limits: limits}, nil
}
