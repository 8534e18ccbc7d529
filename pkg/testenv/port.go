package testenv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress returns the host and port of a loopback address on which nobody listens, for a program that is started
// after, or for a server that doesn't answer. No server of another test takes it in between: those listen on port 0,
// for which Linux takes ports from 32768 on and other systems from 49152 (net.ipv4.ip_local_port_range,
// https://docs.kernel.org/networking/ip-sysctl.html, and https://www.rfc-editor.org/rfc/rfc6335#section-6).
func FreeAddress(t testing.TB) string {
	t.Helper()
	var err error
	for range 100 {
		address := fmt.Sprint("127.0.0.1:", 10000+rand.IntN(22000))
		var listener net.Listener
		if listener, err = new(net.ListenConfig).Listen(context.Background(), "tcp", address); err != nil {
			continue // somebody listens there
		}
		if err = listener.Close(); err != nil {
			t.Fatal(err)
		}
		return address
	}
	t.Fatalf("no port of 100 is free: %v", err)
	return ""
}
