package apikeys

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/identity"
)

// API has the operations of keys.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListKeys implements gen.StrictServerInterface.
func (a *API) ListKeys(ctx context.Context, r gen.ListKeysRequestObject) (gen.ListKeysResponseObject, error) {
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
	page := gen.ListKeys200JSONResponse{Items: make([]gen.Key, len(list))}
	for i, k := range list {
		if page.Items[i], err = body(k); err != nil {
			return nil, err
		}
	}
	if next != "" {
		page.NextCursor = &next
	}
	return page, nil
}

// CreateKey implements gen.StrictServerInterface.
func (a *API) CreateKey(ctx context.Context, r gen.CreateKeyRequestObject) (gen.CreateKeyResponseObject, error) {
	var projectID string
	if r.Body.ProjectId != nil {
		projectID = r.Body.ProjectId.String()
	}
	key, secret, err := a.service.Create(ctx, identity.CallerOf(ctx).UserID, r.Body.Name, projectID)
	if err != nil {
		return nil, err
	}
	made, err := bodyWithSecret(key, secret)
	if err != nil {
		return nil, err
	}
	return gen.CreateKey201JSONResponse(made), nil
}

// DeleteKey implements gen.StrictServerInterface.
func (a *API) DeleteKey(ctx context.Context, r gen.DeleteKeyRequestObject) (gen.DeleteKeyResponseObject, error) {
	if err := a.service.Revoke(ctx, identity.CallerOf(ctx).UserID, r.KeyId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteKey204Response{}, nil
}

// RotateKey implements gen.StrictServerInterface.
func (a *API) RotateKey(ctx context.Context, r gen.RotateKeyRequestObject) (gen.RotateKeyResponseObject, error) {
	key, secret, err := a.service.Rotate(ctx, identity.CallerOf(ctx).UserID, r.KeyId.String())
	if err != nil {
		return nil, err
	}
	rotated, err := bodyWithSecret(key, secret)
	if err != nil {
		return nil, err
	}
	return gen.RotateKey201JSONResponse(rotated), nil
}

// body returns k as answers show it.
func body(k Key) (gen.Key, error) {
	id, err := uuid.Parse(k.ID)
	if err != nil {
		return gen.Key{}, fmt.Errorf("read the id of key %s: %w", k.ID, err)
	}
	b := gen.Key{Id: id, Name: k.Name, Prefix: k.Prefix, CreatedAt: k.CreatedAt, LastUsedAt: momentOf(k.LastUsedAt)}
	if k.ProjectID != "" {
		projectID, err := uuid.Parse(k.ProjectID)
		if err != nil {
			return gen.Key{}, fmt.Errorf("read the project of key %s: %w", k.ID, err)
		}
		b.ProjectId = &projectID
	}
	return b, nil
}

func bodyWithSecret(k Key, secret string) (gen.KeyWithSecret, error) {
	b, err := body(k)
	return gen.KeyWithSecret{
		Id: b.Id, Name: b.Name, Prefix: b.Prefix, ProjectId: b.ProjectId, CreatedAt: b.CreatedAt, LastUsedAt: b.LastUsedAt, Secret: secret,
	}, err
}

// momentOf returns nil for the zero time.
func momentOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
