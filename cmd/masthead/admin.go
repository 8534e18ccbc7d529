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
	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/cursor"
	"masthead/pkg/users"
)

// adminCommands are the commands about accounts.
type adminCommands struct {
	List          adminListCommand          `cmd:"" help:"List the accounts."`
	Create        adminCreateCommand        `cmd:"" help:"Create an admin account, or make an existing account an admin."`
	Plan          adminPlanCommand          `cmd:"" help:"Set an account's plan."`
	Disable       adminDisableCommand       `cmd:"" help:"Disable an account: its sessions and keys stop working within 10 seconds."`
	Enable        adminEnableCommand        `cmd:"" help:"Enable a disabled account."`
	ResetPassword adminResetPasswordCommand `cmd:"" help:"Set a new password for an account and end its sessions."`
	RemoveFactors adminRemoveFactorsCommand `cmd:"" name:"remove-second-factor" help:"Remove the second factor of an account whose owner has lost it."`
	Delete        adminDeleteCommand        `cmd:"" help:"Delete an account with its projects, keys, images and reports."`
}

// passwordLength is the length of a generated password: 119 bits as base62 digits.
const passwordLength = 20

// adminListCommand lists accounts.
type adminListCommand struct {
	app.Storage
	Query string `arg:"" optional:"" help:"Text in the email address or name. If omitted, all accounts are listed."`
}

// Run prints a line for each account, newest first.
func (c *adminListCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminListCommand) run(ctx context.Context, out io.Writer) error {
	return withAccounts(ctx, c.Storage, func(a *app.Accounts) error {
		none := "There are no accounts yet: `masthead admin create EMAIL` creates the first."
		if c.Query != "" {
			none = fmt.Sprintf("No account has %q in its email address or name.", c.Query)
		}
		return table(out, "EMAIL\tPLAN\tROLE\tSTATE\tCREATED\tNAME", none, func(row func(string, ...any)) error {
			return everyPage(func(after string) (string, error) {
				page := cursor.Page{After: after, Limit: cursor.MaxLimit}
				found, next, err := a.Users.Find(ctx, users.Filter{Query: c.Query}, page)
				for _, u := range found {
					state := map[bool]string{true: "disabled", false: "enabled"}[u.Disabled]
					row("%s\t%s\t%s\t%s\t%s\t%s", u.Email, u.Plan, u.Role, state, dayOf(u.CreatedAt), u.Name)
				}
				return next, err
			})
		})
	})
}

// oneAccount is the storage of a command about one account.
type oneAccount struct {
	app.Storage
	Email string `arg:"" help:"Email address of the account."`
}

// with calls do with the accounts and the account with the address.
func (c oneAccount) with(ctx context.Context, do func(a *app.Accounts, user users.User) error) error {
	return withAccounts(ctx, c.Storage, func(a *app.Accounts) error {
		user, err := a.Users.ByEmail(ctx, c.Email)
		if err != nil {
			return err
		}
		err = do(a, user)
		if errors.Is(err, users.ErrLastAdmin) {
			return errors.New("this is the last admin of the installation: make another account an admin first, with " +
				"`masthead admin create EMAIL`")
		}
		return err
	})
}

// adminPlanCommand sets an account's plan.
type adminPlanCommand struct {
	oneAccount
	Plan string `arg:"" help:"free, plus or pro."`
}

// Run sets the plan. A running service sees it within ten seconds.
func (c *adminPlanCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminPlanCommand) run(ctx context.Context, out io.Writer) error {
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		changed, err := a.Users.SetPlan(ctx, user.ID, c.Plan)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s is now on the plan %s.\n", changed.Email, changed.Plan)
		return err
	})
}

// adminDisableCommand disables an account.
type adminDisableCommand struct{ oneAccount }

// Run disables the account and ends its sessions. A running service sees it within ten seconds.
func (c *adminDisableCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminDisableCommand) run(ctx context.Context, out io.Writer) error {
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		if _, err := a.Users.Administer(ctx, user.ID, users.Administration{Disabled: new(true)}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s is disabled. Its sessions and keys stop working within 10 seconds.\n", user.Email)
		return err
	})
}

// adminEnableCommand enables an account.
type adminEnableCommand struct{ oneAccount }

