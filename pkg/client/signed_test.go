package client_test

import (
	"encoding/json"
	"net/url"
	"os"
	"testing"
	"time"

	"masthead/pkg/client"
)

func TestSignedURL_vectorsOfTheDocs(t *testing.T) {
	var all struct {
		Key     string
		Vectors []struct{ Query, Sig string }
	}
	file, err := os.ReadFile("../../docs/signing-vectors.json")
	if err == nil {
		err = json.Unmarshal(file, &all)
	}
	if err != nil || len(all.Vectors) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, v := range all.Vectors {
		address, err := client.SignedURL("https://masthead.example/og/DemoProject1?"+v.Query, all.Key, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil || u.Query().Get("sig") != v.Sig {
			t.Errorf("%s: got %s, %v, want the signature %s", v.Query, address, err, v.Sig)
		}
	}
	address, err := client.SignedURL("https://masthead.example/og/DemoProject1?url=x", all.Key, time.Unix(1893456000, 0))
	if u, bad := url.Parse(address); err != nil || bad != nil || u.Query().Get("exp") != "1893456000" {
		t.Errorf("got %s, %v, want it to expire", address, err)
	}
	for _, bad := range []string{"https://a.example/%zz", "https://a.example/?a=%zz"} {
		if got, err := client.SignedURL(bad, "key", time.Time{}); err == nil {
			t.Errorf("got %s for %s, want an error", got, bad)
		}
	}
}
