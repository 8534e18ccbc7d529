package playground

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/tickets"
	"masthead/pkg/web/snippets"
)

// addUse adds how to use the image: with the IDs of a project, if the visitor is signed in and has one.
func (p *Pages) addUse(c echo.Context, v *view, t *tickets.Ticket, choices tickets.Choices) error {
	r, err := t.Request(choices)
	if err != nil {
		return err
	}
	signedIn := !identity.CallerOf(c.Request().Context()).Anonymous()
	var project *snippets.Project
	if signedIn {
		if project, err = p.projectFor(c, r.Page().Hostname()); err != nil {
			return err
		}
	}
	q := choices.PageQuery()
	asked := c.QueryParam(snippets.Param)
	if asked != "" {
		q.Set(snippets.Param, asked)
	}
	if v.Use, err = snippets.NewUse(snippets.Values{Base: p.base, Request: r}, project, v.Ticket, q); err != nil {
		return err
	}
	v.Use.SignedIn = signedIn
	if asked == v.Use.Chosen.ID {
		v.For = asked
	}
	return nil
}

// projectFor returns the caller's project with a domain for a host, or the newest, or nil if they have none.
func (p *Pages) projectFor(c echo.Context, host string) (*snippets.Project, error) {
	out, err := p.projects.Read(c, server.Input{Query: url.Values{"limit": {"100"}}})
	if err != nil {
		return nil, err
	}
	var list gen.ProjectPage
	if err := out.Decode(&list); err != nil {
		return nil, err
	}
	var found *snippets.Project
	for _, of := range list.Items {
		project := snippets.ProjectOf(of, host)
		if project.Lacks == "" {
			return project, nil
		}
		if found == nil {
			found = project
		}
	}
	return found, nil
}
