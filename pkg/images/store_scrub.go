package images

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// keptFile is a row of a file, once for each image that names it.
type keptFile struct {
	blob.Name
	ImageID   string `db:"image_id"` // "" when no image names it
	ProjectID string `db:"project_id"`
	SizeBytes int64  `db:"size_bytes"`
}

// filesUnder returns the rows of files whose digests begin with two hexadecimal digits.
func (s store) filesUnder(ctx context.Context, prefix string) (rows []keptFile, err error) {
	err = s.db.Select(ctx, &rows, `SELECT files.digest, files.name, COALESCE(images.id, '') AS image_id,
			COALESCE(images.project_id, '') AS project_id, COALESCE(image_files.size_bytes, 0) AS size_bytes
		FROM files LEFT JOIN image_files ON image_files.digest = files.digest AND image_files.name = files.name
		LEFT JOIN images ON images.id = image_files.image_id
		WHERE files.digest >= ? AND files.digest < ? ORDER BY files.digest, files.name`,
		prefix, prefix+"g") // which comes after f
	if err != nil {
		return nil, fmt.Errorf("list the files under %s: %w", prefix, err)
	}
	return rows, nil
}

// naming returns at most limit images that name a file.
func (s store) naming(ctx context.Context, n blob.Name, limit int) ([]imageRow, error) {
	var rows []joinedRow
	err := s.db.Select(ctx, &rows, joined+` WHERE id IN (SELECT image_id FROM image_files WHERE digest = ? AND name = ?
		ORDER BY image_id LIMIT ?) ORDER BY id, position`, n.Digest, n.File, limit)
	if err != nil {
		return nil, fmt.Errorf("find the images of a file: %w", err)
	}
	return together(rows), nil
}

// image returns an image, whoever's it is; found is false when there is none.
func (s store) image(ctx context.Context, id string) (kept imageRow, found bool, err error) {
	kept, err = s.one(ctx, `id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return imageRow{}, false, nil
	}
	if err != nil {
		return imageRow{}, false, fmt.Errorf("find image %s: %w", id, err)
	}
	return kept, true, nil
}

// adoptFiles notes files that have no row, for a sweep after the given moment.
func (s store) adoptFiles(ctx context.Context, names []blob.Name, until db.Millis) error {
	if len(names) == 0 {
		return nil
	}
	life := db.NewID()
	var args []any
	for _, n := range names {
		args = append(args, n.Digest, n.File, until, life)
	}
	_, err := s.db.Exec(ctx, `INSERT INTO files (digest, name, keep_until, life) VALUES (?, ?, ?, ?)`+
		strings.Repeat(`, (?, ?, ?, ?)`, len(names)-1)+` ON CONFLICT (digest, name) DO NOTHING`, args...)
	if err != nil {
		return fmt.Errorf("note files without a row: %w", err)
	}
	return nil
}

// condemn marks a file that images name as being deleted until the given moment; it is false for one that somebody is
// writing, or that a sweep is deleting. Until then nobody writes or names it.
func (s store) condemn(ctx context.Context, n blob.Name, now, until db.Millis) (held bool, err error) {
	rows, err := s.db.Exec(ctx, `UPDATE files SET doomed_until = ? WHERE digest = ? AND name = ?
		AND keep_until IS NULL AND (doomed_until IS NULL OR doomed_until < ?)`, until, n.Digest, n.File, now)
	if err != nil {
		return false, fmt.Errorf("condemn a damaged file: %w", err)
	}
	return rows > 0, nil
}

// acquit lets a condemned file be written anew, in a new life.
func (s store) acquit(ctx context.Context, n blob.Name, until db.Millis) error {
	_, err := s.db.Exec(ctx, `UPDATE files SET doomed_until = NULL, life = ?
		WHERE digest = ? AND name = ? AND doomed_until = ?`, db.NewID(), n.Digest, n.File, until)
	if err != nil {
		return fmt.Errorf("free the name of a damaged file: %w", err)
	}
	return nil
}

// pass is how far the check of all files has come.
type pass struct {
	Next    int       `db:"next"`
	BeganAt db.Millis `db:"began_at"`
}

// lastPass returns the pass that was begun last; the zero value before the first.
func (s store) lastPass(ctx context.Context) (p pass, err error) {
	err = s.db.Get(ctx, &p, `SELECT next, began_at FROM scrub`)
	if errors.Is(err, sql.ErrNoRows) {
		return pass{}, nil
	}
	if err != nil {
		return pass{}, fmt.Errorf("read how far the check of files is: %w", err)
	}
	return p, nil
}

func (s store) savePass(ctx context.Context, p pass) error {
	_, err := s.db.Exec(ctx, `INSERT INTO scrub (singleton, next, began_at) VALUES (1, ?, ?)
		ON CONFLICT (singleton) DO UPDATE SET next = excluded.next, began_at = excluded.began_at`, p.Next, p.BeganAt)
	if err != nil {
		return fmt.Errorf("note how far the check of files is: %w", err)
	}
	return nil
}

// seen says that a node is alive.
func (s store) seen(ctx context.Context, node string, now db.Millis) error {
	_, err := s.db.Exec(ctx, `INSERT INTO nodes (id, seen_at) VALUES (?, ?)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`, node, now)
	if err != nil {
		return fmt.Errorf("note that the node is alive: %w", err)
	}
	return nil
}

// left says that a node has ended well.
func (s store) left(ctx context.Context, node string) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM nodes WHERE id = ?`, node); err != nil {
		return fmt.Errorf("note that the node has ended: %w", err)
	}
	return nil
}

