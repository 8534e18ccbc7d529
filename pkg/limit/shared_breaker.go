package limit

import (
	"context"
	"errors"
	"time"

	"github.com/gomodule/redigo/redis"
)

// breakerScript is [Breaker.count] on a server: KEYS[1] is a circuit; ARGV are the requests and misses to count, the
// limits of both, and in milliseconds the length of a window and how long the breaker is open at first and at most. It
// returns the requests and misses of the window, how many milliseconds the breaker stays open, and how many are left of
// the window. The clock is the server's.
var breakerScript = redis.NewScript(1, `
	local time = redis.call('TIME')
	local now = time[1] * 1000 + math.floor(time[2] / 1000)
	local kept = redis.call('HMGET', KEYS[1], 'requests', 'misses', 'ends', 'open', 'opened')
	local requests, misses, ends = tonumber(kept[1] or 0), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
	local open, opened = tonumber(kept[4] or 0), tonumber(kept[5] or 0)
	local window, first, longest = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
	if now >= open and not (now < ends and ends > open) then
		if opened > 0 and ends > open then opened = 0 end
		ends, requests, misses = now + window - now % 1000, 0, 0
	end
	if now >= open then
		requests, misses = requests + ARGV[1], misses + ARGV[2]
		if requests > tonumber(ARGV[3]) or misses > tonumber(ARGV[4]) then
			open = now + math.min(longest, first * 2 ^ math.min(opened, 4))
			opened = opened + 1
		end
	end
	redis.call('HSET', KEYS[1], 'requests', requests, 'misses', misses, 'ends', ends, 'open', open, 'opened', opened)
	redis.call('PEXPIRE', KEYS[1], math.max(ends, open) - now + longest)
	return {requests, misses, math.max(0, open - now), math.max(0, ends - now)}`)

// takeShared counts requests and misses of a key on the server, and updates the circuit here, whose fresh requests are
// among them.
func (b *Breaker) takeShared(ctx context.Context, c redis.Conn, key string, requests, misses int64) (Result, error) {
	got, err := redis.Int64s(breakerScript.DoContext(ctx, c, b.name+key, requests, misses, b.requests, b.misses,
		window.Milliseconds(), firstOpen.Milliseconds(), maxOpen.Milliseconds()))
	if err != nil || len(got) != 4 {
		return Result{}, errOr(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	own, known := b.keys.Get(key)
	if !known {
		own = &circuit{}
		b.keys.Add(key, own)
	}
	own.fresh = max(0, own.fresh-requests)
	own.requests, own.misses = got[0]+own.fresh, got[1]
	own.ends = now.Add(time.Duration(got[3]) * time.Millisecond).Round(time.Second)
	own.openUntil = now.Add(time.Duration(got[2]) * time.Millisecond)
	return own.result(now, b.requests), nil
}

// freshOf returns the requests of a key that the server doesn't know.
func (b *Breaker) freshOf(key string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if own, known := b.keys.Peek(key); known {
		return own.fresh
	}
	return 0
}

func (b *Breaker) takeMissShared(ctx context.Context, key string) (r Result, err error) {
	err = b.shared.do(ctx, "take", stepTime, func(ctx context.Context, c redis.Conn) error {
		r, err = b.takeShared(ctx, c, key, b.freshOf(key), 1)
		return err
	})
	return r, err
}

// sync adds the requests that were counted here to the common counts.
func (b *Breaker) sync(ctx context.Context) error {
	b.mu.Lock()
	changed := b.changed
	b.changed = map[string]*circuit{}
	b.mu.Unlock()
	var left []string
	for key := range changed {
		left = append(left, key)
	}
	for len(left) > 0 {
		batch := left[:min(maxBatch, len(left))]
		err := b.shared.do(ctx, "sync", syncTime, func(ctx context.Context, c redis.Conn) error {
			for _, key := range batch {
				if fresh := b.freshOf(key); fresh > 0 {
					if _, err := b.takeShared(ctx, c, key, fresh, 0); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			b.mu.Lock()
			for _, key := range left {
				if own, known := b.keys.Peek(key); known && own.fresh > 0 {
					b.changed[key] = own
				}
			}
			b.mu.Unlock()
			return errors.Join(errSync, err)
		}
		left = left[len(batch):]
	}
	return nil
}

var errSync = errors.New("requests of this node aren't counted by the others yet")
