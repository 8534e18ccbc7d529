package images

import (
	"context"
	"errors"
	"fmt"

	"github.com/disintegration/imaging"

	"masthead/pkg/blob"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
	"masthead/pkg/picture"
	"masthead/pkg/worker"
	"masthead/render/encode"
)

// This file keeps the AI pictures of images, which other images of the project can have too: ai.from of a request.

const (
	// maxBackgroundSide is the longer side of a kept AI picture in pixels, that of the largest card.
	maxBackgroundSide = 1600
	// maxBackground is its size in bytes.
	maxBackground = 1 << 20
)

// reuse gives a job the AI picture of another image. The job keeps a copy, which outlives that image.
func (s *Service) reuse(ctx context.Context, j *job) error {
	from := j.request.AI.From
	j.ai = &store.AIResult{From: from}
	if !j.request.TakesAI() {
		j.fallBack(ctx, store.ReasonTemplate)
		return nil
	}
	kept, err := s.store.Background(ctx, j.caller.UserID, j.request.ProjectID, from)
	if err != nil {
		return err
	}
	file, err := s.blobs.Get(ctx, kept.Name)
	if errors.Is(err, blob.ErrNotFound) {
		return store.ErrNoAIPicture
	}
	if err != nil {
		return fmt.Errorf("read the AI picture of image %s: %w", from, err)
	}
	img, _, err := s.backgrounds.decoder.Decode(ctx, file, picture.Want{})
	if err != nil {
		return fmt.Errorf("decode the AI picture of image %s: %w", from, err)
	}
	j.composed.Background, j.background = img, file
	if of := kept.AI.V; of != nil {
		j.ai.Model, j.ai.Prompt = of.Model, of.Prompt
	}
	return nil
}

// encodeBackground makes the file of a job's AI picture, if it has one.
func (s *Service) encodeBackground(ctx context.Context, j *job) (err error) {
	img := j.composed.Background
	if img == nil || j.background != nil {
		return nil
	}
	work := worker.Work{Stage: "background", Key: func() string { return j.key + " background" }}
	j.background, err = worker.Do(ctx, s.workers.Drawing, work, func(context.Context) ([]byte, error) {
		fit := img
		if size := img.Bounds().Size(); max(size.X, size.Y) > maxBackgroundSide {
			fit = imaging.Fit(img, maxBackgroundSide, maxBackgroundSide, imaging.Box)
		}
		file, err := encode.Encode(fit, encode.Limits{NoPNG: true, MaxJPEG: maxBackground})
		return file.Bytes, err
	})
	if err != nil {
		return fmt.Errorf("encode an AI picture: %w", err)
	}
	return nil
}

// backgroundOf is the file of a job's AI picture, or nil.
func backgroundOf(j *job) *store.File {
	if j.background == nil {
		return nil
	}
	return &store.File{
		Name: store.BackgroundName, Digest: files.Digest(j.request.ProjectID, j.background),
		SizeBytes: int64(len(j.background)),
	}
}
