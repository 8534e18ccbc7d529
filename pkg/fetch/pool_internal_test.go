package fetch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
)

// mustHave takes a place.
func mustHave(t *testing.T, p *pool, owner string) (leave func()) {
	t.Helper()
	leave, err := p.enter(t.Context(), owner)
	if err != nil {
		t.Fatalf("a place for %s: %v", owner, err)
	}
	return leave
}

func TestPool_ownerHasHalf_othersTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(8, 8)
		for range 4 {
			mustHave(t, p, "greedy")
		}
		began := time.Now()
		_, err := p.enter(t.Context(), "greedy")
		var e *apperr.Error
		if !errors.As(err, &e) || e.Code != apperr.Unavailable || e.RetryAfter < time.Second {
			t.Errorf("a fifth place: got %v, want UNAVAILABLE with Retry-After", err)
		}
		if took := time.Since(began); took != placeTime {
			t.Errorf("it took %v, want %v", took, placeTime)
		}
		for range 4 {
			mustHave(t, p, "modest")
		}
		if took := time.Since(began); took != placeTime {
			t.Error("another owner had to wait")
		}
	})
}

func TestPool_placeGivenBack_goesToTheOwnerInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(2, 16)
		first, second := mustHave(t, p, "greedy"), mustHave(t, p, "other")
		got := make(chan string, 8)
		ask := func(owner string) {
			go func() {
				leave, err := p.enter(t.Context(), owner)
				if err != nil {
					got <- err.Error()
					return
				}
				got <- owner
				time.Sleep(time.Millisecond)
				leave()
			}()
			synctest.Wait()
		}
		for range 3 {
			ask("greedy")
		}
		ask("modest")
		second()
		if owner := <-got; owner != "modest" {
			t.Errorf("got %q, want the modest one: the greedy one has its half", owner)
		}
		first()
		for range 3 {
			if owner := <-got; owner != "greedy" {
				t.Errorf("got %q, want the greedy one after it", owner)
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if p.InUse() != 0 || p.Waiting() != 0 || p.Owners() != 0 {
			t.Errorf("got %d in use by %d owners, want none", p.InUse(), p.Owners())
		}
	})
}

func TestPool_fullQueue_refusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(2, 4)
		mustHave(t, p, "a")
		mustHave(t, p, "b")
		for _, owner := range []string{"a", "a", "b", "b"} {
			go func() { _, _ = p.enter(t.Context(), owner) }() // waits in vain
		}
		synctest.Wait()
		began := time.Now()
		if _, err := p.enter(t.Context(), "c"); apperr.CodeOf(err) != apperr.Unavailable || time.Since(began) != 0 {
			t.Errorf("got %v after %v, want UNAVAILABLE at once", err, time.Since(began))
		}
		time.Sleep(placeTime)
		synctest.Wait()
		if p.Waiting() != 0 {
			t.Errorf("%d still wait", p.Waiting())
		}
	})
}

func TestPool_cancelled_returnsTheCancellationAndNoPlaceIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(2, 4)
		leave := mustHave(t, p, "a")
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		if _, err := p.enter(ctx, "a"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the cancellation", err)
		}
		leave()
		mustHave(t, p, "a")()
		if p.InUse() != 0 {
			t.Errorf("%d places are lost", p.InUse())
		}
	})
}
