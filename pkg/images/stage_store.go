package images

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"masthead/pkg/blob"
	"masthead/pkg/card"
)

// keepTime is how long a file is kept that nobody names: one that is about to be named, and one that another took the
// place of, whose address stands in pages for a while. Source: the service's decisions, "Cache".
const keepTime = time.Hour

// keepFiles writes the files. Those of an image that is drawn again, which may be there, are claimed before, and so is
// whatever could not be named without.
func (s *Service) keepFiles(ctx context.Context, j *job) error {
	before := j.files
	j.files = nil
	for _, d := range j.drawn.Files {
		j.files = append(j.files, File{
			Name: d.Name, Digest: fileDigest(j.request.ProjectID, d.Bytes), ContentType: d.ContentType,
			Width: d.Width, Height: d.Height, SizeBytes: int64(len(d.Bytes)),
		})
	}
	s.noteUnnamed(ctx, before)
	if before != nil || j.found.ID != "" {
		if err := s.claim(ctx, j.files); err != nil {
			return err
		}
	} else {
		j.release = append(j.release, func(ctx context.Context) { s.noteUnnamed(ctx, j.files) })
	}
	return s.putFiles(ctx, j, j.files)
}

// putFiles writes files of what the job has drawn. Each waits for the disk to have it; they may do so together.
func (s *Service) putFiles(ctx context.Context, j *job, files []File) error {
	if len(files) == 1 { // as nearly always
		return s.blobs.Put(ctx, files[0].blobName(), j.bytesOf(files[0]))
	}
	writing, ctx := errgroup.WithContext(ctx)
	for _, f := range files {
		writing.Go(func() error { return s.blobs.Put(ctx, f.blobName(), j.bytesOf(f)) })
	}
	return writing.Wait()
}

// bytesOf returns what the job has drawn as a file.
func (j *job) bytesOf(f File) []byte {
	i := slices.IndexFunc(j.drawn.Files, func(d card.File) bool { return d.Name == f.Name })
	return j.drawn.Files[i].Bytes
}

// noteUnnamed gives files that were written without a claim, and that no image came to name, rows for a sweep. Those
// that cannot be noted now are found by the scrub.
func (s *Service) noteUnnamed(ctx context.Context, files []File) {
	var names []blob.Name
	for _, f := range files {
		if !f.claimed {
			names = append(names, f.blobName())
		}
	}
	if err := s.store.adoptFiles(ctx, names, millis(s.now().Add(keepTime))); err != nil {
		slog.WarnContext(ctx, "files that nobody names are not noted; a check of all files will find them", "err", err)
	}
}

// putAgain writes those files anew that were named without a claim and that a sweep took before that. The image keeps
// its record where that fails: who asks for the file has it drawn again.
func (s *Service) putAgain(ctx context.Context, j *job) {
	for _, f := range j.files {
		if f.claimed {
			continue
		}
		_, err := s.blobs.Stat(ctx, f.blobName())
		if errors.Is(err, blob.ErrNotFound) {
			err = s.putFiles(ctx, j, []File{f})
		}
		if err != nil {
			slog.ErrorContext(ctx, "file of a new image not seen", "digest", f.Digest, "name", f.Name, "err", err)
		}
	}
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
				files[i].claimed, files[i].life = true, lives[files[i].blobName()]
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
