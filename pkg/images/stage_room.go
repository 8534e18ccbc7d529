package images

import "context"

// hasRoom refuses the job while the store takes no more files: then its page need not even be fetched.
func (s *Service) hasRoom(ctx context.Context, _ *job) error { return s.blobs.Room(ctx) }
