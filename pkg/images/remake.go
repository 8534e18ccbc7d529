package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/imagecache"
	"masthead/pkg/images/store"
	"masthead/pkg/worker"
)

// This file makes pictures again whose files are lost or damaged. The record stays whatever comes of it.

const (
	// remakeRest is how long a picture that could not be made again is not tried by those who ask for its file, as
	// GET /og remembers a page that cannot be read.
	remakeRest = time.Minute
	// lossRest is how long after it was told of, a loss is not told of again.
	lossRest = time.Hour
	// maxLosses bounds the losses that are remembered.
	maxLosses = 4096
	// maxNaming is how many images of one file are tried, until one gives it back.
	maxNaming = 3
)

var (
	errLost = apperr.New(apperr.NotFound, "The picture of this image has been lost; generate it again.")
	// errPaid says that a picture is not made again by itself, since that takes a unit of its owner.
	errPaid = errors.New("the picture of a model is made again only when it is asked for by POST")
)

// losses remembers what was lost and could not be made again. It is safe for concurrent use.
type losses struct {
	tried simplelru.LRUCache[string, time.Time] // when it was tried last, by the name of the file
	told  simplelru.LRUCache[string, time.Time] // when it was logged last

	comparing atomic.Bool // a file in memory is being compared
}

func newLosses() *losses {
	tried, err := lru.New[string, time.Time](maxLosses)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	told, err := lru.New[string, time.Time](maxLosses)
	if err != nil {
		panic(err)
	}
	return &losses{tried: tried, told: told}
}

// recent says whether the moment under name is at most rest ago.
func recent(of simplelru.LRUCache[string, time.Time], name blob.Name, now time.Time, rest time.Duration) bool {
	at, ok := of.Get(name.Digest + name.File)
	return ok && now.Sub(at).Abs() < rest
}

func (l *losses) add(to simplelru.LRUCache[string, time.Time], name blob.Name, now time.Time) {
	to.Add(name.Digest+name.File, now)
}

// again is the request that an image was made by, as far as its row knows. own is the active version of its design, if
// that is the project's own: see [Service.again].
func again(r store.Image, own *card.Design) (Request, error) {
	request := Request{
		Request:   card.Request{URL: r.URL, Kind: r.Kind, Template: r.Template, Style: r.Style.V},
		ProjectID: r.ProjectID, brandVersion: -1,
	}
	request.Open = r.Open() & card.OpenBrand
	if own != nil {
		request.Design, request.Data = own, r.Data.V
	}
	request.Size, request.Sizes = askedSizes(r, request)
	if given := r.Content.V; given != nil {
		request.Content = *given
		return request.normalize()
	}
	// A row of before the content was kept. Its key tells whether there was none; else what was drawn has to do.
	plain, err := request.normalize()
	if err != nil {
		return plain, err
	}
	if key, err := plain.key(); err != nil || key == r.CacheKey {
		return plain, err
	}
	request.Content = card.Content{
		Title: r.Page.V.Title, Description: r.Page.V.Description, SiteName: r.Page.V.SiteName, Favicon: r.Page.V.Favicon,
	}
	return request.normalize()
}

// askedSizes returns the sizes that the request of an image named: those of its files, unless the request left them to
// the design. A row of before that was stored tells it by the key that all versions of the design have in common.
func askedSizes(r store.Image, request Request) (size image.Point, further []image.Point) {
	if r.Kind != card.OG && r.Kind != card.Custom || r.Open()&card.OpenSizes != 0 {
		return size, nil
	}
	if r.LeftOpen == nil && r.BaseKey != "" && request.Design != nil && r.Content.V != nil {
		request.Content = *r.Content.V
		if asked, err := request.normalize(); err == nil {
			if base, err := asked.BaseKey(r.ProjectID); err == nil && base == r.BaseKey {
				return size, nil
			}
		}
	}
	for i, f := range r.Files {
		switch {
		case i > 0 || r.Kind == card.OG && request.Design != nil:
			further = append(further, image.Pt(f.Width, f.Height))
		case r.Kind == card.Custom:
			size = image.Pt(f.Width, f.Height)
		}
	}
	return size, further
}

// remake makes an image again whose files are not whole, by the request that made it. Who asks for the same meanwhile
// shares it.
func (s *Service) remake(ctx context.Context, kept store.Image) error {
	if kept.AI.V != nil && !kept.AI.V.FellBack {
		return errPaid
	}
	request, err := s.again(ctx, kept)
	if err == nil {
		_, err = s.share(ctx, &job{
			caller: identity.Caller{UserID: kept.OwnerID}, request: request, key: kept.CacheKey, ai: kept.AI.V,
			variant: kept.Variant, began: s.now(),
		}, s.gate(), s.making())
	}
	s.metrics.remade(err)
	if err != nil {
		return fmt.Errorf("make image %s again: %w", kept.ID, err)
	}
	return nil
}

