package fetch_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/fetch"
)

// forbidden are the forbidden ranges, written a second time: a range that gets lost in an update of the table fails the
// test.
var forbidden = []string{
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48",
	"3fff::/20",
	"5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "::/3", "4000::/2", "8000::/1",
}

// lastOf returns the last address of a prefix.
func lastOf(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	addr, _ := netip.AddrFromSlice(b)
	return addr
}

// hostname returns an address as it stands in a URL.
func hostname(a netip.Addr) string {
	if a.Is6() {
		return "[" + a.String() + "]"
	}
	return a.String()
}

// TestGuard_forbiddenRanges_refused fetches the first and last address of every range, by number and by name, mapped
// into IPv6 as well. None may be connected to; a look-up for an address that is written out would fail too.
func TestGuard_forbiddenRanges_refused(t *testing.T) {
	for _, text := range forbidden {
		prefix := netip.MustParsePrefix(text)
		addrs := []netip.Addr{prefix.Addr(), lastOf(prefix)}
		if prefix.Addr().Is4() {
			for _, a := range addrs[:2] {
				addrs = append(addrs, netip.AddrFrom16(a.As16()))
			}
		}
		for _, addr := range addrs {
			c := client(t, fetch.Config{Resolver: resolver("page.example", addr.String(), "mixed.example", "1.1.1.1",
				"mixed.example", addr.String())})
			for _, url := range []string{"http://" + hostname(addr) + "/", "https://page.example/", "http://mixed.example/"} {
				_, err := get(t, c, url, fetch.Page)
				wantRefused(t, fmt.Sprintf("%s (%s of %s)", url, addr, text), err)
			}
			if err := c.Control(mustHost(t, "page.example"))("tcp4", netip.AddrPortFrom(addr, 80).String(), nil); err == nil {
				t.Errorf("a socket may connect to %s of %s", addr, text)
			}
		}
	}
}

// TestGuard_publicNeighbours_admitted judges the addresses just outside each range: what no other range holds is
// public, and nothing else is.
func TestGuard_publicNeighbours_admitted(t *testing.T) {
	isForbidden := func(a netip.Addr) bool {
		for _, text := range forbidden {
			if netip.MustParsePrefix(text).Contains(a) {
				return true
			}
		}
		return false
	}
	c := client(t, fetch.Config{})
	public := 0
	for _, text := range forbidden {
		prefix := netip.MustParsePrefix(text)
		for _, a := range []netip.Addr{prefix.Addr().Prev(), lastOf(prefix).Next()} {
			if !a.IsValid() {
				continue
			}
			_, err := c.Admits(mustHost(t, "page.example"), 443, a)
			if (err != nil) != isForbidden(a) {
				t.Errorf("%s beside %s: got %v", a, text, err)
			}
			if err == nil {
				public++
			}
		}
	}
	if public < 40 {
		t.Errorf("got %d public neighbours, want at least 40", public)
	}
	for _, text := range []string{"1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001:830::200e"} {
		if _, err := c.Admits(mustHost(t, "page.example"), 443, netip.MustParseAddr(text)); err != nil {
			t.Errorf("%s: got %v, want it allowed", text, err)
		}
	}
	if _, err := c.Admits(mustHost(t, "page.example"), 443, netip.MustParseAddr("2606:4700::1111%eth0")); err == nil {
		t.Error("an address with a zone is allowed")
	}
}

// victim listens on loopback and counts whoever connects, without a word.
func victim(t *testing.T, network, address string) (port uint16, reached *atomic.Int32) {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		leaveOut(t, "there is no %s on this machine, its spellings are left out: %v", address, err)
	}
	reached = new(atomic.Int32)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().(*net.TCPAddr).AddrPort().Port(), reached
}

// numbers spell 127.0.0.1, or something like it, as resolvers of old would take it.
var numbers = []string{
	"2130706433", "017700000001", "0x7f000001", "0X7F000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1", "0x7f.1",
	"127.0.0.0x1",
	"127.0.0.01", "127.0.0.1.0", "0", "0x", "00000000000000000000177.0.0.1", "127.0.0.256", "４.8", "①②⑦.1", "a.b.1",
	"a.0x1f", "127.0.0.1.0.",
	"0.0.0.0.0", "99999999999999999999",
}

