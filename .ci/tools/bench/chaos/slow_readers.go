package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"masthead/tools/bench/rig"
)

// slowReaders has 200 clients ask for more than the kernel's buffers hold, and read a byte a second.
func slowReaders(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.open(ctx, rig.Options{}, 1)
	if err != nil {
		return nil, err
	}
	path, err := s.hot[0].CDNPath()
	if err != nil {
		return nil, err
	}
	const clients, watched = 200, 75 * time.Second
	var cut atomic.Int64
	var lastCut atomic.Int64 // nanoseconds from the start to the last that was cut
	rows, err := s.neighbors(ctx, fmt.Sprintf("%d clients ask for pictures and read a byte a second", clients),
		s.usual(), func(ctx context.Context) error {
			ctx, stop := context.WithTimeout(ctx, watched)
			defer stop()
			start := time.Now()
			var group sync.WaitGroup
			for range clients {
				group.Go(func() {
					if readSlowly(ctx, s, path) {
						cut.Add(1)
						lastCut.Store(int64(time.Since(start)))
					}
				})
			}
			group.Wait()
			return nil
		})
	if len(rows) > 0 {
		rows[0].note = fmt.Sprintf("%d of the slow ones were cut, the last after %s", cut.Load(),
			spoken(time.Duration(lastCut.Load())))
		rows[0].want(cut.Load() == clients, "all slow readers are cut within %v", watched)
	}
	return rows, err
}

// readSlowly asks for a picture again and again on one connection, reads a byte a second, and says whether the service
// has cut the connection.
func readSlowly(ctx context.Context, s *service, path string) (cut bool) {
	host := strings.TrimPrefix(s.Base, "http://")
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }() // it is not used any more
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 << 10) // the less the kernel takes for us, the better
	}
	const asked = 1000 // some 30 MB of pictures
	request := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	_ = conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.WriteString(conn, strings.Repeat(request, asked)); err != nil && !isTimeout(err) {
		return true
	}
	one := make([]byte, 1)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		// What the kernel holds already can be read after the connection is cut, so that only a write shows it.
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		if _, err := conn.Read(one); err != nil && !isTimeout(err) {
			return true
		}
		if _, err := conn.Write([]byte("\n")); err != nil && !isTimeout(err) {
			return true
		}
	}
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error) //nolint:errorlint // the connection's own
	return ok && e.Timeout()
}
