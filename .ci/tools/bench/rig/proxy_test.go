package rig

import (
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"
)

// echo serves what it is sent, and returns its address.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				io.Copy(conn, conn)
			}()
		}
	}()
	return listener.Addr().String()
}

func TestProxy_moods(t *testing.T) {
	p, err := NewProxy(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	turn := func(m Mood) {
		t.Helper()
		if err := p.Turn(m); err != nil {
			t.Fatal(err)
		}
	}
	dial := func() net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", p.Address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	say := func(conn net.Conn, wait time.Duration) error {
		t.Helper()
		if _, err := conn.Write([]byte("x")); err != nil {
			return err
		}
		conn.SetReadDeadline(time.Now().Add(wait))
		_, err := io.ReadFull(conn, make([]byte, 1))
		return err
	}
	const ever = 30 * time.Second

	old := dial()
	if err := say(old, ever); err != nil {
		t.Fatalf("faithful: %v", err)
	}
	turn(Silent)
	if err := say(old, 100*time.Millisecond); err == nil {
		t.Error("a silent proxy answers")
	}
	turn(Faithful)
	old.SetReadDeadline(time.Now().Add(ever))
	if _, err := io.ReadFull(old, make([]byte, 1)); err != nil {
		t.Errorf("what was sent meanwhile came not: %v", err)
	}
	turn(Slow)
	start := time.Now()
	if err := say(old, ever); err != nil || time.Since(start) < 2*lateness {
		t.Errorf("slow: got %v after %v, want both ways to be late", err, time.Since(start))
	}
	turn(Cutting)
	if err := say(old, ever); err == nil {
		t.Error("a connection from before is not cut")
	}
	if err := say(dial(), ever); err == nil {
		t.Error("a new connection is not cut")
	}
	turn(Refusing)
	if conn, err := net.Dial("tcp", p.Address); err == nil {
		conn.Close()
		t.Error("a refusing proxy takes a connection")
	}
	turn(Faithful)
	last := dial()
	if err := say(last, ever); err != nil {
		t.Errorf("healed: %v", err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	turn(Dropping)
	if conn, err := net.DialTimeout("tcp", p.Address, 500*time.Millisecond); err == nil {
		conn.Close()
		t.Error("a dropping proxy takes a connection")
	} else if fault := net.Error(nil); !errors.As(err, &fault) || !fault.Timeout() {
		t.Errorf("a dropping proxy answers a new connection with %v", err)
	}
	if err := say(last, 100*time.Millisecond); err == nil {
		t.Error("a dropping proxy answers")
	}
	turn(Faithful)
	last.SetReadDeadline(time.Now().Add(ever))
	if _, err := io.ReadFull(last, make([]byte, 1)); err != nil {
		t.Errorf("what was sent meanwhile came not: %v", err)
	}
	if err := say(dial(), ever); err != nil {
		t.Errorf("healed of dropping: %v", err)
	}
}
