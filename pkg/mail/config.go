package mail

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// TLS policies of [Config].
const (
	tlsMandatory     = "mandatory"
	tlsOpportunistic = "opportunistic"
	tlsNone          = "none"
	tlsSSL           = "ssl"
)

// usualTimeout bounds each step of a conversation with the mail server.
const usualTimeout = 10 * time.Second

// Config has the operator's settings for mail.
type Config struct {
	// Host is the mail server; "" for none: then mails wait in the outbox.
	Host     string `name:"smtp-host" env:"MASTHEAD_SMTP_HOST" placeholder:"HOST" help:"Mail server. If empty, no email is sent: emails wait in the operator's outbox (GET /admin/outbox), and new accounts needn't confirm their address."`
	Port     int    `name:"smtp-port" env:"MASTHEAD_SMTP_PORT" default:"0" help:"Port of the mail server. 0 is 465 with MASTHEAD_SMTP_TLS=ssl, otherwise 587."`
	User     string `name:"smtp-user" env:"MASTHEAD_SMTP_USER" placeholder:"NAME" help:"User name for the mail server. If empty, we don't authenticate."`
	Password string `name:"smtp-password" env:"MASTHEAD_SMTP_PASSWORD" placeholder:"…" help:"Password for the mail server."`
	From     string `name:"smtp-from" env:"MASTHEAD_SMTP_FROM" placeholder:"ADDRESS" help:"Sender of all emails, such as Masthead <mail@example.com>. Required with MASTHEAD_SMTP_HOST."`
	// TLS is mandatory (the default), opportunistic, none or ssl.
	TLS     string        `name:"smtp-tls" env:"MASTHEAD_SMTP_TLS" default:"mandatory" help:"mandatory: STARTTLS, or nothing is sent. opportunistic: STARTTLS if the server offers it. none: never encrypted. ssl: TLS from the start."`
	Timeout time.Duration `name:"smtp-timeout" env:"MASTHEAD_SMTP_TIMEOUT" default:"10s" help:"Maximum time of each step of a conversation with the mail server, 1s to 1m."`

	// BaseURL is the public address for links.
	BaseURL string `kong:"-"`
	// Secret signs unsubscribe links.
	Secret string `kong:"-"`
	// TLSConfig replaces the usual verification of certificates, for tests.
	TLSConfig *tls.Config `kong:"-"`
}

// Enabled reports whether a mail server is configured.
func (c Config) Enabled() bool { return c.Host != "" }

// port returns the port of the mail server.
func (c Config) port() int {
	if c.Port == 0 && c.TLS == tlsSSL {
		return mail.DefaultPortSSL
	}
	return cmp.Or(c.Port, mail.DefaultPortTLS)
}

// Address returns the host and port of the mail server.
func (c Config) Address() string { return net.JoinHostPort(c.Host, strconv.Itoa(c.port())) }

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	switch c.TLS {
	case "", tlsMandatory, tlsOpportunistic, tlsNone, tlsSSL:
	default:
		faults = append(faults, errors.New("MASTHEAD_SMTP_TLS must be mandatory, opportunistic, none or ssl"))
	}
	if c.Port < 0 || c.Port > 65535 {
		faults = append(faults, errors.New("MASTHEAD_SMTP_PORT must be from 0 to 65535"))
	}
	if c.Timeout != 0 && (c.Timeout < time.Second || c.Timeout > time.Minute) {
		faults = append(faults, errors.New("MASTHEAD_SMTP_TIMEOUT must be from 1s to 1m"))
	}
	if c.Enabled() {
		if _, err := netmail.ParseAddress(c.From); err != nil {
			faults = append(faults, fmt.Errorf("MASTHEAD_SMTP_FROM must be an address such as "+
				"Masthead <mail@example.com>: %w", err))
		}
	}
	return errors.Join(faults...)
}
