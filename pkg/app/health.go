package app

import (
	"context"
	"sync/atomic"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
)

// health answers supervisors and load balancers.
type health struct {
	// ready reports whether the parts that the service cannot do without answer.
	ready   func(context.Context) error
	leaving atomic.Bool
}

// GetHealth says that the process is alive.
func (h *health) GetHealth(context.Context, gen.GetHealthRequestObject) (gen.GetHealthResponseObject, error) {
	return gen.GetHealth200JSONResponse{Status: gen.HealthStatusOk}, nil
}

// GetReadiness says whether requests can be answered; not while the process is shutting down or the database does not
// answer.
func (h *health) GetReadiness(
	ctx context.Context, _ gen.GetReadinessRequestObject,
) (gen.GetReadinessResponseObject, error) {
	if h.leaving.Load() {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is shutting down.", RetryAfter: finishWithin}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := h.ready(ctx); err != nil {
		unavailable := apperr.Wrap(apperr.Unavailable, "Something that this node depends on does not answer.", err)
		unavailable.RetryAfter = 5 * time.Second
		return nil, unavailable
	}
	return gen.GetReadiness200JSONResponse{Status: gen.HealthStatusOk}, nil
}
