package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"

	"masthead/pkg/base62"
	"masthead/pkg/db"
)

// storeDrawn keeps the file and then the record.
func (s *Service) storeDrawn(ctx context.Context, j *job) error {
	now := db.Millis{Time: s.now()}
	r, drawn := j.request, j.picture
	sum := sha256.Sum256(drawn.Bytes)
	fresh := row{
		ID: uuid.Must(uuid.NewV7()).String(), PublicID: base62.Random(publicIDLength), CacheKey: j.key, OwnerID: j.caller.UserID,
		ProjectID: r.ProjectID, Kind: r.Kind, URL: r.URL, Template: r.Template,
		Style: db.JSON[Style]{V: r.Style}, AI: db.JSON[*AIResult]{V: j.ai}, Page: db.JSON[PageData]{V: j.page},
		Alt:   altText(j.page.Title, j.page.SiteName, hostOf(r.at.page)),
		Width: drawn.Width, Height: drawn.Height,
		Digest: fileDigest(r.ProjectID, drawn.Bytes), Version: hex.EncodeToString(sum[:6]), FileName: fileName(r.Kind, drawn.Ext),
		ContentType: drawn.ContentType, SizeBytes: len(drawn.Bytes), CreatedAt: now, UpdatedAt: now,
	}
	// The file is flushed before the transaction begins, so that the one inside only makes sure of it and writers wait little.
	put := func() error { return s.blobs.Put(ctx, fresh.blobName(), drawn.Bytes) }
	if err := put(); err != nil {
		return err
	}
	saved, err := s.store.save(ctx, fresh, put)
	if err != nil {
		return err
	}
	j.record = s.record(saved)
	j.record.Generation = s.now().Sub(j.began)
	return nil
}
