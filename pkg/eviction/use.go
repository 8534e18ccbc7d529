package eviction

import (
	"context"
	"sync"
	"time"
)

const (
	// useSpan is how exact the time of use is.
	useSpan = time.Hour
	// maxNoted is how many pictures a node knows to have been noted lately, and maxPending how many wait to be written.
	// What doesn't fit is noted when it is next served.
	maxNoted   = 100_000
	maxPending = 50_000
	// useBatch is how many one statement writes.
	useBatch = 100
	// partTime bounds the last writing, at shutdown.
	partTime = 2 * time.Second
)

// uses are the pictures that were served lately.
type uses struct {
	mu      sync.Mutex
	noted   map[string]int64 // by public ID: when, in Unix seconds
	pending []string         // public IDs to be written
}

// Served notes that the picture of an image was served. It takes no time: what it notes is written once an hour for
// each picture.
func (s *Service) Served(publicID string) {
	now := s.now().Unix()
	u := &s.used
	u.mu.Lock()
	defer u.mu.Unlock()
	if last, ok := u.noted[publicID]; ok && now-last < int64(useSpan/time.Second) || len(u.pending) >= maxPending {
		return
	}
	if len(u.noted) >= maxNoted {
		clear(u.noted)
	}
	u.noted[publicID] = now
	u.pending = append(u.pending, publicID)
}

// Flush writes what was noted.
func (s *Service) Flush(ctx context.Context) error {
	u := &s.used
	u.mu.Lock()
	pending := u.pending
	u.pending = nil
	u.mu.Unlock()
	for len(pending) > 0 {
		part := pending[:min(len(pending), useBatch)]
		if err := s.store.touch(ctx, part, s.now()); err != nil {
			u.mu.Lock()
			defer u.mu.Unlock()
			if len(u.pending)+len(pending) <= maxPending {
				u.pending = append(u.pending, pending...)
			}
			return err
		}
		pending = pending[len(part):]
	}
	return nil
}

// flushLast writes what was noted when the service ends. What fails then is noted when it is next served.
func (s *Service) flushLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTime)
	defer cancel()
	_ = s.Flush(ctx)
}
