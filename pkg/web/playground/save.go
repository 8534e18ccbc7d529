package playground

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/tickets"
	"masthead/pkg/web/snippets"
	"masthead/pkg/web/ui"
)

// act serves POST /try/{ticket}: it saves the chosen image, or adds the page's domain to a project. Visitors register
// first, and come back to their choices.
func (p *Pages) act(c echo.Context) error {
	if err := p.fromHere(c); err != nil {
		return err
	}
	r := c.Request()
	ctx := r.Context()
	caller := identity.CallerOf(ctx)
	form := ui.NewForm(ui.Input{Name: "file", Label: "File"})
	file, fileErr := form.ReadUpload(c, "file", tickets.MaxUpload)
	if fileErr != nil && !errors.Is(fileErr, ui.ErrTooLarge) {
		return fileErr
	}
	if fileErr != nil { // its choices couldn't be read either, but the address of the form has them
		r.Form = c.QueryParams()
	}
	choices, fault := tickets.ParseChoices(r.Form)
	t, err := p.tickets.Find(ctx, caller, c.Param("ticket"))
	if err == nil {
		t, err = p.tickets.WithLogo(ctx, t, choices)
	}
	if err != nil {
		return p.orExpired(c, err, choices)
	}
	here := pathOf(t.ID, choices.PageQuery())
	if form.Typed("do") == "logo" || fileErr != nil {
		return p.putLogo(c, form, t, choices, file, fileErr)
	}
	if caller.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/register?"+url.Values{"next": {here}}.Encode())
	}
	if t.State == tickets.Reading || t.State == tickets.Failed && choices.Content.Title == "" {
		return c.Redirect(http.StatusSeeOther, here)
	}
	var to string
	switch form.Typed("do") {
	case "save":
		to, err = p.save(c, form, t, choices, nil)
	case "ai":
		ai := map[string]any{}
		if prompt := form.Optional("prompt"); prompt != nil {
			ai["prompt"] = *prompt
		}
		to, err = p.save(c, form, t, choices, ai)
	case "domain":
		to, err = p.addDomain(c, form, t, choices)
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if err == nil {
		return c.Redirect(http.StatusSeeOther, to)
	}
	form.Refuse(c, err)
	return p.refused(c, form, t, choices, fault)
}

// keepTime is how long saving a card may hold up someone who has just registered.
const keepTime = 10 * time.Second

// Keep saves the card that a visitor had chosen, whose page has an address of this site, for the account that they have
// just registered, and returns the path of its page. What can't be saved now can be saved there: then it returns the
// address.
func (p *Pages) Keep(c echo.Context, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	id, ok := strings.CutPrefix(u.Path, "/try/")
	if !ok || strings.Contains(id, "/") {
		return address
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), keepTime)
	defer cancel()
	c.SetRequest(c.Request().WithContext(ctx))
	to, err := p.keep(c, id, u.Query())
	if err != nil {
		slog.InfoContext(ctx, "a card chosen before registering isn't saved", "err", err)
	}
	return cmp.Or(to, address)
}

// keep is Keep for a ticket and the choices in a query. It returns "" for a page that has no card.
func (p *Pages) keep(c echo.Context, id string, q url.Values) (to string, err error) {
	choices, err := tickets.ParseChoices(q)
	if err != nil {
		return "", err
	}
	ctx := c.Request().Context()
	t, err := p.tickets.Find(ctx, identity.CallerOf(ctx), id)
	if err == nil {
		t, err = p.tickets.WithLogo(ctx, t, choices)
	}
	if err != nil || t.State == tickets.Reading || t.State == tickets.Failed && choices.Content.Title == "" {
		return "", err
	}
	return p.save(c, ui.NewForm(), t, choices, nil)
}

// refused responds with the page and what is wrong with the form that was sent.
func (p *Pages) refused(c echo.Context, form *ui.Form, t *tickets.Ticket, choices tickets.Choices, fault error) error {
	ctx := c.Request().Context()
	v, err := p.view(ctx, identity.CallerOf(ctx), t, choices, fault)
	if err != nil {
		return err
	}
	if err := p.addOwn(c, v, t, choices); err != nil {
		return err
	}
	v.Failed, v.FileFault = form, form.Input("file").Error
	return p.render(c, form.Status, "whole", v)
}

// putLogo keeps an uploaded logo with the ticket, for everyone: it is only stored for longer once a card is saved.
func (p *Pages) putLogo(
	c echo.Context, form *ui.Form, t *tickets.Ticket, choices tickets.Choices, file ui.Upload, fault error,
) error {
	ctx := c.Request().Context()
	switch {
	case t.State == tickets.Reading:
		return c.Redirect(http.StatusSeeOther, pathOf(t.ID, choices.PageQuery()))
	case fault != nil:
		form.Fault("file", "This file is too large. The limit is 2 MB.")
	case len(file.Data) == 0:
		form.Fault("file", "Choose a file.")
	default:
		key, err := p.tickets.PutLogo(ctx, identity.CallerOf(ctx), t, file.Data)
		if err == nil {
			choices.Logo, choices.LogoPosition = key, cmp.Or(choices.LogoPosition, tickets.Positions[0])
			return c.Redirect(http.StatusSeeOther, pathOf(t.ID, choices.PageQuery())+"#logo")
		}
		if apperr.CodeOf(err) == apperr.NotFound {
			return p.orExpired(c, err, choices)
		}
		form.Refuse(c, err)
		switch apperr.CodeOf(err) {
		case apperr.BadRequest, apperr.UnsupportedMediaType:
			form.Fault("file", form.Error)
			form.Error = ""
		}
	}
	return p.refused(c, form, t, choices, nil)
}

