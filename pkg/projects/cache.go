package projects

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
)

// This file caches projects, so that frequent requests don't each cost a query.

const (
	// fresh is how long a project is cached; changes made on other nodes take effect after that.
	fresh = 2 * time.Second
	// maxCached bounds the cache, per kind of key.
	maxCached = 10_000
)

// projectCache caches projects by key. It is safe for concurrent use.
type projectCache struct {
	kept    simplelru.LRUCache[string, cachedProject]
	loading singleflight.Group
	changes atomic.Int64 // number of changes on this node; results read before one aren't cached
	// outlasts keeps serving expired entries while the database is unavailable.
	outlasts bool
}

// cachedProject is a project as of a point in time.
type cachedProject struct {
	project Project
	at      time.Time
}

func newProjectCache(outlasts bool) *projectCache {
	kept, err := lru.New[string, cachedProject](maxCached)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &projectCache{kept: kept, outlasts: outlasts}
}

// changed evicts a project, so that changes on this node take effect immediately.
func (r *projectCache) changed(key string) {
	r.changes.Add(1)
	r.kept.Remove(key)
}

// changedOf evicts all projects of an owner.
func (r *projectCache) changedOf(ownerID string) {
	r.changes.Add(1)
	for _, key := range r.kept.Keys() {
		if known, ok := r.kept.Peek(key); ok && known.project.OwnerID == ownerID {
			r.kept.Remove(key)
		}
	}
}

// find returns the cached project if it is less than [fresh] old, or loads it.
func (r *projectCache) find(
	ctx context.Context, key string, now func() time.Time, load func(context.Context) (Project, error),
) (Project, error) {
	known, remembers := r.kept.Get(key)
	if remembers && now().Sub(known.at).Abs() < fresh {
		return known.project, nil
	}
	found := r.load(ctx, key, now, load)
	select {
	case <-ctx.Done():
		return Project{}, ctx.Err()
	case result := <-found:
		if r.outlasts && remembers && result.Err != nil && apperr.CodeOf(result.Err) != apperr.NotFound {
			return known.project, nil
		}
		p, _ := result.Val.(Project)
		return p, result.Err
	}
}

// load loads the project with a key in the background, once for all concurrent callers.
func (r *projectCache) load(
	ctx context.Context, key string, now func() time.Time, load func(context.Context) (Project, error),
) <-chan singleflight.Result {
	return r.loading.DoChan(key, func() (any, error) {
		began, changes := now(), r.changes.Load()
		ctx, cancel := context.WithTimeout(db.Detached(ctx), fresh)
		defer cancel()
		p, err := load(ctx)
		switch {
		case apperr.CodeOf(err) == apperr.NotFound:
			r.kept.Remove(key)
		case err == nil && r.changes.Load() == changes:
			r.kept.Add(key, cachedProject{p, began})
		}
		return p, err
	})
}

// ownedKey returns the cache key of a project for its owner, so that other accounts never find it. Both IDs are
// UUIDs.
func ownedKey(ownerID, id string) string { return ownerID + " " + strings.ToLower(id) }

// Recent is like [Service.Get] but may return a cached project up to 2 s old. Changes on this node take effect
// immediately.
func (s *Service) Recent(ctx context.Context, caller identity.Caller, id string) (Project, error) {
	return s.owned.find(ctx, ownedKey(caller.UserID, id), s.now, func(ctx context.Context) (Project, error) {
		return s.store.get(ctx, caller.UserID, id)
	})
}

// Evict removes a project from the cache of this node: something that is read with it has changed.
func (s *Service) Evict(p Project) {
	s.owned.changed(ownedKey(p.OwnerID, p.ID))
	s.public.changed(p.PublicID)
	events.ProjectStale.Noticed(s.events, p.OwnerID, events.Project{ProjectId: p.ID, PublicId: p.PublicID})
}

// subscribe evicts changed and deleted projects, and those of changed and deleted accounts.
func (s *Service) subscribe(b *events.Bus) {
	forget := func(e events.Event, p events.Project) {
		s.public.changed(p.PublicId)
		s.owned.changed(ownedKey(e.OwnerID, p.ProjectId))
	}
	events.ProjectChanged.Notify(b, forget)
	events.ProjectDeleted.Notify(b, forget)
	forgetAll := func(_ events.Event, a events.Account) {
		s.public.changedOf(a.UserId)
		s.owned.changedOf(a.UserId)
	}
	events.AccountChanged.Notify(b, forgetAll)
	events.AccountDeleted.Notify(b, forgetAll)
}

// publishing returns what publishes an event of a project in a transaction.
func (s *Service) publishing(ctx context.Context, t events.Type[events.Project]) func(*db.Tx, Project) error {
	return func(tx *db.Tx, p Project) error {
		return t.Publish(ctx, tx, s.events, p.OwnerID, events.Project{ProjectId: p.ID, PublicId: p.PublicID})
	}
}
