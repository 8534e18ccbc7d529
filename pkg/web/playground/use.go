package playground

import (
	"cmp"
	"net/url"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/card"
	"masthead/pkg/server"
	"masthead/pkg/tickets"
	"masthead/pkg/web/snippets"
	"masthead/pkg/web/ui"
	"masthead/pkg/wire"
)

// projectParam is the parameter, and the field of forms, that names a project by its ID.
const projectParam = "project"

// addOwn adds what depends on the visitor: their projects to save into, and how to use the image, with the IDs of the
// chosen project.
func (p *Pages) addOwn(c echo.Context, v *view, t *tickets.Ticket, choices tickets.Choices) error {
	if v.Headline != "" {
		return nil
	}
	r, err := t.Request(choices, "")
	if err != nil {
		return err
	}
	v.SignedIn = ui.SignedIn(c)
	v.LogoFile = t.Upload(choices) != nil && choices.LogoPosition != ""
	q := choices.PageQuery()
	v.Register = "/register?" + url.Values{"next": {pathOf(t.ID, q)}}.Encode()
	var project *snippets.Project
	if v.SignedIn {
		list, err := p.projectsOf(c)
		if err != nil {
			return err
		}
		if chosen := choose(list, c.QueryParam(projectParam), r.Page().Hostname()); chosen != nil {
			project = snippets.ProjectOf(*chosen, r.Page().Hostname())
			project.Act = v.Ticket
		}
		for _, of := range list {
			id := of.Id.String()
			v.Projects = append(v.Projects, choice{Value: id, Name: of.Name, Chosen: project != nil && id == project.ID})
		}
		if p.ai && choices.Kind != card.IconSet {
			if v.AI, err = p.unitsOf(c); err != nil {
				return err
			}
			v.AI.Bare = v.Selected != nil && v.Selected.Bare
		}
		v.Again = uuid.Must(uuid.NewV7()).String()
	}
	if v.Selected == nil {
		return nil
	}
	if id := c.QueryParam(projectParam); id != "" {
		q.Set(projectParam, id)
	}
	asked := c.QueryParam(snippets.Param)
	last, err := p.lastSnippet(c)
	if err != nil {
		return err
	}
	if shown := cmp.Or(asked, last); shown != "" {
		q.Set(snippets.Param, shown)
	}
	if v.Use, err = snippets.NewUse(snippets.Values{Base: p.base, Request: r}, project, v.Ticket, q); err != nil {
		return err
	}
	v.Use.SignedIn = v.SignedIn
	if asked == v.Use.Chosen.ID {
		v.For = asked
	}
	return nil
}

// lastSnippet returns the ID of the snippet that the account used last, "" for none and for visitors.
func (p *Pages) lastSnippet(c echo.Context) (string, error) {
	if !ui.SignedIn(c) {
		return "", nil
	}
	out, err := p.me.Read(c, server.Input{})
	if err != nil {
		return "", err
	}
	var me gen.User
	err = out.Decode(&me)
	return wire.Value(me.Snippet), err
}

// units are the AI pictures of an account in this month.
type units struct {
	Left, Limit int
	// Bare means that the chosen design takes none.
	Bare bool
}

func (p *Pages) unitsOf(c echo.Context) (*units, error) {
	out, err := p.usage.Read(c, server.Input{})
	if err != nil {
		return nil, err
	}
	var used gen.Usage
	err = out.Decode(&used)
	return &units{Left: used.Ai.Left, Limit: used.Ai.Limit}, err
}

// projectsOf returns the projects of the person who is signed in, newest first. An account has at most 100.
func (p *Pages) projectsOf(c echo.Context) ([]gen.Project, error) {
	out, err := p.projects.Read(c, server.Input{Query: url.Values{"limit": {"100"}}})
	if err != nil {
		return nil, err
	}
	var list gen.ProjectPage
	err = out.Decode(&list)
	return list.Items, err
}

// choose returns the project with an ID, otherwise one with a domain for a host, otherwise the newest, or nil.
func choose(list []gen.Project, id, host string) *gen.Project {
	var found *gen.Project
	for i := range list {
		if list[i].Id.String() == id {
			return &list[i]
		}
		if found == nil && snippets.ProjectOf(list[i], host).Lacks == "" {
			found = &list[i]
		}
	}
	if found == nil && len(list) > 0 {
		found = &list[0]
	}
	return found
}
