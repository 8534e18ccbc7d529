package identity_test

import (
	"net/netip"
	"testing"

	"masthead/pkg/identity"
)

func TestNetwork_oneCustomerIsOnePlace(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7":                "192.0.2.7",
		"::ffff:192.0.2.7":         "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2::":           "2001:db8:1:2::/64",
		"2001:db8:1:3::":           "2001:db8:1:3::/64",
		"fe80::1234:5678:9%eth0":   "fe80::/64",
		"::ffff:192.0.2.7%ignored": "192.0.2.7",
	} {
		if got := (identity.Caller{Address: netip.MustParseAddr(address)}).Network(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	if got, want := (identity.Caller{}).Network(), "invalid IP"; got != want {
		t.Errorf("no address: got %s, want %s", got, want)
	}
}