// Run enables the account, which has to sign in again; its keys work again.
func (c *adminEnableCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminEnableCommand) run(ctx context.Context, out io.Writer) error {
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		if _, err := a.Users.Administer(ctx, user.ID, users.Administration{Disabled: new(false)}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s is enabled: its keys work again, and it can sign in.\n", user.Email)
		return err
	})
}

// passwordFile is the source of a password.
type passwordFile struct {
	PasswordFile string `placeholder:"FILE" help:"File with the password, or - for standard input. If omitted, a password is generated and printed."`
}

// read returns the password; generated means that it has to be printed.
func (f passwordFile) read(in io.Reader) (password string, generated bool, err error) {
	var raw []byte
	switch f.PasswordFile {
	case "":
		return base62.Random(passwordLength), true, nil
	case "-":
		raw, err = io.ReadAll(io.LimitReader(in, 1024))
	default:
		raw, err = os.ReadFile(f.PasswordFile)
	}
	if err != nil {
		return "", false, fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(string(raw), "\r\n"), false, nil
}

// show prints a generated password.
func show(out io.Writer, password string, generated bool) error {
	if !generated {
		return nil
	}
	_, err := fmt.Fprintf(out, "Password, shown only once: %s\n", password)
	return err
}

// adminResetPasswordCommand sets a password.
type adminResetPasswordCommand struct {
	oneAccount
	passwordFile
}

// Run sets the password and ends the account's sessions.
func (c *adminResetPasswordCommand) Run(ctx context.Context) error {
	return c.run(ctx, os.Stdin, os.Stdout)
}

func (c *adminResetPasswordCommand) run(ctx context.Context, in io.Reader, out io.Writer) error {
	password, generated, err := c.read(in)
	if err != nil {
		return err
	}
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		if err := a.Auth.SetPassword(ctx, user.ID, password); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s has a new password, and its sessions have ended.\n", user.Email); err != nil {
			return err
		}
		return show(out, password, generated)
	})
}

// adminRemoveFactorsCommand removes second factors.
type adminRemoveFactorsCommand struct{ oneAccount }

// Run removes the account's authenticator app and recovery codes: the password alone signs in.
func (c *adminRemoveFactorsCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminRemoveFactorsCommand) run(ctx context.Context, out io.Writer) error {
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		if err := a.Auth.RemoveFactors(ctx, user); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s has no second factor: the password alone signs in.\n", user.Email)
		return err
	})
}

// adminDeleteCommand deletes an account.
type adminDeleteCommand struct {
	oneAccount
	Yes bool `help:"Confirm the deletion, which can't be undone."`
}

// Run deletes the account. A running service sees it within ten seconds; files are deleted within the hour.
func (c *adminDeleteCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminDeleteCommand) run(ctx context.Context, out io.Writer) error {
	return c.with(ctx, func(a *app.Accounts, user users.User) error {
		if !c.Yes {
			return usage.Errorf("deleting %s also deletes its projects, keys, images and reports, and can't be undone: "+
				"repeat the command with --yes", user.Email)
		}
		if err := a.Users.Delete(ctx, user.Caller()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "Deleted %s.\n", user.Email)
		return err
	})
}

// adminCreateCommand creates an admin.
type adminCreateCommand struct {
	app.Storage
	passwordFile
	Email string `arg:"" help:"Email address to sign in with."`
	Name  string `help:"Name of the account."`
}

// Run creates the account, or makes an existing account an admin.
func (c *adminCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdin, os.Stdout) }

func (c *adminCreateCommand) run(ctx context.Context, in io.Reader, out io.Writer) error {
	return withAccounts(ctx, c.Storage, func(a *app.Accounts) error {
		user, err := a.Users.ByEmail(ctx, c.Email)
		if err == nil {
			if _, err := a.Users.Promote(ctx, user.ID); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "%s is an admin now; the password is unchanged.\n", user.Email)
			return err
		}
		if apperr.CodeOf(err) != apperr.NotFound {
			return err
		}
		password, generated, err := c.read(in)
		if err != nil {
			return err
		}
		if user, err = a.Auth.CreateAccount(ctx, c.Email, password, c.Name, users.MadeByOperator); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "Created the admin %s.\n", user.Email); err != nil {
			return err
		}
		return show(out, password, generated)
	})
}
