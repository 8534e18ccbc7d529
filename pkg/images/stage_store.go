package images

import (
	"context"
	"log/slog"
	"slices"

	"masthead/pkg/blob"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
)

// keepFiles stores the files, which are held until the record refers to them.
func (s *Service) keepFiles(ctx context.Context, j *job) (err error) {
	j.files = nil
	data := map[blob.Name][]byte{}
	for _, d := range j.drawn.Files {
		f := store.File{
			Name: d.Name, Digest: files.Digest(j.request.ProjectID, d.Bytes), ContentType: d.ContentType,
			Width: d.Width, Height: d.Height, SizeBytes: int64(len(d.Bytes)),
		}
		j.files = append(j.files, f)
		data[f.BlobName()] = d.Bytes
	}
	if err := s.encodeBackground(ctx, j); err != nil {
		slog.WarnContext(ctx, "an AI picture is not kept for other images", "err", err)
	}
	if f := backgroundOf(j); f != nil {
		data[f.BlobName()] = j.background
		if j.storage, err = s.versions.StorageOf(ctx, j.caller.UserID); err != nil {
			return err
		}
	}
	j.hold, err = s.files.Write(ctx, data)
	return err
}

// kindOfFiles is how the ledger of files knows images.
func (s *Service) kindOfFiles() files.Kind {
	return files.Kind{
		Name: "image", Blobs: s.blobs, Remake: s.remakeLost, Busy: s.workers.Busy,
		References: store.References, Counted: store.Counted,
	}
}

// remakeLost makes an image again whose file n is lost, if the image is still there.
func (s *Service) remakeLost(ctx context.Context, imageID string, n blob.Name) error {
	if err := s.store.DropVersions(ctx, imageID, n); err != nil {
		return err
	}
	if n.File == store.BackgroundName {
		return s.store.DropBackground(ctx, imageID, n)
	}
	kept, found, err := s.store.Find(ctx, imageID)
	if err != nil {
		slog.WarnContext(ctx, "a lost picture is not made again for now", "image", imageID, "err", err)
		return err
	}
	if !found || !slices.Contains(store.NamesOf(kept.Files), n) {
		return nil // it was of an earlier picture, if of any
	}
	bounded, cancel := context.WithTimeout(ctx, s.making().bound())
	defer cancel()
	if err := s.remake(bounded, kept); err != nil {
		if ctx.Err() == nil {
			s.tellLoss(ctx, kept.ID, n, err)
		}
		return err
	}
	return nil
}
