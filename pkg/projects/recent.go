package projects

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// This file remembers projects, so that what is asked for often does not cost a look-up each time.

const (
	// fresh is how long a project is taken for what it was: a change on another node counts after that.
	fresh = 2 * time.Second
	// maxRecent bounds the projects that are remembered under one kind of key.
	maxRecent = 10_000
)

// recent remembers projects by a key of theirs. It is safe for concurrent use.
type recent struct {
	kept    *lru.Cache[string, remembered]
	loading singleflight.Group
	changes atomic.Int64 // made on this node: what was read before one of them is not kept
	// outlasts says that while the database is away a project is as it was last seen.
	outlasts bool
}

// remembered is a project as it was at a moment.
type remembered struct {
	project Project
	at      time.Time
}

func newRecent(outlasts bool) *recent {
	kept, err := lru.New[string, remembered](maxRecent)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &recent{kept: kept, outlasts: outlasts}
}

// changed forgets a project: what is remembered of it is right again at once.
func (r *recent) changed(key string) {
	r.changes.Add(1)
	r.kept.Remove(key)
}

// changedOf is changed for all projects of an owner.
func (r *recent) changedOf(ownerID string) {
	r.changes.Add(1)
	for _, key := range r.kept.Keys() {
		if known, ok := r.kept.Peek(key); ok && known.project.OwnerID == ownerID {
			r.kept.Remove(key)
		}
	}
}

// find returns the project under a key as it was less than [fresh] ago; load asks the database for it.
func (r *recent) find(
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

// load reads the project under a key in the background, once for all who wait for it.
func (r *recent) load(
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
			r.kept.Add(key, remembered{p, began})
		}
		return p, err
	})
}

// ownedKey is the key of a project for its owner alone: nobody finds another's by it. Both are UUIDs.
func ownedKey(ownerID, id string) string { return ownerID + " " + strings.ToLower(id) }

// Recent is [Service.Get] of the project as it was at most 2 s ago; a change on this node counts at once.
func (s *Service) Recent(ctx context.Context, caller identity.Caller, id string) (Project, error) {
	return s.owned.find(ctx, ownedKey(caller.UserID, id), s.now, func(ctx context.Context) (Project, error) {
		return s.store.get(ctx, caller.UserID, id)
	})
}

// changed is called after a project was changed or deleted.
func (s *Service) changed(p Project) {
	s.public.changed(p.PublicID)
	s.owned.changed(ownedKey(p.OwnerID, p.ID))
	s.Changed(p.PublicID)
}

// ForgetOwner tells that an account was deleted, with its projects.
func (s *Service) ForgetOwner(userID string) {
	s.public.changedOf(userID)
	s.owned.changedOf(userID)
}
