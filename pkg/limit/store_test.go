package limit_test

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/limit"
	"masthead/pkg/testenv"
	"masthead/pkg/testenv/cut"
)

var serial atomic.Int64

// unique returns a name that no other test uses, also on a server that keeps what earlier runs counted.
func unique(t *testing.T) string {
	return fmt.Sprintf("%s-%d-%d", t.Name(), time.Now().UnixNano(), serial.Add(1))
}

// open returns a store whose counts are synced until the test ends.
func open(t *testing.T, address string) *limit.Store {
	t.Helper()
	s := limit.Open(limit.Config{URL: address})
	var work sync.WaitGroup
	work.Go(func() { s.Run(t.Context()) })
	t.Cleanup(func() {
		work.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// behind returns a network in front of the server, and the address of the server through it.
func behind(t *testing.T, address string) (*cut.Proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	network := cut.New(t, limit.Config{URL: address}.Address())
	u.Host = network.Addr
	return network, u.String()
}

// stores calls test with the nodes of an installation: one that counts in memory, and two that count on a server.
func stores(t *testing.T, test func(t *testing.T, nodes []*limit.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, []*limit.Store{nil}) })
	address, ok := testenv.Redis(t)
	if !ok {
		return
	}
	t.Run("redis", func(t *testing.T) { test(t, []*limit.Store{open(t, address), open(t, address)}) })
}

func take(t *testing.T, w *limit.Window, key string, most int64) limit.Result {
	t.Helper()
	r, err := w.Take(t.Context(), key, most)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// passed takes so many times and returns how many requests were let through.
func passed(t *testing.T, w *limit.Window, key string, most int64, times int) (n int64) {
	t.Helper()
	for range times {
		if !take(t, w, key, most).Reached {
			n++
		}
	}
	return n
}

func TestWindow_nodesCountTogether(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, nodes []*limit.Store) {
		name, key := unique(t), "a key, with spaces"
		var windows []*limit.Window
		for _, s := range nodes {
			windows = append(windows, s.Window(name))
		}
		first := take(t, windows[0], key, 3)
		if left := time.Until(first.Reset); first.Limit != 3 || first.Remaining != 2 || first.Reached ||
			left > time.Minute || left < 58*time.Second || first.Reset.Nanosecond() != 0 {
			t.Errorf("got %+v", first)
		}
		last := windows[len(windows)-1]
		if r := take(t, last, key, 3); r.Remaining != 1 || r.Reset.Sub(first.Reset).Abs() > time.Second {
			t.Errorf("the other node: got %+v", r)
		}
		if reached, err := last.Reached(t.Context(), key, 3); err != nil || reached {
			t.Errorf("got %v, %v, want one left", reached, err)
		}
		if r := take(t, windows[0], key, 3); r.Remaining != 0 || r.Reached {
			t.Errorf("the last one: got %+v", r)
		}
		if r := take(t, last, key, 3); !r.Reached {
			t.Errorf("one too many: got %+v", r)
		}
		if reached, err := windows[0].Reached(t.Context(), key, 3); err != nil || !reached {
			t.Errorf("got %v, %v, want it reached", reached, err)
		}
		if r := take(t, last, key, 10); r.Reached || r.Limit != 10 {
			t.Errorf("a larger plan: got %+v", r)
		}
		if r := take(t, windows[0], "another key", 3); r.Remaining != 2 {
			t.Errorf("another key: got %+v", r)
		}
	})
}

func TestWindow_manyAtOnceOnAllNodes(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, nodes []*limit.Store) {
		name := unique(t)
		var through atomic.Int64
		var work sync.WaitGroup
		for _, s := range nodes {
			w := s.Window(name)
			for range 16 {
				work.Go(func() { through.Add(passed(t, w, "a", 500, 64)) })
			}
		}
		work.Wait()
		if got := through.Load(); got != 500 {
			t.Errorf("got %d through, want 500", got)
		}
	})
}

// TestSynced_nodesCountTogether sends a steady load to both nodes, which reaches the limit after eight seconds:
// together they let it through within 5 per cent, as long as they sync within 0.4 s.
func TestSynced_nodesCountTogether(t *testing.T) {
	t.Parallel()
	testenv.FullSpeed(t)
	stores(t, func(t *testing.T, nodes []*limit.Store) {
		const most, sent, seconds = 600, 750, 10
		name := unique(t)
		var through atomic.Int64
		var work sync.WaitGroup
		for _, s := range nodes {
			w := s.Synced(name)
			work.Go(func() {
				pause := time.NewTicker(time.Second * seconds / sent * time.Duration(len(nodes)))
				defer pause.Stop()
				for range sent / len(nodes) {
					<-pause.C
					if !take(t, w, "a", most).Reached {
						through.Add(1)
					}
				}
			})
		}
		work.Wait()
		if got := through.Load(); got < most || got > most*105/100 {
			t.Errorf("got %d through, want %d and at most 5 %% more", got, most)
		}
	})
}

// TestSynced_burst sends a burst to both nodes: each lets a full limit through at most, and then nothing.
func TestSynced_burst(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, nodes []*limit.Store) {
		name := unique(t)
		var through int64
		var windows []*limit.Window
		for _, s := range nodes {
			w := s.Synced(name)
			windows = append(windows, w)
			through += passed(t, w, "a", 100, 1000)
		}
		if most := int64(100 * len(nodes)); through < 100 || through > most {
			t.Errorf("got %d through, want 100 to %d", through, most)
		}
		for _, w := range windows {
			for !take(t, w, "a", 100).Reached { // until its next sync
				time.Sleep(10 * time.Millisecond)
			}
		}
	})
}

