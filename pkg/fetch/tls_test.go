package fetch_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"masthead/pkg/fetch"
)

// authority signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t testing.TB) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return authority{cert, key}
}

// sign returns a certificate for name that ends at the given time.
func (a authority) sign(t testing.TB, name string, until time.Time) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{name}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
}

// serveTLS starts an https server and returns its port.
func serveTLS(t testing.TB, config *tls.Config, handler http.HandlerFunc) (addr, port string) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes are meant to fail
	s.TLS = config
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	addr = s.Listener.Addr().String()
	_, port, _ = net.SplitHostPort(addr)
	return addr, port
}

func TestGet_certificates_judgedAndExplained(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	const name = "page.example"
	tomorrow, yesterday := time.Now().Add(24*time.Hour), time.Now().Add(-24*time.Hour)
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	tests := []struct {
		name   string
		config *tls.Config
		want   string // "" is success
	}{
		{"good", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, name, tomorrow)}}, ""},
		{"TLS 1.2", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, name, tomorrow)}, MaxVersion: tls.VersionTLS12},
			""},
		{"TLS 1.1", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, name, tomorrow)}, MinVersion: tls.VersionTLS10,
			MaxVersion: tls.VersionTLS11}, "does not support TLS 1.2 or later."},
		{"no common cipher", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, name, tomorrow)},
			MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_RC4_128_SHA}},
			"the two sides could not agree."},
		{"expired", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, name, yesterday)}},
			"has expired or is not valid yet."},
		{"for another name", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, "other.example", tomorrow)}},
			"is for another name."},
		{"unknown authority", &tls.Config{Certificates: []tls.Certificate{theirs.sign(t, name, tomorrow)}},
			"is not signed by a known authority."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			addr, port := serveTLS(t, test.config, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) })
			c := client(t, fetch.Config{Resolver: resolver(name, "127.0.0.1")}, addr)
			c.Trust(pool)
			resp, err := get(t, c, "https://"+name+":"+port+"/", fetch.Page)
			if test.want != "" {
				wantUpstream(t, err, "The secure connection to page.example failed: ")
				wantUpstream(t, err, test.want)
				if ofCertificate := test.config.MaxVersion == 0; fetch.BadCertificate(err) != ofCertificate {
					t.Errorf("BadCertificate is %t for %v", !ofCertificate, err)
				}
				return
			}
			if err != nil || string(resp.Body) != "HTTP/2.0" {
				t.Errorf("got %v, %v; want an answer over HTTP/2", resp, err)
			}
		})
	}
	t.Run("no TLS at all", func(t *testing.T) {
		addr := serve(t, func(http.ResponseWriter, *http.Request) {})
		_, err := get(t, client(t, fetch.Config{}, addr), "https://"+addr+"/", fetch.Page)
		wantUpstream(t, err, "does not support TLS 1.2 or later.")
	})
	t.Run("a handshake without end", func(t *testing.T) {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			if conn, err := l.Accept(); err == nil {
				defer conn.Close()
				_, _ = io.Copy(io.Discard, conn)
			}
		}()
		c := client(t, fetch.Config{Limits: fetch.Limits{TLSTime: 100 * time.Millisecond}}, l.Addr().String())
		_, err = get(t, c, "https://"+l.Addr().String()+"/", fetch.Page)
		wantUpstream(t, err, "did not respond in time.")
	})
}

// TestGet_hostileHTTP2_endsInTimeAndBounds has the limits hold over HTTP/2 as well.
func TestGet_hostileHTTP2_endsInTimeAndBounds(t *testing.T) {
	ours := newAuthority(t)
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	config := func() *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{ours.sign(t, "page.example", time.Now().Add(time.Hour))}}
	}
	fetchFrom := func(t *testing.T, limits fetch.Limits, handler http.HandlerFunc) (*fetch.Response, error) {
		addr, port := serveTLS(t, config(), handler)
		c := client(t, fetch.Config{Resolver: resolver("page.example", "127.0.0.1"), Limits: limits}, addr)
		c.Trust(pool)
		return get(t, c, "https://page.example:"+port+"/", fetch.Page)
	}
	for count, want := range map[int]string{66: "sent too many headers.", 500: "sent an invalid response."} {
		t.Run(fmt.Sprintf("%d KB of headers", count), func(t *testing.T) {
			_, err := fetchFrom(t, fetch.Limits{}, func(w http.ResponseWriter, _ *http.Request) {
				for i := range count {
					w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("a", 1000))
				}
			})
			wantUpstream(t, err, want)
		})
	}
	t.Run("no headers", func(t *testing.T) {
		_, err := fetchFrom(t, hurried, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		wantUpstream(t, err, "did not respond in time.")
	})
	t.Run("endless body", func(t *testing.T) {
		resp, err := fetchFrom(t, fetch.Limits{}, func(w http.ResponseWriter,
			_ *http.Request) {
			pour(w, strings.Repeat("a", 64<<10))
		})
		if err != nil || len(resp.Body) != 3<<20 || !resp.Truncated {
			t.Errorf("got %v, want 3 MiB of it", err)
		}
	})
	t.Run("stalled body", func(t *testing.T) {
		_, err := fetchFrom(t, hurried, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "abc")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		wantUpstream(t, err, "did not respond in time.")
	})
}
