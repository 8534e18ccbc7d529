package projects

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/identity"
)

// API has the operations of projects.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListProjects implements gen.StrictServerInterface.
func (a *API) ListProjects(ctx context.Context, r gen.ListProjectsRequestObject) (gen.ListProjectsResponseObject, error) {
	var cursor string
	if r.Params.Cursor != nil {
		cursor = *r.Params.Cursor
	}
	limit := defaultPage
	if r.Params.Limit != nil {
		limit = *r.Params.Limit
	}
	list, next, err := a.service.List(ctx, identity.CallerOf(ctx).UserID, cursor, limit)
	if err != nil {
		return nil, err
	}
	page := gen.ListProjects200JSONResponse{Items: make([]gen.Project, len(list))}
	for i, p := range list {
		if page.Items[i], err = body(p); err != nil {
			return nil, err
		}
	}
	if next != "" {
		page.NextCursor = &next
	}
	return page, nil
}

// CreateProject implements gen.StrictServerInterface.
func (a *API) CreateProject(ctx context.Context, r gen.CreateProjectRequestObject) (gen.CreateProjectResponseObject, error) {
	n := NewProject{Name: r.Body.Name, PublicAI: true}
	if r.Body.Domains != nil {
		n.Domains = *r.Body.Domains
	}
	if r.Body.PublicAi != nil {
		n.PublicAI = *r.Body.PublicAi
	}
	p, err := a.service.Create(ctx, identity.CallerOf(ctx).UserID, n)
	if err != nil {
		return nil, err
	}
	made, err := body(p)
	if err != nil {
		return nil, err
	}
	return gen.CreateProject201JSONResponse(made), nil
}

// GetProject implements gen.StrictServerInterface.
func (a *API) GetProject(ctx context.Context, r gen.GetProjectRequestObject) (gen.GetProjectResponseObject, error) {
	p, err := a.service.Get(ctx, identity.CallerOf(ctx).UserID, r.ProjectId.String())
	if err != nil {
		return nil, err
	}
	found, err := body(p)
	if err != nil {
		return nil, err
	}
	return gen.GetProject200JSONResponse(found), nil
}

// UpdateProject implements gen.StrictServerInterface.
func (a *API) UpdateProject(ctx context.Context, r gen.UpdateProjectRequestObject) (gen.UpdateProjectResponseObject, error) {
	p, err := a.service.Update(ctx, identity.CallerOf(ctx).UserID, r.ProjectId.String(),
		Update{Name: r.Body.Name, Domains: r.Body.Domains, PublicAI: r.Body.PublicAi})
	if err != nil {
		return nil, err
	}
	changed, err := body(p)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProject200JSONResponse(changed), nil
}

// DeleteProject implements gen.StrictServerInterface.
func (a *API) DeleteProject(ctx context.Context, r gen.DeleteProjectRequestObject) (gen.DeleteProjectResponseObject, error) {
	if err := a.service.Delete(ctx, identity.CallerOf(ctx).UserID, r.ProjectId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteProject204Response{}, nil
}

// body returns p as answers show it.
func body(p Project) (gen.Project, error) {
	id, err1 := uuid.Parse(p.ID)
	ownerID, err2 := uuid.Parse(p.OwnerID)
	if err := errors.Join(err1, err2); err != nil {
		return gen.Project{}, fmt.Errorf("read the ids of project %s: %w", p.ID, err)
	}
	return gen.Project{
		Id: id, PublicId: p.PublicID, OwnerId: ownerID, Name: p.Name, Domains: p.Domains, PublicAi: p.PublicAI,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}, nil
}
