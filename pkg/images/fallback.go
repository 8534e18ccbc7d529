package images

import (
	"context"
	"time"

	"masthead/pkg/ai"
)

// Why a card was drawn without the AI picture that was asked for. They are part of the API.
const (
	reasonQuota    = "quota"    // the month has no unit left
	reasonProvider = "provider" // it failed, took too long, or gave what no card can be made of
	reasonPolicy   = "policy"   // it refused the prompt
	reasonPlan     = "plan"     // the plan has no such model
	reasonOff      = "off"      // no such model is configured
	reasonTemplate = "template" // the design takes no AI picture
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

// lasts says whether an image stands whatever the time: see stands.
func (r imageRow) lasts() bool {
	ai := r.AI.V
	return r.Lacks == "" && (ai == nil || !ai.FellBack || ai.FallbackReason == reasonTemplate)
}

// willBeBetter says whether the same request may get a better picture soon.
func (r imageRow) willBeBetter() bool {
	return r.Lacks != "" || r.isOutdated() || r.AI.V != nil && r.AI.V.willBeBetter()
}

// stands says whether an image is still what the same request gives: any is but one that lacks something, for a while,
// and a card without its AI picture; that one is for as long as its reason is, and for those who get no other (see
// mayAsk).
func (s *Service) stands(ctx context.Context, j *job, kept imageRow) (bool, error) {
	if kept.showsEarlier() && j.public == nil {
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
	case reasonProvider:
		return s.now().Sub(kept.UpdatedAt.Time).Abs() < providerRest, nil
	case reasonOff:
		return !s.backgrounds.draws(was.Model) || j.public != nil && !j.public.project.PublicAI, nil
	case reasonPlan:
		plan, err := s.plans.PlanOf(ctx, kept.OwnerID)
		return !plan.Allows(was.Model), err
	case reasonQuota:
		left, err := s.left(ctx, j, was.Model == string(ai.Pro))
		return !left, err
	}
	return true, nil // the provider will refuse the prompt again, and the design takes no picture
}

// isAI says whether an image has an AI picture behind its text.
func (r imageRow) isAI() bool { return r.AI.V != nil && !r.AI.V.FellBack }

// unkept is the answer of a job that fell back while an image with its AI picture is kept, which it must not replace:
// that image as it stays, with the card that was drawn instead. Its file can be had for as long as one that nobody
// names.
func (s *Service) unkept(j *job, fresh, kept imageRow) Record {
	fresh.ID, fresh.PublicID, fresh.CreatedAt = kept.ID, kept.PublicID, kept.CreatedAt
	answer, stays := s.record(fresh), s.record(kept)
	answer.PublicURL, answer.MetaTags = stays.PublicURL, stays.MetaTags
	answer.Generation = s.now().Sub(j.began)
	return answer
}