// heal makes an image again, the file n of which was found lost or damaged by who wants to serve it, and returns it as
// it is then: with that file, or with another that took its place. NotFound when it cannot be made again just now.
func (s *Service) heal(ctx context.Context, kept store.Image, n blob.Name) (store.Image, error) {
	if recent(s.losses.tried, n, s.now(), remakeRest) {
		return store.Image{}, errLost
	}
	err := s.remake(ctx, kept)
	if err == nil {
		fresh, found, err := s.store.Find(ctx, kept.ID)
		if err == nil && !found {
			err = store.ErrNoImage // it was deleted meanwhile
		}
		return fresh, err
	}
	if ctx.Err() != nil || apperr.CodeOf(err) == apperr.Unavailable && !errors.Is(err, worker.ErrHung) {
		return store.Image{}, err // that says nothing about the picture
	}
	s.losses.add(s.losses.tried, n, s.now())
	s.tellLoss(ctx, kept.ID, n, err)
	return store.Image{}, errLost
}

// instead is what GET /og answers for an image that is lost and cannot be made again just now.
func (s *Service) instead(ctx context.Context, kept store.Image, ifNoneMatch string) (Response, error) {
	if card, known, err := s.memory.cards.find(kept.CacheKey); known && err == nil {
		return card.picture(ifNoneMatch), nil
	}
	request, err := s.again(ctx, kept)
	if err != nil {
		return Response{}, errLost // the template is not there any more
	}
	return s.fallback(ctx, &job{request: request, key: kept.CacheKey}, fallbackUpstream, ifNoneMatch)
}

// tellLoss logs once in a while that a picture could not be made again.
func (s *Service) tellLoss(ctx context.Context, imageID string, n blob.Name, err error) {
	if recent(s.losses.told, n, s.now(), lossRest) {
		return
	}
	s.losses.add(s.losses.told, n, s.now())
	slog.ErrorContext(ctx, "a picture is lost or damaged and cannot be made again; its record stays", "image", imageID,
		"digest", n.Digest, "name", n.File, "err", err)
}

// healFile returns the bytes of a file that is not there, or does not look whole, once it was made again. found are the
// bytes that are there, and fault what came of reading them.
func (s *Service) healFile(ctx context.Context, n blob.Name, found []byte, fault error) ([]byte, error) {
	if recent(s.losses.tried, n, s.now(), remakeRest) {
		return nil, errNoFile
	}
	images, err := s.store.Naming(ctx, n, maxNaming)
	if err != nil {
		return nil, err
	}
	if len(images) == 0 {
		s.losses.add(s.losses.tried, n, s.now())
		if fault != nil {
			return nil, errNoFile
		}
		return found, nil // there is nothing to tell whether it is whole; a sweep takes it before long
	}
	return s.healNamed(ctx, n, images, found, fault)
}

// healNamed is healFile for a file that images name.
func (s *Service) healNamed(
	ctx context.Context, n blob.Name, images []store.Image, found []byte, fault error,
) ([]byte, error) {
	if fault == nil && files.Digest(images[0].ProjectID, found) == n.Digest {
		s.files.Whole(n)
		return found, nil
	}
	if err := s.files.Discard(ctx, n, images[0].ProjectID); err != nil {
		return nil, err
	}
	for _, kept := range images {
		if _, err := s.heal(ctx, kept, n); err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return nil, err
		}
		if data, err := s.blobs.Get(ctx, n); err == nil && files.Digest(kept.ProjectID, data) == n.Digest {
			s.files.Whole(n)
			return data, nil
		}
	}
	return nil, errNoFile
}

// compareHot compares the digest of a file that has come into memory, in the background, since its length, beginning
// and end do not tell damage within; a damaged one is made again. It does one at a time: the others are compared when
// they are asked for later, and so is this one when the database cannot tell whose it is.
func (s *Service) compareHot(n blob.Name, f *imagecache.File) {
	if !s.losses.comparing.CompareAndSwap(false, true) {
		return
	}
	work, err := s.tasks.Begin(context.Background())
	if err != nil { // the service closes
		s.losses.comparing.Store(false)
		return
	}
	go func() {
		defer s.losses.comparing.Store(false)
		defer work.End()
		ctx, cancel := context.WithTimeout(work.Ctx, s.making().bound())
		defer cancel()
		data, err := s.healFile(ctx, n, f.Bytes, nil)
		switch {
		case err == nil && bytes.Equal(data, f.Bytes):
			f.Whole()
		case err == nil || apperr.CodeOf(err) == apperr.NotFound:
			s.memory.files.Forget(n)
		}
	}()
}

var errNoFile = apperr.New(apperr.NotFound, "There is no picture at this address.")

// isFault says whether an error of reading a file means that it must be made again.
func isFault(err error) bool {
	return errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged)
}
