package images

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/events"
	"masthead/pkg/imagecache"
	"masthead/pkg/projects"
)

// This file keeps the index right when images and projects change: at once on the node that changes them, soon on the
// others.

const (
	// followEvery is how often a node looks for changes of others, which are to show within two seconds.
	followEvery = time.Second
	// changesKept is how long changes can be looked up; a node that could not look for half of it forgets everything.
	changesKept = time.Hour
	trimEvery   = 10 * time.Minute
	// followFor is how long records are right after this node has looked for changes of others.
	followFor = 2 * time.Second
	// maxRenewed is how many changed images are read again at once; beyond, they are forgotten.
	maxRenewed = 100
)

// changes is how far a node knows the changes.
type changes struct {
	mu     sync.Mutex
	since  string         // what is asked for next: see store.changes
	seen   map[int64]bool // of those that will be told again
	open   []string       // known to have changed, and not read again yet
	looked time.Time
	told   atomic.Int64 // what was changed before this is told to the index: Unix nanoseconds
}

// Follow keeps the index in step with the other nodes until ctx ends. A process that is alone with its database has
// none.
func (s *Service) Follow(ctx context.Context) {
	if s.leases == nil {
		return
	}
	var trimmed time.Time
	failing := false
	for {
		err := s.catchUp(ctx)
		if err == nil && s.now().Sub(trimmed) > trimEvery {
			trimmed = s.now()
			err = s.store.TrimChanges(ctx, changesKept)
		}
		if failed := err != nil && ctx.Err() == nil; failed != failing {
			failing = failed
			if failed {
				slog.WarnContext(ctx, "changes of pictures by other nodes are not seen for now", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(followEvery):
		}
	}
}

// follows says whether this node knows of the changes of others of 2 s ago.
func (s *Service) follows() bool {
	return s.leases == nil || s.now().Sub(time.Unix(0, s.memory.changes.told.Load())).Abs() < followFor
}

// catchUp reads what has changed since the last time, and those images again that the index knows.
func (s *Service) catchUp(ctx context.Context) error {
	c := &s.memory.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	began := s.now()
	rows, next, err := s.store.Changes(ctx, c.since)
	if err != nil {
		return err
	}
	if !c.looked.IsZero() && began.Sub(c.looked) > changesKept/2 {
		s.memory.index.ForgetAll()
	}
	var fresh []string
	seen := make(map[int64]bool, len(rows))
	for _, r := range rows {
		if seen[r.Seq] = true; !c.seen[r.Seq] {
			fresh = append(fresh, r.PublicID)
		}
	}
	fresh = slices.DeleteFunc(fresh, s.projectChanged)
	c.since, c.seen, c.looked = next, seen, began
	if len(fresh)+len(c.open) > 0 {
		err = s.renew(ctx, fresh) // which tells the index first
	}
	c.told.Store(began.UnixNano())
	return err
}

// renewOne reads an image again that this node has changed. Should that fail, the index forgets it.
func (s *Service) renewOne(ctx context.Context, publicID string) {
	s.memory.changes.mu.Lock()
	defer s.memory.changes.mu.Unlock()
	if err := s.renew(ctx, []string{publicID}); err != nil {
		s.memory.index.Forget(publicID)
	}
}

// renew reads changed images again, of those that the index knows. What cannot be read stays as it is until the next
// time. The caller holds changes.mu.
func (s *Service) renew(ctx context.Context, publicIDs []string) error {
	c := &s.memory.changes
	known := s.memory.index.Changed(append(c.open, publicIDs...))
	c.open = nil
	for i, id := range known {
		if i >= maxRenewed {
			s.memory.index.Forget(id)
			continue
		}
		image, err := s.store.Shown(ctx, id)
		switch {
		case err == nil:
			s.memory.index.Replace(image)
		case apperr.CodeOf(err) == apperr.NotFound:
			s.memory.index.Forget(id)
		default:
			c.open = known[i:]
			return err
		}
	}
	return nil
}

// projectChanged forgets what may be shown for a project that another node has changed; false for what is the public id
// of an image.
func (s *Service) projectChanged(publicID string) bool {
	if len(publicID) != projects.PublicIDLength {
		return false
	}
	s.projects.Forget(publicID)
	return true
}

// subscribe has the index forget what is deleted with a project or an account, and what may be shown for a project that
// changes: with its brand, images become outdated.
func (s *Service) subscribe(b *events.Bus) {
	forgetAddresses := func(_ events.Event, p events.Project) { s.memory.index.ForgetAddresses(p.PublicId) }
	forget := func(e events.Event, p events.Project) {
		forgetAddresses(e, p)
		if p.ProjectId != "" {
			s.memory.index.ForgetWhere(func(i *imagecache.Image) bool { return i.ProjectID == p.ProjectId })
		}
	}
	events.ProjectChanged.Notify(b, forget)
	events.ProjectStale.Notify(b, forget)
	events.DesignChanged.Notify(b, forget)
	events.ProjectDeleted.Notify(b, forget)
	events.AccountDeleted.Notify(b, func(_ events.Event, a events.Account) {
		s.memory.index.ForgetWhere(func(i *imagecache.Image) bool { return i.OwnerID == a.UserId })
	})
}
