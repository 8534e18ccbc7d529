package fair_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/fair"
)

// order pops all whose owner may be served and tells their owners.
func order(q *fair.Queue, mayBeServed func(string) bool) string {
	var owners []string
	for w := q.Pop(mayBeServed); w != nil; w = q.Pop(mayBeServed) {
		owners = append(owners, w.Owner)
	}
	return strings.Join(owners, "")
}

// filled is a queue of those whose owners are named by the letters.
func filled(owners string) *fair.Queue {
	q := &fair.Queue{}
	for _, owner := range owners {
		q.Push(string(owner), true)
	}
	return q
}

func TestQueue_ownersTakeTurns(t *testing.T) {
	for _, c := range []struct{ came, served string }{
		{"", ""},
		{"aaa", "aaa"},
		{"aaaab", "abaaa"},
		{"aaabbc", "abcaba"},
		{"aaaabbbbc", "abcababab"},
	} {
		if got := order(filled(c.came), fair.Anybody); got != c.served {
			t.Errorf("%q came: got %q, want %q", c.came, got, c.served)
		}
	}
}

// TestQueue_lateOwner_isNextButOne lets an owner come when another's have been served for long: what it did not use
// before gives it no more than its turn.
func TestQueue_lateOwner_isNextButOne(t *testing.T) {
	q := filled(strings.Repeat("a", 10))
	for range 5 {
		q.Pop(fair.Anybody)
	}
	for range 3 {
		q.Push("b", true)
	}
	if got := order(q, fair.Anybody); got != "ababab"+"aa" {
		t.Errorf("got %q, want turns", got)
	}
}

func TestQueue_ownerThatMayNot_isPassedOver(t *testing.T) {
	q := filled("aab")
	if got := order(q, func(owner string) bool { return owner != "a" }); got != "b" {
		t.Errorf("got %q, want b alone", got)
	}
	if got := order(q, fair.Anybody); got != "aa" {
		t.Errorf("after that %q, want those who were passed over", got)
	}
}

// TestQueue_ahead_isWhoGoesFirst compares what is told with what happens then, in queues of all sorts.
func TestQueue_ahead_isWhoGoesFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		q := &fair.Queue{}
		var in []*fair.Waiter
		for i := range random.IntN(60) {
			in = append(in, q.Push(string(rune('a'+random.IntN(5))), i))
			switch n := random.IntN(len(in)); random.IntN(4) {
			case 0:
				q.Pop(fair.Anybody)
			case 1:
				q.Remove(in[n])
			}
		}
		told := q.Ahead("b")
		last, served := q.Push("b", -1), 0
		for q.Pop(fair.Anybody) != last {
			served++
		}
		if told != served {
			t.Fatalf("told %d, served %d before it", told, served)
		}
		for q.Pop(fair.Anybody) != nil {
		}
		if q.Len() != 0 || q.Owners() != 0 || q.Waiting("b") != 0 {
			t.Fatalf("%d of %d owners are left in an empty queue", q.Len(), q.Owners())
		}
	}
}

func TestQueue_displace_takesTheLastOfWhomFillsIt(t *testing.T) {
	q := filled("aaabb")
	all := func(any) bool { return true }
	if gone := q.Displace("a", all); gone != nil {
		t.Errorf("one of %s was displaced by one that is after it", gone.Owner)
	}
	gone := q.Displace("c", all)
	if gone == nil || gone.Owner != "a" || q.Waiting("a") != 2 {
		t.Errorf("got %v, want the third of a", gone)
	}
	if gone := q.Displace("c", func(any) bool { return false }); gone != nil {
		t.Errorf("one of %s was displaced that must not be", gone.Owner)
	}
	q.Push("a", true) // in the round that is free again
	q.Push("c", true)
	if got := order(q, fair.Anybody); got != "abc"+"ab"+"a" {
		t.Errorf("then %q were served", got)
	}
}

func TestQueue_dismiss_takesOutWhomItNames(t *testing.T) {
	q := filled("abab")
	gone := q.Dismiss(func(w *fair.Waiter) bool { return w.Owner == "a" })
	if len(gone) != 2 || slices.ContainsFunc(gone, func(w *fair.Waiter) bool { return w.Owner != "a" }) {
		t.Errorf("got %v, want both of a", gone)
	}
	if q.Remove(gone[0]) {
		t.Error("one that was dismissed is still in")
	}
	if got := order(q, fair.Anybody); got != "bb" {
		t.Errorf("then %q were served, want bb", got)
	}
}
