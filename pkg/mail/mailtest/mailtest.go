// Package mailtest is a mail server for tests, on loopback: it speaks SMTP, keeps the mails it gets, and can offer TLS
// and require a password.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"

	"masthead/pkg/mail"
)

// How a server takes connections.
type How int

// The ways.
const (
	Plain    How = iota // without TLS
	StartTLS            // TLS if the client asks for it
	SSL                 // TLS from the start
)

// Server is a mail server. It is safe for concurrent use.
type Server struct {
	// Config is what reaches it. Without TLS, its policy is none; with TLS, it trusts the server's certificate.
	Config mail.Config

	mu        sync.Mutex
	got       []*gomail.Msg
	recipient func(to string, nth int) error
	content   func() error
	asked     int
	user      string // "" for anybody
	password  string
	signIns   int
}

// New starts a server, which ends with the test.
func New(t testing.TB, how How) *Server {
	t.Helper()
	s := &Server{}
	inner := smtp.NewServer(s)
	inner.Domain, inner.ErrorLog = "localhost", discard{}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Config = Config(l.Addr(), "none")
	if how != Plain {
		web := httptest.NewUnstartedServer(nil) // for its certificate
		web.StartTLS()
		t.Cleanup(web.Close)
		inner.TLSConfig = &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}
		pool := x509.NewCertPool()
		pool.AddCert(web.Certificate())
		s.Config.TLS = "mandatory"
		s.Config.TLSConfig = &tls.Config{RootCAs: pool, ServerName: "example.com", MinVersion: tls.VersionTLS12}
	}
	if how == SSL {
		s.Config.TLS = "ssl"
		l = tls.NewListener(l, inner.TLSConfig)
	}
	go func() { _ = inner.Serve(l) }()
	t.Cleanup(func() { _ = inner.Close() })
	return s
}

// Config returns the configuration for a server at an address.
func Config(at net.Addr, policy string) mail.Config {
	return mail.Config{
		Host: "127.0.0.1", Port: at.(*net.TCPAddr).Port, From: "Masthead <mail@masthead.example>", TLS: policy,
		Timeout: time.Second, BaseURL: "https://masthead.example", Secret: "the secret of this test",
	}
}

// Require makes the server take mails only from a user with a password, who signs in over TLS.
func (s *Server) Require(user, password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user, s.password = user, password
	s.Config.User, s.Config.Password = user, password
}

// SignIns returns how many clients have signed in.
func (s *Server) SignIns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signIns
}

// Answer sets what is called at each recipient, which nth counts from 1, and after each mail's content. Their errors
// are the server's answers; nil functions accept everything.
func (s *Server) Answer(recipient func(to string, nth int) error, content func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recipient, s.content = recipient, content
}

// Mails returns the mails that the server got, in order.
func (s *Server) Mails() []*gomail.Msg {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// NewSession implements [smtp.Backend].
func (s *Server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{Server: s, conn: c}, nil
}

type session struct {
	*Server
	conn   *smtp.Conn
	signed bool
}

func (*session) Reset()        {}
func (*session) Logout() error { return nil }

// AuthMechanisms implements [smtp.AuthSession]: a password is only taken over TLS.
func (s *session) AuthMechanisms() []string {
	if _, encrypted := s.conn.TLSConnectionState(); !encrypted {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth implements [smtp.AuthSession].
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if user != s.user || password != s.password {
			return errors.New("wrong password")
		}
		s.signed = true
		s.signIns++
		return nil
	}), nil
}

// Mail implements [smtp.Session].
func (s *session) Mail(string, *smtp.MailOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.user != "" && !s.signed {
		return smtp.ErrAuthRequired
	}
	return nil
}

// Rcpt implements [smtp.Session].
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.recipient != nil {
		return s.recipient(to, s.asked)
	}
	return nil
}

// Data implements [smtp.Session].
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	msg, err := gomail.EMLToMsgFromReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, msg)
	if s.content != nil {
		return s.content()
	}
	return nil
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}
