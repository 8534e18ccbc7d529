package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Remote is a [Store] on another machine, where each call costs time and money. Callers don't ask it whether a file
// exists that a row names: they notice when they read it.
type Remote interface {
	Store
	// Remote does nothing.
	Remote()
}

// IsRemote reports whether s is a [Remote].
func IsRemote(s Store) bool {
	_, remote := s.(Remote)
	return remote
}

// Copies is a [Store] that reads copies of its files.
type Copies interface {
	// Forget deletes the copy of a file, so that the next Get reads the file itself.
	Forget(n Name)
}

const (
	// cachedFolders is the number of folders of a cache. Each has the same share of its bytes, and loses its least
	// recently used files when that is exceeded, until it has keptShare of it.
	cachedFolders = 256
	keptShare     = 0.9
	// cachedFresh is how long a copy is served before we ask whether the store still has the file. It is also how exactly
	// its last use is known.
	cachedFresh = 10 * time.Minute
	// maxAsking bounds the questions of that kind which are under way; the others are asked at the next use.
	maxAsking  = 8
	askingTime = 10 * time.Second
)

// MinCache is the smallest size of a cache, in bytes: a folder then has room for any picture.
const MinCache = cachedFolders << 20

// Cache keeps copies of the files of a remote store in a local folder, whose size is bounded. It survives restarts:
// when a file was last used is its time of modification. It is safe for concurrent use, but not by several processes.
type Cache struct {
	Store

	dir     string
	share   int64 // of a folder, in bytes
	folders [cachedFolders]cachedFolder
	asking  chan struct{}
	metrics cachedMetrics
}

// cachedFolder is a folder of a cache.
type cachedFolder struct {
	sync.Mutex

	size int64 // in bytes, as counted in the total
	read bool  // size is what is there
}

type cachedMetrics struct {
	hits, misses prometheus.Counter
	bytes        prometheus.GaugeFunc
	total        atomic.Int64
}

// OpenCache returns store with copies in the folder dir, of most bytes, [MinCache] or more. name distinguishes caches
// in metrics.
func OpenCache(store Store, dir, name string, most int64) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the cache folder: %w", err)
	}
	c := &Cache{
		Store: store, dir: dir, share: max(most, MinCache) / cachedFolders, asking: make(chan struct{}, maxAsking),
	}
	of := func(result string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_blob_cache_total", Help: "Reads of files, by whether the local cache had them.",
			ConstLabels: prometheus.Labels{"store": name, "result": result},
		})
	}
	c.metrics.hits, c.metrics.misses = of("hit"), of("miss")
	c.metrics.bytes = prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "masthead_blob_cache_bytes", Help: "Bytes in the local cache, in folders used since the start.",
		ConstLabels: prometheus.Labels{"store": name},
	}, func() float64 { return float64(c.metrics.total.Load()) })
	return c, nil
}

// Remote implements [Remote].
func (c *Cache) Remote() {}

// Forget implements [Copies].
func (c *Cache) Forget(n Name) {
	if n.Valid() {
		c.drop(n)
	}
}

func (c *Cache) folder(n Name) (*cachedFolder, string) {
	i, err := strconv.ParseUint(n.Digest[:2], 16, 8)
	if err != nil {
		panic(err) // the name is valid
	}
	return &c.folders[i], filepath.Join(c.dir, n.Digest[:2])
}

func (c *Cache) path(n Name) string {
	return filepath.Join(c.dir, n.Digest[:2], n.Digest+"."+n.File)
}

// Get implements [Store].
func (c *Cache) Get(ctx context.Context, n Name) ([]byte, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	if data, err := os.ReadFile(c.path(n)); err == nil && n.LooksWhole(data) {
		c.metrics.hits.Inc()
		c.used(n, nil)
		return data, nil
	}
	c.metrics.misses.Inc()
	data, err := c.Store.Get(ctx, n)
	if err == nil && n.LooksWhole(data) {
		c.keep(ctx, n, data)
	}
	return data, err
}

// Put implements [Store].
func (c *Cache) Put(ctx context.Context, n Name, data []byte) error {
	if err := c.Store.Put(ctx, n, data); err != nil {
		c.Forget(n) // it may differ from what was written
		return err
	}
	c.keep(ctx, n, data)
	return nil
}

