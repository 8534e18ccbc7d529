// Package apikeys owns the API keys: their format, what is stored of them, the project that a key may be scoped to, and
// whom a key stands for.
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
	"masthead/pkg/identity"
	"masthead/pkg/projects"
)

// maxKeys is how many keys a project has at most, and how many an account that are for all of its projects.
const maxKeys = 100

const (
	// usedEvery is how exactly the last use of a key is known.
	usedEvery = time.Minute
	// usedQueue is how many uses wait to be noted; beyond, they are not.
	usedQueue = 256
	// usedTimeout bounds the noting of one.
	usedTimeout = 5 * time.Second
	// rotateEvery is the least time between two rotations of a key: longer than a transaction may take, so that a request
	// that arrived before another one's commit never undoes it.
	rotateEvery = 5 * time.Second
)

// Key is an API key without its secret.
type Key struct {
	ID      string
	OwnerID string
	// ProjectID is the one project that the key works for; "" for all of the owner's.
	ProjectID string
	Name      string
	// Prefix is the start of the secret, to tell keys apart.
	Prefix    string
	CreatedAt time.Time
	// LastUsedAt is right to a minute; zero for a key that was never used.
	LastUsedAt time.Time
}

// NewKey is a key to be made.
type NewKey struct {
	// ID is a UUID; "" for a fresh one. The caller's key that has it already is the one that was asked for: it was made
	// by an attempt at the same request.
	ID   string
	Name string
	// ProjectID is the one project that the key is for; "" for all of the owner's.
	ProjectID string
}

// Service keeps the keys. It is safe for concurrent use; [Service.Run] notes their uses.
type Service struct {
	store    store
	projects *projects.Service
	auditlog *auditlog.Log
	now      func() time.Time
	used     chan use
	known    *known
}

// use is the use of a key at a time.
type use struct {
	id string
	at time.Time
}

// New returns the service of the keys in d.
func New(d *db.DB, p *projects.Service, l *auditlog.Log) *Service {
	return &Service{
		store: store{d}, projects: p, auditlog: l, now: time.Now, used: make(chan use, usedQueue),
		known: newKnown(maxKnown),
	}
}

// Create makes a key of the caller and returns it with its secret, which is not kept: "" for a key that an earlier
// attempt has made. NotFound when n names no project of the caller, Conflict when there are as many keys as there may
// be.
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
	err = s.store.insert(ctx, key, digest(secret), maxKeys)
	switch {
	case db.IsForeignKey(err):
		return Key{}, "", apperr.Wrap(apperr.NotFound, "The project or the account no longer exists.", err)
	case db.IsUnique(err), apperr.CodeOf(err) == apperr.Conflict: // the one made before may be the last of the cap
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

// List returns a page of the caller's keys, newest first, and the cursor of the next one; "" on the last page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Key, next string, err error) {
	return cursor.List(p, func(k Key) string { return k.ID }, func(before string, limit int) ([]Key, error) {
		return s.store.list(ctx, caller.UserID, before, limit)
	})
}

// Revoke ends a key of the caller at once; NotFound when there is none, or it is somebody else's.
func (s *Service) Revoke(ctx context.Context, caller identity.Caller, id string) error {
	prefix, err := s.store.delete(ctx, caller.UserID, id)
	if err != nil {
		return err
	}
	s.forgetKey(id)
	s.auditlog.Record(ctx, auditlog.KeyRevoked, caller.UserID, prefix)
	return nil
}

// Rotate gives a key of the caller a new secret and returns it; the old one stops at once. NotFound when there is none,
// Conflict when it was rotated less than rotateEvery ago.
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

// Authenticate returns whom a key stands for: its owner, with the owner's plan and the key's scope, never as an admin;
// where they call from, the server knows. Unauthorized when it is not good, which a mistyped one is without a look-up.
// What was changed on this node counts at once, on another one after at most 5 s.
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

// find returns the key of a digest, as it was at most keyFresh before now; sql.ErrNoRows when there is none, which is
// not remembered.
func (s *Service) find(ctx context.Context, digest string, now time.Time) (*remembered, error) {
	found, changes := s.known.find(digest, now)
	if found != nil {
		return found, nil
	}
	read, err := s.store.byDigest(ctx, digest)
	if err != nil {
		return nil, err
	}
	found = &remembered{credential: read, at: now}
	found.used.Store(read.LastUsedAt.UnixMilli())
	s.known.keep(digest, found, changes)
	return found, nil
}

// use has the use of a key noted, unless one less than usedEvery ago is.
func (s *Service) use(found *remembered, now time.Time) {
	last := found.used.Load()
	if now.Sub(time.UnixMilli(last)) < usedEvery || !found.used.CompareAndSwap(last, now.UnixMilli()) {
		return
	}
	select {
	case s.used <- use{found.ID, now}:
	default: // a note that is lost is worth less than a request that waits
	}
}

// Run notes the uses of keys until ctx ends, then those that still wait.
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
		slog.WarnContext(ctx, "use of a key not noted", "key_id", u.id, "err", err)
	}
}
