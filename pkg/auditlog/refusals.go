package auditlog

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/identity"
)

// This file records refused targets. Anyone can cause any number of them, so they are written at most once a minute
// per owner and host, with a count. Source: docs/security.md#logs-and-the-audit-log.

const (
	// refusalEvery is how often the refusals of one host for one owner are written.
	refusalEvery = time.Minute
	// maxRefusals bounds the number of counters. The count of the least recently used one is written early.
	maxRefusals = 10_000
)

// refusal is the key of a counter.
type refusal struct{ owner, host string }

// refusals holds the counters of the current minute.
type refusals struct {
	mu      sync.Mutex
	counted simplelru.LRUCache[refusal, *refusalCount]
}

// refusalCount counts refusals since the last write.
type refusalCount struct {
	written time.Time
	times   int
	last    identity.Caller // caller and request of the last refusal
	request string
}

func newRefusals() *refusals {
	counted, err := simplelru.NewLRU[refusal, *refusalCount](maxRefusals, nil)
	if err != nil {
		panic(err) // it fails only for a size below 1
	}
	return &refusals{counted: counted}
}

// RecordRefused records that a target was refused to the caller of ctx: immediately for the first one in a minute,
// and at the end of the minute for the others.
func (l *Log) RecordRefused(ctx context.Context, host string) {
	caller := identity.CallerOf(ctx)
	key := refusal{caller.UserID, host}
	l.refusals.mu.Lock()
	count, known := l.refusals.counted.Get(key)
	if known && l.now().Sub(count.written) < refusalEvery {
		count.times++
		count.last, count.request = caller, identity.RequestIDOf(ctx)
		l.refusals.mu.Unlock()
		return
	}
	times := 1
	if known {
		times += count.times
	}
	var early []func(context.Context)
	if !known && l.refusals.counted.Len() >= maxRefusals {
		if key, oldest, ok := l.refusals.counted.RemoveOldest(); ok && oldest.times > 0 {
			early = append(early, l.counted(key, oldest))
		}
	}
	l.refusals.counted.Add(key, &refusalCount{written: l.now()})
	l.refusals.mu.Unlock()
	l.record(ctx, TargetRefused, caller.UserID, host, times)
	for _, write := range early {
		write(ctx)
	}
}

// counted returns a function that writes a count. It may be called with the mutex held.
func (l *Log) counted(key refusal, c *refusalCount) func(context.Context) {
	copied := *c
	return func(ctx context.Context) {
		ctx = identity.WithRequestID(identity.WithCaller(ctx, copied.last), copied.request)
		l.record(ctx, TargetRefused, key.owner, key.host, copied.times)
	}
}

// flush writes the counts whose minute is over, or all counts.
func (l *Log) flush(ctx context.Context, all bool) {
	l.refusals.mu.Lock()
	var due []func(context.Context)
	for _, key := range l.refusals.counted.Keys() {
		count, _ := l.refusals.counted.Peek(key)
		if !all && l.now().Sub(count.written) < refusalEvery {
			continue
		}
		if count.times > 0 {
			due = append(due, l.counted(key, count))
			// The counter runs for another minute.
			l.refusals.counted.Add(key, &refusalCount{written: l.now()})
			continue
		}
		l.refusals.counted.Remove(key)
	}
	l.refusals.mu.Unlock()
	for _, write := range due {
		write(ctx)
	}
}

// Run writes the counts of refused targets until ctx ends, and then the remaining ones.
func (l *Log) Run(ctx context.Context) {
	tick := time.NewTicker(refusalEvery / 6)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.flush(ctx, false)
		case <-ctx.Done():
			l.flush(context.WithoutCancel(ctx), true)
			return
		}
	}
}
