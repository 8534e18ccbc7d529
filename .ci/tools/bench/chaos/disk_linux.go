package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"masthead/tools/bench/rig"
)

// diskFull fills the disk that the data folder is on, a small one in memory.
func diskFull(ctx context.Context, l *lab) ([]row, error) {
	if os.Getuid() != 0 {
		return nil, skipError("mounting a small disk takes root")
	}
	disk := filepath.Join(l.dir, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		return nil, err
	}
	const size = 512 << 20 // writes are refused below 256 MB
	if err := unix.Mount("masthead-chaos", disk, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
		return nil, skipError("mounting a small disk failed: " + err.Error())
	}
	l.later(func() error { return unix.Unmount(disk, unix.MNT_DETACH) })
	s, err := l.open(ctx, rig.Options{Dir: filepath.Join(disk, "data")}, 1)
	if err != nil {
		return nil, err
	}
	filler := filepath.Join(disk, "filler")
	var readiness int
	f := fault{
		did:   "the disk is full for 12 s (512 MB, all but nothing taken)",
		begin: func() error { return fill(filler, disk) },
		heal: func() error {
			readiness = rig.Once(ctx, s.client, 1, func(ctx context.Context, _ int) (*http.Request, error) {
				return s.Get(ctx, "/readyz")
			})[0].Status
			return os.Remove(filler)
		},
	}
	visitors := s.usual()
	rows, err := s.depend(ctx, f, visitors)
	if len(rows) > 0 {
		rows[0].want(readiness == http.StatusOK, "/readyz stays 200")
	}
	return rows, err
}

// fill takes what is free on a disk. Others write meanwhile, so it asks for less and less.
func fill(file, disk string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	size := int64(0)
	for {
		var free unix.Statfs_t
		if err := unix.Statfs(disk, &free); err != nil {
			return err
		}
		more := int64(free.Bavail) * free.Bsize
		for {
			if more <= 0 {
				return nil
			}
			err := unix.Fallocate(int(f.Fd()), 0, size, more)
			if err == nil {
				break
			}
			if !errors.Is(err, unix.ENOSPC) {
				return fmt.Errorf("fill the disk: %w", err)
			}
			more -= more/8 + free.Bsize
		}
		size += more
	}
}