// TestGet_loopbackInAnySpelling_refused asks for a listener that is really there, in every way there is to write its
// address. Its port is one of those allowed, so that nothing but the address stands in the way.
func TestGet_loopbackInAnySpelling_refused(t *testing.T) {
	tests := []struct {
		name, network, listen string
		hosts                 []string
	}{
		{"IPv4", "tcp4", "127.0.0.1:0", append([]string{
			"127.0.0.1", "127.0.0.1.", "１２７．０。0。1", "localhost", "LOCALHOST", "localhost.", "ｌocalhost", "a.localhost",
			"a.b.localhost.",
			"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]",
			"[2002:7f00:1::]",
			"0.0.0.0", "[::]", "named.example", "named.example.", "NAMED.example", "printer.local", "db.internal", "nas.lan",
			"x.home.arpa",
			"home.arpa", "x.onion", "intranet", "db", "mapped.example", "mixed.example",
		}, numbers...)},
		{"IPv6", "tcp6", "[::1]:0", []string{"[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "six.example", "[::0.0.0.1]",
			"localhost"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			port, reached := victim(t, test.network, test.listen)
			names := resolver("named.example", "127.0.0.1", "mapped.example", "::ffff:127.0.0.1", "mixed.example", "1.1.1.1",
				"mixed.example", "127.0.0.1", "six.example", "::1", "localhost", "127.0.0.1", "localhost", "::1", "intranet",
				"127.0.0.1",
				"db", "127.0.0.1", "printer.local", "127.0.0.1", "db.internal", "127.0.0.1", "nas.lan", "127.0.0.1", "x.onion",
				"127.0.0.1",
				"a.localhost", "127.0.0.1", "a.b.localhost", "127.0.0.1", "x.home.arpa", "127.0.0.1", "home.arpa", "127.0.0.1")
			for _, cfg := range []fetch.Config{
				{Resolver: names, Ports: []uint16{port}},
				{Resolver: names},
				{Resolver: names, Ports: []uint16{port}, Allow: []string{"127.0.0.9/32", "127.0.0.1/32:1"}}, // lifts nothing here
				{Resolver: names, Ports: []uint16{port}, Allow: []string{"127.0.0.0/8", "::/8"},
					Deny: []string{"127.0.0.1:" + strconv.Itoa(int(port)), "0.0.0.0/8", "::/8"}},
			} {
				c := client(t, cfg)
				for _, host := range test.hosts {
					_, err := get(t, c, fmt.Sprintf("http://%s:%d/", host, port), fetch.Page)
					wantRefused(t, host, err)
				}
			}
			if n := reached.Load(); n != 0 {
				t.Errorf("the listener was reached %d times", n)
			}
		})
	}
}

func TestGet_reservedName_refusedWithoutLookup(t *testing.T) {
	names := resolver()
	c := client(t, fetch.Config{Resolver: names})
	for _, url := range []string{"http://localhost/", "http://db.internal/", "http://intranet/",
		"http://page.example:22/"} {
		_, err := get(t, c, url, fetch.Page)
		wantRefused(t, url, err)
	}
	if names.count() != 0 {
		t.Errorf("got %d look-ups, want none", names.count())
	}
}

// TestGet_reservedNameWithoutAddress_refused makes sure that with an opened prefix too a reserved name has one
// answer, whether it exists or not.
func TestGet_reservedNameWithoutAddress_refused(t *testing.T) {
	c := client(t, fetch.Config{Resolver: resolver()}, "10.0.0.0/8")
	for _, url := range []string{"http://localhost/", "http://db.internal/", "http://intranet/",
		"http://page.example:22/"} {
		_, err := get(t, c, url, fetch.Page)
		wantRefused(t, url, err)
	}
	_, err := get(t, c, "http://page.example/", fetch.Page)
	wantUpstream(t, err, "There is no address for the host name page.example.")
}

