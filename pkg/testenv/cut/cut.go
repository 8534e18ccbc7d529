// Package cut gives tests a network that can be cut: a proxy in front of a server.
package cut

import (
	"context"
	"net"
	"sync"
	"testing"
)

// Proxy forwards connections to a server until the test ends. It is safe for concurrent use.
type Proxy struct {
	// Addr is its host and port.
	Addr string

	ctx      context.Context //nolint:containedctx // the test's
	to       string
	listener net.Listener

	mu     sync.Mutex
	silent chan struct{} // closed when bytes pass
	open   map[net.Conn]bool
	ended  bool
	work   sync.WaitGroup
}

// New returns a proxy in front of the server at a host and port.
func New(t testing.TB, to string) *Proxy {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	passing := make(chan struct{})
	close(passing)
	p := &Proxy{
		Addr: listener.Addr().String(), ctx: t.Context(), to: to, listener: listener, silent: passing,
		open: map[net.Conn]bool{},
	}
	p.work.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Silence keeps all bytes back: connections stay open, and nothing arrives.
func (p *Proxy) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.silent:
		p.silent = make(chan struct{})
	default: // it is silent already
	}
}

// Pass ends Silence.
func (p *Proxy) Pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.silent:
	default:
		close(p.silent)
	}
}

// Reset closes all connections.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

func (p *Proxy) close() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.Pass()
	p.Reset()
	p.work.Wait()
}

func (p *Proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.work.Go(func() { p.forward(from) })
	}
}

// keep notes an open connection; false once the proxy has ended.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.open[c] = true
	}
	return !p.ended
}

func (p *Proxy) drop(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
	_ = c.Close()
}

func (p *Proxy) forward(from net.Conn) {
	defer p.drop(from)
	if !p.keep(from) {
		return
	}
	p.wait()
	to, err := new(net.Dialer).DialContext(p.ctx, "tcp", p.to) //nolint:forbidigo // a server of tests
	if err != nil {
		return
	}
	defer p.drop(to)
	if !p.keep(to) {
		return
	}
	var copying sync.WaitGroup
	copying.Go(func() { p.copy(to, from) })
	p.copy(from, to)
	copying.Wait()
}

// wait waits until bytes pass.
func (p *Proxy) wait() {
	p.mu.Lock()
	silent := p.silent
	p.mu.Unlock()
	<-silent
}

// copy forwards bytes in one direction, and closes both connections at their end.
func (p *Proxy) copy(to, from net.Conn) {
	defer func() { _ = to.Close(); _ = from.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.wait()
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}
