package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"os"

	"masthead/pkg/apikeys"
	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
)

// keyCommands are the commands about API keys.
type keyCommands struct {
	Create keyCreateCommand `cmd:"" help:"Create an API key for a project, and the project if it doesn't exist, and print the meta tag of its pages."`
	List   keyListCommand   `cmd:"" help:"List the API keys of an account."`
	Revoke keyRevokeCommand `cmd:"" help:"Revoke an API key: it stops working within 5 seconds."`
}

// publicAddress is the address of the service, for the output of commands.
type publicAddress struct {
	Addr    string `name:"addr" env:"MASTHEAD_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address that the service listens on."`
	BaseURL string `name:"base-url" env:"MASTHEAD_BASE_URL" placeholder:"URL" help:"Public address of the service, without a path. If empty, http:// and the listening address."`
}

// String returns the address without a trailing slash.
func (p publicAddress) String() string {
	return app.PublicAddress(p.Addr, p.BaseURL)
}

// keyCreateCommand creates a key without a session.
type keyCreateCommand struct {
	ownedStorage
	publicAddress
	Project string `required:"" placeholder:"NAME" help:"Project of the key. It is created if it doesn't exist."`
	Name    string `default:"Command line" help:"Name of the key."`
}

// Run creates the key and prints its secret, the ID of the project, and the tag for its pages.
func (c *keyCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *keyCreateCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		project, err := a.Projects.ByName(ctx, owner, c.Project)
		if apperr.CodeOf(err) == apperr.NotFound {
			project, err = a.Projects.Create(ctx, owner, projects.NewProject{Name: c.Project, PublicAI: true})
		}
		if err != nil {
			return err
		}
		_, secret, err := a.Keys.Create(ctx, owner, apikeys.NewKey{Name: c.Name, ProjectID: project.ID})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Project %s: %s\nKey, shown only once: %s\n\n", project.Name, project.ID, secret)
		if err != nil {
			return err
		}
		return printTag(out, c.String(), project)
	})
}

// printTag prints the element for the heads of a project's pages, and what must be done before it works.
func printTag(out io.Writer, base string, project projects.Project) error {
	host := "example.com"
	if len(project.Domains) > 0 {
		host = project.Domains[0]
	} else if _, err := fmt.Fprintf(out, "The project has no domains yet, so its public address draws no page. "+
		"Add yours:\n  masthead project domains %s --add example.com\n\n", project.PublicID); err != nil {
		return err
	}
	page := "https://" + host + "/"
	address := base + "/og/" + project.PublicID + "?url=" + url.QueryEscape(page)
	_, err := fmt.Fprintf(out, "In the head of each page, with the page's own address after url=, percent-encoded:\n"+
		"  <meta property=\"og:image\" content=\"%s\">\n", html.EscapeString(address))
	return err
}

// keyListCommand lists keys.
type keyListCommand struct{ ownedStorage }

// Run prints a line for each key, newest first.
func (c *keyListCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *keyListCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		names, err := projectNames(ctx, a, owner)
		if err != nil {
			return err
		}
		none := "The account has no keys: `masthead key create --project NAME` creates one."
		return table(out, "ID\tKEY\tPROJECT\tCREATED\tLAST USED\tNAME", none, func(row func(string, ...any)) error {
			return everyPage(func(after string) (string, error) {
				found, next, err := a.Keys.List(ctx, owner, "", cursor.Page{After: after, Limit: cursor.MaxLimit})
				for _, k := range found {
					project := "all"
					if k.ProjectID != "" {
						project = names[k.ProjectID]
					}
					row("%s\t%s…\t%s\t%s\t%s\t%s", k.ID, k.Prefix, project, dayOf(k.CreatedAt), dayOf(k.LastUsedAt), k.Name)
				}
				return next, err
			})
		})
	})
}

// projectNames returns the names of the owner's projects by ID.
func projectNames(ctx context.Context, a *app.Accounts, owner identity.Caller) (map[string]string, error) {
	names := map[string]string{}
	err := everyPage(func(after string) (string, error) {
		found, next, err := a.Projects.List(ctx, owner, cursor.Page{After: after, Limit: cursor.MaxLimit})
		for _, p := range found {
			names[p.ID] = p.Name
		}
		return next, err
	})
	return names, err
}

// keyRevokeCommand revokes a key.
type keyRevokeCommand struct {
	ownedStorage
	Key string `arg:"" help:"Id of the key, or the beginning of its secret as masthead key list prints it."`
}

// Run revokes the key. A running service sees it within five seconds.
func (c *keyRevokeCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *keyRevokeCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		key, err := findKey(ctx, a, owner, c.Key)
		if err != nil {
			return err
		}
		if err := a.Keys.Revoke(ctx, owner, key.ID); err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Revoked %s… (%s). It stops working within 5 seconds.\n", key.Prefix, key.Name)
		return err
	})
}

// findKey returns the owner's key with this ID, or whose visible prefix begins with name; the whole secret works, too.
func findKey(ctx context.Context, a *app.Accounts, owner identity.Caller, name string) (apikeys.Key, error) {
	prefix := name
	if len(prefix) > apikeys.ShownLength {
		prefix = prefix[:apikeys.ShownLength]
	}
	var matching []apikeys.Key
	err := everyPage(func(after string) (string, error) {
		found, next, err := a.Keys.List(ctx, owner, "", cursor.Page{After: after, Limit: cursor.MaxLimit})
		for _, k := range found {
			if k.ID == name || k.Prefix == prefix {
				matching = append(matching, k)
			}
		}
		return next, err
	})
	switch {
	case err != nil:
		return apikeys.Key{}, err
	case len(matching) == 0:
		return apikeys.Key{}, errors.New("the account has no such key: `masthead key list` shows its keys; " +
			"--owner names another account")
	case len(matching) > 1:
		return apikeys.Key{}, errors.New(
			"several keys begin like this: name the key by its id, which `masthead key list` shows")
	}
	return matching[0], nil
}
