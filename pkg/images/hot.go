package images

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/blob"
	"masthead/render/cache"
)

// Bounds of the files in memory.
const (
	maxHotBytes = 64 << 20
	maxHotFile  = 1 << 20
	// maxAsked is how many names are remembered, to tell a file that is asked for again from one of a crawler's walk.
	maxAsked = 8192
	// hotFor is how long a file in memory is sent before it is compared with the one on disk, which may have gone, or
	// been made again.
	hotFor = time.Second
)

// hot holds the files that are asked for often. It is safe for concurrent use.
type hot struct {
	files blob.Opener
	kept  *cache.Shared[blob.Name, *hotFile]
	// compare is called for a file that has come into memory, and again each while until it is known to be whole. It does
	// not wait.
	compare func(n blob.Name, f *hotFile)

	mu    sync.Mutex
	asked *simplelru.LRU[blob.Name, struct{}]
}

type hotFile struct {
	bytes   []byte
	info    fs.FileInfo
	checked atomic.Int64 // when it was last found unchanged, in Unix nanoseconds
	whole   atomic.Bool  // its digest was compared
}

func newHot(files blob.Opener, compare func(n blob.Name, f *hotFile)) *hot {
	asked, err := simplelru.NewLRU[blob.Name, struct{}](maxAsked, nil)
	if err != nil {
		panic(err)
	}
	return &hot{
		files: files, asked: asked, compare: compare,
		kept: cache.NewShared(maxHotBytes, func(_ blob.Name, f *hotFile) int { return len(f.bytes) + 512 }),
	}
}

// find returns the file's bytes, which nobody may change; nil when they are not in memory.
func (h *hot) find(n blob.Name) []byte {
	f, ok := h.kept.Get(n)
	if !ok {
		return nil
	}
	now, last := time.Now().UnixNano(), f.checked.Load()
	if now-last > int64(hotFor) && f.checked.CompareAndSwap(last, now) {
		if h.changed(n, f.info) {
			h.kept.Remove(n)
			return nil
		}
		if !f.whole.Load() {
			h.compare(n, f)
		}
	}
	return f.bytes
}

// changed says whether the file is another than it was, or gone. One that cannot be looked at just now is neither.
func (h *hot) changed(n blob.Name, was fs.FileInfo) bool {
	is, err := h.files.Info(n)
	if err != nil {
		return errors.Is(err, blob.ErrNotFound)
	}
	return is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) || !os.SameFile(is, was)
}

// open returns the file's bytes when it was asked for before and is small enough, and keeps them; else the file, which
// is to be closed.
func (h *hot) open(n blob.Name) (bytes []byte, file *os.File, size int64, err error) {
	now := time.Now()
	file, err = h.files.Open(n)
	if err != nil {
		return nil, nil, 0, err
	}
	info, err := file.Stat()
	if err == nil {
		err = checkEnds(n, file, info.Size())
	}
	if err != nil {
		return nil, nil, 0, errors.Join(err, file.Close())
	}
	if info.Size() > maxHotFile || !h.again(n) {
		return nil, file, info.Size(), nil
	}
	bytes = make([]byte, info.Size())
	_, err = io.ReadFull(file, bytes)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, 0, err
	}
	f := &hotFile{bytes: bytes, info: info}
	f.checked.Store(now.UnixNano())
	h.kept.Put(n, f)
	h.compare(n, f)
	return bytes, nil, info.Size(), nil
}

// checkEnds is [blob.ErrDamaged] for a file that does not begin and end as one of its type does.
func checkEnds(n blob.Name, file io.ReaderAt, size int64) error {
	const longest = 16 // of what a type begins or ends with
	var ends [2 * longest]byte
	head, tail := ends[:min(longest, size)], ends[longest:longest+min(longest, size)]
	if _, err := file.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	if !looksWhole(n, slices.Concat(head, tail)) {
		return blob.ErrDamaged
	}
	return nil
}

// again says whether n was asked for before.
func (h *hot) again(n blob.Name) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.asked.Contains(n)
	h.asked.Add(n, struct{}{})
	return found
}
