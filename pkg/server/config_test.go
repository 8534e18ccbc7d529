package server_test

import (
	"strings"
	"testing"

	"masthead/pkg/server"
)

func TestConfig_publicAddressWithAPathIsRefused(t *testing.T) {
	for _, c := range []struct{ base, cdn, want string }{
		{"https://masthead.example.com", "", ""},
		{"https://masthead.example.com/", "https://cdn.example.com/masthead", ""},
		{"https://example.com/masthead", "", "MASTHEAD_BASE_URL must have no path"},
		{"https://example.com/masthead/", "", "such as https://example.com"},
		{"https://example.com/?x=1", "", "MASTHEAD_BASE_URL must be an address like"},
	} {
		err := server.Config{Addr: "127.0.0.1:8080", AuthRPM: 20, BaseURL: c.base, CDNURL: c.cdn}.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.base, err, c.want)
		}
	}
}
