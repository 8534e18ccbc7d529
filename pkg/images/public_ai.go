package images

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/auditlog"
	"masthead/pkg/card"
	"masthead/pkg/images/store"
	"masthead/pkg/usage"
)

// This file holds what strangers who ask for AI pictures of a project may spend: see docs/security.md, Limits
// and quotas.

const (
	// publicPatience is how long GET /og waits for an AI picture. One that comes later is stored all the same.
	publicPatience = 8 * time.Second
	// maxAIMisses is how many AI pictures an address may ask for in a day, and maxRejections how many prompts of a project
	// the provider may reject before strangers get none any more.
	maxAIMisses   = 3
	maxRejections = 3
)

// mayAskPublic says why the provider is not to be asked for a stranger; "" when it may be.
func (s *Service) mayAskPublic(ctx context.Context, j *job) (reason string, err error) {
	if !j.public.project.PublicAI {
		return store.ReasonOff, nil
	}
	told, err := s.strangers.aiMisses.Take(ctx, j.public.address, maxAIMisses)
	if err != nil || told.Reached {
		return store.ReasonQuota, err
	}
	return "", nil
}

// reserve takes a unit for a job, which is of the share of strangers for one that they have asked for.
func (s *Service) reserve(ctx context.Context, j *job) (*usage.Reservation, error) {
	take := s.usage.Reserve
	if j.public != nil {
		take = s.usage.ReservePublic
	}
	return take(ctx, j.caller.UserID, j.unitName(), j.request.AI.Model == string(ai.Pro))
}

// left says whether a job may get a unit just now.
func (s *Service) left(ctx context.Context, j *job, pro bool) (bool, error) {
	if j.public == nil {
		return s.usage.Left(ctx, j.caller.UserID, pro)
	}
	if reached, err := s.strangers.aiMisses.Reached(ctx, j.public.address, maxAIMisses); err != nil || reached {
		return false, err
	}
	return s.usage.LeftPublic(ctx, j.caller.UserID, pro)
}

// pictureSoon gets the AI picture for a stranger, who does not wait for it longer than the setting says. One that comes
// after that is drawn and kept in the place of the card that they got, and its unit with it.
func (s *Service) pictureSoon(ctx context.Context, j *job) (image.Image, error) {
	work, err := s.tasks.Begin(ctx)
	if err != nil {
		return nil, err
	}
	work.Shield()
	type result struct {
		img image.Image
		err error
	}
	came, left := make(chan result), make(chan struct{})
	late := *j
	late.work = work
	asked := *j.ai
	late.ai = &asked // the other one is what the card says that is drawn without the picture
	go func() {
		defer work.End()
		var r result
		r.err = safely(func() (err error) {
			r.img, err = s.picture(work.Ctx, &late)
			return err
		})
		select {
		case came <- r:
		case <-left:
			s.keepLate(work.Ctx, &late, r.img, r.err)
		}
	}()
	timer := time.NewTimer(s.cfg.publicAITime())
	defer timer.Stop()
	select {
	case r := <-came:
		return r.img, r.err
	case <-timer.C:
		err = errLate
	case <-ctx.Done():
		err = ctx.Err()
	}
	late.commit, late.release = j.commit, j.release
	j.commit, j.release = nil, nil
	close(left)
	return nil, err
}

// errLate says that an AI picture did not come soon enough for who asked for it.
var errLate = errors.New("the AI picture takes longer than a crawler waits")

// keepLate draws and keeps the image of a picture for which nobody waits any more.
func (s *Service) keepLate(ctx context.Context, j *job, img image.Image, err error) {
	if err == nil {
		j.composed.Background, j.request.Force = img, true
		err = safely(func() error {
			return s.complete(ctx, stages{
				{name: "queue", run: s.queue, bound: queueBound},
				{name: "hung", run: s.refuseHung, bound: databaseTime},
				{name: "draw", run: s.draw, bound: card.DrawBound},
				{name: "store", run: s.keepFiles, bound: storeTime},
				{name: "record", run: s.keepRecord, bound: storeTime},
			}, j)
		})
	} else {
		j.giveBack(ctx)
	}
	if errors.Is(err, ai.ErrPolicy) {
		s.rejected(ctx, j)
	}
	if err != nil {
		slog.WarnContext(ctx, "no AI picture, late", "model", j.ai.Model, "err", err)
	}
}

// rejected is called when the provider has rejected a prompt of a stranger. The third of a day ends AI pictures for
// strangers; the owner finds it in the project and in the audit log.
func (s *Service) rejected(ctx context.Context, j *job) {
	if j.public == nil {
		return
	}
	p := j.public.project
	n, err := s.strangers.rejections.Take(ctx, p.ID, maxRejections)
	if err != nil || n.Remaining > 0 {
		return
	}
	stopped, err := s.projects.StopPublicAI(ctx, p)
	if err != nil {
		slog.ErrorContext(ctx, "AI pictures for strangers not ended", "project", p.ID, "err", err)
		return
	}
	if stopped {
		slog.WarnContext(ctx, "prompts of strangers were rejected: publicAi is off now", "project", p.ID)
		s.auditlog.Record(ctx, auditlog.PublicAIStopped, p.OwnerID, p.ID)
	}
}
