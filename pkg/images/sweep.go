package images

import (
	"context"
	"log/slog"
	"time"

	"masthead/pkg/blob"
)

// Times of the sweep. Source: the service's decisions, "Cache".
const (
	orphanAge  = time.Hour
	sweepEvery = 10 * time.Minute
)

// Run sweeps now and every ten minutes, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "sweep of the pictures failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery):
		}
	}
}

// Sweep removes the files that are older than an hour and that no record names: those of a drawing that was cut off before its
// record, and those that a forced drawing replaced, whose address is still in pages for a while.
func (s *Service) Sweep(ctx context.Context) error {
	return s.blobs.Walk(ctx, s.now().Add(-orphanAge), func(name blob.Name) error { return s.dropFile(ctx, name) })
}

// dropFile removes a file that no record names.
func (s *Service) dropFile(ctx context.Context, name blob.Name) error {
	return s.store.ifUnnamed(ctx, name.Digest, func() error { return s.blobs.Delete(ctx, name) })
}

// dropProject is dropFiles for the images of a project.
func (s *Service) dropProject(ctx context.Context, projectID string) (deleted func()) {
	return s.dropFiles(ctx, `project_id`, projectID)
}

// DropOwner is for an account that is about to be deleted: what it returns removes the files of its images afterwards.
func (s *Service) DropOwner(ctx context.Context, ownerID string) (deleted func()) {
	return s.dropFiles(ctx, `owner_id`, ownerID)
}

// dropFiles notes the files of images whose column has the value, and which are about to be deleted; what it returns removes them
// afterwards. A file that stays behind is found by the sweep.
func (s *Service) dropFiles(ctx context.Context, column, value string) (deleted func()) {
	names, err := s.store.filesOf(ctx, column, value)
	if err != nil {
		slog.WarnContext(ctx, "files of deleted images are left to the sweep", "err", err)
	}
	return func() {
		ctx := context.WithoutCancel(ctx)
		for _, name := range names {
			if err := s.dropFile(ctx, name); err != nil {
				slog.WarnContext(ctx, "files of deleted images are left to the sweep", "err", err)
				return
			}
		}
	}
}