// The rows of nodes that were killed stay until all files were checked. Their seen_at is the negative of the moment at
// which that was noticed.

// noteKilled notes that the nodes but one that were not seen since a moment were killed, and reports whether there are
// any.
func (s store) noteKilled(ctx context.Context, since, now db.Millis, but string) (bool, error) {
	rows, err := s.db.Exec(ctx, `UPDATE nodes SET seen_at = ? WHERE seen_at >= 0 AND seen_at < ? AND id <> ?`,
		-now.UnixMilli(), since, but)
	if err != nil {
		return false, fmt.Errorf("look for nodes that were killed: %w", err)
	}
	return rows > 0, nil
}

// lastKilled returns when it was last noticed that a node was killed, of those after which not all files were checked;
// zero when there is none.
func (s store) lastKilled(ctx context.Context) (at db.Millis, err error) {
	var noticed int64
	if err := s.db.Get(ctx, &noticed, `SELECT COALESCE(MIN(seen_at), 0) FROM nodes WHERE seen_at < 0`); err != nil {
		return db.Millis{}, fmt.Errorf("look for nodes that were killed: %w", err)
	}
	if noticed < 0 {
		at.Time = time.UnixMilli(-noticed)
	}
	return at, nil
}

// forgetKilled forgets the killed nodes that were noticed until a moment: all files were checked since.
func (s store) forgetKilled(ctx context.Context, until db.Millis) error {
	_, err := s.db.Exec(ctx, `DELETE FROM nodes WHERE seen_at < 0 AND seen_at >= ?`, -until.UnixMilli())
	if err != nil {
		return fmt.Errorf("forget the nodes that were killed: %w", err)
	}
	return nil
}

// nodeRow is a node: SeenAt is when it last showed that it lives, or negative (see noteKilled).
type nodeRow struct {
	ID     string `db:"id"`
	SeenAt int64  `db:"seen_at"`
}

// nodes returns all nodes but one.
func (s store) nodes(ctx context.Context, but string) (rows []nodeRow, err error) {
	if err := s.db.Select(ctx, &rows, `SELECT id, seen_at FROM nodes WHERE id <> ?`, but); err != nil {
		return nil, fmt.Errorf("list the nodes: %w", err)
	}
	return rows, nil
}
