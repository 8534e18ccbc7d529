package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"time"

	"masthead/fonts"
	"masthead/pkg/ai"
	"masthead/pkg/audit"
	"masthead/pkg/auth"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/limit"
	"masthead/pkg/mail"
	"masthead/pkg/monitor"
	"masthead/pkg/oidc"
	"masthead/pkg/opinion"
	"masthead/pkg/payments"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/server"
	"masthead/pkg/tickets"
	"masthead/pkg/tracing"
	"masthead/pkg/usage"
	"masthead/pkg/webhooks"
	"masthead/pkg/worker"
)

// secretLength is the length of a signing secret that the program makes: 256 bits as base62 digits.
const secretLength = 43

// Config is the whole configuration of the service. Each package has its part.
type Config struct {
	Storage  `embed:"" group:"Storage"`
	Server   server.Config   `embed:"" group:"Serving"`
	Auth     auth.Config     `embed:"" group:"Accounts"`
	OIDC     oidc.Config     `embed:"" group:"Accounts"`
	Mail     mail.Config     `embed:"" group:"Mail"`
	Billing  billing.Config  `embed:"" group:"Plans"`
	Payments payments.Config `embed:"" group:"Plans"`
	Usage    usage.Config    `embed:"" group:"AI"`
	Limits   limit.Config    `embed:"" group:"Storage"`
	Fetch    fetch.Config    `embed:"" group:"Fetching"`
	Images   images.Config   `embed:"" group:"Drawing"`
	Audit    audit.Config    `embed:"" group:"Audits"`
	Tickets  tickets.Config  `embed:"" group:"Drawing"`
	Picture  picture.Config  `kong:"-"`
	SVG      svg.Config      `kong:"-"`
	Blob     blob.Config     `kong:"-"`
	Monitor  monitor.Config  `embed:"" group:"Monitoring"`
	Tracing  tracing.Config  `embed:"" group:"Monitoring"`
	AI       ai.Config       `embed:"" group:"AI"`
	Opinion  opinion.Config  `embed:"" group:"AI"`
	// Webhooks has no settings.
	Webhooks webhooks.Config `kong:"-"`
	// Drawing are the workers that draw; Images says how many.
	Drawing worker.Config `kong:"-"`
	// JobsEvery is the time between looks for background jobs that are due; 0 is a second.
	JobsEvery time.Duration `kong:"-"`
	// Components adds /dashboard/_components, a page for people who work on the pages.
	Components bool `kong:"-"`
	// Leaving bounds the end of the program.
	Leaving ShutdownLimits `kong:"-"`
}

// Validate reports everything that is wrong, one sentence each.
func (c Config) Validate() error {
	return errors.Join(
		c.Server.Validate(), c.Storage.Validate(), c.Auth.Validate(), c.OIDC.Validate(), c.Mail.Validate(),
		c.Billing.Validate(), c.Payments.Validate(), c.Usage.Validate(),
		c.Limits.Validate(), c.Fetch.Validate(), c.Images.Validate(), c.Audit.Validate(),
		c.Picture.Validate(), c.Monitor.Validate(), c.AI.Validate(),
		c.Opinion.Validate(), c.Tracing.Validate(), c.Tickets.Validate())
}

// Listen opens the address that c names and puts the port that was really taken into c, for port 0: the public
// addresses are made of it. The listener is handed to [App.Run], which closes it.
func (c *Config) Listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Server.Addr)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_ADDR: cannot listen on %s: %w", c.Server.Addr, err)
	}
	host, _, err := net.SplitHostPort(c.Server.Addr)
	_, port, err2 := net.SplitHostPort(listener.Addr().String())
	if err := errors.Join(err, err2); err != nil {
		return nil, errors.Join(fmt.Errorf("MASTHEAD_ADDR: %w", err), listener.Close())
	}
	c.Server.Addr = net.JoinHostPort(host, port)
	return listener, nil
}

// signingSecret returns the secret that signs tokens: the one configured, else the one made at the first start and
// kept in the data folder. Nodes that share a database must share the secret too, so there it is never made.
func (c Config) signingSecret() (string, error) {
	if c.Auth.Secret != "" {
		return c.Auth.Secret, nil
	}
	if c.Database.URL != "" {
		return "", errors.New("MASTHEAD_JWT_SECRET is missing: with MASTHEAD_DATABASE_URL all nodes must share one; " +
			"`openssl rand -base64 32` makes it")
	}
	kept, err := c.Kept(secretName)
	if err == nil {
		return readSecret(c.path(secretName), kept)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the signing secret: %w", err)
	}
	secret := base62.Random(secretLength)
	if err := c.Keep(secretName, []byte(secret+"\n")); err != nil {
		return "", fmt.Errorf("keep the signing secret: %w", err)
	}
	return secret, nil
}

// readSecret reads what the program kept in a file, which a full disk or a slip of the hand may have cut.
func readSecret(path string, kept []byte) (string, error) {
	secret := strings.TrimSpace(string(kept))
	if secret == "" || (auth.Config{Secret: secret}).Validate() != nil {
		return "", fmt.Errorf("%s has no valid signing secret. Restore a copy of the file, or delete it: "+
			"then a new secret is generated, and everyone has to sign in again", path)
	}
	return secret, nil
}

// PublicAddress returns the public address of a service, without a slash at its end, from the address that it listens
// on and its base URL, "" for none.
func PublicAddress(addr, baseURL string) string {
	return server.Config{Addr: addr, BaseURL: baseURL}.Public()
}

// svg is the configuration of the engine for SVG, whose compiled code is kept in the data folder.
func (c Config) svg() svg.Config {
	cfg := c.SVG
	if cfg.Dir == "" {
		cfg.Dir = c.path("cache")
	}
	if cfg.Faces == nil {
		cfg.Faces = SVGFaces()
	}
	return cfg
}

// SVGFaces are the faces that words of strangers' SVG are drawn in.
func SVGFaces() (files [][]byte) {
	for _, weight := range []int{400, 700} {
		if data, err := fonts.Find("inter", weight, false).Data(); err == nil { // else they are refused
			files = append(files, data)
		}
	}
	return files
}

// drawing is the configuration of the workers that draw, which remember on all nodes of d what hung.
func (c Config) drawing(refusals *worker.Refusals) worker.Config {
	cfg := c.Drawing
	cfg.Name, cfg.Workers, cfg.Refusals = "draw", c.Images.Workers, refusals
	return cfg
}
