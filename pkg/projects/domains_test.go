package projects_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"

	"masthead/pkg/apperr"
	"masthead/pkg/projects"
)

func TestNormalDomains_usable_haveOneSpelling(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"example.com", "example.com"},
		{"EXAMPLE.com", "example.com"},
		{"example.com.", "example.com"},
		{"www.example.co.uk", "www.example.co.uk"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"BÜCHER.example", "xn--bcher-kva.example"},
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"straße.de", "xn--strae-oqa.de"}, // not transitional
		{"例え。jp", "xn--r8jz45g.jp"},
		{"ｅｘａｍｐｌｅ.com", "example.com"}, // full width
		{"me.github.io", "me.github.io"},
		{"my_site.example.com", "my_site.example.com"},
		{"r3---sn-x.example.com", "r3---sn-x.example.com"},
		{"intranet.corp", "intranet.corp"}, // no public suffix that is known
		{"localhost", "localhost"},
		{"LOCALHOST", "localhost"},
		{"app.localhost", "app.localhost"},
		{"192.0.2.7", "192.0.2.7"},
		{"2001:DB8::0:1", "2001:db8::1"},
		{"[2001:db8::1]", "2001:db8::1"},
		{"::ffff:192.0.2.7", "192.0.2.7"},
		{strings.Repeat("a", 63) + ".com", strings.Repeat("a", 63) + ".com"},
	} {
		got, err := projects.NormalDomains([]string{c.given})
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.given, got, err, c.want)
		}
	}
}

func TestNormalDomains_unusable_refusedWithReason(t *testing.T) {
	for _, c := range []struct{ given, reason string }{
		{"", "must be a host name"},
		{".", "must be a host name"},
		{"..", "must be a host name"},
		{"a..example.com", "must be a host name"},
		{".example.com", "must be a host name"},
		{"exa mple.com", "must be a host name"},
		{" example.com", "must be a host name"},
		{"example.com\n", "must be a host name"},
		{"exa\x00mple.com", "must be a host name"},
		{"exam%70le.com", "must be a host name"},
		{"-a.example.com", "must be a host name"},
		{"a-.example.com", "must be a host name"},
		{"xn--a.example", "must be a host name"},
		{strings.Repeat("a", 64) + ".com", "must be a host name"},
		{strings.Repeat("a.", 127) + "com", "must be a host name"},
		{strings.Repeat("é", 1<<20), "must be a host name"},
		{"127.1", "must be a host name"},
		{"1.2.3.256", "must be a host name"},
		{"0x7f.1", "must be a host name"},
		{"0177.0.0.0x1", "must be a host name"},
		{"2130706433", "must be a host name"},
		{"example.com.1", "must be a host name"},
		{"fe80::1%eth0", "only a host name"},
		{"https://example.com", "only a host name"},
		{"example.com:8080", "only a host name"},
		{"192.0.2.7:80", "only a host name"},
		{"[2001:db8::1]:80", "only a host name"},
		{"[2001:db8::1", "only a host name"},
		{"[example.com]", "only a host name"},
		{"example.com/blog", "only a host name"},
		{"user@example.com", "only a host name"},
		{"*.example.com", "includes its subdomains"},
		{"*", "includes its subdomains"},
		{"intranet", "has no dot"},
		{"com", "has no dot"},
		{"localhost2", "has no dot"},
		{"co.uk", "anyone can register"},
		{"CO.UK.", "anyone can register"},
		{"github.io", "anyone can register"},
		{"foo.ck", "anyone can register"}, // the rule *.ck
		{"公司.cn", "anyone can register"},
	} {
		_, err := projects.NormalDomains([]string{"example.com", c.given})
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.Code != apperr.BadRequest || len(fault.Fields) != 1 {
			t.Errorf("%q: got %v, want one fault", c.given, err)
			continue
		}
		if f := fault.Fields[0]; f.Pointer != "/domains/1" || !strings.Contains(f.Detail, c.reason) {
			t.Errorf("%q: got %+v, want /domains/1 and %q", c.given, f, c.reason)
		}
	}
}

func TestNormalDomains_manyBad_namesEach(t *testing.T) {
	_, err := projects.NormalDomains([]string{"co.uk", "example.com", "intranet"})
	var fault *apperr.Error
	if !errors.As(err, &fault) || len(fault.Fields) != 2 || fault.Fields[0].Pointer != "/domains/0" ||
		fault.Fields[1].Pointer != "/domains/2" {
		t.Errorf("got %+v, want /domains/0 and /domains/2", err)
	}
}

func TestNormalDomains_list_withoutDuplicatesUpToALimit(t *testing.T) {
	got, err := projects.NormalDomains([]string{"b.example", "A.example", "B.EXAMPLE", "a.example.", "::1", "0:0::1"})
	if want := []string{"b.example", "a.example", "::1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprintf("s%d.example", i))
	}
	if got, err := projects.NormalDomains(many[:100]); err != nil || len(got) != 100 {
		t.Errorf("100: got %d, %v", len(got), err)
	}
	if _, err := projects.NormalDomains(many); apperr.CodeOf(err) != apperr.Conflict {
		t.Errorf("101: got %v, want them refused", err)
	}
	if got, err := projects.NormalDomains(nil); err != nil || got == nil || len(got) != 0 {
		t.Errorf("none: got %#v, %v, want an empty list", got, err)
	}
}

func FuzzDomains(f *testing.F) {
	for _, seed := range []string{
		"example.com", "BÜCHER.example.", "[::1]", "::ffff:1.2.3.4", "*.a.b", "co.uk", "127.1", "xn--a.b", "a.b:80", "ſ.com",
		"a\u200db.com", "١.com",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := projects.NormalDomains([]string{text})
		if err != nil {
			return
		}
		domain := got[0]
		again, err := projects.NormalDomains(got)
		if err != nil || again[0] != domain {
			t.Errorf("%q: %q normalised again gives %q, %v", text, domain, again, err)
		}
		if _, err := netip.ParseAddr(domain); err == nil {
			return
		}
		if strings.Trim(domain, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(domain) > 253 {
			t.Errorf("%q: got %q, which is no host name in ASCII", text, domain)
		}
		if suffix, _ := publicsuffix.PublicSuffix(domain); suffix == domain && domain != "localhost" {
			t.Errorf("%q: got the public suffix %q", text, domain)
		}
	})
}
