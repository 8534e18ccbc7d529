package images

import (
	"context"
	"log/slog"
	"time"

	"masthead/pkg/lease"
	"masthead/pkg/worker"
)

const (
	// pollEvery is how often a job that waits for another node looks whether that is done.
	pollEvery = 50 * time.Millisecond
	// clockMargin is how far apart the clocks of nodes may be.
	clockMargin = 12 * time.Second
	// leaseTime is how long the leases of a killed node last: well below the time that requests wait, so that others go on
	// in its place.
	leaseTime = clockMargin + 6*time.Second
)

// share makes one image for all callers that want the same: on this node they join the job that is under way, and
// across nodes one job holds the lease of the key. j ends when its caller leaves; the making goes on. The stages of
// gate are before anything that is waited for: what joins a job that is under way passes none.
func (s *Service) share(ctx context.Context, j *job, gate, steps stages) (Record, error) {
	if len(j.commit)+len(j.release) > 0 {
		panic("images: a stage reserved something for one caller of a job that many share")
	}
	name := j.sharedName()
	first := *j
	shared := s.tasks.Flight.DoChan(name, func() (any, error) {
		worker.GrowStack()
		work, err := s.tasks.Begin(ctx)
		if err != nil {
			return nil, err
		}
		defer work.End()
		first.work = work
		if err := s.run(work.Ctx, gate, &first); err != nil {
			return nil, err
		}
		err = safely(func() error { return s.acrossNodes(work.Ctx, &first, steps) })
		s.failed(work.Ctx, &first, err)
		return first.record, err
	})
	select {
	case <-ctx.Done():
		return Record{}, ctx.Err()
	case result := <-shared:
		if result.Err != nil {
			return Record{}, result.Err
		}
		record, _ := result.Val.(Record)
		return existing(record, record.Cached && j.request.CreateOnly)
	}
}

// sharedName is what jobs that may share one making have in common: who wants the image drawn anew has no use for what
// another, who would take any, has begun; and GET /og takes not all that POST takes.
func (j *job) sharedName() string {
	switch {
	case j.outdated != nil:
		return j.key + " redraw"
	case j.request.Force:
		return j.key + " force"
	case j.public != nil:
		return j.key + " public"
	}
	return j.key
}

// acrossNodes makes the image when no other node is making the same; else it waits until that one is done, and looks
// again.
func (s *Service) acrossNodes(ctx context.Context, j *job, steps stages) error {
	if s.leases == nil {
		return s.complete(ctx, steps, j)
	}
	wait, cancel := context.WithTimeout(ctx, steps.bound())
	defer cancel()
	for ; ; j.waited = true {
		held, err := s.leases.Acquire(wait, "image "+j.sharedName())
		if err != nil {
			return err
		}
		if held != nil {
			defer s.release(ctx, held)
			j.held = held
			return s.complete(ctx, steps, j)
		}
		if !j.waited {
			// Whether the image was drawn meanwhile shows by a change of its record, not by clocks of two nodes.
			kept, _, err := s.store.ByKey(wait, j.key)
			if err != nil {
				return err
			}
			j.seen = kept.UpdatedAt
		}
		select {
		case <-wait.Done():
			return wait.Err()
		case <-time.After(pollEvery):
		}
	}
}

// release ends a lease; one that cannot be released ends by its time. It has a bound of its own, since that of the work
// may be over, and since the end of the program waits for it.
func (s *Service) release(ctx context.Context, held *lease.Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
	defer cancel()
	if err := held.Release(ctx); err != nil {
		slog.WarnContext(ctx, "lease not released", "err", err)
	}
}
