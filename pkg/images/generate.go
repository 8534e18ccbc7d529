package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/render"
)

// Times of a drawing. The job is the fetching and drawing of one picture; a node that takes longer than the lease lost it.
const (
	jobTime   = 30 * time.Second
	leaseTime = 2 * jobTime
	pollEvery = 50 * time.Millisecond
)

// Generate returns the image that r asks for, drawing it when it is not kept. Identical requests at the same time, on one node or
// on many, share one drawing, which outlives the caller who began it.
//
// Errors: BAD_REQUEST for a bad or refused address, FORBIDDEN for a project that the key may not use, NOT_FOUND for a template,
// CONFLICT when r.CreateOnly finds an image, UPSTREAM_FAILED for a page that cannot be fetched.
func (s *Service) Generate(ctx context.Context, caller identity.Caller, r Request) (Record, error) {
	if err := s.mayUse(ctx, caller, r.ProjectID); err != nil {
		return Record{}, err
	}
	r, err := r.normalise()
	if err != nil {
		return Record{}, err
	}
	key, err := r.key()
	if err != nil {
		return Record{}, err
	}
	if !r.Force {
		kept, found, err := s.find(ctx, key)
		if err != nil {
			return Record{}, err
		}
		if found {
			return s.existing(kept, r.CreateOnly)
		}
	}
	return s.share(ctx, caller, r, key)
}

// mayUse says whether the key is for the project: FORBIDDEN when it is out of its scope, someone else's, or none.
func (s *Service) mayUse(ctx context.Context, caller identity.Caller, projectID string) error {
	forbidden := apperr.New(apperr.Forbidden, "This key may not use this project.")
	if caller.KeyProjectID != "" && caller.KeyProjectID != projectID {
		return forbidden
	}
	_, err := s.projects.Get(ctx, caller, projectID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return forbidden
	}
	return err
}

func (s *Service) existing(kept row, createOnly bool) (Record, error) {
	if createOnly {
		return Record{}, apperr.New(apperr.Conflict, "The image exists already, with id "+kept.ID+". Send force: true, without If-None-Match, to draw it anew.")
	}
	return s.kept(kept), nil
}

// find returns the image under key if its file is there too: one whose file was lost is drawn anew.
func (s *Service) find(ctx context.Context, key string) (row, bool, error) {
	kept, found, err := s.store.byKey(ctx, key)
	if err != nil || !found {
		return row{}, false, err
	}
	has, err := s.blobs.Has(ctx, kept.blobName())
	if err != nil || !has {
		return row{}, false, err
	}
	return kept, true, nil
}

