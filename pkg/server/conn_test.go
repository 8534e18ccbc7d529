package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestConn_slowReaderIsCutByProgress has clients that take a response in steps, with a pause before each.
func TestConn_slowReaderIsCutByProgress(t *testing.T) {
	for _, c := range []struct {
		name          string
		size, step    int
		pause         time.Duration
		cut           bool
		least, atMost time.Duration // how long the response was on its way
		writes        int           // that the response is written in
		waits         time.Duration // before the first byte is written
	}{
		{name: "takes nothing", size: 1 << 20, cut: true, least: stallTime, atMost: stallTime, writes: 1},
		{name: "takes nothing after some", size: 1 << 20, step: 1 << 19, pause: time.Hour, cut: true,
			least: stallTime, atMost: 2 * stallTime, writes: 1},
		{name: "moves within the time for all", size: 50, step: 1, pause: time.Second, least: 49 * time.Second,
			atMost: 51 * time.Second, writes: 1},
		{name: "hardly moves", size: 1 << 20, step: 1, pause: 10 * time.Second, cut: true, least: writeTime,
			atMost: writeTime + stallTime, writes: 1},
		{name: "hardly moves, in small writes", size: 4000, step: 1, pause: 10 * time.Second, cut: true,
			least: writeTime, atMost: writeTime + stallTime, writes: 1000},
		{name: "is slow with a large one", size: 2 << 20, step: 40 << 10, pause: 19 * time.Second,
			least: 10 * time.Minute, atMost: 20 * time.Minute, writes: 1},
		{name: "is slow with a large one, in parts", size: 2 << 20, step: 32 << 10, pause: 15 * time.Second,
			least: 10 * time.Minute, atMost: 20 * time.Minute, writes: 64},
		{name: "waited for its answer", size: 1 << 10, step: 1 << 10, waits: 49 * time.Second,
			atMost: time.Second, writes: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				defer far.Close()
				m := newMetrics()
				held := &conn{Conn: near, metrics: m, places: newConnections(nil, 1, 1, nil, m)}
				held.begin()
				time.Sleep(c.waits)
				ended := make(chan struct{})
				defer close(ended)
				go func() {
					buffer := make([]byte, c.step)
					for {
						if c.step == 0 {
							return
						}
						if _, err := io.ReadFull(far, buffer); err != nil {
							return
						}
						select {
						case <-time.After(c.pause):
						case <-ended:
							return
						}
					}
				}()
				began, sent := time.Now(), 0
				var err error
				for i := 0; i < c.writes && err == nil; i++ {
					var n int
					n, err = held.Write(make([]byte, c.size/c.writes))
					sent += n
				}
				took := time.Since(began)
				_ = held.Close()
				if c.cut != errors.Is(err, os.ErrDeadlineExceeded) || !c.cut && (err != nil || sent != c.size) {
					t.Errorf("got %d bytes of %d and %v, want cut %v", sent, c.size, err, c.cut)
				}
				if took < c.least || took > c.atMost {
					t.Errorf("it took %v, want from %v to %v", took, c.least, c.atMost)
				}
			})
		})
	}
}

// pipes is a listener of connections in memory.
type pipes chan net.Conn

// Accept, Close and Addr implement [net.Listener].
func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestConn_isCutAfterOthersWereAnswered has the HTTP server answer a request that is taken, and then one that is not:
// what it does to a connection between them must not lift its bounds.
func TestConn_isCutAfterOthersWereAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, listener := newMetrics(), make(pipes)
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, 1<<20)) // the connection may be cut
		})
		server := &http.Server{Handler: handler, ConnState: follow, ReadTimeout: readTimeout, IdleTimeout: idleTimeout}
		ended := make(chan error)
		go func() { ended <- server.Serve(newConnections(listener, 1, 1, nil, m)) }()
		near, far := net.Pipe()
		listener <- near
		from := bufio.NewReader(far)
		for range 3 {
			if _, err := io.WriteString(far, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			r, err := http.ReadResponse(from, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, r.Body); err != nil || n != 1<<20 {
				t.Fatalf("got %d bytes, %v", n, err)
			}
		}
		if _, err := io.WriteString(far, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(stallTime + time.Second)
		synctest.Wait()
		if got := testutil.ToFloat64(m.cut.WithLabelValues("stalled")); got != 1 {
			t.Errorf("%v responses were cut of which nothing was taken for %v, want 1", got, stallTime)
		}
		if _, err := io.Copy(io.Discard, from); err != nil {
			t.Errorf("the connection is not closed: %v", err)
		}
		close(listener)
		<-ended
	})
}

func TestFitting_fewDescriptorsAreShared(t *testing.T) {
	for _, c := range []struct {
		most int
		have uint64
		want int
	}{
		{10_000, 0, 10_000}, {10_000, 20_000, 10_000}, {10_000, 11_088, 10_000}, {10_000, 11_087, 9_999},
		{10_000, 4_096, 3_008}, {10_000, 1_024, 448}, {10_000, 256, 64}, {10_000, 64, 16}, {8, 64, 8}, {100, 1_000_000, 100},
	} {
		if got := fitting(c.most, c.have); got != c.want {
			t.Errorf("%d with %d files: got %d, want %d", c.most, c.have, got, c.want)
		}
	}
}
