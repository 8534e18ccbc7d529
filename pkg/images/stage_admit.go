package images

import (
	"context"
	"time"
)

// maxPatience is how long a patient job waits for a free worker before it takes its turn like others.
const maxPatience = 5 * time.Second

// hasRoom refuses the job while the store takes no more files: then its page need not even be fetched.
func (s *Service) hasRoom(ctx context.Context, _ *job) error { return s.blobs.Room(ctx) }

// admit refuses the job while the queue takes no more: then its page need not even be fetched.
func (s *Service) admit(_ context.Context, j *job) error { return s.workers.Admit(j.caller.UserID) }

// queue waits for the job's turn among those that have their page, which lasts until the job ends.
func (s *Service) queue(ctx context.Context, j *job) (err error) {
	if j.request.Patient {
		waited, cancel := context.WithTimeout(ctx, maxPatience)
		_ = s.idle(waited) // that time is over is as good as a free worker
		cancel()
	}
	j.leave, err = s.workers.Join(ctx, j.caller.UserID, j.work.Shielded())
	return err
}
