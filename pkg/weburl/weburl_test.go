package weburl_test

import (
	"net/netip"
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

func TestParse_usable_hasOneSpelling(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"plain", "https://example.com/a?b=c", "https://example.com/a?b=c"},
		{"case of scheme and host", "HTTPS://ExAmPlE.COM/Path", "https://example.com/Path"},
		{"empty path", "https://example.com", "https://example.com/"},
		{"query without path", "https://example.com?x", "https://example.com/?x"},
		{"fragment", "https://example.com/#top?x", "https://example.com/"},
		{"default ports", "http://example.com:80/", "http://example.com/"},
		{"default port of https", "https://example.com:0443/", "https://example.com/"},
		{"empty port", "https://example.com:/", "https://example.com/"},
		{"other port", "https://example.com:8443/", "https://example.com:8443/"},
		{"the other scheme's port", "http://example.com:443/", "http://example.com:443/"},
		{"trailing dot", "https://example.com./", "https://example.com/"},
		{"dot segments", "https://example.com/a/../b/./c", "https://example.com/b/c"},
		{"dot segments beyond the root", "https://example.com/../../etc/passwd", "https://example.com/etc/passwd"},
		{"order of the query", "https://example.com/?b=2&a=1&b=", "https://example.com/?b=2&a=1&b="},
		{"spaces", "https://example.com/a b?c d", "https://example.com/a%20b?c%20d"},
		{"other scripts", "https://example.com/日?本", "https://example.com/%E6%97%A5?%E6%9C%AC"},
		{"escapes stay", "https://example.com/a%2Fb%20c?%zz", "https://example.com/a%2Fb%20c?%zz"},
		{"a lone percent sign", "https://example.com/100%.png", "https://example.com/100%25.png"},
		{"backslash in the path", `https://example.com/a\b`, "https://example.com/a%5Cb"},
		{"at sign in the path", "https://example.com/@user", "https://example.com/@user"},
		{"colon in the path", "https://example.com/a:b", "https://example.com/a:b"},
		{"IDNA", "https://BÜCHER.example/", "https://xn--bcher-kva.example/"},
		{"IDNA, sharp s", "https://straße.example/", "https://xn--strae-oqa.example/"},
		{"IDNA, full width", "https://ｅｘａｍｐｌｅ。ｃｏｍ/", "https://example.com/"},
		{"IDNA, right to left", "https://دبي.example/", "https://xn--ngbn6f.example/"},
		{"underscore", "https://my_site.example/", "https://my_site.example/"},
		{"hyphens", "https://r3---sn-x.example/", "https://r3---sn-x.example/"},
		{"dotted quad", "http://192.0.2.1/", "http://192.0.2.1/"},
		{"dotted quad, full width", "http://１９２。0。2。1/", "http://192.0.2.1/"},
		{"IPv6", "http://[2001:0DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"},
		{"IPv6, mapped", "http://[::FFFF:7f00:1]/", "http://[::ffff:127.0.0.1]/"},
		{"digits in a label that is not the last", "http://1.2.example/", "http://1.2.example/"},
	}
	for _, test := range tests {
		u, err := weburl.Parse(test.raw)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := u.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestParse_malformed_isBadRequest(t *testing.T) {
	for name, raw := range map[string]string{
		"empty":                     "",
		"no scheme":                 "example.com",
		"relative":                  "/a",
		"scheme alone":              "https:",
		"one slash":                 "https:/example.com",
		"backslashes":               `https:\\example.com`,
		"no host":                   "https:///a",
		"port without host":         "https://:80/",
		"dot for a host":            "https://./",
		"ftp":                       "ftp://example.com/",
		"file":                      "file:///etc/passwd",
		"gopher":                    "gopher://example.com/",
		"javascript":                "javascript:alert(1)",
		"data":                      "data:text/html,x",
		"user":                      "https://user@example.com/",
		"user and password":         "https://user:pw@example.com/",
		"empty user":                "https://@example.com/",
		"user that looks like host": "https://example.com@127.0.0.1/",
		"backslash before user":     `https://example.com\@127.0.0.1/`,
		"percent in the host":       "https://exa%6Dple.com/",
		"percent, full width":       "https://exa％6Dple.com/",
		"escaped dots":              "http://127%2E0%2E0%2E1/",
		"zone":                      "http://[fe80::1%25eth0]/",
		"bare zone":                 "http://[fe80::1%eth0]/",
		"space in the host":         "https://exa mple.com/",
		"space around":              " https://example.com/",
		"no-break space":            "https://exa\u00a0mple.com/",
		"backslash in the host":     `https://example.com\evil.example/`,
		"line feed":                 "https://example.com/\r\nX: 1",
		"tab in the host":           "https://exam\tple.com/",
		"NUL":                       "https://example.com/\x00",
		"DEL":                       "https://example.com/\x7f",
		"not UTF-8":                 "https://example.com/\xff",
		"two trailing dots":         "https://example.com../",
		"empty label":               "https://example..com/",
		"long label":                "https://" + strings.Repeat("a", 64) + ".com/",
		"long host":                 "https://" + strings.Repeat("a.", 127) + "com/",
		"long":                      "https://example.com/" + strings.Repeat("a", 2048-19),
		"long when encoded":         "https://example.com/" + strings.Repeat("é", 400),
		"port 0":                    "https://example.com:0/",
		"port too high":             "https://example.com:65536/",
		"port with a sign":          "https://example.com:+80/",
		"port of letters":           "https://example.com:http/",
		"two ports":                 "https://example.com:80:80/",
		"IPv6 without brackets":     "http://::1/",
		"IPv6 unclosed":             "http://[::1/",
		"IPv6 with text":            "http://[::1]a/",
		"IPv4 in brackets":          "http://[127.0.0.1]/",
		"IPv future":                "http://[v1.a]/",
		"quotation mark":            `https://exa"mple.com/`,
		"angle":                     "https://<example>.com/",
		"IDNA, disallowed":          "https://exam\u200eple.com/",
		"IDNA, bidi":                "https://aא.example/",
		"punycode that is no code":  "https://xn--a.example/",
		"punycode of plain ASCII":   "https://xn--localhost-.example/",
	} {
		_, err := weburl.Parse(raw)
		if apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%s: got %v, want a BAD_REQUEST", name, err)
		}
	}
}

