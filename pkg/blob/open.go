package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Opener is a [Store] whose files the kernel can send.
type Opener interface {
	// Open opens the file. It returns [ErrNotFound] if there is none.
	Open(n Name) (*os.File, error)
	// Info describes the file, so that callers notice when it was replaced or damaged. It returns [ErrNotFound] if
	// there is none.
	Info(n Name) (fs.FileInfo, error)
}

// Open implements [Opener].
func (d *Disk) Open(n Name) (*os.File, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	f, err := os.Open(d.path(n))
	if err != nil {
		return nil, openFault(err)
	}
	return f, nil
}

// Info implements [Opener].
func (d *Disk) Info(n Name) (fs.FileInfo, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	info, err := os.Stat(d.path(n))
	if err != nil {
		return nil, openFault(err)
	}
	return info, nil
}

func openFault(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return fmt.Errorf("open picture: %w", err)
}

// Reading returns the files in the folder dir, for reading only. Unlike [OpenDisk] it changes nothing there.
func Reading(dir string) Store { return reading{&Disk{dir: dir}} }

// reading is a store that refuses changes.
type reading struct{ *Disk }

var errReading = errors.New("the pictures are open for reading only")

func (reading) Put(context.Context, Name, []byte) error { return errReading }
func (reading) Delete(context.Context, Name) error      { return errReading }
func (reading) Room(context.Context) error              { return errReading }