// TestControl_forbiddenSocket_stopped connects as the dialer does, with a judgment before that was wrong: the hook
// stops it.
func TestControl_forbiddenSocket_stopped(t *testing.T) {
	port, reached := victim(t, "tcp4", "127.0.0.1:0")
	c := client(t, fetch.Config{Ports: []uint16{port}})
	dialer := net.Dialer{Control: c.Control(mustHost(t, "page.example"))}
	_, err := dialer.DialContext(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	wantRefused(t, "connect", err)
	if reached.Load() != 0 {
		t.Error("the listener was reached")
	}
	for _, test := range []struct{ network, address string }{{"udp4", "1.1.1.1:443"}, {"unix", "/run/x.sock"},
		{"tcp4", "1.1.1.1:22"}} {
		wantRefused(t, test.network+" "+test.address, c.Control(mustHost(t, "page.example"))(test.network, test.address, nil))
	}
}

// TestDialer_forbiddenSocket_stopped hands the dialer a forbidden address as if it had been judged.
func TestDialer_forbiddenSocket_stopped(t *testing.T) {
	port, reached := victim(t, "tcp4", "127.0.0.1:0")
	c := client(t, fetch.Config{Ports: []uint16{port}})
	wantRefused(t, "connect", c.Race(t.Context(), mustHost(t, "page.example"), port, netip.MustParseAddr("127.0.0.1")))
	if reached.Load() != 0 {
		t.Error("the listener was reached")
	}
}

// rebinding answers each look-up with the next list of addresses.
type rebinding struct {
	answers []string
	next    atomic.Int32
}

func (r *rebinding) LookupNetIP(context.Context, string, string) (addrs []netip.Addr, err error) {
	i := int(r.next.Add(1)) - 1
	for _, text := range strings.Fields(r.answers[min(i, len(r.answers)-1)]) {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

// TestGet_nameThatChangesItsAddress_refused has a name that leads to an opened address at first and to the victim
// afterwards.
func TestGet_nameThatChangesItsAddress_refused(t *testing.T) {
	port, reached := victim(t, "tcp4", "127.0.0.1:0")
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.2:%d", port))
	if err != nil {
		leaveOut(t, "there is no second loopback address on this machine, rebinding is left out: %v", err)
	}
	good := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		fmt.Fprint(w, "good")
	})}
	go func() { _ = good.Serve(l) }()
	t.Cleanup(func() { _ = good.Close() })
	url := fmt.Sprintf("http://page.example:%d/", port)

	t.Run("the judged address is the one connected to", func(t *testing.T) {
		names := &rebinding{answers: []string{"127.0.0.2", "127.0.0.1"}}
		c := client(t, fetch.Config{Resolver: names, Ports: []uint16{port}}, "127.0.0.2/32")
		for range 3 {
			if resp := mustGet(t, c, url, fetch.Page); string(resp.Body) != "good" {
				t.Errorf("got %q", resp.Body)
			}
		}
		if n := names.next.Load(); n != 1 {
			t.Errorf("got %d look-ups, want 1", n)
		}
		c.ForgetNames()
		_, err := get(t, c, url, fetch.Page)
		wantRefused(t, "after the change", err)
	})
	t.Run("between the judgement and the connection", func(t *testing.T) {
		for _, second := range []string{"127.0.0.1", "127.0.0.2 127.0.0.1"} {
			names := &rebinding{answers: []string{"127.0.0.2", second}}
			c := client(t, fetch.Config{Resolver: names, Ports: []uint16{port}}, "127.0.0.2/32")
			c.ForgetNames()
			_, err := get(t, c, url, fetch.Page)
			wantRefused(t, "second look-up", err)
			if n := names.next.Load(); n != 2 {
				t.Errorf("got %d look-ups, want 2: a refusal is not tried again", n)
			}
		}
	})
	if n := reached.Load(); n != 0 {
		t.Errorf("the victim was reached %d times", n)
	}
}

// TestGet_redirectToForbidden_refused sends the client to the victim from the first hop to the last.
func TestGet_redirectToForbidden_refused(t *testing.T) {
	port, reached := victim(t, "tcp4", "127.0.0.1:0")
	target := "http://127.0.0.1:" + strconv.Itoa(int(port)) + "/"
	var location atomic.Value
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		left, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		w.Header().Set("Location", fmt.Sprintf("/%d", left-1))
		if left == 0 {
			w.Header().Set("Location", location.Load().(string))
		}
		w.Header().Set("Refresh", "0; url="+target)
		w.WriteHeader([]int{301, 302, 303, 307, 308}[left])
	})
	c := client(t, fetch.Config{Resolver: resolver("named.example", "127.0.0.1", "localhost", "127.0.0.1"),
		Ports: []uint16{80, port}}, addr)
	for _, to := range []string{
		target, fmt.Sprintf("//127.0.0.1:%d/", port), fmt.Sprintf("http://named.example:%d/", port),
		fmt.Sprintf("http://localhost:%d/", port),
		fmt.Sprintf("HTTP://[::ffff:127.0.0.1]:%d/", port), fmt.Sprintf("//0x7f.1:%d/", port),
		fmt.Sprintf("https://127.0.0.1:%d/", port),
		"http://169.254.169.254/latest/meta-data/", "http://page.example:22/",
	} {
		location.Store(to)
		for hops := range 5 {
			_, err := get(t, c, fmt.Sprintf("http://%s/%d", addr, hops), fetch.Page)
			wantRefused(t, fmt.Sprintf("%s after %d redirects", to, hops), err)
		}
	}
	for _, to := range []string{
		"file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "http://user:pw@127.0.0.1/",
		`http://named.example\@127.0.0.1/`,
		`//named.example\@127.0.0.1/`, "http://[fe80::1%25lo]/", "http:///x", "http://", "data:text/html,x",
		"http://127%2e0.0.1/",
	} {
		location.Store(to)
		_, err := get(t, c, fmt.Sprintf("http://%s/0", addr), fetch.Page)
		wantUpstream(t, err, "127.0.0.1 redirects to an address that is not a valid web address.")
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the victim was reached %d times", n)
	}
}

