package images

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"masthead/pkg/blob"
)

// keepTime is how long a file is kept that nobody names: one that is about to be named, and one that another took the
// place of, whose address stands in pages for a while. Source: the service's decisions, "Cache".
const keepTime = time.Hour

// keepFiles writes the files, each claimed before, so that a sweep finds it should the job end here.
func (s *Service) keepFiles(ctx context.Context, j *job) error {
	j.files = nil
	for _, d := range j.drawn {
		j.files = append(j.files, File{
			Name: d.name, Digest: fileDigest(j.request.ProjectID, d.Bytes), ContentType: d.ContentType,
			Width: d.Width, Height: d.Height, SizeBytes: int64(len(d.Bytes)),
		})
	}
	if err := s.claim(ctx, j.files); err != nil {
		return err
	}
	// Each file waits for the disk to have it; they may do so together.
	writing, ctx := errgroup.WithContext(ctx)
	for i, f := range j.files {
		writing.Go(func() error { return s.blobs.Put(ctx, f.blobName(), j.drawn[i].Bytes) })
	}
	return writing.Wait()
}

// claim notes the files and the lives of their rows. It waits while a sweep is deleting one of them.
func (s *Service) claim(ctx context.Context, files []File) error {
	names := make([]blob.Name, len(files))
	for i, f := range files {
		names[i] = f.blobName()
	}
	for {
		now := s.now()
		lives, err := s.store.claim(ctx, names, millis(now), millis(now.Add(keepTime)))
		if err != nil {
			return err
		}
		if len(lives) == len(names) {
			for i := range files {
				files[i].life = lives[files[i].blobName()]
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}