// share runs one drawing for all callers that want the same.
func (s *Service) share(ctx context.Context, caller identity.Caller, r Request, key string) (Record, error) {
	name := key
	if r.Force {
		name += " force"
	}
	shared := s.flight.DoChan(name, func() (any, error) {
		work, end, err := s.drawings.begin(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
		var record Record
		err = safely(func() (err error) {
			record, err = s.acrossNodes(work, caller, r, key)
			return err
		})
		return record, err
	})
	select {
	case <-ctx.Done():
		return Record{}, ctx.Err()
	case result := <-shared:
		if result.Err != nil {
			return Record{}, result.Err
		}
		record, _ := result.Val.(Record)
		if record.Cached && r.CreateOnly {
			return s.existing(record.row, true)
		}
		return record, nil
	}
}

// acrossNodes draws when no other node is drawing the same; else it waits for that node's record, which is as new to this caller.
func (s *Service) acrossNodes(ctx context.Context, caller identity.Caller, r Request, key string) (Record, error) {
	began := s.now()
	if s.leases == nil {
		return s.unlessKept(ctx, caller, r, key, began)
	}
	for waited := false; ; waited = true {
		held, err := s.leases.Acquire(ctx, "image "+key, leaseTime)
		if err != nil {
			return Record{}, err
		}
		if held != nil {
			defer func() {
				if err := held.Release(context.WithoutCancel(ctx)); err != nil {
					slog.WarnContext(ctx, "lease not released", "err", err)
				}
			}()
			record, err := s.unlessKept(ctx, caller, r, key, began)
			if waited && err == nil {
				record.Cached, record.Generation = false, s.now().Sub(began)
			}
			return record, err
		}
		select {
		case <-ctx.Done():
			return Record{}, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// unlessKept draws, unless the image came to be between the caller's look and now.
func (s *Service) unlessKept(ctx context.Context, caller identity.Caller, r Request, key string, began time.Time) (Record, error) {
	kept, found, err := s.find(ctx, key)
	if err != nil {
		return Record{}, err
	}
	if found && (!r.Force || kept.UpdatedAt.After(began)) {
		return s.kept(kept), nil
	}
	if found {
		// Its address is in pages: from its replacement on it has the time of an orphan, however old it is.
		if err := s.blobs.Touch(ctx, kept.blobName()); err != nil {
			return Record{}, err
		}
	}
	return s.draw(ctx, caller, r, key, began)
}

// draw reads the page, draws, and keeps the file and then the record.
func (s *Service) draw(ctx context.Context, caller identity.Caller, r Request, key string, began time.Time) (Record, error) {
	var found material
	err := s.fetches.run(ctx, func() (err error) {
		found, err = s.reader.read(ctx, r)
		return err
	})
	if err != nil {
		return Record{}, err
	}
	var drawn render.Picture
	err = s.workers.run(ctx, func() (err error) {
		drawn, err = render.Draw(ctx, found.request)
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("draw %s: %w", r.Template, err)
	}
	now := db.Millis{Time: s.now()}
	sum := sha256.Sum256(drawn.Bytes)
	fresh := row{
		ID: uuid.Must(uuid.NewV7()).String(), PublicID: base62.Random(publicIDLength), CacheKey: key, OwnerID: caller.UserID,
		ProjectID: r.ProjectID, Kind: r.Kind, URL: r.URL, Template: r.Template,
		Style: db.JSON[Style]{V: r.Style}, AI: db.JSON[*AIResult]{V: withoutAI(r.AI)}, Page: db.JSON[PageData]{V: found.page},
		Alt:   altText(found.page.Title, found.page.SiteName, hostOf(r.URL)),
		Width: drawn.Width, Height: drawn.Height,
		Digest: fileDigest(r.ProjectID, drawn.Bytes), Version: hex.EncodeToString(sum[:6]), FileName: fileName(r.Kind, drawn.Ext),
		ContentType: drawn.ContentType, SizeBytes: len(drawn.Bytes), CreatedAt: now, UpdatedAt: now,
	}
	// The file is flushed before the transaction begins, so that the one inside only makes sure of it and writers wait little.
	put := func() error { return s.blobs.Put(ctx, fresh.blobName(), drawn.Bytes) }
	if err := put(); err != nil {
		return Record{}, err
	}
	saved, err := s.store.save(ctx, fresh, put)
	if err != nil {
		return Record{}, err
	}
	record := s.record(saved)
	record.Generation = s.now().Sub(began)
	return record, nil
}

// safely turns a panic of fn into an error of this one picture: reading and drawing work on what strangers wrote, in goroutines where
// a panic would end the program.
func safely(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return fn()
}

// withoutAI is the result of asking for AI where no provider is configured.
func withoutAI(asked *AI) *AIResult {
	if asked == nil {
		return nil
	}
	return &AIResult{Model: asked.Model, FellBack: true, FallbackReason: "off"}
}

// fileDigest names a file: two projects never share one, and the bytes under a digest never change.
func fileDigest(projectID string, data []byte) string {
	h := sha256.New()
	h.Write([]byte(projectID))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// verify compares a file with what its record says. Without a record there is nothing to compare with.
func (s *Service) verify(ctx context.Context, name blob.Name, data []byte) error {
	version, err := s.store.version(ctx, name.Digest)
	if err != nil {
		// Pictures go on while the database is away.
		slog.WarnContext(ctx, "file served unverified", "err", err)
		return nil
	}
	sum := sha256.Sum256(data)
	if version == "" || version == hex.EncodeToString(sum[:6]) {
		return nil
	}
	slog.ErrorContext(ctx, "damaged file removed", "digest", name.Digest)
	if err := s.blobs.Delete(ctx, name); err != nil {
		return err
	}
	return apperr.New(apperr.NotFound, "The picture at this address was damaged; generate it again.")
}
