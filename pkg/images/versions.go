package images

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
	"masthead/render"
)

// This file keeps the pictures that forced requests replace, so that they can be restored: in image_versions, in the
// transaction that replaces them. How many there can be is enforced afterwards, by pruneVersions.

const (
	// versionTime is how long after it was replaced an earlier picture is kept.
	versionTime = 90 * 24 * time.Hour
	// maxRestoreTries is how often a restoration is begun again, since the image was redrawn meanwhile.
	maxRestoreTries = 3
)

// Version is an earlier picture of an image.
type Version struct {
	// Number is greater than those of earlier pictures of the image.
	Number   int64
	Alt      string
	AI       *store.AIResult
	Page     card.PageData
	Warnings []render.Warning
	// ShownFrom and ShownUntil are when it was the image's picture.
	ShownFrom, ShownUntil time.Time
	Files                 []store.File // as in [Record]
	ImageURL              string
}

var errLostVersion = apperr.New(apperr.NotFound, "The picture of this version has been lost.")

// Versions returns the earlier pictures of an image of the caller, the latest first; with a scoped key of one of its
// project. Each picture is there once, and the present one isn't.
func (s *Service) Versions(ctx context.Context, caller identity.Caller, id string) (all []Version, err error) {
	row, err := s.own(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	kept, err := s.store.Versions(ctx, row.ID, millis(s.now().Add(-versionTime)))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{store.PictureOf(row.Files): true}
	for _, v := range kept {
		if len(all) == store.MaxVersions {
			break
		}
		if known[v.Picture] {
			continue
		}
		known[v.Picture] = true
		all = append(all, Version{
			Number: v.Number, Alt: v.Alt, AI: v.AI.V, Page: v.Page.V, Warnings: v.Warnings.V,
			ShownFrom: v.ShownFrom.Time, ShownUntil: v.ShownUntil.Time, Files: v.Files, ImageURL: s.fileURL(v.Files[0]),
		})
	}
	return all, nil
}

// Restore makes an earlier picture of an image of the caller its picture again, with a new number. The picture that it
// replaces becomes a version. A picture that the image has already stays as it is.
//
// It returns NOT_FOUND for a version that isn't there any more, and UNAVAILABLE if the image is redrawn again and
// again.
func (s *Service) Restore(ctx context.Context, caller identity.Caller, id string, number int64) (Record, error) {
	for range maxRestoreTries {
		row, err := s.own(ctx, caller, id)
		if err != nil {
			return Record{}, err
		}
		v, err := s.store.Version(ctx, row.ID, number, millis(s.now().Add(-versionTime)))
		if err != nil {
			return Record{}, err
		}
		if v.Picture == store.PictureOf(row.Files) {
			return s.cached(row), nil
		}
		saved, err := s.restore(ctx, row, v)
		if errors.Is(err, store.ErrOvertaken) || errors.Is(err, files.ErrGone) {
			continue
		}
		if err != nil {
			return Record{}, err
		}
		s.renewOne(ctx, saved.PublicID)
		s.pruneVersions(ctx, saved.OwnerID)
		return s.cached(saved), nil
	}
	return Record{}, apperr.New(apperr.Unavailable, "The image is being redrawn. Try again in a few seconds.")
}

// restore saves a version of an image as its picture, unless the image has changed since row was read.
func (s *Service) restore(ctx context.Context, row store.Image, v store.Version) (store.Image, error) {
	data, err := s.readVersion(ctx, row.ProjectID, &v)
	if err != nil {
		return store.Image{}, err
	}
	whole, err := s.isWhole(ctx, row.Files)
	if err != nil {
		return store.Image{}, err
	}
	hold, err := s.files.Write(ctx, data)
	if err != nil {
		return store.Image{}, err
	}
	limit, err := s.storageOf(ctx, row.OwnerID)
	if err != nil {
		return store.Image{}, err
	}
	fresh, seen := row, row.UpdatedAt
	fresh.ID, fresh.UpdatedAt = db.NewID(), millis(s.now())
	fresh.AI, fresh.Page, fresh.Alt, fresh.Warnings = v.AI, v.Page, v.Alt, v.Warnings
	fresh.Files, fresh.Lacks, fresh.Redraw.V, fresh.Keep = v.Files, "", nil, whole
	return s.store.Save(ctx, fresh, &seen,
		func(tx *db.Tx, old []blob.Name) error { return s.files.Refer(ctx, tx, hold, old) },
		func(tx *db.Tx, saved store.Image) error {
			if saved.ID != row.ID {
				return store.ErrNoImage // it was deleted meanwhile
			}
			return store.SetBackground(ctx, tx, s.files, saved, v.Background, limit)
		})
}

// readVersion reads the files of a version. One whose picture is lost or damaged is dropped: there is nothing to make
// it again from. An AI picture that is lost is only left out.
func (s *Service) readVersion(ctx context.Context, projectID string, v *store.Version) (map[blob.Name][]byte, error) {
	data := map[blob.Name][]byte{}
	all := v.Files
	if v.Background != nil {
		all = append(all[:len(all):len(all)], *v.Background)
	}
	for _, f := range all {
		file, err := s.blobs.Get(ctx, f.BlobName())
		lost := isFault(err) || err == nil && files.Digest(projectID, file) != f.Digest
		switch {
		case lost:
			slog.ErrorContext(ctx, "an earlier picture is lost or damaged", "image", v.ImageID, "digest", f.Digest,
				"name", f.Name, "err", err)
			if err := s.store.DropVersions(ctx, v.ImageID, f.BlobName()); err != nil {
				return nil, err
			}
			if f.Name != store.BackgroundName {
				return nil, errLostVersion
			}
			v.Background = nil
			continue
		case err != nil:
			return nil, fmt.Errorf("read version %d of image %s: %w", v.Number, v.ImageID, err)
		}
		data[f.BlobName()] = file
	}
	return data, nil
}

// pruneVersions deletes the versions of an account's images that there is no room for: those after the latest ten of an
// image, repeated pictures, and the oldest ones while all that the account stores is more than its plan has room for.
// What it can't delete now is deleted when the next picture is replaced.
func (s *Service) pruneVersions(ctx context.Context, ownerID string) {
	err := func() error {
		limit, err := s.storageOf(ctx, ownerID)
		if err != nil {
			return err
		}
		stored, err := s.files.Counted(ctx, ownerID)
		if err != nil {
			return err
		}
		return s.store.PruneVersions(ctx, ownerID, limit-stored)
	}()
	if err != nil {
		slog.WarnContext(ctx, "earlier pictures are not deleted for now", "account", ownerID, "err", err)
		return
	}
	s.files.SweepSoon()
}

// Sweep deletes the versions whose time is up.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.SweepVersions(ctx, millis(s.now().Add(-versionTime)))
}

// storageOf returns how many bytes the plan of an account has room for.
func (s *Service) storageOf(ctx context.Context, ownerID string) (bytes int64, err error) {
	plan, err := s.plans.PlanOf(ctx, ownerID)
	return plan.AssetBytes, err
}
