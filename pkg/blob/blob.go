// Package blob owns the files of pictures: writing them whole or not at all, reading and deleting them. It knows no
// record; whoever writes a file notes it first, so that what no record comes to name is swept.
//
// To add a store, implement [Store] and let blobtest.Run pass.
package blob

import (
	"context"
	"errors"
	"fmt"
	"regexp"
)

var (
	// ErrNotFound says that there is no such file.
	ErrNotFound = errors.New("no such file")
	// ErrDamaged says that a file is there, and the disk cannot read it.
	ErrDamaged = errors.New("the file cannot be read")
)

// Store keeps files. It is safe for concurrent use, by many nodes at once. A name that is not valid names no file.
type Store interface {
	// Put writes the file, whole or not at all; one that is there is replaced at once: a reader gets the old bytes or the
	// new. When it returns nil the file survives a power cut. data stays the caller's. [ErrNoRoom] when there is too
	// little free disk.
	Put(ctx context.Context, n Name, data []byte) error
	// Get returns the file's bytes, which are the caller's; [ErrNotFound] when there is none, [ErrDamaged] when the disk
	// fails to read it.
	Get(ctx context.Context, n Name) ([]byte, error)
	// Stat returns the file's length in bytes; [ErrNotFound] when there is none.
	Stat(ctx context.Context, n Name) (size int64, err error)
	// Delete removes the file; it is no error when there is none.
	Delete(ctx context.Context, n Name) error
	// List returns the names of the files whose digests begin with prefix, two hexadecimal digits, in no particular
	// order. One that is written or deleted meanwhile may be among them or not.
	List(ctx context.Context, prefix string) ([]Name, error)
	// Room says whether files may be written now: [ErrNoRoom] when Put would refuse to. What is there is read all the
	// same.
	Room(ctx context.Context) error
}

// Name is what a file is kept under: the digest of what it holds and the name that it is served by.
type Name struct {
	// Digest is 64 hexadecimal digits in lower case.
	Digest string `db:"digest"`
	// File is like og.png.
	File string `db:"name"`
}

var (
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}\.[a-z0-9]{1,12}$`)
)

// Valid says whether n can name a file at all. What comes from an address is checked with it before anything is opened.
func (n Name) Valid() bool { return digestForm.MatchString(n.Digest) && fileForm.MatchString(n.File) }

func (n Name) refused() error { return fmt.Errorf("write picture: %q/%q is no name", n.Digest, n.File) }
