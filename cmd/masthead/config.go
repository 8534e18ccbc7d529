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
	Check configCheckCommand `cmd:"" help:"Check the settings, the data folder and the database, and say which addresses are fetched."`
}

// configCheckCommand checks a configuration without starting the service.
type configCheckCommand struct {
	app.Config
	Log   logConfig   `embed:""`
	Fonts fontsConfig `embed:""`
}

// errConfig is for a check with errors.
var errConfig = errors.New("the service can't start with this configuration")

// Run prints a line for each part. The exit status is 1 if the service couldn't start.
func (c *configCheckCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *configCheckCommand) run(ctx context.Context, out io.Writer) error {
	failed := false
	for _, check := range c.Check(ctx) {
		mark := "ok  "
		if !check.Works {
			mark, failed = "FAIL", true
		}
		if _, err := fmt.Fprintf(out, "%s  %-11s  %s\n", mark, check.Part, check.Says); err != nil {
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
