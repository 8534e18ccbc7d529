package imagecache

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
	maxBytes = 64 << 20
	maxFile  = 1 << 20
	// maxAsked is how many names are remembered, to tell a file that is asked for again from one of a crawler's walk.
	maxAsked = 8192
	// unchangedFor is how long a file in memory is sent before it is compared with the one on disk, which may have gone,
	// or been made again.
	unchangedFor = time.Second
)

// Files holds the files that are asked for often. It is safe for concurrent use.
type Files struct {
	files   blob.Opener
	kept    *cache.Shared[blob.Name, *File]
	compare func(n blob.Name, f *File)

	mu    sync.Mutex
	asked *simplelru.LRU[blob.Name, struct{}]
}

// File is a file in memory.
type File struct {
	// Bytes are the file's, not to be changed.
	Bytes []byte

	info    fs.FileInfo
	checked atomic.Int64 // when it was last found unchanged, in Unix nanoseconds
	whole   atomic.Bool  // its digest was compared
}

// Whole tells that the digest of f was compared, and is right.
func (f *File) Whole() { f.whole.Store(true) }

// NewFiles returns an empty cache of files. compare is called when a file comes into memory, and repeatedly until the
// file is known to be [File.Whole]. It doesn't wait.
func NewFiles(files blob.Opener, compare func(n blob.Name, f *File)) *Files {
	asked, err := simplelru.NewLRU[blob.Name, struct{}](maxAsked, nil)
	if err != nil {
		panic(err)
	}
	return &Files{
		files: files, asked: asked, compare: compare,
		kept: cache.NewShared(maxBytes, func(_ blob.Name, f *File) int { return len(f.Bytes) + 512 }),
	}
}

// Find returns the file's bytes, which nobody may change; nil when they are not in memory.
func (c *Files) Find(n blob.Name) []byte {
	f, ok := c.kept.Get(n)
	if !ok {
		return nil
	}
	now, last := time.Now().UnixNano(), f.checked.Load()
	if now-last > int64(unchangedFor) && f.checked.CompareAndSwap(last, now) {
		if c.changed(n, f.info) {
			c.kept.Remove(n)
			return nil
		}
		if !f.whole.Load() {
			c.compare(n, f)
		}
	}
	return f.Bytes
}

// changed says whether the file is another than it was, or gone. One that cannot be looked at just now is neither.
func (c *Files) changed(n blob.Name, was fs.FileInfo) bool {
	is, err := c.files.Info(n)
	if err != nil {
		return errors.Is(err, blob.ErrNotFound)
	}
	return is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) || !os.SameFile(is, was)
}

// Open returns the file's bytes when it was asked for before and is small enough, and keeps them; else the file, which
// is to be closed.
func (c *Files) Open(n blob.Name) (bytes []byte, file *os.File, size int64, err error) {
	now := time.Now()
	file, err = c.files.Open(n)
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
	if info.Size() > maxFile || !c.again(n) {
		return nil, file, info.Size(), nil
	}
	bytes = make([]byte, info.Size())
	_, err = io.ReadFull(file, bytes)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, 0, err
	}
	f := &File{Bytes: bytes, info: info}
	f.checked.Store(now.UnixNano())
	c.kept.Put(n, f)
	c.compare(n, f)
	return bytes, nil, info.Size(), nil
}

// Has reports whether there is such a file, in memory or in the store.
func (c *Files) Has(n blob.Name) bool {
	if c.Find(n) != nil {
		return true
	}
	_, err := c.files.Info(n)
	return err == nil
}

// Forget drops a file from memory.
func (c *Files) Forget(n blob.Name) { c.kept.Remove(n) }

// checkEnds is [blob.ErrDamaged] for a file that does not begin and end as one of its type does.
func checkEnds(n blob.Name, file io.ReaderAt, size int64) error {
	const longest = blob.LongestEnd
	var ends [2 * longest]byte
	head, tail := ends[:min(longest, size)], ends[longest:longest+min(longest, size)]
	if _, err := file.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	if !n.LooksWhole(slices.Concat(head, tail)) {
		return blob.ErrDamaged
	}
	return nil
}

// again says whether n was asked for before.
func (c *Files) again(n blob.Name) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.asked.Contains(n)
	c.asked.Add(n, struct{}{})
	return found
}