func TestGet_openedTarget_isFetched(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	_, port, _ := net.SplitHostPort(addr)
	names := resolver("page.example", "127.0.0.1", "localhost", "127.0.0.1", "intranet", "127.0.0.1", "x.internal",
		"127.0.0.1",
		"two.example", "127.0.0.1", "two.example", "1.1.1.1", "three.example", "127.0.0.1", "three.example", "127.9.9.9")
	reachable := func(allow ...string) string {
		c := client(t, fetch.Config{Resolver: names}, allow...)
		var hosts []string
		for _, host := range []string{"127.0.0.1", "page.example", "localhost", "intranet", "x.internal", "two.example",
			"three.example", "[::ffff:127.0.0.1]"} {
			resp, err := get(t, c, "http://"+host+":"+port+"/", fetch.Page)
			if err == nil && string(resp.Body) == "ok" {
				hosts = append(hosts, host)
				continue
			}
			wantRefused(t, host, err)
		}
		return strings.Join(hosts, " ")
	}
	const those = "127.0.0.1 page.example localhost intranet x.internal"
	for _, test := range []struct{ allow, want string }{
		{"127.0.0.1", those + " [::ffff:127.0.0.1]"},
		{"127.0.0.1/32", those + " [::ffff:127.0.0.1]"},
		{"127.0.0.1/32:" + port, those + " [::ffff:127.0.0.1]"},
		{"127.0.0.1:" + port, those + " [::ffff:127.0.0.1]"},
		{"::ffff:127.0.0.1/128", those + " [::ffff:127.0.0.1]"},
		{"127.0.0.0/8", those + " three.example [::ffff:127.0.0.1]"},
		{"127.0.0.1/32:1", ""},
		{"127.0.0.2/32", ""},
		{"10.0.0.0/8", ""},
	} {
		if got := reachable(test.allow); got != test.want {
			t.Errorf("allow %s: got %q, want %q", test.allow, got, test.want)
		}
	}
}

func TestGet_hostNamedByTheOperator_isFetched(t *testing.T) {
	port, reached := victim(t, "tcp4", "127.0.0.1:0")
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	_, own, _ := net.SplitHostPort(addr)
	c := client(t, fetch.Config{AllowHosts: []string{"LOCALHOST:" + own}, Resolver: resolver("localhost", "127.0.0.1",
		"other.example", "127.0.0.1")})
	mustGet(t, c, "http://localhost:"+own+"/", fetch.Page)
	mustGet(t, c, "http://localhost:"+own+"/?to=/next", fetch.Page)
	for _, url := range []string{
		"http://127.0.0.1:" + own + "/", "http://other.example:" + own + "/", fmt.Sprintf("http://localhost:%d/", port),
		"http://localhost/",
	} {
		_, err := get(t, c, url, fetch.Page)
		wantRefused(t, url, err)
		_, err = get(t, c, "http://localhost:"+own+"/?to="+url, fetch.Page)
		wantRefused(t, "redirect to "+url, err)
	}
	if reached.Load() != 0 {
		t.Error("the victim was reached")
	}

	c = client(t, fetch.Config{AllowHosts: []string{"localhost", "[::1]"}})
	for _, test := range []struct {
		host       string
		port       uint16
		addr       string
		ok, exempt bool
	}{
		{"localhost", 80, "127.0.0.1", true, true}, {"localhost", 443, "::1", true, true},
		{"localhost", 80, "10.0.0.1", true, false}, {"localhost", 22, "127.0.0.1", false, false},
		{"::1", 443, "::1", true, true},
		{"a.localhost", 80, "127.0.0.1", false, false},
	} {
		if exempt, err := c.Admits(mustHost(t, test.host), test.port,
			netip.MustParseAddr(test.addr)); (err == nil) != test.ok || exempt != test.exempt {
			t.Errorf("%s:%d: got exempt %t, %v; want allowed %t, exempt %t", test.host, test.port, exempt, err, test.ok,
				test.exempt)
		}
	}
}
