package images

import "context"

// admit refuses the job while the queue for drawing is full: then its page need not even be fetched.
func (s *Service) admit(_ context.Context, _ *job) error {
	if s.workers.full() {
		return errQueueFull
	}
	return nil
}
