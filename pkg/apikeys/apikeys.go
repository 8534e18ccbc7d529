// Package apikeys manages API keys: their format, their stored digests, the project that a key may be scoped to, and
// the caller that a key authenticates.
package apikeys

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
)

// MaxKeys is the maximum number of keys per project, and of keys per account that aren't scoped to a project.
const MaxKeys = 100

const (
	// usedEvery is the precision of a key's last use.
	usedEvery = time.Minute
	// usedQueue is the length of the queue of uses to record; further ones are dropped.
	usedQueue = 256
	// usedTimeout bounds recording one use.
	usedTimeout = 5 * time.Second
	// rotateEvery is the minimum time between two rotations of a key. It exceeds the duration of a transaction, so
	// that a request that arrives before a concurrent rotation commits can't undo it.
	rotateEvery = 5 * time.Second
)

// Key is an API key without its secret.
type Key struct {
	ID      string
	OwnerID string
	// ProjectID is the project that the key is scoped to, or "" for all of the owner's projects.
	ProjectID string
	Name      string
	// Prefix is the start of the secret, for recognizing the key.
	Prefix    string
	CreatedAt time.Time
	// LastUsedAt is precise to a minute, and zero for a key that was never used.
	LastUsedAt time.Time
}

// NewKey describes a key to create.
type NewKey struct {
	// ID is a UUID, or "" to generate one. If the caller already has a key with this ID, an earlier attempt at the
	// same request created it, and Create returns it.
	ID   string
	Name string
	// ProjectID is the project that the key is scoped to, or "" for all of the owner's projects.
	ProjectID string
}

// Service manages keys. It is safe for concurrent use. [Service.Run] records their uses.
type Service struct {
	store    store
	projects *projects.Service
	auditlog *auditlog.Log
	now      func() time.Time
	used     chan use
	cache    *keyCache
}

// use is one use of a key.
type use struct {
	id string
	at time.Time
}

// New returns a service for the keys in d.
func New(d *db.DB, p *projects.Service, l *auditlog.Log, b *events.Bus) *Service {
	s := &Service{
		store: store{d}, projects: p, auditlog: l, now: time.Now, used: make(chan use, usedQueue),
		cache: newKeyCache(maxCachedKeys),
	}
	s.subscribe(b)
	return s
}

// Create creates a key of the caller and returns it with its secret, which isn't stored. The secret is "" if an
// earlier attempt created the key. Create returns NotFound if n names no project of the caller, and Conflict if the
// maximum number of keys is reached.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n NewKey) (key Key, secret string, err error) {
	name, err := cleantext.Name(n.Name)
	if err != nil {
		return Key{}, "", err
	}
	if n.ProjectID != "" {
		if _, err := s.projects.Get(ctx, caller, n.ProjectID); err != nil {
			return Key{}, "", err
		}
	}
	secret = newSecret()
	if n.ID == "" {
		n.ID = db.NewID()
	}
	key = Key{
		ID: n.ID, OwnerID: caller.UserID, ProjectID: n.ProjectID, Name: name, Prefix: secret[:ShownLength],
		CreatedAt: db.Moment(s.now()),
	}
	err = s.store.insert(ctx, key, digest(secret), MaxKeys)
	switch {
	case db.IsForeignKey(err):
		return Key{}, "", apperr.Wrap(apperr.NotFound, "The project or the account no longer exists.", err)
	case db.IsUnique(err), apperr.CodeOf(err) == apperr.Conflict:
		// The key of an earlier attempt may have reached the limit.
		if made, missing := s.store.get(ctx, caller.UserID, n.ID); missing == nil {
			return made, "", nil
		}
		return Key{}, "", err
	case err != nil:
		return Key{}, "", err
	}
	s.auditlog.Record(ctx, auditlog.KeyCreated, caller.UserID, key.Prefix)
	return key, secret, nil
}

// List returns a page of the caller's keys, of a project or "" for all, newest first, and the cursor of the next page,
// or "" on the last page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, projectID string, p cursor.Page,
) (page []Key, next string, err error) {
	return cursor.List(p, func(k Key) string { return k.ID }, func(before string, limit int) ([]Key, error) {
		return s.store.list(ctx, caller.UserID, projectID, before, limit)
	})
}

