package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// copiesAtOnce is how many files [Copy] copies at the same time: each waits for the network or the disk.
const copiesAtOnce = 8

// CopyResult is the state of a copy.
type CopyResult struct {
	// Done is the share of all files that was looked at, 0 to 1.
	Done float64
	// Files and Bytes were copied, Same were there, and Damaged can't be read or don't look whole: they stay behind.
	Files, Bytes, Same, Damaged int64
}

// Copy copies the files of a store that another one lacks. It may be interrupted and begun again. progress is told of
// each of 256 parts.
func Copy(ctx context.Context, from, to Store, progress func(CopyResult)) (CopyResult, error) {
	var files, bytes, same, damaged atomic.Int64
	state := func(part int) CopyResult {
		return CopyResult{float64(part) / 256, files.Load(), bytes.Load(), same.Load(), damaged.Load()}
	}
	for part := range 256 {
		prefix := fmt.Sprintf("%02x", part)
		names, err := from.List(ctx, prefix)
		if err != nil {
			return state(part), fmt.Errorf("list the files to copy: %w", err)
		}
		there, err := to.List(ctx, prefix)
		if err != nil {
			return state(part), fmt.Errorf("list the files that are there: %w", err)
		}
		slices.SortFunc(there, compareNames)
		work, ctx := errgroup.WithContext(ctx)
		work.SetLimit(copiesAtOnce)
		for _, n := range names {
			if _, found := slices.BinarySearchFunc(there, n, compareNames); found {
				same.Add(1)
				continue
			}
			work.Go(func() error {
				data, err := from.Get(ctx, n)
				switch {
				case errors.Is(err, ErrNotFound): // it was deleted meanwhile
					return nil
				case errors.Is(err, ErrDamaged), err == nil && !n.LooksWhole(data):
					damaged.Add(1)
					return nil
				case err == nil:
					err = to.Put(ctx, n, data)
				}
				if err != nil {
					return fmt.Errorf("copy %s/%s: %w", n.Digest, n.File, err)
				}
				files.Add(1)
				bytes.Add(int64(len(data)))
				return nil
			})
		}
		if err := work.Wait(); err != nil {
			return state(part), err
		}
		progress(state(part + 1))
	}
	return state(256), nil
}

func compareNames(a, b Name) int {
	return cmp.Or(strings.Compare(a.Digest, b.Digest), strings.Compare(a.File, b.File))
}
