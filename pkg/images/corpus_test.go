package images_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/cleantext"
	"masthead/pkg/testenv"
)

// hereAlone resolves the hosts of the corpus to this machine, and no other.
type hereAlone map[string]bool

func (r hereAlone) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if !r[strings.TrimSuffix(host, ".")] {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, nil
}

// serveCorpus serves every page under the name and path that it had.
func serveCorpus(t *testing.T, pages []testenv.Page) (port string, hosts hereAlone) {
	t.Helper()
	hosts = hereAlone{}
	at := map[string]testenv.Page{}
	for _, p := range pages {
		hosts[p.Address.Hostname()] = true
		at[p.Address.Hostname()+p.Address.RequestURI()] = p
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		p, ok := at[host+r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", p.ContentType)
		_, _ = w.Write(p.Body) // the client left; there is nobody to tell
	}))
	t.Cleanup(s.Close)
	return s.URL[strings.LastIndex(s.URL, ":")+1:], hosts
}

// TestGenerate_realPagesAreDrawn draws a card and a hero of every page of the corpus. With MASTHEAD_TEST_OUT they are
// written to that folder, to be looked at.
func TestGenerate_realPagesAreDrawn(t *testing.T) {
	t.Parallel()
	pages := testenv.Pages(t)
	if len(pages) == 0 {
		return
	}
	port, hosts := serveCorpus(t, pages)
	h := apptest.StartSignedIn(t, func(s *app.Config) {
		s.Fetch.Allow = append(s.Fetch.Allow, "127.0.0.1/32:"+port)
		s.Fetch.Resolver = hosts
	})
	out := os.Getenv("MASTHEAD_TEST_OUT")
	if out != "" {
		if err := os.MkdirAll(out, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range pages {
		address := *p.Address
		address.Scheme, address.Host = "http", net.JoinHostPort(p.Address.Hostname(), port)
		for _, kind := range []string{"og", "blog_hero"} {
			t.Run(p.Name+" "+kind, func(t *testing.T) {
				t.Parallel()
				h := h.With(t)
				// Every other page in light, so that both modes are seen.
				a := h.Post("/images/generate", map[string]any{
					"url": address.String(), "projectId": h.Project, "kind": kind, "style": map[string]any{"dark": i%2 == 0},
				}, apptest.Bearer(h.Key)).Want(http.StatusOK)
				if got, want := a.Text("source.title"), cleantext.Clean(p.Title, cleantext.MaxTitle); got != want {
					t.Errorf("got title %q, want %q", got, want)
				}
				picture := h.Get(a.Path("imageUrl")).Want(http.StatusOK)
				if out == "" {
					return
				}
				name := fmt.Sprintf("%s.%s%s", p.Name, kind, filepath.Ext(a.Path("imageUrl")))
				if err := os.WriteFile(filepath.Join(out, name), picture.Body, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(out, name+".json"), a.Body, 0o644); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
