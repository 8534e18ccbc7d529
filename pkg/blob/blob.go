// Package blob stores image files: it writes them atomically, reads and deletes them. It knows no records. Callers
// record a file before they write it, so that a file which no record ends up referencing is garbage-collected.
//
// To add a store, implement [Store] and make blobtest.Run pass.
package blob

import (
	"context"
	"errors"
	"fmt"
	"regexp"
)

var (
	// ErrNotFound means that the file doesn't exist.
	ErrNotFound = errors.New("no such file")
	// ErrDamaged means that the file exists but the disk can't read it.
	ErrDamaged = errors.New("the file cannot be read")
)

// Store stores files. It is safe for concurrent use by many nodes. An invalid name is treated as a file that doesn't
// exist.
type Store interface {
	// Put writes the file atomically. An existing file is replaced: readers get either the old or the new bytes. When
	// Put returns nil, the file survives a power failure. Put doesn't retain data. It returns [ErrNoRoom] if there is
	// too little free disk space.
	Put(ctx context.Context, n Name, data []byte) error
	// Get returns the file's content, which the caller owns. It returns [ErrNotFound] if the file doesn't exist and
	// [ErrDamaged] if the disk can't read it.
	Get(ctx context.Context, n Name) ([]byte, error)
	// Stat returns the file's length in bytes, or [ErrNotFound].
	Stat(ctx context.Context, n Name) (size int64, err error)
	// Delete deletes the file. Deleting a missing file is not an error.
	Delete(ctx context.Context, n Name) error
	// List returns the names of all files whose digests start with prefix, two hexadecimal digits, in no particular
	// order. Files written or deleted during the call may or may not be included.
	List(ctx context.Context, prefix string) ([]Name, error)
	// Room returns [ErrNoRoom] if Put would refuse to write. Reading still works then.
	Room(ctx context.Context) error
}

// Name identifies a file: the digest of its content and its file name in addresses.
type Name struct {
	// Digest is 64 lowercase hexadecimal digits.
	Digest string `db:"digest"`
	// File is a file name such as og.png.
	File string `db:"name"`
}

var (
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}\.[a-z0-9]{1,12}$`)
)

// Valid reports whether n can name a file. Names from URLs are checked with it before anything is opened.
func (n Name) Valid() bool { return digestForm.MatchString(n.Digest) && fileForm.MatchString(n.File) }

// Refused is the error of a store that is asked to write under an invalid name.
func (n Name) Refused() error {
	return fmt.Errorf("write picture: %q/%q is not a valid name", n.Digest, n.File)
}
