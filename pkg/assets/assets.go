// Package assets owns the pictures and fonts that people upload for a project, such as a logo. What is stored is never
// the uploaded file but its pixels, encoded again: it has no metadata, and nothing that a browser could run. Of a font
// it is the tables that drawing needs, each of them checked.
package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/fontfile"
	"masthead/pkg/identity"
	"masthead/pkg/picture"
	"masthead/pkg/projects"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
	"masthead/render/encode"
)

// Limits of an asset.
const (
	// MaxBytes is the maximum size of an uploaded file, as in openapi.yaml: that of a font.
	MaxBytes = fontfile.MaxBytes
	// MaxPicture is the maximum size of an uploaded picture.
	MaxPicture = 2 << 20
	// MaxAssets is the maximum number of assets of an account.
	MaxAssets = 1000

	maxSide   = 2048
	maxName   = 100
	maxStored = 4 << 20
	// maxPlain is the size of a PNG above which an opaque picture is stored as a JPEG of at most maxPhoto.
	maxPlain = 512 << 10
	maxPhoto = 1 << 20
	// patience is how long an SVG waits for its engine.
	patience = 2 * time.Second
	// encodeTime is how long encoding may take, with waiting for a worker.
	encodeTime = 10 * time.Second
)

// fileName is the name of every asset's file, without its extension. No other kind of file has it, so that assets
// share no row of the ledger with other files.
const fileName = "asset"

// Asset is an uploaded picture or font.
type Asset struct {
	ID, ProjectID string
	// Name is what it was called when it was uploaded.
	Name        string
	File        blob.Name
	ContentType string
	Width       int // in pixels; 0 for a font
	Height      int
	Font        *FontFacts // nil for a picture
	SizeBytes   int64
	CreatedAt   time.Time
	// URL is the address of its bytes.
	URL string
}

// Deps are the service's dependencies.
type Deps struct {
	DB       *db.DB
	Files    *files.Ledger
	Blobs    blob.Store
	Projects *projects.Service
	Plans    *billing.Service
	Decoder  *picture.Decoder
	// Drawing are the workers that encode, and check fonts.
	Drawing *worker.Pool
	// FontChanged are called in the transaction in which a project gets or loses a font.
	FontChanged []FontHook
	// Deleted are called in the transaction that deletes a picture.
	Deleted []DeleteHook
	// Base and CDN are the public addresses of the service and of its files, without a trailing slash.
	Base, CDN string
}

// Service stores assets. It is safe for concurrent use.
type Service struct {
	store    store
	files    *files.Store
	blobs    blob.Store
	projects *projects.Service
	plans    *billing.Service
	decoder  *picture.Decoder
	drawing  *worker.Pool
	fonts    *fontCache
	// base and cdn begin the addresses of files.
	base, cdn string
	now       func() time.Time
}

// New returns the service of the assets in deps.DB.
func New(deps Deps) *Service {
	s := &Service{
		store: store{deps.DB, deps.FontChanged, deps.Deleted}, blobs: deps.Blobs, projects: deps.Projects, plans: deps.Plans,
		decoder: deps.Decoder, drawing: deps.Drawing, base: normal(deps.Base + "/cdn/"),
		cdn: normal(deps.CDN + "/cdn/"), now: time.Now,
		fonts: newFontCache(),
	}
	s.files = deps.Files.Register(files.Kind{
		Name: "asset", Blobs: deps.Blobs,
		References: `SELECT digest, name, id AS owner, project_id AS scope, size FROM assets`,
		Counted:    `SELECT owner_id, size FROM assets`,
	})
	return s
}

// normal is the spelling of an address that requests get.
func normal(address string) string {
	if u, err := weburl.Parse(address); err == nil {
		return u.String()
	}
	return address
}

// Create stores an uploaded file as an asset of a project of the caller. The same picture or font again is the asset
// that is already there.
//
// It returns NOT_FOUND for a project, UNSUPPORTED_MEDIA_TYPE for a file that is no picture or font, BAD_REQUEST for one
// that can't be used, TIER_LOCKED over the plan's limit, CONFLICT for too many fonts, and UNAVAILABLE if it can't be
// decoded now.
func (s *Service) Create(
	ctx context.Context, caller identity.Caller, projectID, name string, file []byte,
) (Asset, error) {
	project, err := s.projects.Get(ctx, caller, projectID)
	if err != nil {
		return Asset{}, err
	}
	if fontfile.Is(file) {
		defer s.projects.Evict(project) // it may be a font of the brand
		return s.createFont(ctx, caller, project.ID, name, file)
	}
	if len(file) > MaxPicture {
		return Asset{}, apperr.New(apperr.PayloadTooLarge,
			fmt.Sprintf("The file is larger than %d MiB, which is the limit of a picture.", MaxPicture>>20))
	}
	drawn, size, err := s.encode(ctx, project.ID, file)
	if err != nil {
		return Asset{}, err
	}
	return s.put(ctx, caller, Asset{
		ProjectID: project.ID, Name: cmp.Or(cleantext.Clean(name, maxName), "Picture"),
		File:  blob.Name{Digest: files.Digest(project.ID, drawn.Bytes), File: fileName + drawn.Ext},
		Width: size.X, Height: size.Y, SizeBytes: int64(len(drawn.Bytes)),
	}, drawn.Bytes)
}

