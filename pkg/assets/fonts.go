package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/fonts"
	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/fontfile"
	"masthead/pkg/identity"
	"masthead/pkg/worker"
	"masthead/render/cache"
	"masthead/render/text"
)

const (
	// MaxFonts is the maximum number of fonts of a project.
	MaxFonts = 12
	// fresh is how long the fonts of a project are cached; changes on other nodes take effect after that.
	fresh = 2 * time.Second
	// maxLoaded bounds the memory of fonts that are ready for drawing, in bytes.
	maxLoaded = 96 << 20
	// checkTime is how long checking a font may take, with waiting for a worker.
	checkTime = 10 * time.Second
)

// FontFacts is what a font says about itself.
type FontFacts struct {
	Family               string
	MinWeight, MaxWeight int // the same, unless it is a variable font
	Italic               bool
}

// FontHook is called in the transaction in which a project gets or loses a font of a family.
type FontHook func(ctx context.Context, tx *db.Tx, projectID, family string) error

// DeleteHook is called in the transaction in which a picture of a project is deleted.
type DeleteHook func(ctx context.Context, tx *db.Tx, projectID, id string) error

// fontCache has the fonts of projects, and those that are ready for drawing.
type fontCache struct {
	known  *cache.Shared[string, listedFonts] // by project
	loaded *cache.Shared[string, *text.Fonts] // by [FontSet.key]
	flight singleflight.Group
}

// listedFonts are the fonts of a project as of a point in time.
type listedFonts struct {
	fonts []Asset
	at    time.Time
}

func newFontCache() *fontCache {
	const knownBytes = 4 << 20
	return &fontCache{
		known:  cache.NewShared(knownBytes, func(_ string, of listedFonts) int { return 200 + 300*len(of.fonts) }),
		loaded: cache.NewShared(maxLoaded, func(_ string, of *text.Fonts) int { return of.Bytes() }),
	}
}

// createFont stores an uploaded font as an asset of a project: see [Service.Create].
func (s *Service) createFont(
	ctx context.Context, caller identity.Caller, projectID, name string, file []byte,
) (Asset, error) {
	bounded, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	work := worker.Work{Stage: "font", Key: func() string { return files.Digest(projectID, file) }}
	font, err := worker.Do(bounded, s.drawing, work, func(ctx context.Context) (fontfile.Font, error) {
		return fontfile.Read(ctx, file)
	})
	var fault *fontfile.Error
	switch {
	case errors.As(err, &fault):
		return Asset{}, apperr.Wrap(apperr.BadRequest, fault.Message, err)
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return Asset{}, apperr.Wrap(apperr.BadRequest, "Checking the font takes too long. Upload a smaller one.", err)
	case err != nil:
		return Asset{}, fmt.Errorf("check a font: %w", err)
	}
	a, err := s.put(ctx, caller, Asset{
		ProjectID: projectID, Name: cmp.Or(cleantext.Clean(name, maxName), font.Family),
		File:      blob.Name{Digest: files.Digest(projectID, font.Data), File: fileName + font.Ext},
		SizeBytes: int64(len(font.Data)),
		Font:      &FontFacts{font.Family, font.MinWeight, font.MaxWeight, font.Italic},
	}, font.Data)
	s.fonts.known.Remove(projectID)
	return a, err
}

// Fonts returns the fonts of a project, at most 2 s old, in the order of their files. It checks no caller.
func (s *Service) Fonts(ctx context.Context, projectID string) ([]Asset, error) {
	if l, ok := s.fonts.known.Get(projectID); ok && s.now().Sub(l.at).Abs() < fresh {
		return l.fonts, nil
	}
	began := s.now()
	found, err := s.store.fontsOf(ctx, projectID)
	if err != nil {
		return nil, err
	}
	s.fonts.known.Put(projectID, listedFonts{found, began})
	return found, nil
}

// FontSet names fonts for drawing: the families of titles and of other texts, and the files.
type FontSet struct {
	ProjectID     string
	Heading, Text string
	Files         []Asset
}

func (f FontSet) key() string {
	key := f.ProjectID + "\n" + f.Heading + "\n" + f.Text
	for _, of := range f.Files {
		key += "\n" + of.File.Digest
	}
	return key
}

// LoadFonts returns fonts that are ready for drawing. Files that were deleted meanwhile are left out.
func (s *Service) LoadFonts(ctx context.Context, of FontSet) (*text.Fonts, error) {
	key := of.key()
	if found, ok := s.fonts.loaded.Get(key); ok {
		return found, nil
	}
	result := s.fonts.flight.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(db.Detached(ctx), checkTime)
		defer cancel()
		var list []fonts.File
		for _, a := range of.Files {
			data, err := s.blobs.Get(ctx, a.File)
			if errors.Is(err, blob.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read font %s: %w", a.File.Digest, err)
			}
			list = append(list, fonts.File{
				Family: a.Font.Family, MinWeight: a.Font.MinWeight, MaxWeight: a.Font.MaxWeight, Italic: a.Font.Italic, Data: data,
			})
		}
		loaded := text.NewFonts(fonts.NewSet(list), of.Heading, of.Text)
		if len(list) == len(of.Files) {
			s.fonts.loaded.Put(key, loaded)
		}
		return loaded, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		loaded, _ := r.Val.(*text.Fonts)
		return loaded, r.Err
	}
}
