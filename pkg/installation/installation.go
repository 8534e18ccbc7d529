// Package installation owns what tells one installation from another: an id in its database, and the same id in a file
// of the folder that its pictures are in. Nodes share both; a node whose database and folder are of two installations
// would write pictures that nobody finds, and is stopped here. So is a second server on an embedded database: see
// [Acquire].
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

// MarkerName is the file in the folder of pictures that holds the id.
const MarkerName = "installation-id"

// Match is how a folder and a database belong together.
type Match int

// The ways. Another folder is an error; see [Check].
const (
	// Same: the folder has the id of the database.
	Same Match = iota
	// Joined: neither knew of the other, as at the first start and at the first one since there are ids; they do now.
	Joined
	// Unknown: the folder had no id, though the database has been used with a folder before; it has the id now. On a
	// second node that means that the folder is not shared.
	Unknown
)

// Check makes sure that the folder dir and the database d are of one installation. It gives an id to what has none
// yet: the database at its first start, the folder when it is new or older than ids are. A folder with another id is
// an error that says what to do.
//
// It may run on many nodes at once.
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
			return match, fmt.Errorf("mark the folder of pictures: %w", err)
		}
		found, err = readMarker(marker) // a node of another installation may have marked it just now
	}
	if err != nil {
		return match, fmt.Errorf("read the mark of the folder of pictures: %w", err)
	}
	if found != id {
		return match, otherFolder(dir, marker)
	}
	return match, nil
}

func otherFolder(dir, marker string) error {
	return fmt.Errorf("the pictures in %s belong to another installation than the database: "+
		"let MASTHEAD_DATA_DIR name the folder that was used with this database, or a new one, "+
		"or MASTHEAD_DATABASE_URL the database that was used with this folder. "+
		"If the two shall be one installation from now on, delete %s and start again", dir, marker)
}

// databaseID returns the id of the database, and whether it was made just now.
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

func readMarker(path string) (id string, err error) {
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// writeMarker writes the id whole or not at all.
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
