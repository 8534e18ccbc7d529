package weburl_test

import (
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

func mustHost(t testing.TB, text string) weburl.Host {
	t.Helper()
	h, err := weburl.ParseHost(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return h
}

func TestParseHost_usable_hasOneSpelling(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"example.com", "example.com"},
		{"EXAMPLE.com.", "example.com"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"BÜCHER.example", "xn--bcher-kva.example"},
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"straße.de", "xn--strae-oqa.de"}, // not transitional
		{"例え。jp", "xn--r8jz45g.jp"},
		{"ｅｘａｍｐｌｅ.com", "example.com"},
		{"my_site.example.com", "my_site.example.com"},
		{"r3---sn-x.example.com", "r3---sn-x.example.com"},
		{"localhost", "localhost"},
		{"192.0.2.7", "192.0.2.7"},
		{"１９２.0.2.7.", "192.0.2.7"},
		{"2001:DB8::0:1", "2001:db8::1"},
		{"[2001:db8::1]", "2001:db8::1"},
		{"::ffff:192.0.2.7", "::ffff:192.0.2.7"},
		{"127.1", "127.1"},
		{"0X7F.1", "0x7f.1"},
		{strings.Repeat("a", 63) + ".com", strings.Repeat("a", 63) + ".com"},
	} {
		if got, err := weburl.ParseHost(c.given); err != nil || got.String() != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.given, got, err, c.want)
		}
	}
}

func TestParseHost_unusable_isBadRequest(t *testing.T) {
	for _, text := range []string{
		"", ".", "..", "a..example.com", ".example.com", "exa mple.com", " example.com", "example.com\n", "exa\x00mple.com",
		"exam%70le.com", "exa％6Dple.com", "exa\xffmple.com", "-a.example.com", "a-.example.com", "a.example-",
		"xn--a.example",
		"xn--localhost-.example", "aא.example", "exam\u200eple.com", strings.Repeat("a", 64) + ".com",
		strings.Repeat("a.", 127) + "com", strings.Repeat("é", 1<<20), "fe80::1%eth0", "[fe80::1%25eth0]", "[::1", "::1]",
		"[127.0.0.1]", "[example.com]", "[v1.a]", "example.com:8080", "192.0.2.7:80", "[2001:db8::1]:80", "user@example.com",
		"https://example.com", "example.com/blog", "*.example.com", `example.com\evil`,
	} {
		if got, err := weburl.ParseHost(text); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%q: got %q, %v, want a BAD_REQUEST", text, got, err)
		}
	}
}

func TestHost_properties_areThoseOfTheName(t *testing.T) {
	for _, c := range []struct {
		text                          string
		ip, disguised, single, suffix bool
	}{
		{"example.com", false, false, false, false},
		{"com", false, false, true, true},
		{"co.uk", false, false, false, true},
		{"CO.UK.", false, false, false, true},
		{"github.io", false, false, false, true},
		{"me.github.io", false, false, false, false},
		{"foo.ck", false, false, false, true}, // the rule *.ck
		{"公司.cn", false, false, false, true},
		{"localhost", false, false, true, true},
		{"intranet.corp", false, false, false, false}, // no public suffix that is known
		{"192.0.2.7", true, false, false, false},
		{"::1", true, false, false, false},
		{"127.1", false, true, false, false},
		{"2130706433", false, true, true, true},
	} {
		h := mustHost(t, c.text)
		if h.IsIP() != c.ip || h.IsDisguisedIP() != c.disguised || h.SingleLabel() != c.single ||
			h.IsPublicSuffix() != c.suffix {
			t.Errorf("%s: got %v, %v, %v, %v", c.text, h.IsIP(), h.IsDisguisedIP(), h.SingleLabel(), h.IsPublicSuffix())
		}
	}
	if none := (weburl.Host{}); none.IsIP() || none.IsDisguisedIP() || none.SingleLabel() || none.IsPublicSuffix() ||
		none.Within(none) {
		t.Error("the zero value has properties of a host")
	}
}

