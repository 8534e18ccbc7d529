package idempotency

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// open returns the keys in d, whose clock is *now, and a request of an account that there is.
func open(t *testing.T, d *db.DB, now *time.Time) (*Keys, Request) {
	t.Helper()
	owner := db.NewID()
	_, err := d.Exec(t.Context(), `INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at,
		updated_at) VALUES (?, ?, ?, '', '', 'user', 'free', 0, 0)`, owner, owner, owner)
	if err != nil {
		t.Fatal(err)
	}
	k := New(d)
	k.now = func() time.Time { return *now }
	return k, Request{OwnerID: owner, Key: "a", Digest: "1"}
}

func TestBegin_answerOfTheFirstIsThatOfAll(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		attempt := k.begins(t, r)
		if _, _, err := k.Begin(t.Context(), r); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("while it runs: got %v, want a conflict", err)
		}
		want := Answer{Status: 201, Header: http.Header{"Location": {"/x"}}, Body: []byte(`{"ä": 1}`)}
		if err := attempt.Keep(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		_, kept, err := k.Begin(t.Context(), r)
		if err != nil || kept == nil || kept.Status != 201 || string(kept.Body) != string(want.Body) ||
			kept.Header.Get("Location") != "/x" {
			t.Errorf("got %+v, %v, want %+v", kept, err, want)
		}
		other := r
		other.Digest = "2"
		if _, _, err := k.Begin(t.Context(), other); apperr.CodeOf(err) != apperr.IdempotencyMismatch {
			t.Errorf("for another request: got %v, want a mismatch", err)
		}
		now = now.Add(keepTime + time.Second)
		if again := k.begins(t, other); again.ResourceID == attempt.ResourceID {
			t.Error("after a day: got the old request's id for a new request")
		}
	})
}

// begins is Begin of a request that is the caller's to do.
func (k *Keys) begins(t *testing.T, r Request) *Attempt {
	t.Helper()
	attempt, kept, err := k.Begin(t.Context(), r)
	if err != nil || kept != nil {
		t.Fatalf("got %v, %v, want an attempt", kept, err)
	}
	return attempt
}

func TestBegin_afterAKilledAttemptTheNextHasItsIDAndAloneIsKept(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		killed := k.begins(t, r)
		now = now.Add(leaseTime + time.Second)
		second := k.begins(t, r)
		if second.ResourceID != killed.ResourceID {
			t.Errorf("got the id %s, want that of the first attempt, %s", second.ResourceID, killed.ResourceID)
		}
		// The first was slow and not killed: what it says, or takes back, is too late.
		if err := killed.Keep(t.Context(), Answer{Status: 500}); err != nil {
			t.Fatal(err)
		}
		if err := killed.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := second.Keep(t.Context(), Answer{Status: 200}); err != nil {
			t.Fatal(err)
		}
		if _, kept, err := k.Begin(t.Context(), r); err != nil || kept == nil || kept.Status != 200 {
			t.Errorf("got %+v, %v, want the answer of the second attempt", kept, err)
		}
	})
}

// TestBegin_clockGoesBack_killedAttemptIsOver has an attempt killed whose clock was an hour ahead.
func TestBegin_clockGoesBack_killedAttemptIsOver(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		killed := k.begins(t, r)
		now = now.Add(-time.Hour)
		if second := k.begins(t, r); second.ResourceID != killed.ResourceID {
			t.Errorf("got the id %s, want that of the first attempt, %s", second.ResourceID, killed.ResourceID)
		}
		if _, _, err := k.Begin(t.Context(), r); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("while the second one runs: got %v, want a conflict", err)
		}
	})
}

func TestBegin_afterReleaseItIsAsIfNothingWasSent(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		if err := k.begins(t, r).Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.Digest = "2"
		k.begins(t, r)
	})
}

func TestBegin_manyAtOnceAreOneAttempt(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		var attempts atomic.Int32
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				attempt, _, err := k.Begin(t.Context(), r)
				if attempt != nil {
					attempts.Add(1)
				} else if apperr.CodeOf(err) != apperr.Conflict {
					t.Errorf("got %v, want a conflict", err)
				}
			})
		}
		wg.Wait()
		if n := attempts.Load(); n != 1 {
			t.Errorf("got %d attempts, want 1", n)
		}
	})
}

func TestSweep_takesWhatIsADayOld(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		k, r := open(t, d, &now)
		k.begins(t, r)
		r.Key = "b"
		now = now.Add(keepTime - time.Minute)
		k.begins(t, r)
		now = now.Add(2 * time.Minute)
		if err := k.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left []string
		if err := d.Select(t.Context(), &left, `SELECT idempotency_key FROM idempotency_keys`); err != nil {
			t.Fatal(err)
		}
		if len(left) != 1 || left[0] != "b" {
			t.Errorf("got %v, want b alone", left)
		}
	})
}