// put stores an asset with its file.
func (s *Service) put(ctx context.Context, caller identity.Caller, a Asset, file []byte) (Asset, error) {
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Asset{}, err
	}
	a.ID, a.CreatedAt = db.NewID(), db.Moment(s.now())
	for {
		hold, err := s.files.Write(ctx, map[blob.Name][]byte{a.File: file})
		if err != nil {
			return Asset{}, err
		}
		stored, err := s.store.insert(ctx, caller.UserID, a, plan, s.files.Ledger, func(tx *db.Tx) error {
			return s.files.Refer(ctx, tx, hold, nil)
		})
		if errors.Is(err, files.ErrGone) { // the same picture was deleted meanwhile
			continue
		}
		if db.IsForeignKey(err) {
			return Asset{}, apperr.Wrap(apperr.NotFound, "The project was deleted meanwhile.", err)
		}
		return s.complete(stored), err
	}
}

// Get returns an asset of a project of the caller, or NOT_FOUND.
func (s *Service) Get(ctx context.Context, caller identity.Caller, projectID, id string) (Asset, error) {
	if _, err := s.projects.Get(ctx, caller, projectID); err != nil {
		return Asset{}, err
	}
	found, err := s.store.get(ctx, caller.UserID, projectID, id)
	return s.complete(found), err
}

// List returns a page of the assets of a project of the caller, newest first, and the cursor of the next page, or "".
func (s *Service) List(
	ctx context.Context, caller identity.Caller, projectID string, p cursor.Page,
) (page []Asset, next string, err error) {
	if _, err := s.projects.Get(ctx, caller, projectID); err != nil {
		return nil, "", err
	}
	page, next, err = cursor.List(p, func(a Asset) string { return a.ID },
		func(before string, limit int) ([]Asset, error) {
			return s.store.list(ctx, caller.UserID, projectID, before, limit)
		})
	for i := range page {
		page[i] = s.complete(page[i])
	}
	return page, next, err
}

// Delete deletes an asset of a project of the caller, or returns NOT_FOUND. Its file is deleted soon after.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, projectID, id string) error {
	project, err := s.projects.Get(ctx, caller, projectID)
	if err != nil {
		return err
	}
	if err := s.store.delete(ctx, caller.UserID, projectID, id); err != nil {
		return err
	}
	s.projects.Evict(project) // it may be of the brand
	s.fonts.known.Remove(projectID)
	s.files.SweepSoon()
	return nil
}

// Address returns the address of a file, which is its digest and name with a slash between them.
func (s *Service) Address(file string) string { return s.cdn + file }

// Named returns the file that an address names if it is the address of an asset, of whichever project.
func (s *Service) Named(address string) (n blob.Name, ok bool) {
	rest, ok := strings.CutPrefix(address, s.cdn)
	if !ok {
		rest, ok = strings.CutPrefix(address, s.base)
	}
	if !ok {
		return blob.Name{}, false
	}
	n.Digest, n.File, _ = strings.Cut(rest, "/")
	base, _, _ := strings.Cut(n.File, ".")
	return n, n.Valid() && base == fileName
}

// Read returns the bytes of an asset of a project, or BAD_REQUEST if the project has no such asset.
func (s *Service) Read(ctx context.Context, projectID string, n blob.Name) ([]byte, error) {
	known, err := s.store.has(ctx, projectID, n)
	if err != nil {
		return nil, err
	}
	var data []byte
	if known {
		data, err = s.blobs.Get(ctx, n)
	}
	if !known || errors.Is(err, blob.ErrNotFound) {
		return nil, apperr.Invalid("/style/logo/url",
			"This is not the url of an asset of this project. GET /projects/{projectId}/assets lists them.")
	}
	return data, err
}

// ByName returns the bytes of the newest asset of a project with a name, or BAD_REQUEST if there is none. It checks no
// caller.
func (s *Service) ByName(ctx context.Context, projectID, name string) ([]byte, error) {
	n, err := s.store.named(ctx, projectID, name)
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, projectID, n)
}

// complete adds what follows from the stored values.
func (s *Service) complete(a Asset) Asset {
	a.ContentType = a.File.ContentType()
	a.URL = s.cdn + a.File.Digest + "/" + a.File.File
	return a
}

// encode decodes an uploaded file and encodes its pixels.
func (s *Service) encode(
	ctx context.Context, projectID string, file []byte,
) (drawn encode.File, size image.Point, err error) {
	img, facts, err := s.decoder.Decode(ctx, file, picture.Want{MaxBytes: MaxPicture, Patience: patience})
	if err != nil {
		return drawn, size, picture.Refusal(err)
	}
	limits := encode.Limits{MaxPNG: maxPlain, MaxJPEG: maxPhoto}
	if facts.Alpha == picture.Yes {
		limits = encode.Limits{}
	}
	bounded, cancel := context.WithTimeout(ctx, encodeTime)
	defer cancel()
	work := worker.Work{Stage: "asset", Key: func() string { return files.Digest(projectID, file) }}
	type result struct {
		encode.File
		size image.Point
	}
	out, err := worker.Do(bounded, s.drawing, work, func(context.Context) (result, error) {
		img := within(img, maxSide)
		for {
			p, err := encode.Encode(img, limits)
			if err != nil || len(p.Bytes) <= maxStored {
				return result{p, img.Rect.Size()}, err
			}
			img = within(img, max(img.Rect.Dx(), img.Rect.Dy())/2)
		}
	})
	if err != nil {
		return drawn, size, fmt.Errorf("encode an asset: %w", err)
	}
	return out.File, out.size, nil
}

// within returns img, scaled down if a side is longer than most.
func within(img *image.NRGBA, most int) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) <= most {
		return img
	}
	return picture.Contain(img, most, most)
}
