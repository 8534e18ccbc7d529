// Package installation identifies installations by an ID that is stored in the database and in the pictures folder.
// Nodes share both. A node whose database and folder belong to different installations would write pictures that
// nobody finds, so it doesn't start. [Acquire] likewise stops a second server on an embedded database.
package installation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"masthead/pkg/db"
)

// MarkerName is the file in the pictures folder that contains the ID.
const MarkerName = "installation-id"

// Match is the relation between a folder and a database.
type Match int

// Kinds of matches. A folder of another installation is an error; see [Check].
const (
	// Same: folder and database have the same ID.
	Same Match = iota
	// Joined: neither had an ID, as at the first start of an installation. Now both have one.
	Joined
	// Unknown: the folder had no ID although the database has been used with a folder before. Now it has one. On a
	// second node, this means that the folder isn't shared.
	Unknown
)

// Check verifies that the folder dir and the database d belong to the same installation. It assigns an ID where there
// is none: to the database at its first start, and to a folder that is new or older than these IDs. For a folder with
// another ID it returns an error that says what to do.
//
// Check may run on many nodes concurrently.
func Check(ctx context.Context, d *db.DB, dir string) (Match, error) {
	id, made, err := databaseID(ctx, d)
	if err != nil {
		return Same, err
	}
	marker := filepath.Join(dir, MarkerName)
	match := Same
	found, err := readMarker(marker)
	if errors.Is(err, fs.ErrNotExist) {
		if match = Unknown; made {
			match = Joined
		}
		if err := writeMarker(dir, id); err != nil {
			return match, fmt.Errorf("mark the pictures folder: %w", err)
		}
		found, err = readMarker(marker) // another installation's node may have marked it concurrently
	}
	if err != nil {
		return match, fmt.Errorf("read the marker of the pictures folder: %w", err)
	}
	if found != id {
		return match, otherFolder(dir, marker)
	}
	return match, nil
}

func otherFolder(dir, marker string) error {
	return fmt.Errorf("the pictures in %s belong to a different installation than the database: "+
		"set MASTHEAD_DATA_DIR to the folder that was used with this database, or to a new one, "+
		"or MASTHEAD_DATABASE_URL the database that was used with this folder. "+
		"To make them one installation, delete %s and start again", dir, marker)
}

// databaseID returns the ID in the database and whether it was just created.
func databaseID(ctx context.Context, d *db.DB) (id string, made bool, err error) {
	rows, err := d.Exec(ctx, `INSERT INTO installation (singleton, id) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING`,
		uuid.NewString())
	if err == nil {
		err = d.Get(ctx, &id, `SELECT id FROM installation`)
	}
	if err != nil {
		return "", false, fmt.Errorf("read the id of the installation: %w", err)
	}
	return id, rows > 0, nil
}

// Marker returns the ID in the pictures folder dir, or "" if there is none.
func Marker(dir string) (id string, err error) {
	id, err = readMarker(filepath.Join(dir, MarkerName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the marker of the pictures folder: %w", err)
	}
	return id, nil
}

// Mark assigns the ID to the pictures folder dir, creating it if necessary.
func Mark(dir, id string) error {
	if found, err := Marker(dir); err != nil || found == id {
		return err
	}
	if err := writeMarker(dir, id); err != nil {
		return fmt.Errorf("mark the pictures folder: %w", err)
	}
	return nil
}

func readMarker(path string) (id string, err error) {
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// writeMarker writes the ID atomically.
func writeMarker(dir, id string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+MarkerName+"-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(id + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, MarkerName))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
