package apikeys

import (
	"database/sql"
	"testing"
	"time"

	"masthead/pkg/events"
)

func remember(k *keyCache, digest string, c credential, at time.Time) {
	_, changes := k.find(digest, at)
	k.keep(digest, &cachedKey{credential: c, at: at}, changes)
}

func TestKnown_isBoundedInTimeAndNumber(t *testing.T) {
	t.Parallel()
	k, now := newKeyCache(2), time.Now()
	has := func(digest string, at time.Time) bool {
		found, _ := k.find(digest, at)
		return found != nil
	}
	remember(k, "a", credential{ID: "1"}, now)
	for after, want := range map[time.Duration]bool{
		0: true, keyFresh - 1: true, keyFresh: false, -keyFresh: false, time.Hour: false,
	} {
		if got := has("a", now.Add(after)); got != want {
			t.Errorf("after %v: remembered %v, want %v", after, got, want)
		}
	}
	remember(k, "b", credential{ID: "2"}, now)
	remember(k, "c", credential{ID: "3"}, now)
	if has("a", now) || !has("b", now) || !has("c", now) {
		t.Error("want the two latest of two")
	}
}

func TestKnown_forgetsWhatChanged(t *testing.T) {
	t.Parallel()
	now := time.Now()
	owner := events.Account{UserId: "owner"}
	for what, forget := range map[string]func(s *Service, b *events.Bus){
		"key":           func(s *Service, _ *events.Bus) { s.forgetKey("1") },
		"owner changed": func(_ *Service, b *events.Bus) { events.AccountChanged.Noticed(b, "owner", owner) },
		"owner deleted": func(_ *Service, b *events.Bus) { events.AccountDeleted.Noticed(b, "owner", owner) },
		"project": func(_ *Service, b *events.Bus) {
			events.ProjectDeleted.Noticed(b, "owner", events.Project{ProjectId: "project"})
		},
	} {
		b := events.NewBus()
		s := &Service{cache: newKeyCache(10)}
		s.subscribe(b)
		remember(s.cache, "a",
			credential{ID: "1", OwnerID: "owner", ProjectID: sql.NullString{String: "project", Valid: true}}, now)
		remember(s.cache, "b", credential{ID: "2", OwnerID: "other"}, now)
		_, changes := s.cache.find("read before", now)
		forget(s, b)
		s.cache.keep("read before", &cachedKey{at: now}, changes)
		for digest, want := range map[string]bool{"a": false, "b": true, "read before": false} {
			if found, _ := s.cache.find(digest, now); (found != nil) != want {
				t.Errorf("%s: %s is remembered: %v, want %v", what, digest, found != nil, want)
			}
		}
	}
}