// Delete implements [Store].
func (c *Cache) Delete(ctx context.Context, n Name) error {
	if !n.Valid() {
		return nil
	}
	c.drop(n)
	err := c.Store.Delete(ctx, n)
	c.drop(n) // a reader may have put it back meanwhile
	return err
}

// Open implements [Opener] for files with a copy.
func (c *Cache) Open(n Name) (*os.File, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	f, err := os.Open(c.path(n))
	if err != nil {
		return nil, openFault(err)
	}
	c.metrics.hits.Inc()
	c.used(n, nil)
	return f, nil
}

// Info implements [Opener] for files with a copy.
func (c *Cache) Info(n Name) (fs.FileInfo, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	info, err := os.Stat(c.path(n))
	if err != nil {
		return nil, openFault(err)
	}
	c.used(n, info)
	return info, nil
}

// used notes that the copy of a file was used and, from time to time, asks in the background whether the store still
// has the file: another node may have deleted it. info may be nil.
func (c *Cache) used(n Name, info fs.FileInfo) {
	path := c.path(n)
	if info == nil {
		var err error
		if info, err = os.Stat(path); err != nil {
			return
		}
	}
	now := time.Now()
	if now.Sub(info.ModTime()).Abs() < cachedFresh {
		return
	}
	select {
	case c.asking <- struct{}{}:
	default:
		return
	}
	_ = os.Chtimes(path, now, now) // it may have been evicted
	go func() {
		defer func() { <-c.asking }()
		ctx, cancel := context.WithTimeout(context.Background(), askingTime)
		defer cancel()
		if _, err := c.Store.Stat(ctx, n); errors.Is(err, ErrNotFound) {
			c.drop(n)
		}
	}()
}

// keep stores a copy. A cache that can't be written to only costs time.
func (c *Cache) keep(ctx context.Context, n Name, data []byte) {
	size := int64(len(data))
	if size > c.share {
		return
	}
	folder, dir := c.folder(n)
	folder.Lock()
	defer folder.Unlock()
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = c.makeRoom(folder, dir, size)
	}
	var was int64
	if err == nil {
		if info, err := os.Stat(c.path(n)); err == nil {
			was = info.Size()
		}
		err = writeWhole(dir, c.path(n), data)
	}
	if err != nil {
		folder.read = false
		slog.WarnContext(ctx, "no copy was kept in the cache of pictures", "err", err)
		return
	}
	c.grow(folder, size-was)
}

// grow changes the size of a folder, which is locked.
func (c *Cache) grow(folder *cachedFolder, by int64) {
	folder.size += by
	c.metrics.total.Add(by)
}

// drop deletes a copy.
func (c *Cache) drop(n Name) {
	folder, _ := c.folder(n)
	folder.Lock()
	defer folder.Unlock()
	info, err := os.Stat(c.path(n))
	if err == nil && os.Remove(c.path(n)) == nil && folder.read {
		c.grow(folder, -info.Size())
	}
}

// makeRoom deletes the least recently used files of a folder, which is locked, if more bytes don't fit into its share,
// and what interrupted writes have left there.
func (c *Cache) makeRoom(folder *cachedFolder, dir string, more int64) error {
	if folder.read && folder.size+more <= c.share {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	c.metrics.total.Add(-folder.size)
	folder.size = 0
	var found []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // it was deleted
		}
		if strings.HasPrefix(e.Name(), tempPrefix) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
			continue
		}
		found = append(found, info)
		folder.size += info.Size()
	}
	if folder.size+more > c.share {
		slices.SortFunc(found, func(a, b fs.FileInfo) int {
			return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
		})
		for _, info := range found {
			if folder.size+more <= int64(float64(c.share)*keptShare) {
				break
			}
			if err := os.Remove(filepath.Join(dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			folder.size -= info.Size()
		}
	}
	folder.read = true
	c.metrics.total.Add(folder.size)
	return nil
}

// Collectors returns the metrics of the cache and of its store.
func (c *Cache) Collectors() []prometheus.Collector {
	own := []prometheus.Collector{c.metrics.hits, c.metrics.misses, c.metrics.bytes}
	if store, ok := c.Store.(interface{ Collectors() []prometheus.Collector }); ok {
		own = append(own, store.Collectors()...)
	}
	return own
}
