package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientOf_isTheRightmostHopThatIsNoProxy(t *testing.T) {
	proxies, err := Config{TrustedProxies: []string{
		"127.0.0.1", " 10.0.0.0/8 ", "::1", "2001:db8:1::/48", "::ffff:192.168.7.0/120",
	}}.proxies()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no header", "127.0.0.1:5", nil, "127.0.0.1"},
		{"a stranger who claims to forward", "192.0.2.1:5", []string{"198.51.100.7"}, "192.0.2.1"},
		{"one hop", "127.0.0.1:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a claimed hop before it", "127.0.0.1:5", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		{"proxies behind it", "127.0.0.1:5", []string{"198.51.100.7, 10.1.2.3,10.0.0.1"}, "198.51.100.7"},
		{"in two lines", "127.0.0.1:5", []string{"203.0.113.9", "198.51.100.7", "10.0.0.1"}, "198.51.100.7"},
		{"proxies alone", "127.0.0.1:5", []string{"10.0.0.9, 10.0.0.1"}, "10.0.0.9"},
		{"with a port", "127.0.0.1:5", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"a proxy with a port", "127.0.0.1:5", []string{"198.51.100.7:4711, 10.0.0.1:80"}, "198.51.100.7"},
		{"IPv6", "[::1]:5", []string{"2001:db8::7"}, "2001:db8::7"},
		{"IPv6 in brackets", "[::1]:5", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"IPv6 with a port", "[::1]:5", []string{"[2001:db8::7]:443, [2001:db8:1::1]:80"}, "2001:db8::7"},
		{"IPv6 with a zone", "[::1]:5", []string{"fe80::1%eth0"}, "fe80::1"},
		{"IPv4 as IPv6", "127.0.0.1:5", []string{"::ffff:198.51.100.7, ::ffff:10.0.0.1"}, "198.51.100.7"},
		{"a prefix of IPv4 as IPv6", "192.168.7.9:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a peer of IPv4 as IPv6", "[::ffff:127.0.0.1]:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"no address", "127.0.0.1:5", []string{"unknown"}, "127.0.0.1"},
		{"no address before the client", "127.0.0.1:5", []string{"unknown, 198.51.100.7"}, "198.51.100.7"},
		{"no address among proxies", "127.0.0.1:5", []string{"198.51.100.7, _hidden, 10.0.0.1"}, "127.0.0.1"},
		{"empty", "127.0.0.1:5", []string{""}, "127.0.0.1"},
		{"half a bracket", "127.0.0.1:5", []string{"[2001:db8::7"}, "127.0.0.1"},
		{"a port that is none", "127.0.0.1:5", []string{"198.51.100.7:http"}, "127.0.0.1"},
		{"a peer without an address", "@", []string{"198.51.100.7"}, "invalid IP"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = c.peer, c.forwarded
		if got := proxies.clientOf(r); got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func FuzzParseHop(f *testing.F) {
	for _, seed := range []string{"192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80", "[::1]", "::ffff:1.2.3.4", "fe80::1%x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseHop(text)
		if !ok {
			return
		}
		if again, err := netip.ParseAddr(got.String()); err != nil || again != got {
			t.Errorf("%q: got %v, which reads as %v, %v", text, got, again, err)
		}
	})
}
