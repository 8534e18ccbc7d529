package testenv_test

import (
	"fmt"
	"net"
	"os"
	"testing"

	"masthead/pkg/testenv"
)

// The port of an address is none that servers and connections without a port of their own get.
func TestFreeAddress_nobodyElseGetsIt(t *testing.T) {
	first, last := 49152, 65535
	if text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range"); err == nil {
		if _, err := fmt.Sscan(string(text), &first, &last); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		address := testenv.FreeAddress(t)
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if port := listener.Addr().(*net.TCPAddr).Port; first <= port && port <= last {
			t.Errorf("got %s, want no port from %d to %d", address, first, last)
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
