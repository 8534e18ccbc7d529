package projects

import (
	"cmp"
	"context"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
	"masthead/render"
)

// API has the operations on projects.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListProjects serves GET /projects: it returns a page of the caller's projects.
func (a *API) ListProjects(
	ctx context.Context, r gen.ListProjectsRequestObject,
) (gen.ListProjectsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	list := a.service.List
	if r.Params.Problem != nil {
		list = a.service.ListFailing
	}
	found, next, err := list(ctx, identity.CallerOf(ctx), page)
	if err != nil {
		return nil, err
	}
	items, err := a.wire(ctx, found...)
	if err != nil {
		return nil, err
	}
	return gen.ListProjects200JSONResponse{Items: items, NextCursor: wire.OrNull(next)}, nil
}

// wire converts projects for a response, with the checks of their domains and what is to be redrawn.
func (a *API) wire(ctx context.Context, list ...Project) ([]gen.Project, error) {
	checks, err := a.service.Checks(ctx, list)
	if err != nil {
		return nil, err
	}
	outdated, err := a.service.Outdated(ctx, list)
	if err != nil {
		return nil, err
	}
	return wire.Items(list, func(p Project) gen.Project { return wireProject(p, checks[p.ID], outdated[p.ID]) }), nil
}

// CreateProject serves POST /projects: it returns the new project.
func (a *API) CreateProject(
	ctx context.Context, r gen.CreateProjectRequestObject,
) (gen.CreateProjectResponseObject, error) {
	caller := identity.CallerOf(ctx)
	made, err := a.service.Create(ctx, caller, NewProject{
		ID: caller.ResourceID, Name: r.Body.Name, Domains: wire.Value(r.Body.Domains),
		PublicAI: wire.ValueOr(r.Body.PublicAi, true),
	})
	if err != nil {
		return nil, err
	}
	out, err := a.wire(ctx, made)
	if err != nil {
		return nil, err
	}
	return gen.CreateProject201JSONResponse{
		Body: out[0], Headers: gen.CreateProject201ResponseHeaders{Location: "/projects/" + made.ID},
	}, nil
}

// GetProject serves GET /projects/{projectId}: it returns a project of the caller.
func (a *API) GetProject(ctx context.Context, r gen.GetProjectRequestObject) (gen.GetProjectResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ProjectId.String())
	if err != nil {
		return nil, err
	}
	out, err := a.wire(ctx, found)
	if err != nil {
		return nil, err
	}
	return gen.GetProject200JSONResponse(out[0]), nil
}

// UpdateProject serves PATCH /projects/{projectId}: it returns the updated project.
func (a *API) UpdateProject(
	ctx context.Context, r gen.UpdateProjectRequestObject,
) (gen.UpdateProjectResponseObject, error) {
	change := Update{
		Name: r.Body.Name, Domains: r.Body.Domains, PublicAI: r.Body.PublicAi, RequireSignature: r.Body.RequireSignature,
	}
	if b := r.Body.Brand; b != nil {
		change.Template, change.Accent, change.LogoID = b.Template, b.Accent, b.LogoAssetId
		change.LogoPosition = (*string)(b.LogoPosition)
		change.HeadingFont, change.TextFont = b.HeadingFont, b.TextFont
	}
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.ProjectId.String(), change)
	if err != nil {
		return nil, err
	}
	out, err := a.wire(ctx, changed)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProject200JSONResponse(out[0]), nil
}

// DeleteProject serves DELETE /projects/{projectId}.
func (a *API) DeleteProject(
	ctx context.Context, r gen.DeleteProjectRequestObject,
) (gen.DeleteProjectResponseObject, error) {
	if err := a.service.Delete(ctx, identity.CallerOf(ctx), r.ProjectId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteProject204Response{}, nil
}

// ListSigningKeys serves GET /projects/{projectId}/signing-keys: the keys of a project of the caller.
func (a *API) ListSigningKeys(
	ctx context.Context, r gen.ListSigningKeysRequestObject,
) (gen.ListSigningKeysResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ProjectId.String())
	if err != nil {
		return nil, err
	}
	return gen.ListSigningKeys200JSONResponse{Items: wire.Items(found.SigningKeys, wireSigningKey)}, nil
}

// CreateSigningKey serves POST /projects/{projectId}/signing-keys: it returns the keys of a project, with a new one.
func (a *API) CreateSigningKey(
	ctx context.Context, r gen.CreateSigningKeyRequestObject,
) (gen.CreateSigningKeyResponseObject, error) {
	changed, err := a.service.RotateSigningKey(ctx, identity.CallerOf(ctx), r.ProjectId.String())
	if err != nil {
		return nil, err
	}
	return gen.CreateSigningKey201JSONResponse{Items: wire.Items(changed.SigningKeys, wireSigningKey)}, nil
}

func wireSigningKey(secret string) gen.SigningKey { return gen.SigningKey{Secret: secret} }

func wireBrand(b Brand) gen.Brand {
	out := gen.Brand{
		Template: cmp.Or(b.Template, render.DefaultTemplate), Accent: wire.OrNull(b.Accent),
		LogoPosition: gen.LogoPosition(cmp.Or(b.LogoPosition, render.DefaultLogoPosition)),
		HeadingFont:  wire.OrNull(b.HeadingFont), TextFont: wire.OrNull(b.TextFont),
	}
	if b.LogoFile != "" {
		out.LogoAssetId = wire.OrNull(b.LogoID)
	}
	return out
}

func wireCheck(c DomainCheck) gen.DomainCheck {
	return gen.DomainCheck{
		Domain: c.Domain, State: gen.DomainState(c.State), Detail: wire.OrNull(c.Detail), CheckedAt: wire.MomentOrNull(c.At),
	}
}

// wireProject converts p for a response.
func wireProject(p Project, checks []DomainCheck, outdated int) gen.Project {
	return gen.Project{
		Id: wire.UUID(p.ID), PublicId: p.PublicID, OwnerId: wire.UUID(p.OwnerID), Name: p.Name, Domains: p.Domains,
		DomainChecks: wire.Items(checks, wireCheck), PublicAi: p.PublicAI, Brand: wireBrand(p.Brand),
		OutdatedImages:   outdated,
		RequireSignature: p.RequireSignature, CreatedAt: wire.Moment(p.CreatedAt), UpdatedAt: wire.Moment(p.UpdatedAt),
	}
}
