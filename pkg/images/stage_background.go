package images

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/base62"
	"masthead/pkg/images/store"
	"masthead/pkg/picture"
	"masthead/pkg/usage"
)

// Bounds of an AI picture. One try takes up to 25 s, and a request is answered within 50 s:
// the try begins within the first 20 of them, so that the card is drawn in time.
const (
	aiTry  = 25 * time.Second
	aiTurn = 20 * time.Second
	// reserveTime is longer than other work on the database may take: all pictures of an account wait for one row.
	reserveTime = 10 * time.Second
	// backgroundTime has the releasing of a unit and the decoding in it too.
	backgroundTime = reserveTime + aiTurn + aiTry + databaseTime + 5*time.Second
)

// minAISide is the least side of an AI picture in pixels, and maxAIRatio the most that one side may have of the other.
// What is beyond is a failure of the provider.
const (
	minAISide  = 256
	maxAIRatio = 4
)

// asksForAI says whether the job is one for the stage background.
func asksForAI(j *job) bool { return j.request.AI != nil }

// background gets the AI picture that stands behind the text. Whatever it is that there is none for, the card is drawn
// on the template's own ground; only a fault of the database, without which nothing can be kept, is an error.
func (s *Service) background(ctx context.Context, j *job) error {
	if j.outdated != nil {
		return s.sameBackground(ctx, j)
	}
	if j.request.AI.From != "" {
		return s.reuse(ctx, j)
	}
	asked := j.request.AI
	j.ai = &store.AIResult{Model: asked.Model, OwnPrompt: asked.Prompt, Override: asked.Override}
	reason, err := s.mayAsk(ctx, j)
	if err != nil {
		return err
	}
	if reason != "" {
		j.fallBack(ctx, reason)
		return nil
	}
	j.ai.Prompt = j.composed.Prompt()
	ask := s.picture
	if j.public != nil {
		ask = s.pictureSoon
	}
	j.composed.Background, err = ask(ctx, j)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		slog.WarnContext(ctx, "no AI picture", "model", j.ai.Model, "err", err)
		reason = store.ReasonProvider
		if errors.Is(err, ai.ErrPolicy) {
			reason = store.ReasonPolicy
			s.rejected(ctx, j)
		}
		j.fallBack(ctx, reason)
	}
	return nil
}

// skipBackground is in the place of background while the service drains.
func skipBackground(j *job) {
	if j.outdated != nil {
		was := *j.outdated.AI.V
		was.FellBack = true // which an image with an AI picture is not replaced by
		j.ai = &was
		return
	}
	asked := j.request.AI
	j.ai = &store.AIResult{
		Model: asked.Model, OwnPrompt: asked.Prompt, Override: asked.Override, From: asked.From,
		FellBack: true, FallbackReason: store.ReasonProvider,
	}
	if !j.request.TakesAI() {
		j.ai.FallbackReason = store.ReasonTemplate
	}
}

// mayAsk says why the provider is not to be asked, else it reserves a unit for the job.
func (s *Service) mayAsk(ctx context.Context, j *job) (reason string, err error) {
	model := j.request.AI.Model
	if !j.request.TakesAI() {
		return store.ReasonTemplate, nil
	}
	if !s.backgrounds.draws(model) {
		return store.ReasonOff, nil
	}
	plan, err := s.plans.PlanOf(ctx, j.caller.UserID)
	if err != nil {
		return "", err
	}
	if !plan.Allows(model) {
		return store.ReasonPlan, nil
	}
	if j.public != nil {
		if reason, err := s.mayAskPublic(ctx, j); reason != "" || err != nil {
			return reason, err
		}
	}
	bounded, cancel := context.WithTimeout(ctx, reserveTime)
	defer cancel()
	unit, err := s.reserve(bounded, j)
	if errors.Is(err, usage.ErrQuota) {
		return store.ReasonQuota, nil
	}
	if err != nil {
		return "", err
	}
	unit.Source = usage.Source{ProjectID: j.request.ProjectID, KeyID: j.caller.KeyID, Kind: string(j.request.Kind)}
	j.commit = append(j.commit, unit.Commit)
	j.release = append(j.release, func(ctx context.Context) {
		if err := unit.Release(ctx); err != nil {
			slog.WarnContext(ctx, "unit not released; it ends by its time", "err", err)
		}
	})
	return "", nil
}

// jobLength is how many base62 characters name a job in the ledger of units.
const jobLength = 22

// unitName names the job in the ledger: a request that is sent again with its Idempotency-Key is the same job, and
// costs one unit.
func (j *job) unitName() string {
	if j.caller.ResourceID != "" {
		return "image " + j.caller.ResourceID
	}
	return "image " + base62.Random(jobLength)
}

// backgrounds gets AI pictures and decodes them.
type backgrounds struct {
	provider *ai.Client // nil when it is off
	decoder  *picture.Decoder
}

// draws says whether there is a provider with such a model.
func (b backgrounds) draws(model string) bool { return b.provider.Draws(ai.Model(model)) }

// picture asks the provider and decodes what it gives.
func (b backgrounds) picture(ctx context.Context, asked *store.AIResult, patience ai.Patience) (image.Image, error) {
	file, err := b.provider.Picture(ctx, asked.Prompt, ai.Model(asked.Model), patience)
	if err != nil {
		return nil, err
	}
	img, _, err := b.decoder.Decode(ctx, file, picture.Want{MaxBytes: ai.MaxPictureBytes})
	if err != nil {
		return nil, fmt.Errorf("read the AI picture: %w", err)
	}
	if err := fillsACard(img.Bounds().Dx(), img.Bounds().Dy()); err != nil {
		return nil, err
	}
	return img, nil
}

// picture gets the AI picture of a job.
func (s *Service) picture(ctx context.Context, j *job) (image.Image, error) {
	return s.backgrounds.picture(ctx, j.ai, ai.Patience{
		Wait: max(0, aiTurn-s.now().Sub(j.began)), Try: aiTry, Owner: j.caller.UserID,
	})
}

// fillsACard returns an error for an AI picture of w by h pixels that is too small or too narrow to fill a card: no
// provider was asked for such a picture.
func fillsACard(w, h int) error {
	if short, long := min(w, h), max(w, h); short < minAISide || long > maxAIRatio*short {
		return fmt.Errorf("the AI picture has %d x %d pixels: its sides are below %d, or beyond %d:1", w, h, minAISide,
			maxAIRatio)
	}
	return nil
}
