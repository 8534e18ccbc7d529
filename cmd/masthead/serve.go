package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/demo"
	"masthead/pkg/apperr"
	"masthead/pkg/garbage"
	"masthead/pkg/installation"
)

// serveCommand starts the service.
type serveCommand struct {
	app.Config
	Log   logConfig   `embed:"" group:"Logging"`
	Fonts fontsConfig `embed:"" group:"Drawing"`
	Demo  bool        `help:"Also create a demo user, project and key, serve three sample pages and a fake AI provider, and print a curl command that works offline."`
}

// Run serves until ctx ends.
func (c *serveCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *serveCommand) run(ctx context.Context, out io.Writer, logFile *os.File) (err error) {
	if err := errors.Join(c.Validate(), c.Log.validate()); err != nil {
		return usage.Wrap(err)
	}
	slog.SetDefault(c.Log.logger(logFile))
	garbage.Bound()
	if err := c.Fonts.add(); err != nil {
		return err
	}
	if c.Demo && !c.Server.Loopback() {
		return usage.Errorf("--demo uses a known key and serves pages of its own, so it only listens on loopback: " +
			"set MASTHEAD_ADDR to an address such as 127.0.0.1:8080")
	}
	var lock *installation.Lock // several servers may share Postgres, and then the folder
	if c.Database.URL == "" {
		if lock, err = installation.Acquire(c.DataDir); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Release()) }()
	}
	listener, err := c.Listen(ctx)
	if err != nil {
		return err
	}
	defer listener.Close() // already closed by serving, unless it failed before
	lock.Tell(c.Server.Addr)
	var site *demo.Samples
	if c.Demo {
		if site, err = demo.OpenSite(ctx, c.Storage); err != nil {
			return err
		}
		defer site.Close()
		c.Components = true
		c.Fetch.Allow = append(c.Fetch.Allow, site.Allowed())
		closeAI, err := c.fakeAI(ctx)
		if err != nil {
			return err
		}
		defer closeAI()
	} else {
		for _, warning := range c.Fetch.Warnings(c.Server.Loopback()) {
			slog.Warn(warning)
		}
	}
	c.Fetch.Version, c.Tracing.Version = version, version
	a, err := app.Open(ctx, c.Config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	log.SetOutput(a.Messages())
	if err := c.greet(ctx, a, site, out); err != nil {
		return err
	}
	return a.Run(ctx, listener)
}

// fakeAI starts the demo's own offline provider, unless one is configured.
func (c *serveCommand) fakeAI(ctx context.Context) (stop func(), err error) {
	if c.AI.BaseURL != "" {
		return func() {}, nil
	}
	provider, err := fakeai.Open(ctx, "127.0.0.1:0", fakeai.Config{Picture: demo.Picture})
	if err != nil {
		return nil, err
	}
	c.AI.BaseURL = provider.BaseURL
	c.AI.ImageModelStandard, c.AI.ImageModelPro = fakeai.ModelStandard, fakeai.ModelPro
	c.AI.TextModel = fakeai.ModelText
	return func() { _ = provider.Close() }, nil // the program ends
}

// greet prints the addresses and the first steps.
func (c *serveCommand) greet(ctx context.Context, a *app.App, site *demo.Samples, out io.Writer) error {
	base := c.Server.Public()
	var b strings.Builder
	fmt.Fprintf(&b, "\nMasthead is listening on %s\n\n", base)
	fmt.Fprintf(&b, "  Start page   %s/\n", base)
	fmt.Fprintf(&b, "  API          %s/images/generate  (every operation also under /api)\n", base)
	fmt.Fprintf(&b, "  Reference    %s/swagger\n", base)
	fmt.Fprintf(&b, "  Data         %s\n\n", c.DataDir)
	_, err := a.Users.FirstAdmin(ctx)
	noAdmin := apperr.CodeOf(err) == apperr.NotFound
	if err != nil && !noAdmin {
		return err
	}
	switch {
	case c.Demo:
		account, err := demo.Seed(ctx, a.Accounts, c.Storage)
		if err != nil {
			return err
		}
		describeDemo(&b, base, account, site)
	case noAdmin && !c.Server.Loopback():
		fmt.Fprintf(&b, "There is no admin yet. Open this link to create the admin's account. "+
			"It works once, within 24 hours:\n\n  %s/register#token=%s\n\n", base, a.Auth.SetupToken())
		if c.Server.BaseURL == "" {
			fmt.Fprintf(&b, "From another machine, replace localhost; MASTHEAD_BASE_URL sets the public address.\n\n")
		}
	case noAdmin:
		fmt.Fprintf(&b, `First steps: make an account, then a key, then an image.

  masthead admin create you@example.com
  masthead key create --project "My site"
  curl -s %s/images/generate -H "Authorization: Bearer og_live_…" \
    -H "Content-Type: application/json" -d '{"url": "https://example.com/", "projectId": "…"}'

Or start with --demo, which creates all of this.

`, base)
	}
	_, err = io.WriteString(out, b.String())
	if err != nil {
		return fmt.Errorf("print the greeting: %w", err)
	}
	return nil
}

// describeDemo prints the curl command that draws the first image and other pages to try.
func describeDemo(w io.Writer, base string, a demo.Account, site *demo.Samples) {
	fmt.Fprintf(w, `Demo: draw the first image.

  curl -s %s/images/generate \
    -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' \
    -d '{"url": "%s", "projectId": "%s"}'

Open the imageUrl of the response in a browser. With "ai": true in the body, the background is a
picture drawn offline by a fake AI provider. With "kind": "icon_set", it is the site's icons, which
%s/api/images/ID/download returns as a zip. Other pages to try:

`, base, a.Key, site.URL(demo.Pages[0].Path), a.ProjectID, base)
	for _, page := range demo.Pages[1:] {
		fmt.Fprintf(w, "  %s  (%s)\n", site.URL(page.Path), page.What)
	}
	fmt.Fprintf(w, "\nPages to audit, without a key: POST %s/audits with {\"url\": \"…\"}\n\n", base)
	for _, page := range demo.Faulty {
		fmt.Fprintf(w, "  %s  (%s)\n", site.URL(page.Path), page.What)
	}
	fmt.Fprintf(w, "\nThe same key works in %s/swagger (Authorize, apiKeyAuth). To sign in: %s, password %s\n\n",
		base, a.Email, a.Password)
}
