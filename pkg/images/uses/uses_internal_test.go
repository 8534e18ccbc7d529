package uses

import (
	"testing"
	"time"
)

// TestQueue_queueIsBounded fills the queue with uses, and takes them from it again.
func TestQueue_queueIsBounded(t *testing.T) {
	t.Parallel()
	r, now := New(), time.Now()
	starts := 0
	push := func(id string) {
		if r.Push(Use{PublicID: id}, now) {
			starts++
		}
	}
	for i := range maxUses + 10 {
		push(time.Duration(i).String())
		push("0s") // again
	}
	if len(r.waiting) != maxUses || starts != 1 {
		t.Fatalf("%d uses wait and %d callers were told to take them, want %d and one", len(r.waiting), starts, maxUses)
	}
	for range maxUses {
		if _, ok := r.Pop(); !ok {
			t.Fatal("a use is missing")
		}
	}
	if _, ok := r.Pop(); ok || r.running || len(r.queued) != 0 {
		t.Errorf("the queue is not empty: %d", len(r.queued))
	}
	if now = now.Add(Rest - time.Second); r.Push(Use{PublicID: "0s"}, now) {
		t.Error("a use is queued again too soon")
	}
	if now = now.Add(2 * time.Second); !r.Push(Use{PublicID: "0s"}, now) {
		t.Error("a use is not queued again later")
	}
}
