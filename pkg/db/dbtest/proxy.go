package dbtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"time"
)

// Proxy is a proxy of a server on loopback that injects faults: it can be silent or slow, cut connections or refuse
// them.
type Proxy struct {
	// Addr is its listening address.
	Addr   string
	target string

	mu       sync.Mutex
	listener net.Listener // nil while it refuses connections
	silent   bool
	delay    time.Duration
	open     map[net.Conn]bool
	closed   bool
	work     sync.WaitGroup
}

// NewProxy returns a proxy for the host of an address such as that of Postgres. It must be closed.
func NewProxy(target string) (*Proxy, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("read the address of the server: %w", err)
	}
	p := &Proxy{target: u.Host, open: map[net.Conn]bool{}}
	if err := p.listen("127.0.0.1:0"); err != nil {
		return nil, err
	}
	p.Addr = p.listener.Addr().String()
	return p, nil
}

// Through returns an address with the proxy as its host.
func (p *Proxy) Through(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		panic(err) // it was read before
	}
	u.Host = p.Addr
	return u.String()
}

func (p *Proxy) listen(address string) error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return fmt.Errorf("listen as a proxy: %w", err)
	}
	p.listener = listener
	p.work.Go(func() { p.accept(listener) })
	return nil
}

// Silence accepts connections and bytes but forwards nothing.
func (p *Proxy) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = true
}

// Slow delays each part of a response.
func (p *Proxy) Slow(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = delay
}

// Cut closes all connections; new ones work.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// Refuse closes all connections and refuses new ones.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	p.mu.Unlock()
	p.Cut()
}

// Heal stops the faults. Connections that were silent remain so, as behind a router that has lost them.
func (p *Proxy) Heal() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent, p.delay = false, 0
	if p.listener == nil && !p.closed {
		return p.listen(p.Addr)
	}
	return nil
}

// Close stops the proxy.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Refuse()
	p.work.Wait()
}

func (p *Proxy) accept(listener net.Listener) {
	for {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		p.work.Go(func() { p.serve(c) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target) //nolint:forbidigo,noctx // the test's own server; it ends with the proxy
	if err != nil {
		_ = client.Close()
		return
	}
	p.keep(client, server)
	var both sync.WaitGroup
	both.Go(func() { p.pass(server, client, false) })
	both.Go(func() { p.pass(client, server, true) })
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
	delete(p.open, server)
}

func (p *Proxy) keep(connections ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range connections {
		p.open[c] = true
	}
}

// pass forwards bytes until either side closes, and then closes both.
func (p *Proxy) pass(to, from net.Conn, answers bool) {
	defer func() { _ = errors.Join(to.Close(), from.Close()) }() // closed twice, from both sides
	buffer := make([]byte, 32<<10)
	silenced := false
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		delay := p.delay
		silenced = silenced || p.silent
		p.mu.Unlock()
		if n > 0 && !silenced {
			if answers {
				time.Sleep(delay)
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