// save draws the chosen image for a project, with the operation generateImage, and returns the path of its page. An
// account without a project gets one for the page's site. ai, if not nil, requests an AI background.
func (p *Pages) save(
	c echo.Context, form *ui.Form, t *tickets.Ticket, choices tickets.Choices, ai map[string]any,
) (string, error) {
	r, err := t.Request(choices, "")
	if err != nil {
		return "", err
	}
	list, err := p.projectsOf(c)
	if err != nil {
		return "", err
	}
	project := choose(list, form.Typed(projectParam), r.Page().Hostname())
	if project == nil {
		if project, err = p.newProject(c, form, t, r); err != nil {
			return "", err
		}
	}
	id := project.Id.String()
	if file := t.Upload(choices); file != nil && choices.LogoPosition != "" {
		logo, err := p.uploadLogo(c, id, file)
		if err != nil {
			return "", err
		}
		if r, err = t.Request(choices, logo); err != nil {
			return "", err
		}
	}
	body := bodyOf(r, id)
	if ai != nil {
		body["ai"] = ai
	}
	out, err := p.generate.Form(c, server.Input{Body: body, ProjectID: id})
	if err != nil {
		return "", err
	}
	var saved gen.Image
	if err := out.Decode(&saved); err != nil {
		return "", err
	}
	return "/dashboard/images/" + saved.Id.String() + "?done=saved", nil
}

// uploadLogo stores a logo as an asset of a project and returns its address.
func (p *Pages) uploadLogo(c echo.Context, project string, file []byte) (string, error) {
	out, err := p.upload.Form(c, server.Input{
		Path: map[string]string{"projectId": project}, Query: url.Values{"name": {"Logo"}}, Body: bytes.NewReader(file),
		Header: http.Header{echo.HeaderContentType: {"image/png"}},
	})
	if err != nil {
		return "", err
	}
	var made gen.ProjectAsset
	err = out.Decode(&made)
	return made.Url, err
}

// newProject creates a project for the site of a page. A form that is sent again creates none.
func (p *Pages) newProject(c echo.Context, form *ui.Form, t *tickets.Ticket, r card.Request) (*gen.Project, error) {
	host := r.Page().Hostname()
	const mostName = 100
	name := []rune(cmp.Or(t.Facts.Texts.SiteName, host))
	in := server.Input{Body: map[string]any{
		"name": string(name[:min(len(name), mostName)]), "domains": []string{host},
	}}
	if again := form.Typed("again"); again != "" {
		in.Header = http.Header{"Idempotency-Key": {again}}
	}
	out, err := p.create.Form(c, in)
	if err != nil {
		return nil, err
	}
	var made gen.Project
	err = out.Decode(&made)
	return &made, err
}

// bodyOf returns the body of generateImage for a request.
func bodyOf(r card.Request, project string) map[string]any {
	body := map[string]any{"url": r.URL, "projectId": project, "kind": r.Kind}
	if r.Kind == card.IconSet {
		return body
	}
	style := map[string]any{"dark": r.Style.Dark, "font": r.Style.Font}
	if r.Style.Accent != "" {
		style["accent"] = r.Style.Accent
	}
	if r.Style.AspectRatio != "" {
		style["aspectRatio"] = r.Style.AspectRatio
	}
	if r.Style.Logo != nil {
		style["logo"] = r.Style.Logo
	}
	body["template"], body["style"] = r.Template, style
	if r.Content != (card.Content{}) {
		body["content"] = r.Content
	}
	if len(r.Sizes) > 0 {
		sizes := make([]gen.FurtherSize, len(r.Sizes))
		for i, size := range r.Sizes {
			sizes[i] = gen.FurtherSize{Width: size.X, Height: size.Y}
		}
		body["sizes"] = sizes
	}
	return body
}

// addDomain adds the host of the page to the domains of a project, and returns the path of the part that then shows its
// public URL.
func (p *Pages) addDomain(c echo.Context, form *ui.Form, t *tickets.Ticket, choices tickets.Choices) (string, error) {
	list, err := p.projectsOf(c)
	if err != nil {
		return "", err
	}
	project := choose(list, form.Typed(projectParam), t.Page.Hostname())
	if project == nil {
		return "", apperr.New(apperr.NotFound, "There is no project with this ID.")
	}
	id := project.Id.String()
	if snippets.ProjectOf(*project, t.Page.Hostname()).Lacks != "" {
		_, err = p.update.Form(c, server.Input{
			Path: map[string]string{"projectId": id},
			Body: map[string]any{"domains": append(project.Domains, t.Page.Hostname())},
		})
		if err != nil {
			return "", err
		}
	}
	q := choices.PageQuery()
	q.Set(projectParam, id)
	if snippet := form.Typed(snippets.Param); snippet != "" {
		q.Set(snippets.Param, snippet)
	}
	return pathOf(t.ID, q) + "#" + snippets.Anchor, nil
}
