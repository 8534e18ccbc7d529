// Package versions keeps the pictures of images that forced requests replace, so that they can be restored: package
// store stores them in the transaction that replaces them. How many there can be is enforced afterwards, by
// [Versions.Prune].
package versions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
	"masthead/render"
)

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
	Files                 []store.File // at least one; ImageURL names the first
	ImageURL              string       // for callers that know where files are served
}

var errLostVersion = apperr.New(apperr.NotFound, "The picture of this version has been lost.")

// Versions has the earlier pictures of images. It is safe for concurrent use.
type Versions struct{ deps Deps }

// Deps are what versions stand on.
type Deps struct {
	Store store.Store
	Blobs blob.Store
	Files *files.Store // those of images in Blobs
	Plans *billing.Service
	// Renew has an image read again that has changed.
	Renew func(ctx context.Context, publicID string)
	Now   func() time.Time
}

// New returns the versions of images.
func New(deps Deps) *Versions { return &Versions{deps} }

// Of returns the earlier pictures of an image, the latest first. Each picture is there once, and the present one isn't.
func (s *Versions) Of(ctx context.Context, row store.Image) (all []Version, err error) {
	kept, err := s.deps.Store.Versions(ctx, row.ID, s.since())
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
			ShownFrom: v.ShownFrom.Time, ShownUntil: v.ShownUntil.Time, Files: v.Files,
		})
	}
	return all, nil
}

// Restore makes an earlier picture of the image that find finds its picture again, with a new number. The picture that
// it replaces becomes a version. A picture that the image has already stays as it is.
//
// It returns NOT_FOUND for a version that isn't there any more, and UNAVAILABLE if the image is redrawn again and
// again.
func (s *Versions) Restore(
	ctx context.Context, find func() (store.Image, error), number int64,
) (store.Image, error) {
	for range maxRestoreTries {
		row, err := find()
		if err != nil {
			return store.Image{}, err
		}
		v, err := s.deps.Store.Version(ctx, row.ID, number, s.since())
		if err != nil {
			return store.Image{}, err
		}
		if v.Picture == store.PictureOf(row.Files) {
			return row, nil
		}
		saved, err := s.restore(ctx, row, v)
		if errors.Is(err, store.ErrOvertaken) || errors.Is(err, files.ErrGone) {
			continue
		}
		if err != nil {
			return store.Image{}, err
		}
		s.deps.Renew(ctx, saved.PublicID)
		s.Prune(ctx, saved.OwnerID)
		return saved, nil
	}
	return store.Image{}, apperr.New(apperr.Unavailable, "The image is being redrawn. Try again in a few seconds.")
}

// restore saves a version of an image as its picture, unless the image has changed since row was read.
func (s *Versions) restore(ctx context.Context, row store.Image, v store.Version) (store.Image, error) {
	data, err := s.readVersion(ctx, row.ProjectID, &v)
	if err != nil {
		return store.Image{}, err
	}
	whole, err := store.IsWhole(ctx, s.deps.Blobs, row.Files)
	if err != nil {
		return store.Image{}, err
	}
	hold, err := s.deps.Files.Write(ctx, data)
	if err != nil {
		return store.Image{}, err
	}
	limit, err := s.StorageOf(ctx, row.OwnerID)
	if err != nil {
		return store.Image{}, err
	}
	fresh, seen := row, row.UpdatedAt
	fresh.ID, fresh.UpdatedAt = db.NewID(), db.Millis{Time: s.deps.Now()}
	fresh.AI, fresh.Page, fresh.Alt, fresh.Warnings = v.AI, v.Page, v.Alt, v.Warnings
	fresh.Files, fresh.Lacks, fresh.Redraw.V, fresh.Keep = v.Files, "", nil, whole
	return s.deps.Store.Save(ctx, fresh, &seen,
		func(tx *db.Tx, old []blob.Name) error { return s.deps.Files.Refer(ctx, tx, hold, old) },
		func(tx *db.Tx, saved store.Image) error {
			if saved.ID != row.ID {
				return store.ErrNoImage // it was deleted meanwhile
			}
			return store.SetBackground(ctx, tx, s.deps.Files, saved, v.Background, limit)
		})
}

// readVersion reads the files of a version. One whose picture is lost or damaged is dropped: there is nothing to make
// it again from. An AI picture that is lost is only left out.
func (s *Versions) readVersion(ctx context.Context, projectID string, v *store.Version) (map[blob.Name][]byte, error) {
	data := map[blob.Name][]byte{}
	all := v.Files
	if v.Background != nil {
		all = append(all[:len(all):len(all)], *v.Background)
	}
	for _, f := range all {
		file, err := s.deps.Blobs.Get(ctx, f.BlobName())
		lost := errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) ||
			err == nil && files.Digest(projectID, file) != f.Digest
		switch {
		case lost:
			slog.ErrorContext(ctx, "an earlier picture is lost or damaged", "image", v.ImageID, "digest", f.Digest,
				"name", f.Name, "err", err)
			if err := s.deps.Store.DropVersions(ctx, v.ImageID, f.BlobName()); err != nil {
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

// Prune deletes the versions of an account's images that there is no room for: those after the latest ten of an
// image, repeated pictures, and the oldest ones while all that the account stores is more than its plan has room for.
// What it can't delete now is deleted when the next picture is replaced.
func (s *Versions) Prune(ctx context.Context, ownerID string) {
	err := func() error {
		limit, err := s.StorageOf(ctx, ownerID)
		if err != nil {
			return err
		}
		stored, err := s.deps.Files.Counted(ctx, ownerID)
		if err != nil {
			return err
		}
		return s.deps.Store.PruneVersions(ctx, ownerID, limit-stored)
	}()
	if err != nil {
		slog.WarnContext(ctx, "earlier pictures are not deleted for now", "account", ownerID, "err", err)
		return
	}
	s.deps.Files.SweepSoon()
}

// Sweep deletes the versions whose time is up.
func (s *Versions) Sweep(ctx context.Context) error {
	return s.deps.Store.SweepVersions(ctx, s.since())
}

// since is when the versions were shown that there still are.
func (s *Versions) since() db.Millis { return db.Millis{Time: s.deps.Now().Add(-versionTime)} }

// StorageOf returns how many bytes the plan of an account has room for.
func (s *Versions) StorageOf(ctx context.Context, ownerID string) (bytes int64, err error) {
	plan, err := s.deps.Plans.PlanOf(ctx, ownerID)
	return plan.AssetBytes, err
}
