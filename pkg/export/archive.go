package export

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// rowsAtOnce bounds the rows, and files, that are read at a time.
const rowsAtOnce = 500

const readme = `This is all that is stored about your account.

Each JSON file is a list of the rows of one table; times are in UTC. The folder
images has the files of images by the id of the image, and reports the pictures
of audits by the id of the audit. Passwords, secrets of keys and webhooks, and
what authenticator apps and passkeys share with us aren't in it.
`

// archive writes the zip of an account.
func (s *Service) archive(ctx context.Context, to io.Writer, ownerID string) error {
	z := zip.NewWriter(to)
	w, err := z.Create("README.txt")
	if err == nil {
		_, err = io.WriteString(w, readme)
	}
	if err != nil {
		return err
	}
	for _, t := range tables {
		if w, err = z.Create(t.name + ".json"); err != nil {
			return err
		}
		if err := s.writeTable(ctx, w, t, ownerID); err != nil {
			return err
		}
	}
	var written int64
	for _, of := range []fileSource{
		{"images", s.deps.Images, `SELECT image_id AS owner, digest, name, image_id || ' ' || name AS place FROM image_files
			WHERE ` + ofImages},
		{"images", s.deps.Images, `SELECT image_id AS owner, digest, name, image_id AS place FROM image_backgrounds
			WHERE ` + ofImages},
		{"images", s.deps.Images, `SELECT image_id || '/version ' || version AS owner, digest, name,
			image_id || ' ' || version || ' ' || name AS place FROM image_version_files WHERE ` + ofImages},
		{"assets", s.deps.Images, `SELECT id AS owner, digest, name, id AS place FROM assets WHERE ` + byOwner},
		{"reports", s.deps.Reports, `SELECT audit_id AS owner, digest, name, digest || ' ' || name AS place FROM audit_files
			WHERE ` + ofAudits},
	} {
		if err := s.writeFiles(ctx, z, of, ownerID, &written); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeTable writes the rows of an account as a JSON array, one in a line.
func (s *Service) writeTable(ctx context.Context, w io.Writer, t table, ownerID string) error {
	place := placeOf(t.key)
	query := `SELECT place, content FROM (SELECT ` + place + ` AS place, ` + objectOf(s.deps.DB.Dialect(), t.columns) +
		` AS content FROM ` + t.name + ` WHERE ` + t.owned + `) AS owned WHERE place > ? ORDER BY place LIMIT ?`
	before := "[\n"
	for after := ""; ; {
		var rows []struct {
			Place   string `db:"place"`
			Content string `db:"content"`
		}
		if err := s.deps.DB.Select(ctx, &rows, query, ownerID, after, rowsAtOnce); err != nil {
			return fmt.Errorf("export %s: %w", t.name, err)
		}
		for _, r := range rows {
			if !json.Valid([]byte(r.Content)) {
				return fmt.Errorf("export %s: row %s is not JSON", t.name, r.Place)
			}
			if _, err := io.WriteString(w, before+r.Content); err != nil {
				return err
			}
			before, after = ",\n", r.Place
		}
		if len(rows) < rowsAtOnce {
			break
		}
	}
	if before == "[\n" {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}

// placeOf returns the expression that rows with these key columns are sorted by. It is never empty.
func placeOf(key string) string {
	return `'.' || ` + strings.Join(strings.Fields(key), ` || ' ' || `)
}

// objectOf returns the expression for columns (see table) as a JSON object.
func objectOf(dialect db.Dialect, columns string) string {
	var parts []string
	for _, column := range strings.Fields(columns) {
		name := strings.TrimRight(column, "@?{}")
		value := name
		switch strings.TrimPrefix(column, name) {
		case "@":
			value = `to_char(to_timestamp(` + name + ` / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
			if dialect == db.SQLite {
				value = `strftime('%Y-%m-%dT%H:%M:%fZ', ` + name + ` / 1000.0, 'unixepoch')`
			}
		case "?":
			if dialect == db.SQLite {
				value = `json(CASE WHEN ` + name + ` THEN 'true' ELSE 'false' END)`
			}
		case "{}":
			value = `CAST(NULLIF(` + name + `, '') AS json)`
			if dialect == db.SQLite {
				value = `json(NULLIF(` + name + `, ''))`
			}
		}
		parts = append(parts, `'`+name+`', `+value)
	}
	if dialect == db.SQLite {
		return `json_object(` + strings.Join(parts, `, `) + `)`
	}
	return `CAST(json_build_object(` + strings.Join(parts, `, `) + `) AS TEXT)`
}

// fileSource is where files of an account come from: their folder in the zip, their store, and the query for them.
type fileSource struct {
	folder string
	in     blob.Store
	query  string
}

// errTooLarge means that the files of an account are larger than can be exported.
var errTooLarge = errors.New("the files are larger than 50 GB")

// writeFiles writes files of an account. One that is deleted meanwhile, or can't be read, isn't in the zip.
func (s *Service) writeFiles(ctx context.Context, z *zip.Writer, of fileSource, ownerID string, written *int64) error {
	for after := ""; ; {
		var rows []struct {
			Owner string `db:"owner"`
			blob.Name
			Place string `db:"place"`
		}
		err := s.deps.DB.Select(ctx, &rows, `SELECT owner, digest, name, place FROM (`+of.query+`) AS owned WHERE place > ?
			ORDER BY place LIMIT ?`, ownerID, after, rowsAtOnce)
		if err != nil {
			return fmt.Errorf("export the files of %s: %w", of.folder, err)
		}
		for _, r := range rows {
			after = r.Place
			data, err := of.in.Get(ctx, r.Name)
			if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) {
				continue
			}
			if err != nil {
				return fmt.Errorf("export the file %s: %w", r.Name, err)
			}
			if *written += int64(len(data)); *written > mostBytes {
				return errTooLarge
			}
			// Pictures are compressed already.
			w, err := z.CreateHeader(&zip.FileHeader{Name: of.folder + "/" + r.Owner + "/" + r.File, Method: zip.Store})
			if err == nil {
				_, err = w.Write(data)
			}
			if err != nil {
				return err
			}
		}
		if len(rows) < rowsAtOnce {
			return nil
		}
	}
}
