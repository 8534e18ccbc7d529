package fetch_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"masthead/pkg/fetch"
)

// TestTrusted_reachesNoOtherPrivateAddress requests two servers on this machine, of which one is trusted.
func TestTrusted_reachesNoOtherPrivateAddress(t *testing.T) {
	trusted, other := httptest.NewServer(http.NotFoundHandler()), httptest.NewServer(http.NotFoundHandler())
	defer trusted.Close()
	defer other.Close()
	c, err := fetch.New(fetch.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	transport := c.Trusted(trusted.Listener.Addr().String())
	defer transport.CloseIdleConnections()
	for address, want := range map[string]bool{trusted.URL: true, other.URL: false, "http://localhost:1": false} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := transport.RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		if (err == nil) != want {
			t.Errorf("%s: got %v", address, err)
		}
	}
}
