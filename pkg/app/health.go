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
	// ready reports whether the parts that the service cannot do without answer, and have room for more.
	ready   func(context.Context) error
	leaving atomic.Bool
}

// GetHealth says that the process is alive.
func (h *health) GetHealth(context.Context, gen.GetHealthRequestObject) (gen.GetHealthResponseObject, error) {
	return gen.GetHealth200JSONResponse{Status: gen.HealthStatusOk}, nil
}

// GetReadiness says whether requests can be answered; not while the process is shutting down, the database does not
// answer, or the disk is so full that no new picture is drawn. What is kept is served then all the same.
func (h *health) GetReadiness(
	ctx context.Context, _ gen.GetReadinessRequestObject,
) (gen.GetReadinessResponseObject, error) {
	if h.leaving.Load() {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is shutting down.", RetryAfter: finishWithin}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	err := h.ready(ctx)
	if errors.Is(err, blob.ErrNoRoom) {
		return nil, err
	}
	if err != nil {
		unavailable := apperr.Wrap(apperr.Unavailable, "Something that this node depends on does not answer.", err)
		unavailable.RetryAfter = 5 * time.Second
		return nil, unavailable
	}
	return gen.GetReadiness200JSONResponse{Status: gen.HealthStatusOk}, nil
}