// numbers spell 127.0.0.1, or something like it, as resolvers of old would take it.
var numbers = []string{
	"2130706433", "017700000001", "0x7f000001", "0X7F000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1", "0x7f.1",
	"127.0.0.0x1",
	"127.0.0.01", "127.0.0.1.0", "0", "0x", "00000000000000000000177.0.0.1", "127.0.0.256", "４.8", "①②⑦.1", "a.b.1",
	"a.0x1f", "127.0.0.1.0.",
	"0.0.0.0.0", "99999999999999999999",
}

func TestParse_numberForAHost_isADisguisedIP(t *testing.T) {
	for _, host := range numbers {
		u, err := weburl.Parse("http://" + host + "/")
		if err != nil || !u.Host().IsDisguisedIP() || u.Host().IsIP() {
			t.Errorf("%s: got %q, %v, want a disguised address", host, u, err)
		}
	}
	for _, host := range []string{"192.0.2.1", "[::1]", "1.2.example", "0x7f.example", "example.com"} {
		if u, err := weburl.Parse("http://" + host + "/"); err != nil || u.Host().IsDisguisedIP() {
			t.Errorf("%s: got %q, %v, want no disguise", host, u, err)
		}
	}
}

func TestURL_parts_areThoseOfTheText(t *testing.T) {
	for _, c := range []struct {
		raw, scheme, hostname string
		port                  uint16
	}{
		{"https://example.com/a", "https", "example.com", 443},
		{"http://example.com/a", "http", "example.com", 80},
		{"http://Example.com:8080?x", "http", "example.com", 8080},
		{"https://[::1]:80/", "https", "::1", 80},
	} {
		u, err := weburl.Parse(c.raw)
		if err != nil {
			t.Fatal(err)
		}
		if u.Scheme() != c.scheme || u.Hostname() != c.hostname || u.Port() != c.port || u.IsZero() {
			t.Errorf("%s: got %q, %q, %d", c.raw, u.Scheme(), u.Hostname(), u.Port())
		}
		again, err := weburl.Parse(u.String())
		if err != nil || again != u {
			t.Errorf("%s: parsed again it is %q, %v, want the same value", c.raw, again, err)
		}
		if own := u.URL(); own.String() != u.String() {
			t.Errorf("%s: got %q of net/url, want %q", c.raw, own, u)
		}
	}
	if none := (weburl.URL{}); !none.IsZero() || none.String() != "" || none.Hostname() != "" {
		t.Errorf("got %q, want nothing of the zero value", none)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/", "http://user:pw@example.com:80/a/../b?c#d", "http://[::ffff:127.0.0.1%25lo]:8080",
		"http://0x7f.1/",
		"https://straße.example/%zz?%zz", "http://①②⑦.0.0.1", `http:\\a\b`, "http://xn--bcher-kva.example/日本",
		"http://a:b:c/", "http://a//..//b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if u, err := weburl.Parse(raw); err == nil {
			wantNormal(t, raw, u)
		}
	})
}

