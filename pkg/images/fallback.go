package images

import (
	"context"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/images/store"
)

// providerRest is how long a card without its AI picture is kept after the provider failed. Source: the service's
// decisions, "Cache".
const providerRest = 5 * time.Minute

// fallBack has the card drawn on the template's own ground, and gives back what was reserved for a picture. The job may
// be cut then as any other.
func (j *job) fallBack(ctx context.Context, reason string) {
	j.ai.FellBack, j.ai.FallbackReason = true, reason
	j.composed.Background, j.background = nil, nil
	j.giveBack(ctx)
	j.commit, j.release = nil, nil
	j.work.Unshield()
}

// lacksRest is how long pictures are kept that lack something: see [card.LacksSVG]. Source: the requirements of icon
// sets; it is that of other pictures which will be better soon.
const lacksRest = 5 * time.Minute

// stands says whether an image is still what the same request gives: any is but one that lacks something, for a while,
// and a card without its AI picture; that one is for as long as its reason is, and for those who get no other (see
// mayAsk).
func (s *Service) stands(ctx context.Context, j *job, kept store.Image) (bool, error) {
	if kept.ShowsEarlier() && j.public == nil {
		return false, nil
	}
	if kept.Lacks != "" && s.now().Sub(kept.UpdatedAt.Time).Abs() >= lacksRest {
		return false, nil
	}
	was := kept.AI.V
	if was == nil || !was.FellBack {
		return true, nil
	}
	switch was.FallbackReason {
	case store.ReasonProvider:
		return s.now().Sub(kept.UpdatedAt.Time).Abs() < providerRest, nil
	case store.ReasonOff:
		return !s.backgrounds.draws(was.Model) || j.public != nil && !j.public.project.PublicAI, nil
	case store.ReasonPlan:
		plan, err := s.plans.PlanOf(ctx, kept.OwnerID)
		return !plan.Allows(was.Model), err
	case store.ReasonQuota:
		left, err := s.left(ctx, j, was.Model == string(ai.Pro))
		return !left, err
	}
	return true, nil // the provider will refuse the prompt again, and the design takes no picture
}

// unkept is the answer of a job that fell back while an image with its AI picture is kept, which it must not replace:
// that image as it stays, with the card that was drawn instead. Its file can be had for as long as one that nobody
// names.
func (s *Service) unkept(j *job, fresh, kept store.Image) Record {
	fresh.ID, fresh.PublicID, fresh.CreatedAt = kept.ID, kept.PublicID, kept.CreatedAt
	answer, stays := s.record(fresh), s.record(kept)
	answer.PublicURL, answer.MetaTags = stays.PublicURL, stays.MetaTags
	answer.Generation = s.now().Sub(j.began)
	return answer
}
