package rig

import (
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"
)

// Mood is how a proxy treats what passes through it.
type Mood int

// The moods of a proxy.
const (
	Faithful Mood = iota
	Silent        // takes connections and bytes, and passes nothing on
	Slow          // passes each piece on a second late
	Cutting       // breaks every connection within 200 ms
	Refusing      // takes no connection, and has none
	Dropping      // passes nothing on, and leaves new connections without an answer, as a cut network does
)

// lateness is what a slow proxy adds to each piece, and cutWithin the life of a connection through a cutting one.
const (
	lateness  = time.Second
	cutWithin = 200 * time.Millisecond
)

// Proxy stands between the program and something that it depends on.
type Proxy struct {
	// Address is where it listens.
	Address string

	mu     sync.Mutex
	target string
	mood   Mood
	turned chan struct{} // closed at the next change of the mood
	// listener is nil while it refuses.
	listener net.Listener
	conns    map[net.Conn]bool
	// waiting are the connections that fill the queue of the listener while packets are dropped.
	waiting []net.Conn
}

// NewProxy listens on loopback and passes on to target.
func NewProxy(target string) (*Proxy, error) {
	p := &Proxy{target: target, Address: "127.0.0.1:0", turned: make(chan struct{}), conns: map[net.Conn]bool{}}
	if err := p.listen(); err != nil {
		return nil, err
	}
	p.Address = p.listener.Addr().String()
	return p, nil
}

// listen takes connections at the address. The caller holds the lock, or is the only one who knows the proxy.
func (p *Proxy) listen() error {
	listener, err := net.Listen("tcp", p.Address) //nolint:noctx // it lives until it is closed
	if err != nil {
		return err
	}
	p.listener = listener
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			go p.pass(conn)
			p.wait(Dropping)
		}
	}()
	return nil
}

// Turn changes the mood. Turning to Cutting and Refusing breaks the connections that there are.
func (p *Proxy) Turn(m Mood) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mood = m
	close(p.turned)
	p.turned = make(chan struct{})
	if m == Cutting || m == Refusing {
		for conn := range p.conns {
			abort(conn)
		}
	}
	for _, conn := range p.waiting {
		abort(conn)
	}
	p.waiting = nil
	switch {
	case m == Dropping:
		return p.drop()
	case m == Refusing && p.listener != nil:
		err := p.listener.Close()
		p.listener = nil
		return err
	case m != Refusing && p.listener == nil:
		return p.listen()
	case p.listener != nil:
		return setQueue(p.listener, queue)
	}
	return nil
}

// queue is the number of connections that may wait to be taken.
const queue = 4096

// drop fills the queue of the listener, and nobody takes a connection from it: Linux then drops what asks for another
// one. The caller holds the lock.
func (p *Proxy) drop() error {
	if err := setQueue(p.listener, 0); err != nil {
		return err
	}
	for refused := 0; len(p.waiting) < 16; {
		conn, err := net.DialTimeout("tcp", p.Address, 200*time.Millisecond) //nolint:noctx // loopback
		if err == nil {
			refused = 0
			p.waiting = append(p.waiting, conn)
		} else if refused++; refused == 2 { // by then, a goroutine in Accept has taken the first
			return nil
		}
	}
	return errors.New("this system takes connections though the queue for them is full")
}

// Aim has new connections go elsewhere, and breaks those that there are.
func (p *Proxy) Aim(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	for conn := range p.conns {
		abort(conn)
	}
}

// Close breaks all connections.
func (p *Proxy) Close() error { return p.Turn(Refusing) }

func (p *Proxy) now() (Mood, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mood, p.turned
}

// track notes a connection; it says no where connections are refused by now.
func (p *Proxy) track(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[conn] = true
	return p.mood != Refusing
}

func (p *Proxy) forget(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
	_ = conn.Close() // the other end is gone already
}

// pass serves one connection.
func (p *Proxy) pass(near net.Conn) {
	defer p.forget(near)
	if !p.track(near) {
		abort(near)
		return
	}
	if mood, _ := p.now(); mood == Cutting {
		time.Sleep(rand.N(cutWithin))
		abort(near)
		return
	}
	p.wait(Silent, Dropping)
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	far, err := (&net.Dialer{Timeout: 5 * time.Second}).Dial("tcp", target)
	if err != nil {
		return
	}
	defer p.forget(far)
	p.track(far)
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			p.copy(way[1], way[0])
			done <- struct{}{}
		}()
	}
	<-done
}

// copy passes bytes on until an end is gone.
func (p *Proxy) copy(to, from net.Conn) {
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		p.wait(Silent, Dropping)
		if mood, _ := p.now(); mood == Slow {
			time.Sleep(lateness)
		}
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}

// wait returns when the proxy is in none of these moods.
func (p *Proxy) wait(moods ...Mood) {
	for {
		mood, turned := p.now()
		if !slices.Contains(moods, mood) {
			return
		}
		<-turned
	}
}

// abort closes a connection with a reset, as something does that dies.
func abort(conn net.Conn) {
	err := errors.ErrUnsupported
	if tcp, ok := conn.(*net.TCPConn); ok {
		err = tcp.SetLinger(0)
	}
	_ = errors.Join(err, conn.Close()) // it is broken, one way or the other
}
