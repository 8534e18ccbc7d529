package images

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/disintegration/imaging"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/picture"
	"masthead/pkg/worker"
	"masthead/render/encode"
)

// This file keeps the AI pictures of images, which other images of the project can have too: ai.from of a request.

const (
	// backgroundName is the file of an AI picture. It has no address in any record.
	backgroundName = "background.jpg"
	// maxBackgroundSide is the longer side of a kept AI picture in pixels, that of the largest card.
	maxBackgroundSide = 1600
	// maxBackground is its size in bytes.
	maxBackground = 1 << 20
)

// reuse gives a job the AI picture of another image. The job keeps a copy, which outlives that image.
func (s *Service) reuse(ctx context.Context, j *job) error {
	from := j.request.AI.From
	j.ai = &AIResult{From: from}
	if !j.request.TakesAI() {
		j.fallBack(ctx, reasonTemplate)
		return nil
	}
	kept, err := s.store.background(ctx, j.caller.UserID, j.request.ProjectID, from)
	if err != nil {
		return err
	}
	file, err := s.blobs.Get(ctx, kept.Name)
	if errors.Is(err, blob.ErrNotFound) {
		return errNoAIPicture
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

var errNoAIPicture = apperr.Invalid("/ai/from",
	"There is no image with this id in the project that has an AI picture. GET /images lists them: ai.fellBack is false.")

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
func backgroundOf(j *job) *File {
	if j.background == nil {
		return nil
	}
	return &File{
		Name: backgroundName, Digest: files.Digest(j.request.ProjectID, j.background), SizeBytes: int64(len(j.background)),
	}
}

// keptBackground is the AI picture of an image.
type keptBackground struct {
	blob.Name
	AI db.JSON[*AIResult] `db:"ai"`
}

// background returns the AI picture of an image of a project of the owner.
func (s store) background(ctx context.Context, ownerID, projectID, id string) (kept keptBackground, err error) {
	err = s.db.Get(ctx, &kept, `SELECT b.digest, b.name, i.ai FROM image_backgrounds b JOIN images i ON i.id = b.image_id
		WHERE i.id = ? AND i.project_id = ? AND i.owner_id = ?`, id, projectID, ownerID)
	if errors.Is(err, sql.ErrNoRows) {
		return kept, errNoAIPicture
	}
	if err != nil {
		return kept, fmt.Errorf("find the AI picture of image %s: %w", id, err)
	}
	return kept, nil
}

// setBackground gives an image, whose row tx holds, an AI picture in place of its old one; nil is none. One that the
// account has no room for, with limit bytes for all that counts, isn't kept: then other images can't have it.
func (s *Service) setBackground(ctx context.Context, tx *db.Tx, of imageRow, kept *File, limit int64) error {
	drop := func() error {
		if _, err := tx.Exec(ctx, `DELETE FROM image_backgrounds WHERE image_id = ?`, of.ID); err != nil {
			return fmt.Errorf("remove the AI picture of image %s: %w", of.ID, err)
		}
		return nil
	}
	if err := drop(); err != nil || kept == nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO image_backgrounds (image_id, digest, name, size) VALUES (?, ?, ?, ?)`,
		of.ID, kept.Digest, kept.Name, kept.SizeBytes)
	if err != nil {
		return fmt.Errorf("keep the AI picture of image %s: %w", of.ID, err)
	}
	fits, err := s.files.Fits(ctx, tx, of.OwnerID, limit)
	if err != nil || fits {
		return err
	}
	slog.InfoContext(ctx, "an AI picture is not kept for other images: its account has no room", "image", of.ID)
	return drop()
}

// dropBackground forgets an AI picture whose file is lost: asking for it again would cost a unit.
func (s store) dropBackground(ctx context.Context, imageID string, n blob.Name) error {
	_, err := s.db.Exec(ctx, `DELETE FROM image_backgrounds WHERE image_id = ? AND digest = ?`, imageID, n.Digest)
	if err != nil {
		return fmt.Errorf("forget the AI picture of image %s: %w", imageID, err)
	}
	return nil
}
