package images

import (
	"context"
	"log/slog"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/images/task"
)

// photoPatience is how long GET /og waits for the page's own picture once the page was read. A card that had to do
// without it is served for minutes, and drawn again with it.
const photoPatience = 1500 * time.Millisecond

// lacksPhoto says whether a job has made a card without the page's own picture, since nobody waited for that.
func lacksPhoto(j *job) bool { return j.composed.Lacks == card.LacksPhoto && !j.late }

// photoLater draws the card of a job again, with the page's own picture, in the place of the one that was kept. It does
// not wait for that.
func (s *Service) photoLater(ctx context.Context, j *job) error {
	late := &job{
		caller: j.caller, request: j.request, key: j.key, began: s.now(), public: j.public, variant: j.variant, late: true,
	}
	late.request.Force = true
	if work, err := s.tasks.Begin(ctx); err == nil { // else the service is closing: a later request draws it
		go s.drawLate(work, late)
	}
	return nil
}

// drawLate makes a job's card, for nobody who waits.
func (s *Service) drawLate(work *task.Task, j *job) {
	defer work.End()
	steps := s.making()
	bounded, cancel := context.WithTimeout(work.Ctx, steps.bound())
	defer cancel()
	if _, err := s.share(bounded, j, nil, steps); err != nil && work.Ctx.Err() == nil {
		slog.WarnContext(bounded, "no card with the page's own picture, late", "err", err)
	}
}
