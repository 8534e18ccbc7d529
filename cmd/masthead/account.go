package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// This file has the common parts of the commands about accounts, projects and keys. They open the database next to a
// running service, which sees their changes within ten seconds.

// openAccounts opens the accounts in storage.
func openAccounts(ctx context.Context, storage app.Storage) (*app.Accounts, error) {
	if err := storage.Database.Validate(); err != nil {
		return nil, usage.Wrap(err)
	}
	return app.OpenAccounts(ctx, storage)
}

// withAccounts calls do with the accounts in storage.
func withAccounts(ctx context.Context, storage app.Storage, do func(a *app.Accounts) error) (err error) {
	a, err := openAccounts(ctx, storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return do(a)
}

// ownedStorage is the storage of a command that acts for the owner of projects and keys.
type ownedStorage struct {
	app.Storage
	Owner string `placeholder:"EMAIL" help:"Account that owns the project. If omitted, the first admin."`
}

// asOwner calls do with the accounts and with the owner as the caller.
func (c ownedStorage) asOwner(ctx context.Context, do func(a *app.Accounts, owner identity.Caller) error) error {
	return withAccounts(ctx, c.Storage, func(a *app.Accounts) error {
		owner, err := c.owner(ctx, a)
		if err != nil {
			return err
		}
		return do(a, owner.Caller())
	})
}

func (c ownedStorage) owner(ctx context.Context, a *app.Accounts) (users.User, error) {
	if c.Owner != "" {
		owner, err := a.Users.ByEmail(ctx, c.Owner)
		if apperr.CodeOf(err) == apperr.NotFound {
			return users.User{}, fmt.Errorf("there is no account %s: `masthead admin create %s` creates it", c.Owner, c.Owner)
		}
		return owner, err
	}
	owner, err := a.Users.FirstAdmin(ctx)
	if apperr.CodeOf(err) == apperr.NotFound {
		return users.User{}, errors.New("there is no admin yet: " +
			"`masthead admin create EMAIL` creates one, or name an --owner")
	}
	return owner, err
}

// table prints the rows that write adds below a header, in aligned columns. Without rows it prints none.
func table(out io.Writer, header, none string, write func(row func(format string, args ...any)) error) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	rows := 0
	err := write(func(format string, args ...any) {
		if rows++; rows == 1 {
			fmt.Fprintln(w, header)
		}
		fmt.Fprintf(w, format+"\n", args...)
	})
	if err != nil {
		return err
	}
	if rows == 0 {
		_, err := fmt.Fprintln(out, none)
		return err
	}
	return w.Flush()
}

// everyPage calls list for each page; the first cursor is "".
func everyPage(list func(after string) (next string, err error)) error {
	for after := ""; ; {
		next, err := list(after)
		if err != nil || next == "" {
			return err
		}
		after = next
	}
}

// dayOf formats a time as a day, or "never".
func dayOf(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.DateOnly)
}
