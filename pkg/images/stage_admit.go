package images

import "context"

// admit refuses the job while the queue takes no more: then its page need not even be fetched.
func (s *Service) admit(_ context.Context, j *job) error { return s.workers.admit(j.caller.UserID) }

// queue waits for the job's turn among those that have their page, which lasts until the job ends.
func (s *Service) queue(ctx context.Context, j *job) (err error) {
	j.leave, err = s.workers.join(ctx, j.caller.UserID, j.work.uncut())
	return err
}
