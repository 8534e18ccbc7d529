// Package follow keeps what a node has in memory of images right when images and projects change: at once on the node
// that changes them, soon on the others.
package follow

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
	"masthead/pkg/images/store"
	"masthead/pkg/projects"
)

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

// Index is what a node has in memory of images: an [imagecache.Index] of any records.
type Index interface {
	Changed(publicIDs []string) (known []string)
	Replace(read *imagecache.Image)
	Forget(publicID string)
	ForgetAll()
	ForgetAddresses(project string)
	ForgetWhere(gone func(*imagecache.Image) bool)
}

// Follower is how far a node knows the changes. It is safe for concurrent use.
type Follower struct {
	store    store.Store
	projects *projects.Service
	index    Index
	alone    bool
	now      func() time.Time

	mu     sync.Mutex
	since  string         // what is asked for next: see [store.Store.Changes]
	seen   map[int64]bool // of those that will be told again
	open   []string       // known to have changed, and not read again yet
	looked time.Time
	told   atomic.Int64 // what was changed before this is told to the index: Unix nanoseconds
}

// New returns a follower that keeps index right. alone says that this process is the only one with its database.
func New(
	images store.Store, projects *projects.Service, index Index, alone bool, now func() time.Time,
) *Follower {
	return &Follower{store: images, projects: projects, index: index, alone: alone, now: now}
}

// Run keeps the index in step with the other nodes until ctx ends. A process that is alone with its database has
// none.
func (f *Follower) Run(ctx context.Context) {
	if f.alone {
		return
	}
	var trimmed time.Time
	failing := false
	for {
		err := f.catchUp(ctx)
		if err == nil && f.now().Sub(trimmed) > trimEvery {
			trimmed = f.now()
			err = f.store.TrimChanges(ctx, changesKept)
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

// Current says whether this node knows of the changes of others of 2 s ago.
func (f *Follower) Current() bool {
	return f.alone || f.now().Sub(time.Unix(0, f.told.Load())).Abs() < followFor
}

// catchUp reads what has changed since the last time, and those images again that the index knows.
func (f *Follower) catchUp(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	began := f.now()
	rows, next, err := f.store.Changes(ctx, f.since)
	if err != nil {
		return err
	}
	if !f.looked.IsZero() && began.Sub(f.looked) > changesKept/2 {
		f.index.ForgetAll()
	}
	var fresh []string
	seen := make(map[int64]bool, len(rows))
	for _, r := range rows {
		if seen[r.Seq] = true; !f.seen[r.Seq] {
			fresh = append(fresh, r.PublicID)
		}
	}
	fresh = slices.DeleteFunc(fresh, f.projectChanged)
	f.since, f.seen, f.looked = next, seen, began
	if len(fresh)+len(f.open) > 0 {
		err = f.renew(ctx, fresh) // which tells the index first
	}
	f.told.Store(began.UnixNano())
	return err
}

// Renew reads an image again that this node has changed. Should that fail, the index forgets it.
func (f *Follower) Renew(ctx context.Context, publicID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.renew(ctx, []string{publicID}); err != nil {
		f.index.Forget(publicID)
	}
}

// renew reads changed images again, of those that the index knows. What cannot be read stays as it is until the next
// time. The caller holds mu.
func (f *Follower) renew(ctx context.Context, publicIDs []string) error {
	known := f.index.Changed(append(f.open, publicIDs...))
	f.open = nil
	for i, id := range known {
		if i >= maxRenewed {
			f.index.Forget(id)
			continue
		}
		image, err := f.store.Shown(ctx, id)
		switch {
		case err == nil:
			f.index.Replace(image)
		case apperr.CodeOf(err) == apperr.NotFound:
			f.index.Forget(id)
		default:
			f.open = known[i:]
			return err
		}
	}
	return nil
}

// projectChanged forgets what may be shown for a project that another node has changed; false for what is the public id
// of an image.
func (f *Follower) projectChanged(publicID string) bool {
	if len(publicID) != projects.PublicIDLength {
		return false
	}
	f.projects.Forget(publicID)
	return true
}

// Subscribe has the index forget what is deleted with a project or an account, and what may be shown for a project that
// changes: with its brand, images become outdated.
func (f *Follower) Subscribe(b *events.Bus) {
	forgetAddresses := func(_ events.Event, p events.Project) { f.index.ForgetAddresses(p.PublicId) }
	forget := func(e events.Event, p events.Project) {
		forgetAddresses(e, p)
		if p.ProjectId != "" {
			f.index.ForgetWhere(func(i *imagecache.Image) bool { return i.ProjectID == p.ProjectId })
		}
	}
	events.ProjectChanged.Notify(b, forget)
	events.ProjectStale.Notify(b, forget)
	events.DesignChanged.Notify(b, forget)
	events.ProjectDeleted.Notify(b, forget)
	events.AccountDeleted.Notify(b, func(_ events.Event, a events.Account) {
		f.index.ForgetWhere(func(i *imagecache.Image) bool { return i.OwnerID == a.UserId })
	})
}
