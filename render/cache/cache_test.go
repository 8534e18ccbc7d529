package cache_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"masthead/render/cache"
)

// length is the cost of a string: its bytes, without those of its key.
func length(_ string, value string) int { return len(value) }

// keys returns which of some keys, of one letter each, are kept. It counts as a use of each, from left to right.
func keys(c *cache.Cache[string, string], asked string) string {
	var kept strings.Builder
	for _, key := range strings.Split(asked, "") {
		if _, ok := c.Get(key); ok {
			kept.WriteString(key)
		}
	}
	return kept.String()
}

func TestCache_unknownKeyIsNotOK(t *testing.T) {
	c := cache.New(10, length)
	if value, ok := c.Get("a"); value != "" || ok {
		t.Errorf(`got %q, %v, want "", false`, value, ok)
	}
}

func TestCache_fullDropsLeastRecentlyUsed(t *testing.T) {
	for _, test := range []struct {
		name string
		use  func(c *cache.Cache[string, string])
		want string
	}{
		{"as put", func(*cache.Cache[string, string]) {}, "abc"},
		{"one more", func(c *cache.Cache[string, string]) { c.Put("d", "444") }, "bcd"},
		{"one more after a use", func(c *cache.Cache[string, string]) { c.Get("a"); c.Put("d", "444") }, "acd"},
		{"one as large as two", func(c *cache.Cache[string, string]) { c.Put("d", "444444") }, "cd"},
		{"one as large as all", func(c *cache.Cache[string, string]) { c.Put("d", "4444444444") }, "d"},
		{"one too large", func(c *cache.Cache[string, string]) { c.Put("d", "44444444444") }, "abc"},
		{"one without bytes", func(c *cache.Cache[string, string]) { c.Put("d", "") }, "abcd"},
	} {
		c := cache.New(10, length)
		c.Put("a", "111")
		c.Put("b", "222")
		c.Put("c", "333")
		test.use(c)
		if got := keys(c, "abcd"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCache_equalKeyReplacesValue(t *testing.T) {
	c := cache.New(10, length)
	c.Put("a", "111")
	c.Put("b", "222")
	c.Put("a", "1111111") // with b: ten bytes, so that b may stay
	if value, _ := c.Get("a"); value != "1111111" {
		t.Errorf("got %q, want the later value", value)
	}
	if got := keys(c, "ab"); got != "ab" {
		t.Errorf("got %q, want both", got)
	}
	c.Put("a", "11111111111") // too large: neither it nor what it was meant to replace
	if got := keys(c, "ab"); got != "b" {
		t.Errorf("got %q after a value that is too large, want b alone", got)
	}
}

// Whatever is put in whatever order, the kept values take no more than the bound, and the last one is among them.
func TestCache_randomUseStaysWithinBound(t *testing.T) {
	const bound = 1000
	r := rand.New(rand.NewPCG(1, 2))
	c := cache.New(bound, func(_, bytes int) int { return bytes })
	for range 20_000 {
		key, bytes := r.IntN(50), r.IntN(300)
		c.Put(key, bytes)
		if got, ok := c.Get(key); !ok || got != bytes {
			t.Fatalf("just put: got %d, %v, want %d", got, ok, bytes)
		}
		c.Get(r.IntN(50))
	}
	sum := 0
	for key := range 50 {
		bytes, _ := c.Get(key)
		sum += bytes
	}
	if sum > bound || sum < bound-300 {
		t.Errorf("the values take %d bytes, want at most %d and hardly less", sum, bound)
	}
}

func TestShared_manyGoroutinesSeeOneCache(t *testing.T) {
	s := cache.NewShared(1<<10, func(_, _ int) int { return 8 })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 1000 {
				s.Put(i%200, i%200)
				if got, ok := s.Get(i % 100); ok && got != i%100 {
					t.Errorf("key %d has %d", i%100, got)
				}
			}
		})
	}
	wg.Wait()
	if got, ok := s.Get(199); !ok || got != 199 {
		t.Errorf("the last value: got %d, %v", got, ok)
	}
}

func BenchmarkGet(b *testing.B) {
	c := cache.New(1<<20, func(_, _ int) int { return 100 })
	for i := range 500 {
		c.Put(i, i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Get(i % 500)
	}
}