// wantNormal checks what holds of every URL that is fetched.
func wantNormal(t *testing.T, raw string, address weburl.URL) {
	t.Helper()
	text, u := address.String(), address.URL()
	if (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || u.Host == "" || u.Fragment != "" ||
		len(text) > 2048 || u.Path[0] != '/' {
		t.Fatalf("%q became %q", raw, text)
	}
	for _, b := range []byte(text) {
		if b <= ' ' || b >= 0x7f {
			t.Fatalf("%q became %q, which holds %#x", raw, text, b)
		}
	}
	host := u.Hostname()
	_, addrErr := netip.ParseAddr(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	if addrErr != nil && (strings.ContainsAny(host, "%@:/\\[] ") || strings.HasSuffix(host, ".")) {
		t.Fatalf("%q has the host %q", raw, host)
	}
	if addrErr != nil && strings.Trim(last, "0123456789") == "" != address.Host().IsDisguisedIP() &&
		!strings.HasPrefix(last, "0x") {
		t.Fatalf("%q has the host %q, disguised: %v", raw, host, address.Host().IsDisguisedIP())
	}
	if host != address.Hostname() {
		t.Fatalf("%q has the host %q and not %q", raw, host, address.Hostname())
	}
	again, err := weburl.Parse(text)
	if err != nil || again != address {
		t.Fatalf("%q became %q and then %v, %v", raw, text, again, err)
	}
}

func TestResolve_location_asBrowsersDo(t *testing.T) {
	base, err := weburl.Parse("https://example.com:8443/a/b?q")
	if err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{
		"":                       "https://example.com:8443/a/b?q",
		"c":                      "https://example.com:8443/a/c",
		"/c":                     "https://example.com:8443/c",
		"?x=1":                   "https://example.com:8443/a/b?x=1",
		"#f":                     "https://example.com:8443/a/b?q",
		"../../../c":             "https://example.com:8443/c",
		"//Other.example/x":      "https://other.example/x",
		" http://other.example ": "http://other.example/",
		"HTTP://other.example/":  "http://other.example/",
		"/a:b":                   "https://example.com:8443/a:b",
		"c?u=http://x/":          "https://example.com:8443/a/c?u=http://x/",
		"/100%":                  "https://example.com:8443/100%25",
		"/é":                     "https://example.com:8443/%C3%A9",
		"/caf\xe9":               "https://example.com:8443/caf%E9",
		"https://a.example/\xe9": "https://a.example/%E9",
		`/\other.example/`:       "https://example.com:8443/%5Cother.example/",
		"other.example":          "https://example.com:8443/a/other.example",
	} {
		u, err := base.Resolve(location)
		if err != nil || u.String() != want {
			t.Errorf("%q: got %v, %v; want %s", location, u, err, want)
		}
	}
}

// FuzzResolve has a reference without a host never lead to another host.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"", "c", "//a.example", `/\a.example`, "?x", "../..", "http:a", "///a", "a:b", "/%zz",
		"\xff", "%2f/a", ";//a"} {
		f.Add(seed)
	}
	base, err := weburl.Parse("https://example.com/a/b")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, location string) {
		u, err := base.Resolve(location)
		if err != nil {
			return
		}
		wantNormal(t, location, u)
		if u.Host() != base.Host() && !strings.Contains(location, "//") {
			t.Fatalf("%q leads to %s", location, u)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, raw := range map[string]string{
		"ascii": "https://www.example.com/2026/10/an-article-with-a-name?utm_source=feed&id=42",
		"idna":  "https://www.bücher.example/katalog/größe?q=straße",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := weburl.Parse(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestOn_keepsPathAndQuery(t *testing.T) {
	for _, c := range []struct{ url, other, want string }{
		{"https://example.com/a%7Cb?c=%20d", "http://localhost:3000/x?y", "http://localhost:3000/a%7Cb?c=%20d"},
		{"http://localhost:3000/", "https://example.com", "https://example.com/"},
		{"https://example.com:8443/a//b/", "http://[::1]:80/", "http://[::1]/a//b/"},
	} {
		u, err := weburl.Parse(c.url)
		other, otherErr := weburl.Parse(c.other)
		if err != nil || otherErr != nil {
			t.Fatal(err, otherErr)
		}
		if got, err := u.On(other); err != nil || got.String() != c.want {
			t.Errorf("%s on %s: got %s, %v, want %s", c.url, c.other, got, err, c.want)
		}
	}
}
