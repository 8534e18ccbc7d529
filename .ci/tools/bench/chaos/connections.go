package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"masthead/tools/bench/rig"
)

// holder holds connections to the service.
type holder struct {
	mu    sync.Mutex
	conns []net.Conn
}

// hold opens connections from one address, each with a request that was answered, so that they may stay. It returns
// how many the service took.
func (h *holder) hold(s *service, from string, count int) (taken int) {
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	host := strings.TrimPrefix(s.Base, "http://")
	answer := make([]byte, 4096)
	for range count {
		conn, err := dialer.Dial("tcp", host)
		if err != nil {
			continue
		}
		h.mu.Lock()
		h.conns = append(h.conns, conn)
		h.mu.Unlock()
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second)) // a broken one fails below
		if _, err := io.WriteString(conn, "GET /templates HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); err != nil {
			continue
		}
		if n, err := conn.Read(answer); err == nil && strings.HasPrefix(string(answer[:n]), "HTTP/1.1 200") {
			taken++
		}
	}
	return taken
}

func (h *holder) release() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, conn := range h.conns {
		_ = conn.Close() // the service may have closed it
	}
	h.conns = nil
	return nil
}

// holdFrom opens connections from many addresses at once.
func (h *holder) holdFrom(s *service, addresses, each int) int {
	var mu sync.Mutex
	var group sync.WaitGroup
	taken := 0
	for i := range addresses {
		group.Go(func() {
			n := h.hold(s, fmt.Sprintf("127.0.1.%d", i+1), each)
			mu.Lock()
			defer mu.Unlock()
			taken += n
		})
	}
	group.Wait()
	return taken
}

// health asks for /healthz and /readyz in turns, each on a connection of its own.
func (s *service) health() *visitor {
	client := rig.NewClient(patience)
	client.Transport.(*http.Transport).DisableKeepAlives = true //nolint:forcetypeassert // NewClient's own
	return &visitor{who: "/healthz and /readyz on new connections, 5/s", perSecond: 5, client: client,
		asking: func(ctx context.Context, i int) (*http.Request, error) {
			return s.Get(ctx, []string{"/healthz", "/readyz"}[i%2])
		}}
}

// manyConnections holds all connections that the service takes, from addresses none of which holds too many.
func manyConnections(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.open(ctx, rig.Options{}, 1)
	if err != nil {
		return nil, err
	}
	var h holder
	l.later(h.release)
	taken := 0
	const addresses, each = 40, 250
	// Those who are there already are others; so are health checks. There is no place for anybody else.
	rig.Once(ctx, s.client, 64, s.pictures())
	rows, err := s.neighbors(ctx, fmt.Sprintf("%d connections are held from %d addresses", addresses*each, addresses),
		append(s.usual(), s.health()), func(context.Context) error {
			taken = h.holdFrom(s, addresses, each)
			time.Sleep(10 * time.Second)
			return nil
		})
	if len(rows) > 0 {
		rows[0].note = fmt.Sprintf("%d of them were served", taken)
	}
	return rows, err
}

// oneAddress tries to hold all connections from one address.
func oneAddress(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.open(ctx, rig.Options{}, 1)
	if err != nil {
		return nil, err
	}
	var h holder
	l.later(h.release)
	taken := 0
	client := rig.NewClient(patience)
	client.Transport.(*http.Transport).DisableKeepAlives = true //nolint:forcetypeassert // NewClient's own
	stranger := &visitor{who: "/og and /cdn on new connections, 20/s", perSecond: 20, asking: s.pictures(), client: client}
	const connections, mayHold = 2000, 256
	rows, err := s.neighbors(ctx, fmt.Sprintf("one address opens %d connections", connections),
		append(s.usual(), stranger, s.health()), func(context.Context) error {
			taken = h.hold(s, "127.0.2.1", connections)
			time.Sleep(5 * time.Second)
			return nil
		})
	if len(rows) > 0 {
		rows[0].note = fmt.Sprintf("%d of them were served", taken)
		rows[0].want(taken <= mayHold, "at most %d connections an address", mayHold)
	}
	return rows, err
}
