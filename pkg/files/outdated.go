package files

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"masthead/pkg/blob"
)

// outdatedFiles is the set of files of an older JPEG encoder, which damaged blocks: clients may cache those for minutes
// only. It is in memory, so that GET /cdn needs no query: 10 to 20 bytes a file. No file enters it after the start;
// one that other nodes have drawn again or deleted leaves it when it is used. The zero value is empty. It is safe for
// concurrent use.
type outdatedFiles struct {
	mu   sync.RWMutex
	kept map[uint64]struct{} // the first 64 bits of the digests
}

// outdatedKey returns the key of a digest in the set; ok is false for what is no digest.
func outdatedKey(digest string) (key uint64, ok bool) {
	const digits = 16
	if len(digest) < digits {
		return 0, false
	}
	key, err := strconv.ParseUint(digest[:digits], 16, 64)
	return key, err == nil
}

// has reports whether a file is one of that encoder.
func (o *outdatedFiles) has(n blob.Name) bool {
	if !strings.HasSuffix(n.File, ".jpg") {
		return false
	}
	key, ok := outdatedKey(n.Digest)
	if !ok {
		return false
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, ok = o.kept[key]
	return ok
}

// add puts the files with the given digests into the set.
func (o *outdatedFiles) add(digests []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = map[uint64]struct{}{}
	}
	for _, digest := range digests {
		if key, ok := outdatedKey(digest); ok {
			o.kept[key] = struct{}{}
		}
	}
}

// drop takes a file out of the set.
func (o *outdatedFiles) drop(digest string) {
	key, ok := outdatedKey(digest)
	if !ok {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.kept, key)
}

// outdatedBatch is how many digests are read at once.
const outdatedBatch = 10_000

// Load reads the set of outdated files. It is called once, before files are served.
func (l *Ledger) Load(ctx context.Context) error {
	files := 0
	for after := (outdatedFile{}); ; {
		batch, err := l.outdatedFiles(ctx, after, outdatedBatch)
		if err != nil {
			return err
		}
		digests := make([]string, len(batch))
		for i, f := range batch {
			digests[i], after = f.Digest, f
		}
		l.outdated.add(digests)
		files += len(batch)
		if len(batch) < outdatedBatch {
			break
		}
	}
	if files > 0 {
		slog.InfoContext(ctx, "pictures of an older JPEG encoder are redrawn when they are used", "files", files)
	}
	return nil
}

// Outdated reports whether a file is of the older JPEG encoder.
func (l *Ledger) Outdated(n blob.Name) bool { return l.outdated.has(n) }

// Redrawn notes that a file is of the present encoder.
func (l *Ledger) Redrawn(digest string) { l.outdated.drop(digest) }

// outdatedFile is a file of the older encoder and the image that it was drawn for.
type outdatedFile struct {
	ImageID string `db:"outdated_of"`
	Digest  string `db:"digest"`
}

// outdatedFiles returns at most limit outdated files that come after the given one.
func (l *Ledger) outdatedFiles(ctx context.Context, after outdatedFile, limit int) (files []outdatedFile, err error) {
	err = l.db.Select(ctx, &files, `SELECT outdated_of, digest FROM files
		WHERE outdated_of IS NOT NULL AND (outdated_of, digest) > (?, ?) ORDER BY outdated_of, digest LIMIT ?`,
		after.ImageID, after.Digest, limit)
	if err != nil {
		return nil, fmt.Errorf("list outdated files: %w", err)
	}
	return files, nil
}
