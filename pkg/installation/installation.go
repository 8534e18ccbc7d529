// Package installation identifies installations by an ID that is stored in the database and beside the pictures.
// Nodes share both. A node whose database and pictures belong to different installations would write pictures that
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

// MarkerName is the file beside the pictures that contains the ID.
const MarkerName = "installation-id"

// Place is where the pictures are, and has the marker.
type Place interface {
	// Read returns the ID in the marker, or "" if there is none.
	Read(ctx context.Context) (id string, err error)
	// Write writes the marker.
	Write(ctx context.Context, id string) error
	// Name is what operators know the place by: its kind and its name, such as "the folder /var/lib/masthead/images".
	Name() string
	// Marker is what operators know the marker by.
	Marker() string
	// Setting names the variable that chooses the place.
	Setting() string
}

// Match is the relation between a place and a database.
type Match int

// Kinds of matches. A place of another installation is an error; see [Check].
const (
	// Same: place and database have the same ID.
	Same Match = iota
	// Joined: neither had an ID, as at the first start of an installation. Now both have one.
	Joined
	// Unknown: the place had no ID although the database has been used with another one before. Now it has one. On a
	// second node, this means that a folder isn't shared.
	Unknown
)

// Check verifies that the pictures in a place and the database d belong to the same installation. It assigns an ID
// where there is none: to the database at its first start, and to a place that is new or older than these IDs. For a
// place with another ID it returns an error that says what to do.
//
// Check may run on many nodes concurrently.
func Check(ctx context.Context, d *db.DB, place Place) (Match, error) {
	id, made, err := databaseID(ctx, d)
	if err != nil {
		return Same, err
	}
	match := Same
	found, err := place.Read(ctx)
	if err == nil && found == "" {
		if match = Unknown; made {
			match = Joined
		}
		if err := place.Write(ctx, id); err != nil {
			return match, fmt.Errorf("mark %s: %w", place.Name(), err)
		}
		found, err = place.Read(ctx) // another installation's node may have marked it concurrently
	}
	if err != nil {
		return match, fmt.Errorf("read the marker of %s: %w", place.Name(), err)
	}
	if found != id {
		return match, otherPlace(place)
	}
	return match, nil
}

func otherPlace(place Place) error {
	return fmt.Errorf("the pictures in %s belong to a different installation than the database: "+
		"set %s to the place that was used with this database, or to a new one, "+
		"or MASTHEAD_DATABASE_URL to the database that was used with these pictures. "+
		"To make them one installation, delete %s and start again", place.Name(), place.Setting(), place.Marker())
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

// Mark assigns the ID to a place.
func Mark(ctx context.Context, place Place, id string) error {
	found, err := place.Read(ctx)
	if err == nil && found != id {
		err = place.Write(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", place.Name(), err)
	}
	return nil
}

// Folder is the [Place] of pictures in a folder, which is made when it is marked.
type Folder string

// Name implements [Place].
func (f Folder) Name() string { return "the folder " + string(f) }

// Marker implements [Place].
func (f Folder) Marker() string { return filepath.Join(string(f), MarkerName) }

// Setting implements [Place].
func (Folder) Setting() string { return "MASTHEAD_DATA_DIR" }

// Read implements [Place].
func (f Folder) Read(context.Context) (id string, err error) {
	text, err := os.ReadFile(filepath.Join(string(f), MarkerName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// Write implements [Place].
func (f Folder) Write(_ context.Context, id string) error { return writeMarker(string(f), id) }

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
