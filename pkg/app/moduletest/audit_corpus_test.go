package moduletest_test

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"image/color"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// authority signs the certificates of the test's web, as the system's authorities do: see TestMain.
var authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// TestMain makes the test's authority one of the system's, before anybody asks for those: a service has no setting for
// that, and must not have one.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "authority")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := newAuthority(filepath.Join(dir, "authority.pem")); err != nil {
			log.Fatal(err)
		}
		return m.Run()
	}())
}

func newAuthority(file string) (err error) {
	a := &authority
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		return err
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		return err
	}
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_FILE", file)
}

// certificate returns one for whatever name a client asks for.
func certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{hello.ServerName},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	a := &authority
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, nil
}

// web resolves every name to one address.
type web string

func (w web) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(string(w))}, nil
}

// serveWeb serves files at their own addresses, and 404 elsewhere, on ports 80 and 443 of an address.
func serveWeb(t *testing.T, address string, files map[string]auditFile) {
	t.Helper()
	at := map[string]auditFile{}
	for of, f := range files {
		u, err := url.Parse(of)
		if err != nil {
			t.Fatal(err)
		}
		at[u.Host+strings.ToLower(cmp.Or(u.EscapedPath(), "/"))] = f
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := at[r.Host+strings.ToLower(r.URL.EscapedPath())]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.contentType)
		_, _ = w.Write([]byte(f.body)) // the client may have left
	})
	for _, port := range []string{"80", "443"} {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort(address, port))
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
		t.Cleanup(func() { _ = server.Close() })
		if port == "443" {
			listener = tls.NewListener(listener, &tls.Config{GetCertificate: certificate, MinVersion: tls.VersionTLS12})
		}
		go func() { _ = server.Serve(listener) }() // it ends with the test
	}
}

// onWeb starts a service that finds files at their own addresses.
func onWeb(t *testing.T, address string, files map[string]auditFile) *apptest.Service {
	t.Helper()
	serveWeb(t, address, files)
	return apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Resolver, c.Fetch.Allow = web(address), []string{address + "/32"}
	})
}

// TestCorpus_throughTheService fetches every page of the corpus at its own address, with the real ports, names and TLS,
// and holds the seven fields of the preview against what is known. Then each page is audited.
func TestCorpus_throughTheService(t *testing.T) {
	pages := testenv.Pages(t)
	address, ok := testenv.WebPorts(t)
	if len(pages) == 0 || !ok {
		return
	}
	files := map[string]auditFile{}
	for i := range pages {
		files[pages[i].PageURL] = auditFile{contentType: pages[i].ContentType, body: string(pages[i].Body)}
	}
	s := onWeb(t, address, files)
	same := 0
	for i := range pages {
		c := &pages[i]
		got := s.Post("/audits/preview", map[string]any{"url": c.PageURL},
			apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		for _, f := range []struct {
			name, want string
			address    bool
		}{
			{"title", c.Title, false}, {"description", c.Description, false}, {"image", c.Image, true},
			{"siteName", c.SiteName, false}, {"url", c.URL, true}, {"favicon", c.Favicon, true},
			{"twitterCardType", c.TwitterCardType, false},
		} {
			value := got.Value("metadata." + f.name)
			text, isText := value.(string)
			switch {
			case isText != (f.want != "") || !isText && value != nil:
			case text == f.want, f.address && sameURL(text, f.want):
				same++
				continue
			}
			t.Errorf("%s: %s: got %v, want %q", c.Name, f.name, value, f.want)
		}
		report := s.Post("/audits", map[string]any{"url": c.PageURL}).Want(http.StatusOK)
		if report.Text("metadata.title") != got.Text("metadata.title") || report.Value("status") != 200.0 {
			t.Errorf("%s: the report has %v, the preview %v", c.Name, report.Value("metadata"), got.Value("metadata"))
		}
	}
	t.Logf("%d of %d fields as they should be", same, 7*len(pages))
}

// sameURL reports whether two addresses are equal once they are parsed.
func sameURL(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.String() == y.String()
}

// TestPerfectPage_is100 audits a page that has all that it should have, and what hangs on it, over the real ports and
// TLS; then the same host's page without a tag.
func TestPerfectPage_is100(t *testing.T) {
	address, ok := testenv.WebPorts(t)
	if !ok {
		return
	}
	perfect, err := os.ReadFile("testdata/perfect.html")
	if err != nil {
		t.Fatal(err)
	}
	html := strings.ReplaceAll(string(perfect), "DATE", time.Now().UTC().Add(-24*time.Hour).Format(time.RFC3339))
	const host = "https://www.northlane-example.com"
	s := onWeb(t, address, map[string]auditFile{
		host + "/blog/perfect-page": htmlOf(html), host + "/de/perfect": htmlOf(html), host +
			"/bare": htmlOf("<p>Hello"),
		host + "/share.jpg":  jpegOf(t, auditFlat(1200, 630, color.NRGBA{15, 118, 110, 255})),
		host + "/icon.png":   auditPngOf(t, auditFlat(64, 64, color.NRGBA{15, 118, 110, 255})),
		host + "/robots.txt": {contentType: "text/plain", body: "User-agent: *\nDisallow: /admin\n"},
	})
	report := s.Post("/audits", map[string]any{"url": host + "/blog/perfect-page"}).Want(http.StatusOK)
	if report.Value("overallScore") != 100.0 || report.Text("letterGrade") != "A+" {
		t.Errorf("got %v %s", report.Value("overallScore"), report.Text("letterGrade"))
	}
	for _, issue := range report.Value("issues").([]any) {
		if i := issue.(map[string]any); i["pass"] != true || i["fix"] != "" || i["code"] != nil {
			t.Errorf("%s: %s", i["id"], i["message"])
		}
	}
	again := s.Post("/audits", map[string]any{"url": host + "/blog/perfect-page"}).Want(http.StatusOK)
	if a, b := withoutMoment(report), withoutMoment(again); a != b {
		t.Errorf("two audits of one page differ:\n%s\n%s", a, b)
	}
	bare := s.Post("/audits", map[string]any{"url": host + "/bare"}).Want(http.StatusOK)
	if got := bare.Value("overallScore").(float64); got >= 40 || bare.Text("letterGrade") != "F" {
		t.Errorf("a page without tags: got %v %s, want less than 40, F", got, bare.Text("letterGrade"))
	}
}

// withoutMoment is a report without its id and the time at which it was made.
func withoutMoment(r *apptest.Response) string {
	return strings.NewReplacer(r.Text("id"), "", r.Text("fetchedAt"), "").Replace(string(r.Body))
}
