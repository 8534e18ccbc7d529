package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/db"
)

const (
	// redrawRest is the pause after the first failed attempt; each pause is four times the one before, up to
	// maxRedrawRest.
	redrawRest    = 5 * time.Minute
	maxRedrawRest = 24 * time.Hour
)

// Redraw is what is known of the attempts to redraw an image, as its row keeps it.
type Redraw struct {
	// After is the moment of the next attempt, in Unix milliseconds; 0 is any.
	After int64 `json:"after,omitempty"`
	Tries int   `json:"tries,omitempty"`
	Fault Fault `json:"fault,omitempty"`
	// Brand says that the image shows an earlier brand of its project.
	Brand bool `json:"brand,omitempty"`
}

// Fault is why the last attempt failed.
type Fault string

// Why an attempt to redraw an image has failed.
const (
	FaultCeiling Fault = "ceiling" // the month's spending on AI is at its ceiling
	FaultPolicy  Fault = "policy"  // the AI provider refused the prompt
	FaultOther   Fault = "failed"
)

// Next is what is known of the attempts once another one began at the given moment: should it fail, or the program be
// killed, this is when the next one may follow.
func (r Redraw) Next(now time.Time) Redraw {
	const longest = 5 // 5 min · 4⁵ is more than a day
	rest := min(redrawRest<<(2*min(r.Tries, longest)), maxRedrawRest)
	return Redraw{After: now.Add(rest).UnixMilli(), Tries: r.Tries + 1, Fault: r.Fault, Brand: r.Brand}
}

// IsOutdated reports whether the image is still to be redrawn.
func (r Image) IsOutdated() bool { return r.Redraw.V != nil }

// ShowsEarlier reports whether the image is still to be redrawn with the active version of its design or the present
// brand.
func (r Image) ShowsEarlier() bool {
	return r.IsOutdated() && (r.DesignID != "" || r.Redraw.V.Brand)
}

// StaysDrawn reports whether an image of an earlier version of its design is never redrawn by itself, since it has an
// AI picture.
func (r Image) StaysDrawn() bool { return r.DesignID != "" && r.IsAI() }

// IsThere returns ErrNoImage for an image that was deleted, or is marked as such: a redraw does not bring it back.
func IsThere(ctx context.Context, tx *db.Tx, id string) error {
	var n int
	if err := tx.Get(ctx, &n, `SELECT COUNT(*) FROM images WHERE id = ? AND deleting_at IS NULL`, id); err != nil {
		return fmt.Errorf("look for image %s: %w", id, err)
	}
	if n == 0 {
		return ErrNoImage
	}
	return nil
}

// CheckVersion marks an image that was just saved as outdated if another version of its design became the active one
// while it was drawn.
func CheckVersion(ctx context.Context, tx *db.Tx, saved Image, drawn *card.Design) error {
	if drawn == nil {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE images SET redraw = '{}' WHERE id = ? AND EXISTS (SELECT 1 FROM designs d
		JOIN design_versions v ON v.design_id = d.id AND v.version = d.version WHERE d.id = ? AND v.digest <> ?)`,
		saved.ID, drawn.ID, drawn.Digest())
	if err != nil {
		return fmt.Errorf("compare the version of design %s: %w", drawn.ID, err)
	}
	return nil
}

// NoteRedraw notes what is known of the attempts to redraw an image, unless it was replaced meanwhile.
func (s Store) NoteRedraw(ctx context.Context, kept Image, known Redraw) error {
	_, err := s.db.Exec(ctx, `UPDATE images SET redraw = ? WHERE id = ? AND updated_at = ? AND redraw <> 'null'`,
		db.JSON[*Redraw]{V: &known}, kept.ID, kept.UpdatedAt)
	if err != nil {
		return fmt.Errorf("note the redraw of image %s: %w", kept.ID, err)
	}
	return nil
}

// ByBaseKeys returns the newest image of a request with any version of its design and any brand: base is the base key
// of the request, ofDesign the one for all versions of its design with just this brand.
func (s Store) ByBaseKeys(ctx context.Context, base, ofDesign string) (kept Image, found bool, err error) {
	kept, err = s.Brief().one(ctx,
		`id = (SELECT id FROM images WHERE base_key IN (?, ?) AND base_key <> ''
			AND deleting_at IS NULL ORDER BY id DESC LIMIT 1)`, base, ofDesign)
	if errors.Is(err, sql.ErrNoRows) {
		return Image{}, false, nil
	}
	if err != nil {
		return Image{}, false, fmt.Errorf("find image by its design and brand: %w", err)
	}
	return kept, true, nil
}

// MoveKey stores an outdated image under the key of the active version of its design and of the present brand. moved
// is false if there is one already.
func (s Store) MoveKey(ctx context.Context, kept Image, key string) (moved bool, err error) {
	brand := kept.DesignID == "" || kept.IsOutdated() && kept.Redraw.V.Brand
	rows, err := s.db.Exec(ctx, `UPDATE images SET cache_key = ?, redraw = ? WHERE id = ? AND cache_key = ?
		AND NOT EXISTS (SELECT 1 FROM images AS other WHERE other.cache_key = ?)`, key,
		db.JSON[*Redraw]{V: &Redraw{Brand: brand}}, kept.ID, kept.CacheKey, key)
	if err != nil && !db.IsUnique(err) {
		return false, fmt.Errorf("move image %s to its present key: %w", kept.ID, err)
	}
	return err == nil && rows > 0, nil
}

// Settle makes an image whose design was deleted one that needs no redraw.
func (s Store) Settle(ctx context.Context, id string) error {
	if _, err := s.db.Exec(ctx, `UPDATE images SET redraw = 'null' WHERE id = ?`, id); err != nil {
		return fmt.Errorf("keep image %s without its design: %w", id, err)
	}
	return nil
}

// SettleBrand notes what the requests for an image leave open, and the base key that follows from that.
func (s Store) SettleBrand(ctx context.Context, kept Image, open card.Open, base string) error {
	_, err := s.db.Exec(ctx, `UPDATE images SET left_open = ?, base_key = ? WHERE id = ? AND cache_key = ?`,
		int64(open), base, kept.ID, kept.CacheKey)
	if err != nil {
		return fmt.Errorf("note what image %s leaves to the brand: %w", kept.ID, err)
	}
	return nil
}
