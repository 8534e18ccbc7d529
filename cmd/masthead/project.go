package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
)

// projectCommands are the commands about projects.
type projectCommands struct {
	Create  projectCreateCommand  `cmd:"" help:"Create a project and print the meta tag of its pages."`
	List    projectListCommand    `cmd:"" help:"List the projects of an account."`
	Domains projectDomainsCommand `cmd:"" help:"Print or change the domains whose pages a project's public address may draw."`
}

// projectCreateCommand creates a project.
type projectCreateCommand struct {
	ownedStorage
	publicAddress
	Name   string   `arg:"" help:"Name of the project."`
	Domain []string `placeholder:"HOST" help:"Domain whose pages the public address may draw, with its subdomains. Can be repeated."`
}

// Run creates the project and prints its IDs and its meta tag.
func (c *projectCreateCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *projectCreateCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		made, err := a.Projects.Create(ctx, owner, projects.NewProject{Name: c.Name, Domains: c.Domain, PublicAI: true})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "Project %s: %s\nPublic id: %s\n\n", made.Name, made.ID, made.PublicID); err != nil {
			return err
		}
		return printTag(out, c.String(), made)
	})
}

// projectListCommand lists projects.
type projectListCommand struct{ ownedStorage }

// Run prints a line for each project, newest first.
func (c *projectListCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *projectListCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		none := "The account has no projects: `masthead project create NAME` creates one."
		return table(out, "ID\tPUBLIC ID\tCREATED\tNAME\tDOMAINS", none, func(row func(string, ...any)) error {
			return everyPage(func(after string) (string, error) {
				found, next, err := a.Projects.List(ctx, owner, cursor.Page{After: after, Limit: cursor.MaxLimit})
				for _, p := range found {
					row("%s\t%s\t%s\t%s\t%s", p.ID, p.PublicID, dayOf(p.CreatedAt), p.Name, listed(p.Domains))
				}
				return next, err
			})
		})
	})
}

// listed formats domains as a line, or "none".
func listed(domains []string) string {
	if len(domains) == 0 {
		return "none"
	}
	return strings.Join(domains, ", ")
}

// projectDomainsCommand prints and changes domains.
type projectDomainsCommand struct {
	ownedStorage
	Project string   `arg:"" help:"Name, id or public id of the project."`
	Add     []string `placeholder:"HOST" help:"Domain to add, with its subdomains. Can be repeated."`
	Remove  []string `placeholder:"HOST" help:"Domain to remove. Can be repeated."`
}

// Run changes the domains and prints them. A running service sees the change within two seconds.
func (c *projectDomainsCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *projectDomainsCommand) run(ctx context.Context, out io.Writer) error {
	return c.asOwner(ctx, func(a *app.Accounts, owner identity.Caller) error {
		project, err := findProject(ctx, a, owner, c.Project)
		if err != nil {
			return err
		}
		if len(c.Add)+len(c.Remove) > 0 {
			remaining, err := without(project.Domains, c.Remove)
			if err != nil {
				return err
			}
			domains := append(remaining, c.Add...)
			if project, err = a.Projects.Update(ctx, owner, project.ID, projects.Update{Domains: &domains}); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(out, "Domains of %s: %s\n", project.Name, listed(project.Domains))
		return err
	})
}

// without returns the domains that aren't removed; removing one that isn't there is an error.
func without(domains, remove []string) ([]string, error) {
	remaining := slices.Clone(domains)
	for _, r := range remove {
		at := slices.IndexFunc(remaining, func(d string) bool { return strings.EqualFold(d, r) })
		if at < 0 {
			return nil, fmt.Errorf("the project doesn't have the domain %s; its domains: %s", r, listed(domains))
		}
		remaining = slices.Delete(remaining, at, at+1)
	}
	return remaining, nil
}

// findProject returns the owner's project with an ID, a public ID or a name. An ambiguous name is an error: it must be
// clear what is changed.
func findProject(ctx context.Context, a *app.Accounts, owner identity.Caller, name string) (projects.Project, error) {
	var byID *projects.Project
	var named []string
	err := everyPage(func(after string) (string, error) {
		found, next, err := a.Projects.List(ctx, owner, cursor.Page{After: after, Limit: cursor.MaxLimit})
		for _, p := range found {
			if p.ID == name || p.PublicID == name {
				byID = &p
				return "", nil
			}
			if p.Name == name {
				named = append(named, p.PublicID)
			}
		}
		return next, err
	})
	if err != nil {
		return projects.Project{}, err
	}
	if byID != nil {
		return *byID, nil
	}
	if len(named) > 1 {
		return projects.Project{}, fmt.Errorf("the account has %d projects named %q: use the public id of one, %s",
			len(named), name, strings.Join(named, " or "))
	}
	project, err := a.Projects.ByName(ctx, owner, name)
	if apperr.CodeOf(err) == apperr.NotFound {
		return projects.Project{}, fmt.Errorf(
			"the account has no project %q: `masthead project list` shows its projects; --owner names another account", name)
	}
	return project, err
}
