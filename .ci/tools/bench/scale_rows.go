package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// scaleOwners is how many accounts have the images, each with one project.
const scaleOwners = 1000

// imageID is the id of an image by its number: as those that the service makes, in the order of their creation.
func imageID(i int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012x", i) }

// ogPath is the address of an image by its number.
func (s *scale) ogPath(i int) string { return fmt.Sprintf("/og/%022d", i) }

// generated are the columns of an image that differ from those of the one that was drawn; n is its number.
var generated = map[string]string{
	"id":         `'01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')`,
	"public_id":  `lpad(n::text, 22, '0')`,
	"cache_key":  `md5(n::text) || md5('-' || n::text)`,
	"owner_id":   `CASE WHEN n % 1000 = 0 THEN t.owner_id ELSE 'owner-' || n % 1000 END`,
	"project_id": `CASE WHEN n % 1000 = 0 THEN t.project_id ELSE 'project-' || n % 1000 END`,
	"url":        `'https://example.com/pages/' || n`,
	"variant":    `TRUE`,
}

// filler inserts rows on one connection, whose settings hold for all of them.
type filler struct {
	*scale

	ctx  context.Context //nolint:containedctx // it lives no longer than fill
	conn *sql.Conn
}

// fill writes the files and inserts the images. The files of an image are in its project's scope, so that the number of
// files is rounded up to a multiple of the number of owners.
func (s *scale) fill(ctx context.Context, rows int) (bytes int64, err error) {
	s.files = (s.files + scaleOwners - 1) / scaleOwners * scaleOwners
	digests, err := s.writeFiles(s.files)
	if err != nil {
		return 0, err
	}
	f := filler{scale: s, ctx: ctx}
	if f.conn, err = s.pool.Conn(ctx); err != nil {
		return 0, err
	}
	defer func() { _ = f.conn.Close() }() // it goes back to the pool
	err = f.exec(
		`SET session_replication_role = replica`, // no triggers, and no look for what is referred to
		`SET work_mem = '256MB'`, `SET maintenance_work_mem = '1GB'`,
		`CREATE UNLOGGED TABLE scale_files (number BIGINT PRIMARY KEY, digest TEXT NOT NULL)`,
	)
	if err != nil {
		return 0, err
	}
	_, err = f.conn.ExecContext(ctx, `INSERT INTO scale_files SELECT number - 1, digest FROM unnest($1::text[])
		WITH ORDINALITY AS d (digest, number)`, pq.Array(digests))
	if err != nil {
		return 0, err
	}
	if err := f.accounts(); err != nil {
		return 0, err
	}
	if err := f.images(rows); err != nil {
		return 0, err
	}
	// Without the checkpoint, requests wait while gigabytes of new pages are written.
	err = f.exec(`DROP TABLE scale_files`, `RESET session_replication_role`, `VACUUM ANALYZE`, `CHECKPOINT`)
	return int64(s.files) * int64(s.fileBytes), err
}

func (f *filler) exec(statements ...string) error {
	for _, statement := range statements {
		if _, err := f.conn.ExecContext(f.ctx, statement); err != nil {
			return fmt.Errorf("%.200s: %w", statement, err)
		}
	}
	return nil
}

// accounts inserts the accounts and their projects.
func (f *filler) accounts() error {
	err := f.copy("users", map[string]string{
		"id": `'owner-' || n`, "email": `'owner-' || n || '@example.com'`, "email_key": `'owner-' || n`,
	}, scaleOwners)
	if err != nil {
		return err
	}
	return f.copy("projects", map[string]string{
		"id": `'project-' || n`, "public_id": `lpad(n::text, 12, '0')`, "owner_id": `'owner-' || n`,
	}, scaleOwners)
}

// images inserts the images with their files and what their budgets need.
func (f *filler) images(rows int) error {
	restore, err := f.dropIndexes("images", "image_files", "variants")
	if err != nil {
		return err
	}
	if err := f.exec(`INSERT INTO files (digest, name, kind)
		SELECT digest, 'og.png', 'images' FROM scale_files`); err != nil {
		return err
	}
	if err := f.copy("images", generated, rows); err != nil {
		return err
	}
	err = f.copy("image_files", map[string]string{
		"image_id": generated["id"], "name": `'og.png'`, "size_bytes": fmt.Sprint(f.fileBytes),
		"digest": `(SELECT digest FROM scale_files WHERE number = n % (SELECT COUNT(*) FROM scale_files))`,
	}, rows)
	if err != nil {
		return err
	}
	err = f.exec(
		fmt.Sprintf(`INSERT INTO variants (image_id, owner_id, project_id, bytes, newest, served_at)
			SELECT id, owner_id, project_id, %d, TRUE, created_at + ('x' || substr(id, 30))::bit(28)::int
			FROM images WHERE variant`, f.fileBytes),
		`INSERT INTO variant_totals SELECT 'installation', '', SUM(bytes) FROM variants`,
		`INSERT INTO variant_totals SELECT 'account', owner_id, SUM(bytes) FROM variants GROUP BY owner_id`,
		`INSERT INTO variant_totals SELECT 'project', project_id, SUM(bytes) FROM variants GROUP BY project_id`,
	)
	if err != nil {
		return err
	}
	return f.exec(restore...)
}

// copy inserts count rows like the first of a table, with other values in some columns.
func (f *filler) copy(table string, columns map[string]string, count int) error {
	var names []string
	rows, err := f.pool.QueryContext(f.ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'`, table)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	values := make([]string, len(names))
	for i, name := range names {
		if values[i] = columns[name]; values[i] == "" {
			values[i] = "t." + name
		}
	}
	return f.exec(fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM (SELECT * FROM %[1]s LIMIT 1) AS t,
		generate_series(0, %[4]d) AS n`, table, strings.Join(names, ", "), strings.Join(values, ", "), count-1))
}

// dropIndexes drops the indexes of tables that no constraint needs, and returns statements that create them again.
func (f *filler) dropIndexes(tables ...string) (restore []string, err error) {
	rows, err := f.pool.QueryContext(f.ctx, `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY($1)
		AND indexname NOT IN (SELECT conname FROM pg_constraint)`, pq.Array(tables))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var drop []string
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			return nil, err
		}
		drop, restore = append(drop, `DROP INDEX `+name), append(restore, definition)
	}
	return restore, errors.Join(rows.Err(), f.exec(drop...))
}

// writeFiles writes pictures of random bytes, and returns their digests. That of number i is for the project of the
// images whose numbers end like it.
func (s *scale) writeFiles(count int) (digests []string, err error) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		return nil, err
	}
	const header, end = 8 + 25, 12 // of a PNG: its signature and IHDR, and IEND
	padding := s.fileBytes - small.Len() - 12
	if padding < 16 {
		return nil, fmt.Errorf("a file has at least %d bytes", small.Len()+12+16)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range count {
		chunk := binary.BigEndian.AppendUint32(nil, uint32(padding))
		chunk = append(chunk, "tEXt"...)
		for range padding/8 + 1 {
			chunk = binary.BigEndian.AppendUint64(chunk, random.Uint64())
		}
		chunk = chunk[:8+padding]
		chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
		data := slices.Concat(small.Bytes()[:header], chunk, small.Bytes()[header:])
		scope := fmt.Sprint("project-", i%scaleOwners)
		if i%scaleOwners == 0 {
			scope = s.owner.Project
		}
		sum := sha256.Sum256(append([]byte(scope), data...))
		digest := hex.EncodeToString(sum[:])
		folder := filepath.Join(s.dir, "data", "images", digest[:2])
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, digest+".og.png"), data, 0o600); err != nil {
			return nil, err
		}
		digests = append(digests, digest)
	}
	return digests, nil
}
