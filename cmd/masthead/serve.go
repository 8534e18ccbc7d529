package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"masthead/pkg/apperr"
)

// leavePause is the time between "not ready" and the end of accepting, in which balancers notice. Source: security requirements,
// "Staying up". A service on loopback has no balancer.
const leavePause = 2 * time.Second

// serveCommand starts the service.
type serveCommand struct {
	settings
	Demo bool `help:"Also make a demo user, project and key, serve three sample pages, and print a curl that works offline."`
}

// Run serves until ctx ends.
func (c *serveCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *serveCommand) run(ctx context.Context, out io.Writer, log *os.File) (err error) {
	if err := c.validate(); err != nil {
		return err
	}
	slog.SetDefault(c.Log.logger(log))
	if c.Demo && !c.Server.Loopback() {
		return errors.New("--demo serves a known key and pages of its own: it only listens on loopback, so MASTHEAD_ADDR must be such as 127.0.0.1:8080")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Server.Addr)
	if err != nil {
		return fmt.Errorf("MASTHEAD_ADDR: cannot listen on %s: %w", c.Server.Addr, err)
	}
	defer listener.Close() // serving closed it already, unless there was a fault before
	c.Server.Addr = actualAddr(c.Server.Addr, listener.Addr().String())
	var site *sampleSite
	if c.Demo {
		if site, err = openSampleSite(ctx, c.DataDir); err != nil {
			return err
		}
		defer site.close()
		c.Fetch.Allow = append(c.Fetch.Allow, site.allowed())
	} else {
		for _, warning := range c.Fetch.Warnings(c.Server.Loopback()) {
			slog.Warn(warning)
		}
	}
	c.Auth.SetupToken = randomText(18)
	s, err := newService(ctx, c.settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := c.greet(ctx, s, site, out); err != nil {
		return err
	}
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() { defer close(ended); s.background(working) }()
	defer func() { stop(); <-ended }()
	pause := leavePause
	if c.Server.Loopback() {
		pause = 0
	}
	return s.server.Serve(ctx, listener, pause)
}

// actualAddr puts the port that was really taken into the address, for port 0.
func actualAddr(asked, taken string) string {
	host, _, err := net.SplitHostPort(asked)
	_, port, err2 := net.SplitHostPort(taken)
	if err != nil || err2 != nil {
		return asked
	}
	return net.JoinHostPort(host, port)
}

// greet prints where things are and what to do first.
func (c *serveCommand) greet(ctx context.Context, s *service, site *sampleSite, out io.Writer) error {
	base := c.Server.Public()
	var b strings.Builder
	fmt.Fprintf(&b, "\nMasthead is listening on %s\n\n", base)
	fmt.Fprintf(&b, "  Start page   %s/\n", base)
	fmt.Fprintf(&b, "  API          %s/images/generate  (every operation also under /api)\n", base)
	fmt.Fprintf(&b, "  Reference    %s/swagger\n", base)
	fmt.Fprintf(&b, "  Data         %s\n\n", c.DataDir)
	_, err := s.users.FirstAdmin(ctx)
	noAdmin := apperr.CodeOf(err) == apperr.NotFound
	if err != nil && !noAdmin {
		return err
	}
	switch {
	case c.Demo:
		demo, err := seedDemo(ctx, s.accounts, c.DataDir, site)
		if err != nil {
			return err
		}
		demo.describe(&b, base)
	case noAdmin && !c.Server.Loopback():
		fmt.Fprintf(&b, "Nobody is admin yet. The first account that is registered with this set-up token will be:\n\n  %s\n\n", c.Auth.SetupToken)
	case noAdmin:
		fmt.Fprintf(&b, `First steps: make an account, then a key, then an image.

  masthead admin create you@example.com
  masthead key create --project "My site"
  curl -s %s/images/generate -H "Authorization: Bearer og_live_…" \
    -H "Content-Type: application/json" -d '{"url": "https://example.com/", "projectId": "…"}'

Or start with --demo, which has all of it ready.

`, base)
	}
	_, err = io.WriteString(out, b.String())
	if err != nil {
		return fmt.Errorf("print the greeting: %w", err)
	}
	return nil
}
