package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"masthead/pkg/apikeys"
	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// passwordLength is the length of a password that the program makes: 119 bits as base62 digits.
const passwordLength = 20

// openAccounts opens the accounts that storage holds.
func openAccounts(ctx context.Context, storage app.Storage) (*app.Accounts, error) {
	if err := storage.Database.Validate(); err != nil {
		return nil, asUsage(err)
	}
	return app.OpenAccounts(ctx, storage)
}

// adminPlanCommand gives an account a plan.
type adminPlanCommand struct {
	app.Storage
	Email string `arg:"" help:"The email address of the account."`
	Plan  string `arg:"" help:"free, plus or pro."`
}

// Run gives the account the plan. A service that runs knows of it within ten seconds.
func (c *adminPlanCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *adminPlanCommand) run(ctx context.Context, out io.Writer) (err error) {
	a, err := openAccounts(ctx, c.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	user, err := a.Users.ByEmail(ctx, c.Email)
	if err != nil {
		return err
	}
	if user, err = a.Users.SetPlan(ctx, user.ID, c.Plan); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s is on the plan %s now.\n", user.Email, user.Plan)
	return err
}

// adminCreateCommand makes an admin.
type adminCreateCommand struct {
	app.Storage
	Email        string `arg:"" help:"The email address to sign in with."`
	Name         string `help:"The name of the account."`
	PasswordFile string `placeholder:"FILE" help:"A file with the password, - for standard input; one is made and printed when it is left out."`
}

// Run makes the account, or makes an account admin that is there.
func (c *adminCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdin, os.Stdout) }

func (c *adminCreateCommand) run(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	a, err := openAccounts(ctx, c.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	user, err := a.Users.ByEmail(ctx, c.Email)
	if err == nil {
		if _, err := a.Users.Promote(ctx, user.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s is admin now; the password stays as it was.\n", user.Email)
		return err
	}
	if apperr.CodeOf(err) != apperr.NotFound {
		return err
	}
	password, made, err := c.password(in)
	if err != nil {
		return err
	}
	if user, err = a.Auth.CreateAccount(ctx, c.Email, password, c.Name, users.MadeByOperator); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Made the admin %s.\n", user.Email)
	if made {
		_, err = fmt.Fprintf(out, "Password, shown this once: %s\n", password)
	}
	return err
}

func (c *adminCreateCommand) password(in io.Reader) (password string, made bool, err error) {
	var raw []byte
	switch c.PasswordFile {
	case "":
		return base62.Random(passwordLength), true, nil
	case "-":
		raw, err = io.ReadAll(io.LimitReader(in, 1024))
	default:
		raw, err = os.ReadFile(c.PasswordFile)
	}
	if err != nil {
		return "", false, fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(string(raw), "\r\n"), false, nil
}

// keyCreateCommand makes a key without a session.
type keyCreateCommand struct {
	app.Storage
	Project string `required:"" placeholder:"NAME" help:"The project that the key is for; it is made when the owner has none of this name."`
	Owner   string `placeholder:"EMAIL" help:"Whose project it is; the first admin's when it is left out."`
	Name    string `default:"Command line" help:"The name of the key."`
}

// Run makes the key and prints its secret, and the id of the project.
func (c *keyCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *keyCreateCommand) run(ctx context.Context, out io.Writer) (err error) {
	a, err := openAccounts(ctx, c.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	owner, err := c.owner(ctx, a)
	if err != nil {
		return err
	}
	caller := owner.Caller()
	project, err := a.Projects.ByName(ctx, caller, c.Project)
	if apperr.CodeOf(err) == apperr.NotFound {
		project, err = a.Projects.Create(ctx, caller, projects.NewProject{Name: c.Project, PublicAI: true})
	}
	if err != nil {
		return err
	}
	_, secret, err := a.Keys.Create(ctx, caller, apikeys.NewKey{Name: c.Name, ProjectID: project.ID})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Project %s: %s\nKey, shown this once: %s\n", project.Name, project.ID, secret)
	return err
}

func (c *keyCreateCommand) owner(ctx context.Context, a *app.Accounts) (users.User, error) {
	if c.Owner != "" {
		owner, err := a.Users.ByEmail(ctx, c.Owner)
		if apperr.CodeOf(err) == apperr.NotFound {
			return users.User{}, fmt.Errorf("there is no account %s: `masthead admin create %s` makes it", c.Owner, c.Owner)
		}
		return owner, err
	}
	owner, err := a.Users.FirstAdmin(ctx)
	if apperr.CodeOf(err) == apperr.NotFound {
		return users.User{}, errors.New("there is no admin yet: `masthead admin create EMAIL` makes one, or name an --owner")
	}
	return owner, err
}
