package images

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
	"masthead/pkg/images/task"
	"masthead/pkg/lease"
	"masthead/pkg/tracing"
)

// job is the making of one image: who asks for what, and what the stages have found so far. One goroutine has it at a
// time.
type job struct {
	caller  identity.Caller
	request Request // in its one spelling from the stage normalise on
	key     string  // what the image is kept under; likewise
	began   time.Time
	waited  bool // for another node, which drew the same
	// held is the lease of the job while no other node may make the same; nil on the only node.
	held *lease.Lease
	// overtaken says that another node got the lease meanwhile.
	overtaken bool
	// public is set for a picture that GET /og makes of its own accord.
	public *publicJob
	// variant is set for one that GET /og has made, and that is made again.
	variant bool
	// late is set for one that draws a card of GET /og again, with the page's own picture: see photoLater.
	late bool
	// outdated is the image that a redraw replaces; nil for all other jobs.
	outdated *store.Image
	// none says that there was no image under the key when the service had kept as many as keepings.
	none     bool
	keepings uint64
	// seen is when the image that the job found, and may replace, was kept; zero when there was none. found is that image
	// when it is whole.
	seen  db.Millis
	found store.Image

	composed card.Composition // what is drawn, from the stage read on
	ai       *store.AIResult
	// background is the file of the AI picture, kept so that other images can have it.
	background []byte
	// storage is how many bytes the owner's plan has room for; 0 for a job without an AI picture.
	storage int64
	drawn   card.Result  // from the stage draw on
	files   []store.File // the same as it is kept, from the stage store on
	hold    files.Hold

	// A stage that reserves something says here how that ends: commit is done in the transaction that keeps the image,
	// release when no new image comes of the job. Only stages of a shared making may reserve (see Service.complete): what
	// is before it is done for each caller.
	commit  []func(ctx context.Context, tx *db.Tx) error
	release []func(ctx context.Context)

	leave  func() // ends its place in the queue, if it has one
	record Record
	saved  bool       // record is one that this job has made
	done   bool       // record is the answer; the stages that are left are not for this job
	work   *task.Task // nil before the job is shared
}

// stage is one step of the making of an image.
type stage struct {
	name string
	run  func(ctx context.Context, j *job) error
	// only, unless it is nil, says which jobs the stage is for; others go on with the next.
	only func(j *job) bool
	// bound is the most time that it may take, its waiting included; 0 for one that waits for nothing.
	bound time.Duration
	// skip makes the stage one that is never cut, since what it does is paid for: while it runs, and until what it gave is
	// kept, the service is not closed (see [Service.Drain]). While the service drains none begins; skip is called in its
	// place.
	skip func(j *job)
}

// stages are run one after the other.
type stages []stage

// bound is the most time that all stages together may take.
func (list stages) bound() (sum time.Duration) {
	for _, st := range list {
		sum += st.bound
	}
	return sum
}

// complete is run for the stages up to the one that keeps the image: what they reserved is released when no new image
// comes of them.
func (s *Service) complete(ctx context.Context, list stages, j *job) error {
	defer func() {
		if j.leave != nil {
			j.leave()
		}
		if !j.saved {
			j.giveBack(ctx)
		}
	}()
	return s.run(ctx, list, j)
}

// run takes j through the stages, until one fails or has the answer.
func (s *Service) run(ctx context.Context, list stages, j *job) error {
	for _, st := range list {
		if err := s.step(ctx, st, j); err != nil || j.done {
			return err
		}
	}
	return nil
}

// giveBack releases what stages have reserved; its time is bounded apart, since that of the job may be over.
func (j *job) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
	defer cancel()
	for _, release := range j.release {
		release(ctx)
	}
}

// step takes j through one stage.
func (s *Service) step(ctx context.Context, st stage, j *job) error {
	if st.only != nil && !st.only(j) {
		return nil
	}
	if st.skip != nil && !j.work.Shield() {
		st.skip(j)
		return nil
	}
	began := time.Now()
	ctx, span := tracing.Start(ctx, "image "+st.name)
	err := st.within(ctx, j)
	span.End(err)
	s.metrics.staged(st.name, began, j.done, err)
	return err
}

// within runs the stage for at most the time of its bound.
func (st stage) within(ctx context.Context, j *job) error {
	if st.bound == 0 {
		return st.run(ctx, j)
	}
	bounded, cancel := context.WithTimeout(ctx, st.bound)
	defer cancel()
	err := st.run(bounded, j)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("the stage %q took more than %v: %w", st.name, st.bound, err)
	}
	return err
}
