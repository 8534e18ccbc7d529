package limit

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// windowScript counts in a fixed window: KEYS[1] is the count, ARGV[1] what is added, ARGV[2] the length in
// milliseconds of a window that starts now. It returns the count and the milliseconds that are left.
var windowScript = redis.NewScript(1, `
	local count = redis.call('INCRBY', KEYS[1], ARGV[1])
	local left = redis.call('PTTL', KEYS[1])
	if left < 0 then
		redis.call('PEXPIRE', KEYS[1], ARGV[2])
		left = tonumber(ARGV[2])
	end
	return {count, left}`)

// sharedWindow is a window as the server has it.
type sharedWindow struct {
	count int64
	ends  time.Time
}

// count adds to the window of a key on the server, of the given length if it starts now.
func (s *Store) count(
	ctx context.Context, c redis.Conn, key string, add int64, length time.Duration,
) (sharedWindow, error) {
	now := time.Now()
	got, err := redis.Int64s(windowScript.DoContext(ctx, c, key, add, untilEnd(now, length).Milliseconds()))
	if err != nil || len(got) != 2 {
		return sharedWindow{}, errOr(err)
	}
	// The end is a whole second by the clock of the node that started the window; ours may differ by some milliseconds.
	ends := now.Add(time.Duration(got[1]) * time.Millisecond).Round(time.Second)
	return sharedWindow{got[0], ends}, nil
}

// takeShared is one step of [Window.Take] on the server.
func (w *Window) takeShared(ctx context.Context, key string, add, most int64) (Result, error) {
	var got sharedWindow
	err := w.shared.do(ctx, "take", stepTime, func(ctx context.Context, c redis.Conn) (err error) {
		got, err = w.shared.count(ctx, c, w.name+key, add, w.length)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return got.result(most), nil
}

func (c sharedWindow) result(most int64) Result {
	return Result{Limit: most, Remaining: max(0, most-c.count), Reset: c.ends, Reached: c.count > most}
}

// syncedCounts counts in memory, and adds to the common counts from time to time. It is for requests that are answered
// from memory, and must not wait for a server. So a burst may exceed a limit, by one full limit on each node at most.
type syncedCounts struct {
	mu      sync.Mutex
	windows simplelru.LRUCache[string, *syncedWindow]
	changed map[string]*syncedWindow // those with new requests
}

// syncedWindow is a window of a key: the common count at the last sync, and what was counted here since.
type syncedWindow struct {
	sharedWindow

	fresh int64
}

func newSyncedCounts(most int) *syncedCounts {
	windows, err := simplelru.NewLRU[string, *syncedWindow](most, nil)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &syncedCounts{windows: windows, changed: map[string]*syncedWindow{}}
}

// take counts one request. most is the limit, or this node's share of it.
func (y *syncedCounts) take(key string, length time.Duration, most int64) Result {
	y.mu.Lock()
	defer y.mu.Unlock()
	now := time.Now()
	w, known := y.windows.Get(key)
	if !known || !now.Before(w.ends) || w.ends.Sub(now) > length+time.Second {
		w = &syncedWindow{sharedWindow: sharedWindow{ends: now.Add(untilEnd(now, length))}}
		y.windows.Add(key, w)
	}
	w.fresh++
	if _, known := y.changed[key]; known || len(y.changed) < maxKeys {
		y.changed[key] = w // of more, some are counted here alone while the server is out of reach
	}
	return sharedWindow{w.count + w.fresh, w.ends}.result(most)
}

// sync adds the requests that were counted here to the common counts.
func (w *Window) sync(ctx context.Context) error {
	y := w.synced
	y.mu.Lock()
	changed := y.changed
	y.changed = map[string]*syncedWindow{}
	y.mu.Unlock()
	for len(changed) > 0 {
		batch := map[string]*syncedWindow{}
		for key, window := range changed {
			if len(batch) == maxBatch {
				break
			}
			batch[key] = window
			delete(changed, key)
		}
		if err := w.syncBatch(ctx, batch); err != nil {
			y.mu.Lock()
			for _, left := range []map[string]*syncedWindow{batch, changed} {
				for key, window := range left {
					if _, newer := y.changed[key]; !newer && time.Now().Before(window.ends) {
						y.changed[key] = window
					}
				}
			}
			y.mu.Unlock()
			return err
		}
	}
	return nil
}

func (w *Window) syncBatch(ctx context.Context, batch map[string]*syncedWindow) error {
	y := w.synced
	return w.shared.do(ctx, "sync", syncTime, func(ctx context.Context, c redis.Conn) error {
		var keys []string
		var sent []int64
		y.mu.Lock()
		for key, window := range batch {
			keys, sent = append(keys, key), append(sent, window.fresh)
		}
		y.mu.Unlock()
		for i, key := range keys {
			got, err := w.shared.count(ctx, c, w.name+key, sent[i], w.length)
			if err != nil {
				return err
			}
			y.mu.Lock()
			window := batch[key]
			window.sharedWindow = got
			window.fresh -= sent[i]
			delete(batch, key)
			y.mu.Unlock()
		}
		return nil
	})
}

// errReply says that a server's reply isn't what its script returns.
var errReply = errors.New("unexpected reply")

func errOr(err error) error { return cmp.Or(err, errReply) }