func TestBreaker_nodesCountTogether(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, nodes []*limit.Store) {
		name := unique(t)
		var breakers []*limit.Breaker
		for _, s := range nodes {
			breakers = append(breakers, s.Breaker(name, 50, 10))
		}
		first, last := breakers[0], breakers[len(breakers)-1]
		for i := range 10 {
			if r := breakers[i%len(breakers)].TakeMiss(t.Context(), "misses"); r.Reached {
				t.Fatalf("miss %d: got %+v", i+1, r)
			}
		}
		r := first.TakeMiss(t.Context(), "misses")
		if left := time.Until(r.Reset); !r.Reached || left > time.Minute || left < 58*time.Second {
			t.Errorf("one miss too many: got %+v", r)
		}
		if r := last.TakeMiss(t.Context(), "misses"); !r.Reached {
			t.Errorf("on the other node: got %+v", r)
		}
		if r := last.Take("misses"); !r.Reached {
			t.Errorf("a request of that address: got %+v", r)
		}
		if r := first.Take("other"); r.Reached || r.Limit != 50 {
			t.Errorf("another address: got %+v", r)
		}
		// Requests are counted in memory, and known to the other node soon.
		for range 51 {
			first.Take("requests")
		}
		if r := first.Peek("requests"); !r.Reached {
			t.Errorf("51 requests: got %+v", r)
		}
		for !last.Take("requests").Reached {
			time.Sleep(20 * time.Millisecond) // far fewer than 50 a window
		}
	})
}

// TestStore_silentServer silences the server: each of two nodes counts on with half of the limit, and both count
// together again once it answers.
func TestStore_silentServer(t *testing.T) {
	t.Parallel()
	address, ok := testenv.Redis(t)
	if !ok {
		return
	}
	network, through := behind(t, address)
	name := unique(t)
	var nodes []*limit.Store
	var windows, synced []*limit.Window
	for range 2 {
		s := open(t, through)
		nodes = append(nodes, s)
		windows, synced = append(windows, s.Window(name)), append(synced, s.Synced(name+"-synced"))
	}
	take(t, windows[0], "before", 1000)
	for !seen(t, nodes) {
		time.Sleep(50 * time.Millisecond)
	}
	network.Silence()
	for i := range nodes {
		// The first step finds out; from then on the node doesn't wait.
		if got := passed(t, windows[i], "a", 1000, 2000); got < 1 || got > 500 {
			t.Errorf("node %d alone: got %d through, want its share of 1000", i, got)
		}
		if nodes[i].Usable() {
			t.Errorf("node %d says that it counts with the others", i)
		}
		if got := passed(t, synced[i], "a", 1000, 2000); got < 1 || got > 500 {
			t.Errorf("node %d alone, synced: got %d through, want its share of 1000", i, got)
		}
	}
	network.Pass()
	network.Reset()
	for _, s := range nodes {
		for !s.Usable() {
			time.Sleep(50 * time.Millisecond)
		}
	}
	for deadline := t.Context(); deadline.Err() == nil; {
		key := unique(t)
		if take(t, windows[0], key, 1).Remaining == 0 && take(t, windows[1], key, 1).Reached {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// seen reports whether all nodes have seen each other: there may be more, of other tests.
func seen(t *testing.T, nodes []*limit.Store) bool {
	t.Helper()
	for _, s := range nodes {
		if s.Nodes() < int64(len(nodes)) {
			return false
		}
	}
	return true
}

// TestStore_serverThatFails counts with servers that aren't there, or refuse: in memory.
func TestStore_serverThatFails(t *testing.T) {
	t.Parallel()
	full, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = full.Close() })
	go func() {
		for {
			c, err := full.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for lines := bufio.NewScanner(c); lines.Scan(); {
					if _, err := c.Write([]byte("-OOM command not allowed when used memory > 'maxmemory'.\r\n")); err != nil {
						return
					}
				}
			}()
		}
	}()
	for _, address := range []string{"redis://127.0.0.1:1/0", "redis://" + full.Addr().String() + "/0"} {
		s := open(t, address)
		if got := passed(t, s.Window("w"), "a", 10, 30); got != 10 {
			t.Errorf("%s: got %d through, want 10", address, got)
		}
		if got := passed(t, s.Synced("y"), "a", 10, 30); got != 10 {
			t.Errorf("%s: got %d through, want 10", address, got)
		}
		b := s.Breaker("b", 100, 2)
		for i := range 3 {
			if r := b.TakeMiss(t.Context(), "a"); r.Reached != (i == 2) {
				t.Errorf("%s, miss %d: got %+v", address, i+1, r)
			}
		}
	}
}

func TestConfig_Validate(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"": true, "redis://127.0.0.1:6379/0": true, "rediss://:secret@redis.example.com": true,
		"127.0.0.1:6379": false, "http://127.0.0.1": false, "redis://": false,
	} {
		if err := (limit.Config{URL: address}).Validate(); (err == nil) != want {
			t.Errorf("%q: got %v", address, err)
		}
	}
	if got := (limit.Config{URL: "redis://a"}).Address(); got != "a:6379" {
		t.Errorf("got %q", got)
	}
}
