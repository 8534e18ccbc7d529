package eviction

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// budget is whose bytes are limited.
type budget string

const (
	perInstallation budget = "installation"
	perAccount      budget = "account"
	perProject      budget = "project"
)

// where is the condition for the variants of one of them.
var where = map[budget]string{
	perInstallation: `? = ''`, perAccount: `owner_id = ?`, perProject: `project_id = ?`,
}

// Variant is a picture that GET /og drew.
type Variant struct {
	ImageID, OwnerID, ProjectID, URL string
	Bytes                            int64 // of all its files
}

// Stored notes a picture that was drawn now, in the transaction that stores it. Older ones of the same page are deleted
// before others.
func Stored(ctx context.Context, tx *db.Tx, v Variant, now time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO variants (image_id, owner_id, project_id, bytes, newest, served_at)
		VALUES (?, ?, ?, ?, TRUE, ?) ON CONFLICT (image_id) DO UPDATE SET bytes = excluded.bytes, newest = TRUE,
			served_at = excluded.served_at`, v.ImageID, v.OwnerID, v.ProjectID, v.Bytes, now.UnixMilli())
	if err != nil {
		return fmt.Errorf("note a variant: %w", err)
	}
	_, err = tx.Exec(ctx, `UPDATE variants SET newest = FALSE WHERE newest AND image_id IN
		(SELECT id FROM images WHERE project_id = ? AND url = ? AND variant AND id <> ?)`, v.ProjectID, v.URL, v.ImageID)
	if err != nil {
		return fmt.Errorf("note older variants: %w", err)
	}
	return nil
}

// Kept notes that an image stays whatever the budgets say.
func Kept(ctx context.Context, tx *db.Tx, imageID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM variants WHERE image_id = ?`, imageID); err != nil {
		return fmt.Errorf("keep an image: %w", err)
	}
	return nil
}

// touch notes that images were served. It leaves out those that are noted already for the hour.
func (s store) touch(ctx context.Context, publicIDs []string, now time.Time) error {
	args := []any{now.UnixMilli(), now.Add(-useSpan).UnixMilli()}
	for i := range useBatch { // one text for all
		args = append(args, publicIDs[min(i, len(publicIDs)-1)])
	}
	_, err := s.db.Regenerable().Exec(ctx, `UPDATE variants SET served_at = ? WHERE served_at <= ? AND image_id IN
		(SELECT id FROM images WHERE public_id IN (`+placeholders(useBatch)+`))`, args...)
	if err != nil {
		return fmt.Errorf("note when pictures were served: %w", err)
	}
	return nil
}

// change is what a variant added or took.
type change struct {
	OwnerID   string `db:"owner_id"`
	ProjectID string `db:"project_id"`
	Bytes     int64  `db:"bytes"`
}

// settle adds the changes to the totals.
func (s store) settle(ctx context.Context) error {
	for {
		var changes []change
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			changes = nil
			err := tx.Select(ctx, &changes, `DELETE FROM variant_changes WHERE seq IN
				(SELECT seq FROM variant_changes ORDER BY seq LIMIT ?) RETURNING owner_id, project_id, bytes`, settleBatch)
			if err != nil {
				return err
			}
			type scope struct {
				budget budget
				id     string
			}
			sums := map[scope]int64{}
			for _, c := range changes {
				sums[scope{perInstallation, ""}] += c.Bytes
				sums[scope{perAccount, c.OwnerID}] += c.Bytes
				sums[scope{perProject, c.ProjectID}] += c.Bytes
			}
			for of, bytes := range sums {
				_, err := tx.Exec(ctx, `INSERT INTO variant_totals (budget, id, bytes) VALUES (?, ?, ?)
					ON CONFLICT (budget, id) DO UPDATE SET bytes = variant_totals.bytes + excluded.bytes`, of.budget, of.id, bytes)
				if err != nil {
					return err
				}
			}
			_, err = tx.Exec(ctx, `DELETE FROM variant_totals
				WHERE budget IN ('account', 'project', 'installation') AND bytes = 0`)
			return err
		})
		if err != nil {
			return fmt.Errorf("add up the bytes of variants: %w", err)
		}
		if len(changes) < settleBatch {
			return nil
		}
	}
}

// total is how many bytes an account, a project or all have.
type total struct {
	ID    string `db:"id"`
	Bytes int64  `db:"bytes"`
}

// beyond returns those that have more bytes than most, at most limit.
func (s store) beyond(ctx context.Context, of budget, most int64, limit int) (all []total, err error) {
	err = s.db.Select(ctx, &all, `SELECT id, bytes FROM variant_totals WHERE budget = ? AND bytes > ?
		ORDER BY bytes DESC LIMIT ?`, of, most, limit)
	if err != nil {
		return nil, fmt.Errorf("find what is beyond its budget: %w", err)
	}
	return all, nil
}

// variant is a picture that may be deleted.
type variant struct {
	ImageID string `db:"image_id"`
	Bytes   int64  `db:"bytes"`
}

// next returns the variants that are deleted next.
func (s store) next(ctx context.Context, of budget, id string, limit int) (all []variant, err error) {
	err = s.db.Select(ctx, &all, `SELECT image_id, bytes FROM variants WHERE `+where[of]+
		` ORDER BY newest, served_at LIMIT ?`, id, limit)
	if err != nil {
		return nil, fmt.Errorf("find variants to delete: %w", err)
	}
	return all, nil
}

// unused returns variants that were last served before a time.
func (s store) unused(ctx context.Context, before time.Time, limit int) (all []variant, err error) {
	err = s.db.Select(ctx, &all, `SELECT image_id, bytes FROM variants WHERE newest IN (FALSE, TRUE) AND served_at < ?
		LIMIT ?`, before.UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("find unused variants: %w", err)
	}
	return all, nil
}

// delete deletes the images of variants, but for those that somebody has asked for by POST in the meantime.
func (s store) delete(ctx context.Context, variants []variant) (publicIDs []string, err error) {
	args := make([]any, batch) // one text for all
	for i := range args {
		args[i] = variants[min(i, len(variants)-1)].ImageID
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		publicIDs = nil
		err := tx.Select(ctx, &publicIDs, `DELETE FROM images WHERE variant AND id IN (`+placeholders(batch)+`)
			RETURNING public_id`, args...)
		if err == nil { // what is left are no variants any more
			_, err = tx.Exec(ctx, `DELETE FROM variants WHERE image_id IN (`+placeholders(batch)+`)`, args...)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("delete variants: %w", err)
	}
	return publicIDs, nil
}

func placeholders(n int) string { return "?" + strings.Repeat(", ?", n-1) }
