package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"masthead/pkg/app"
)

// configCommands are the commands about the configuration.
type configCommands struct {
	Check configCheckCommand `cmd:"" help:"Check the settings, disk, clock, DNS and everything that the service depends on."`
}

// configCheckCommand checks a configuration without starting the service.
type configCheckCommand struct {
	app.Config
	Log   logConfig   `embed:""`
	Fonts fontsConfig `embed:""`
}

// errConfig is for a check with errors.
var errConfig = errors.New("this configuration doesn't work: see the lines with FAIL")

// Run prints a line for each part. The exit status is 1 if one has failed: then the service can't start, or something
// that is configured won't work. Warnings don't change it.
func (c *configCheckCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *configCheckCommand) run(ctx context.Context, out io.Writer) error {
	failed := false
	for _, check := range c.Check(ctx, builtOn()) {
		failed = failed || check.State == app.Failed
		if _, err := fmt.Fprintf(out, "%-4s  %-11s  %s\n", check.State, check.Part, check.Says); err != nil {
			return err
		}
	}
	if err := errors.Join(c.Log.validate(), c.Fonts.add()); err != nil {
		return err
	}
	if failed {
		return errConfig
	}
	return nil
}