func TestHost_within_coversSubdomainsAlone(t *testing.T) {
	for _, c := range []struct {
		host, domain string
		want         bool
	}{
		{"example.com", "example.com", true},
		{"WWW.Example.com.", "example.com", true},
		{"a.b.example.com", "example.com", true},
		{"example.com", "www.example.com", false},
		{"badexample.com", "example.com", false},
		{"example.com.evil.example", "example.com", false},
		{"bücher.example", "xn--bcher-kva.example", true},
		{"192.0.2.7", "192.0.2.7", true},
		{"::ffff:192.0.2.7", "192.0.2.7", true},
		{"192.0.2.7", "::ffff:192.0.2.7", true},
		{"192.0.2.7", "2.7", false},
		{"2001:db8::1", "2001:db8:0::1", true},
		{"2001:db8::1", "2001:db8::2", false},
		{"example.com", "192.0.2.7", false},
	} {
		if got := mustHost(t, c.host).Within(mustHost(t, c.domain)); got != c.want {
			t.Errorf("%s within %s: got %v, want %v", c.host, c.domain, got, c.want)
		}
	}
}

func FuzzParseHost(f *testing.F) {
	for _, seed := range []string{
		"example.com", "BÜCHER.example.", "[::1]", "::ffff:1.2.3.4", "*.a.b", "co.uk", "127.1", "0x7f.1", "xn--a.b",
		"a.b:80", "ſ.com",
		"a\u200db.com", "١.com", "①②⑦.0.0.1", "fe80::1%eth0", "-a.b", "xn--xn---epa.b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := weburl.ParseHost(text)
		if err != nil {
			if apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%q: got %v, want a BAD_REQUEST", text, err)
			}
			return
		}
		name := h.String()
		if again, err := weburl.ParseHost(name); err != nil || again != h {
			t.Errorf("%q: %q parsed again is %q, %v", text, name, again, err)
		}
		if !h.Within(h) {
			t.Errorf("%q: %q is not within itself", text, name)
		}
		addr, err := netip.ParseAddr(name)
		if (err == nil) != h.IsIP() || addr != h.Addr() {
			t.Errorf("%q: %q is an address: %v", text, name, h.IsIP())
		}
		if h.IsIP() {
			return
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(name) > 253 {
			t.Errorf("%q: got %q, which is no host name in ASCII", text, name)
		}
		if suffix, _ := publicsuffix.PublicSuffix(name); (suffix == name) != h.IsPublicSuffix() {
			t.Errorf("%q: %q is a public suffix: %v", text, name, h.IsPublicSuffix())
		}
	})
}

func TestHost_sameSite_isOneRegistrableDomain(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"example.com", "example.com", true},
		{"www.example.co.uk", "shop.example.co.uk", true},
		{"a.example.com", "example.org", false},
		{"a.github.io", "b.github.io", false},
		{"10.0.0.1", "10.0.0.2", false},
		{"10.0.0.1", "10.0.0.1", true},
		{"localhost", "localhost", true},
	} {
		if got := mustHost(t, c.a).SameSite(mustHost(t, c.b)); got != c.same {
			t.Errorf("%s, %s: got %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestHost_label_isWhatTheOwnerRegistered(t *testing.T) {
	for _, c := range []struct{ in, label, readable string }{
		{"www.Example.co.uk", "example", "www.example.co.uk"},
		{"example.com", "example", "example.com"},
		{"ann.github.io", "ann", "ann.github.io"},
		{"www.bücher.de", "bücher", "www.bücher.de"},
		{"localhost", "", "localhost"},
		{"co.uk", "", "co.uk"},
		{"127.0.0.1", "", "127.0.0.1"},
		{"[::1]", "", "::1"},
	} {
		host, err := weburl.ParseHost(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := host.Label(); got != c.label {
			t.Errorf("%s: got the label %q, want %q", c.in, got, c.label)
		}
		if got := host.Readable(); got != c.readable {
			t.Errorf("%s: got %q, want %q", c.in, got, c.readable)
		}
	}
}