// Revoke revokes a key of the caller immediately. It returns NotFound if the key doesn't exist or belongs to another
// account.
func (s *Service) Revoke(ctx context.Context, caller identity.Caller, id string) error {
	prefix, err := s.store.delete(ctx, caller.UserID, id)
	if err != nil {
		return err
	}
	s.forgetKey(id)
	s.auditlog.Record(ctx, auditlog.KeyRevoked, caller.UserID, prefix)
	return nil
}

// Rotate replaces the secret of a caller's key and returns the new one; the old one stops working immediately. It
// returns NotFound if there is no such key, and Conflict if it was rotated less than rotateEvery ago.
func (s *Service) Rotate(ctx context.Context, caller identity.Caller, id string) (key Key, secret string, err error) {
	secret = newSecret()
	oldPrefix, key, err := s.store.replaceSecret(
		ctx, caller.UserID, id, digest(secret), secret[:ShownLength], s.now(), s.now)
	if err != nil {
		return Key{}, "", err
	}
	s.forgetKey(id)
	s.auditlog.Record(ctx, auditlog.KeyRevoked, caller.UserID, oldPrefix)
	s.auditlog.Record(ctx, auditlog.KeyCreated, caller.UserID, key.Prefix)
	return key, secret, nil
}

// Authenticate returns the caller for a secret: the key's owner, with the owner's plan and the key's scope, never
// with admin rights. The server adds the client address. It returns Unauthorized for an invalid secret; a mistyped
// one fails its checksum without a query. Changes made on this node take effect immediately, changes on other nodes
// within 5 s.
func (s *Service) Authenticate(ctx context.Context, secret string) (identity.Caller, error) {
	if !wellFormed(secret) {
		return identity.Caller{}, apperr.New(apperr.Unauthorized,
			"This is not an API key: it is mistyped or incomplete. Keys start with "+identity.KeyPrefix+".")
	}
	now := s.now()
	found, err := s.find(ctx, digest(secret), now)
	if errors.Is(err, sql.ErrNoRows) || err == nil && found.OwnerDisabled {
		return identity.Caller{}, apperr.Wrap(apperr.Unauthorized,
			"The API key is not valid. It may have been revoked.", err)
	}
	if err != nil {
		return identity.Caller{}, err
	}
	s.use(found, now)
	return identity.Caller{
		UserID: found.OwnerID, KeyID: found.ID, KeyProjectID: found.ProjectID.String, Plan: found.OwnerPlan,
		Via: identity.Key,
	}, nil
}

// find returns the key with a digest, as of at most keyFresh before now, or sql.ErrNoRows, which isn't cached.
func (s *Service) find(ctx context.Context, digest string, now time.Time) (*cachedKey, error) {
	found, changes := s.cache.find(digest, now)
	if found != nil {
		return found, nil
	}
	read, err := s.store.byDigest(ctx, digest)
	if err != nil {
		return nil, err
	}
	found = &cachedKey{credential: read, at: now}
	found.used.Store(read.LastUsedAt.UnixMilli())
	s.cache.keep(digest, found, changes)
	return found, nil
}

// use queues a use of a key for recording, unless one less than usedEvery ago was recorded.
func (s *Service) use(found *cachedKey, now time.Time) {
	last := found.used.Load()
	if now.Sub(time.UnixMilli(last)) < usedEvery || !found.used.CompareAndSwap(last, now.UnixMilli()) {
		return
	}
	select {
	case s.used <- use{found.ID, now}:
	default: // losing a record is better than delaying a request
	}
}

// Run records the uses of keys until ctx ends, and then those left in the queue.
func (s *Service) Run(ctx context.Context) {
	for {
		select {
		case u := <-s.used:
			s.note(ctx, u)
		case <-ctx.Done():
			for {
				select {
				case u := <-s.used:
					s.note(ctx, u)
				default:
					return
				}
			}
		}
	}
}

func (s *Service) note(ctx context.Context, u use) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), usedTimeout)
	defer cancel()
	if err := s.store.noteUse(ctx, u.id, u.at, u.at.Add(-usedEvery)); err != nil {
		slog.WarnContext(ctx, "use of a key not recorded", "key_id", u.id, "err", err)
	}
}
