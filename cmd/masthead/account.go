package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"masthead/pkg/apikeys"
	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// open opens the accounts for one command, beside a service that may be running.
func (s storage) open(ctx context.Context) (*accounts, error) {
	if err := s.Database.Validate(); err != nil {
		return nil, err
	}
	// No token is signed or read by a command.
	return openAccounts(ctx, s.database(), auth.Config{Secret: randomText(48)})
}

// adminCreateCommand makes an admin.
type adminCreateCommand struct {
	storage
	Email        string `arg:"" help:"The address of mail to sign in with."`
	Name         string `help:"The name of the account."`
	PasswordFile string `placeholder:"FILE" help:"A file with the password, - for standard input; one is made and printed when it is left out."`
}

// Run makes the account, or makes an account admin that is there.
func (c *adminCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdin, os.Stdout) }

func (c *adminCreateCommand) run(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.db.Close()) }()
	user, err := a.users.ByEmail(ctx, c.Email)
	if err == nil {
		if _, err := a.users.Promote(ctx, user.ID); err != nil {
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
	if user, err = a.auth.CreateAccount(ctx, c.Email, password, c.Name, users.MadeByOperator); err != nil {
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
		return randomText(15), true, nil
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
	storage
	Project string `required:"" placeholder:"NAME" help:"The project that the key is for; it is made when the owner has none of this name."`
	Owner   string `placeholder:"EMAIL" help:"Whose project it is; the first admin's when it is left out."`
	Name    string `default:"Command line" help:"The name of the key."`
}

// Run makes the key and prints its secret, and the id of the project.
func (c *keyCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *keyCreateCommand) run(ctx context.Context, out io.Writer) (err error) {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.db.Close()) }()
	owner, err := c.owner(ctx, a)
	if err != nil {
		return err
	}
	caller := owner.Caller()
	project, err := a.projects.ByName(ctx, caller, c.Project)
	if apperr.CodeOf(err) == apperr.NotFound {
		project, err = a.projects.Create(ctx, caller, projects.NewProject{Name: c.Project, PublicAI: true})
	}
	if err != nil {
		return err
	}
	_, secret, err := a.keys.Create(ctx, caller, apikeys.NewKey{Name: c.Name, ProjectID: project.ID})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Project %s: %s\nKey, shown this once: %s\n", project.Name, project.ID, secret)
	return err
}

func (c *keyCreateCommand) owner(ctx context.Context, a *accounts) (users.User, error) {
	if c.Owner != "" {
		owner, err := a.users.ByEmail(ctx, c.Owner)
		if apperr.CodeOf(err) == apperr.NotFound {
			return users.User{}, fmt.Errorf("there is no account %s: `masthead admin create %s` makes it", c.Owner, c.Owner)
		}
		return owner, err
	}
	owner, err := a.users.FirstAdmin(ctx)
	if apperr.CodeOf(err) == apperr.NotFound {
		return users.User{}, errors.New("there is no admin yet: `masthead admin create EMAIL` makes one, or name an --owner")
	}
	return owner, err
}
