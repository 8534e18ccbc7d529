package cache_test

import (
	"sync"
	"testing"

	"masthead/render/cache"
)

func TestBudget_partsShareItAndTheLeastRecentlyUsedGoes(t *testing.T) {
	budget := cache.NewBudget(3000)
	cost := func(_ int, b []byte) int { return len(b) }
	words := cache.NewPart(budget, cost)
	lights := cache.NewPart(budget, cost)
	words.Put(1, make([]byte, 1000))
	lights.Put(1, make([]byte, 1001))
	if b, ok := words.Get(1); !ok || len(b) != 1000 {
		t.Fatalf("words.Get(1) = %d bytes, %v: one part must not see what another has", len(b), ok)
	}
	lights.Put(2, make([]byte, 1002)) // takes the room of the light that was unused for longest
	if _, ok := lights.Get(1); ok {
		t.Error("the value that was unused for longest is still there")
	}
	if _, ok := words.Get(1); !ok {
		t.Error("a value that was used since is gone")
	}
	lights.Put(3, make([]byte, 4000))
	if _, ok := lights.Get(3); ok {
		t.Error("a value that is larger than the budget was kept")
	}
}

func TestBuffers_handOutTheSmallestThatIsLargeEnough(t *testing.T) {
	b := cache.NewBuffers(4 << 20)
	small, large := b.Take(100<<10), b.Take(1<<20)
	b.Give(large)
	b.Give(small)
	if got := b.Take(50 << 10); len(got) != 50<<10 || &got[0] != &small[0] {
		t.Errorf("Take gave %d bytes of a buffer of %d, want 51200 of the small one", len(got), cap(got))
	}
	if got := b.Take(50 << 10); &got[0] != &large[0] {
		t.Error("Take made a new buffer while there was one that is large enough")
	}
	if got := b.Take(50 << 10); &got[0] == &large[0] || &got[0] == &small[0] {
		t.Error("Take gave a buffer that is in use")
	}
}

func TestBuffers_keepTheirBoundAndDropTheOldest(t *testing.T) {
	b := cache.NewBuffers(2 << 20)
	first, second, third := b.Take(1<<20), b.Take(1<<20), b.Take(1<<20)
	b.Give(first)
	b.Give(second)
	b.Give(third)
	b.Give(make([]byte, 3<<20)) // more than all
	kept := map[*byte]bool{}
	for range 3 {
		kept[&b.Take(1 << 20)[0]] = true
	}
	if kept[&first[0]] || !kept[&second[0]] || !kept[&third[0]] {
		t.Errorf("kept the first %v, the second %v, the third %v; want the last two",
			kept[&first[0]], kept[&second[0]], kept[&third[0]])
	}
}

func TestBuffers_nobodyGetsWhatAnotherHas(t *testing.T) {
	b := cache.NewBuffers(1 << 20)
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			for i := range 500 {
				buf := b.Take(1 + (i*7919+w)%(200<<10))
				mark := byte(w)
				buf[0], buf[len(buf)-1] = mark, mark
				for range 10 {
					if buf[0] != mark || buf[len(buf)-1] != mark {
						t.Error("a buffer was written by another")
						return
					}
				}
				b.Give(buf)
			}
		})
	}
	group.Wait()
}

func TestPart_againFromTheSecondTimeOn(t *testing.T) {
	budget := cache.NewBudget(3000)
	logos := cache.NewPart(budget, func(int, string) int { return 1 })
	lights := cache.NewPart(budget, func(int, string) int { return 1 })
	for key := range 100 {
		if logos.Again(key) {
			t.Fatalf("key %d was asked for before it was", key)
		}
		if !logos.Again(key) {
			t.Fatalf("key %d was not asked for after it was", key)
		}
		if lights.Again(key) {
			t.Fatalf("key %d of one part was taken for that of another", key)
		}
	}
}
