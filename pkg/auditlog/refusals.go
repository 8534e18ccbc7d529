package auditlog

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/identity"
)

// This file owns the refused targets, which anybody may cause as many of as there are requests: they are written at
// most once a minute for each owner and host, with a count. Source: security requirements, "Logs and audit", and what
// an attack showed.

const (
	// refusalEvery is how often one owner's refusals of one host are written.
	refusalEvery = time.Minute
	// maxRefusals bounds those that are counted. Of the one longest ago the count is written early.
	maxRefusals = 10_000
)

// refusal is what is counted together.
type refusal struct{ owner, host string }

// refusals are those whose minute is not over.
type refusals struct {
	mu      sync.Mutex
	counted *simplelru.LRU[refusal, *refusalCount]
}

// refusalCount is how often it happened since it was written.
type refusalCount struct {
	written time.Time
	times   int
	last    identity.Caller // whose request was the last, and which it was
	request string
}

func newRefusals() *refusals {
	counted, err := simplelru.NewLRU[refusal, *refusalCount](maxRefusals, nil)
	if err != nil {
		panic(err) // for a size below 1 alone
	}
	return &refusals{counted: counted}
}

// RecordRefused writes that a target was refused to the caller of ctx: at once when it is the first of a minute, else
// with the others when the minute is over.
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

// counted returns what writes a count. The mutex may be held.
func (l *Log) counted(key refusal, c *refusalCount) func(context.Context) {
	copied := *c
	return func(ctx context.Context) {
		ctx = identity.WithRequestID(identity.WithCaller(ctx, copied.last), copied.request)
		l.record(ctx, TargetRefused, key.owner, key.host, copied.times)
	}
}

// flush writes the counts whose minute is over, or all.
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
			// From now on it is counted for another minute.
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

// Run writes the counts of refused targets until ctx ends, and what is left of them then.
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
