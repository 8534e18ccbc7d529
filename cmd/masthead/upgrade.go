package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/humanize"
)

// upgradeCommand says what an upgrade to this program would do.
type upgradeCommand struct {
	app.Storage
	Check bool `help:"Say what the first start of this version would do with the data, and change nothing."`
}

// Run prints what the first start would do. The exit status is 1 if this version couldn't start.
func (c *upgradeCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *upgradeCommand) run(ctx context.Context, out io.Writer) error {
	if !c.Check {
		return usage.Errorf("the service upgrades its data when it starts; `masthead upgrade --check` says what it would do")
	}
	u, err := c.Upgrade(ctx)
	if errors.Is(err, app.ErrNewer) {
		return fmt.Errorf("%w. Nothing was changed", err)
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "This is %s.\n", describeBuild())
	switch n := len(u.Migrations); {
	case u.Fresh:
		b.WriteString("There is no data yet: the first start creates it.\n")
	case n == 0:
		b.WriteString("The data is up to date: the first start changes nothing, " +
			"and the previous version can be started again.\n")
	default:
		fmt.Fprintf(&b, "The first start applies %s:\n\n  %s\n\n", humanize.Count(n, "migration"),
			strings.Join(u.Migrations, "\n  "))
		b.WriteString("Images, reports and files are kept. The previous version can't be started afterwards: " +
			"write a backup first, with `masthead backup FILE`, and stop all nodes.\n")
	}
	_, err = io.WriteString(out, b.String())
	return err
}
