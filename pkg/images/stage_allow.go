package images

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
)

// allow says whether the owner's plan has the model that is asked for. An image of it may be kept, from a time when it
// had: the plan is what decides, then as now.
func (s *Service) allow(ctx context.Context, j *job) error {
	asked := j.request.AI
	if asked == nil || asked.From != "" {
		return nil
	}
	plan, err := s.plans.PlanOf(ctx, j.caller.UserID)
	if err != nil || plan.Allows(asked.Model) {
		return err
	}
	fault := apperr.New(apperr.TierLocked, "ai.model "+asked.Model+" is not in the plan "+humanize.Capital(plan.Name)+
		" of the key's owner. Ask for another model, or change the plan.")
	fault.Fields = []apperr.Field{{Pointer: "/ai/model", Detail: fault.Detail}}
	return fault
}
