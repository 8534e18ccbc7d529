package imagecache

import (
	"context"
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
	"masthead/pkg/monotonic"
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
	// remoteFor is the same for a file of a store on another machine, which is asked in the background: another node may
	// have deleted the file. maxAsking bounds these questions.
	remoteFor  = 10 * time.Minute
	maxAsking  = 8
	askingTime = 10 * time.Second
)

// Files holds the files that are asked for often. It is safe for concurrent use.
type Files struct {
	store   blob.Store
	files   blob.Opener // nil for a store without local files
	asking  chan struct{}
	kept    *cache.Shared[blob.Name, *File]
	compare func(n blob.Name, f *File)

	mu    sync.Mutex
	asked simplelru.LRUCache[blob.Name, struct{}]
}

// File is a file in memory.
type File struct {
	// Bytes are the file's, not to be changed.
	Bytes []byte

	info    fs.FileInfo  // nil for a store without local files
	checked atomic.Int64 // when it was last found unchanged, as monotonic.Now says
	whole   atomic.Bool  // its digest was compared
}

// Whole tells that the digest of f was compared, and is right.
func (f *File) Whole() { f.whole.Store(true) }

// NewFiles returns an empty cache of the files in store. If they are local files, see [blob.Opener], Open reads them;
// if not, a caller that has read a file gives it to Keep. compare is called when a file comes into memory, and
// repeatedly until the file is known to be [File.Whole]. It doesn't wait.
func NewFiles(store blob.Store, compare func(n blob.Name, f *File)) *Files {
	asked, err := simplelru.NewLRU[blob.Name, struct{}](maxAsked, nil)
	if err != nil {
		panic(err)
	}
	files, _ := store.(blob.Opener)
	return &Files{
		store: store, files: files, asking: make(chan struct{}, maxAsking), asked: asked, compare: compare,
		kept: cache.NewShared(maxBytes, func(_ blob.Name, f *File) int { return len(f.Bytes) + 512 }),
	}
}

// Find returns the file's bytes, which nobody may change; nil when they are not in memory.
func (c *Files) Find(n blob.Name) []byte {
	f, ok := c.kept.Get(n)
	if !ok {
		return nil
	}
	now, last := int64(monotonic.Now()), f.checked.Load()
	period := unchangedFor
	if f.info == nil {
		period = remoteFor
	}
	if now-last > int64(period) && f.checked.CompareAndSwap(last, now) {
		if f.info == nil {
			c.ask(n)
		} else if c.changed(n, f.info) {
			c.kept.Remove(n)
			return nil
		}
		if !f.whole.Load() {
			c.compare(n, f)
		}
	}
	return f.Bytes
}

// ask drops a file from memory if its store no longer has it. It doesn't wait. If too much is asked, the file is asked
// for after its next period.
func (c *Files) ask(n blob.Name) {
	select {
	case c.asking <- struct{}{}:
	default:
		return
	}
	go func() {
		defer func() { <-c.asking }()
		ctx, cancel := context.WithTimeout(context.Background(), askingTime)
		defer cancel()
		if _, err := c.store.Stat(ctx, n); errors.Is(err, blob.ErrNotFound) {
			c.Forget(n)
		}
	}()
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
	if c.files == nil {
		return nil, nil, 0, blob.ErrNotFound
	}
	now := monotonic.Now()
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
	f.checked.Store(int64(now))
	c.kept.Put(n, f)
	c.compare(n, f)
	return bytes, nil, info.Size(), nil
}

// Keep keeps the bytes of a file that was just read from a store without local files, if it was asked for before and is
// small enough. Nobody may change them afterwards.
func (c *Files) Keep(n blob.Name, bytes []byte) {
	if c.files != nil || len(bytes) > maxFile || !c.again(n) || !n.LooksWhole(bytes) {
		return
	}
	f := &File{Bytes: bytes}
	f.checked.Store(int64(monotonic.Now()))
	c.kept.Put(n, f)
	c.compare(n, f)
}

// Has reports whether there is such a file, in memory or as a local file.
func (c *Files) Has(n blob.Name) bool {
	if c.Find(n) != nil {
		return true
	}
	if c.files == nil {
		return false
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
