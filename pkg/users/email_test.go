package users_test

import (
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/users"
)

func TestEmailKey_oneAccountIsOneKey(t *testing.T) {
	for _, c := range []struct{ email, want string }{
		{"ada@example.com", "ada@example.com"},
		{"Ada@Example.COM", "ada@example.com"},
		{"ada+cards@example.com", "ada+cards@example.com"}, // a tag is part of the address
		{"a.d.a@example.com", "a.d.a@example.com"},
		{"GROSSE@example.com", "grosse@example.com"},
		{"GROẞE@example.com", "grosse@example.com"},         // ẞ folds to ss
		{"ΣΊΣΥΦΟΣ@example.com", "σίσυφοσ@example.com"},      // one sigma
		{"e\u0301a@example.com", "éa@example.com"},          // composed
		{"ada@BÜCHER.example", "ada@xn--bcher-kva.example"}, // IDNA
		{"ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"},
		{"ada@bücher。example", "ada@xn--bcher-kva.example"}, // the ideographic full stop is a dot
		{"ada@localhost", "ada@localhost"},
		{"ada@bücher。example。", "ada@xn--bcher-kva.example"}, // a final dot changes nothing, as in other hosts
		{"ada@r3---sn.example", "ada@r3---sn.example"},       // in use, though IDNA alone would refuse it
		{strings.Repeat("a", 64) + "@example.com", strings.Repeat("a", 64) + "@example.com"},
	} {
		if got, err := users.EmailKey(c.email); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.email, got, err, c.want)
		}
	}
}

func TestEmailKey_noPlainAddressIsRefused(t *testing.T) {
	for _, email := range []string{
		"", "ada", "@example.com", "ada@", "ada@@example.com", "ada@example..com", "ada@.example.com",
		"ada@example.com.",
		" ada@example.com", "ada@example.com ", "ada @example.com", "ada@exa mple.com", "ada\x00@example.com",
		"ada\n@example.com",
		"Ada <ada@example.com>", "<ada@example.com>", `"ada"@example.com`, "ada(comment)@example.com",
		"ada@[192.0.2.1]", "ada@[2001:db8::1]", "ada@[IPv6:2001:db8::1]",
		"ada@example.com, bob@example.com", "ada@exa_mple.com", "ada@-example.com", "ada@xn--a", "ada\xff@example.com",
		strings.Repeat("a", 65) + "@example.com", "ada@" + strings.Repeat("a", 64) + ".com",
		"ada@" + strings.Repeat("a.", 130) + "com",
	} {
		got, err := users.EmailKey(email)
		if apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%q: got %q, %v, want it refused", email, got, err)
		}
	}
}

func FuzzEmailKey(f *testing.F) {
	for _, seed := range []string{"ada@example.com", "GROẞE@BÜCHER.example", `"a b"@x`, "a@[::1]", "İ@İ.com",
		"\u0345\u0308@a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, email string) {
		key, err := users.EmailKey(email)
		if err != nil {
			return
		}
		if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q: the key %q has a control character", email, key)
		}
		if again, err := users.EmailKey(key); err == nil && again != key {
			t.Errorf("%q: folding its key %q again gives %q", email, key, again)
		}
	})
}
