package apikeys

import (
	"context"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on keys.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListKeys serves GET /keys: it returns a page of the caller's keys.
func (a *API) ListKeys(ctx context.Context, r gen.ListKeysRequestObject) (gen.ListKeysResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), wire.ID(r.Params.ProjectId), page)
	if err != nil {
		return nil, err
	}
	return gen.ListKeys200JSONResponse{Items: wire.Items(found, wireKey), NextCursor: wire.OrNull(next)}, nil
}

// CreateKey serves POST /keys: it returns the new key with its secret, which is shown only once.
func (a *API) CreateKey(ctx context.Context, r gen.CreateKeyRequestObject) (gen.CreateKeyResponseObject, error) {
	caller := identity.CallerOf(ctx)
	made, secret, err := a.service.Create(ctx, caller,
		NewKey{ID: caller.ResourceID, Name: r.Body.Name, ProjectID: wire.ID(r.Body.ProjectId)})
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return gen.CreateKey200JSONResponse{
			Body: wireKeyReplay(made), Headers: gen.CreateKey200ResponseHeaders{Location: keyPath(made)},
		}, nil
	}
	return gen.CreateKey201JSONResponse{
		Body: wireKeyWithSecret(made, secret), Headers: gen.CreateKey201ResponseHeaders{Location: keyPath(made)},
	}, nil
}

// DeleteKey serves DELETE /keys/{keyId}.
func (a *API) DeleteKey(ctx context.Context, r gen.DeleteKeyRequestObject) (gen.DeleteKeyResponseObject, error) {
	if err := a.service.Revoke(ctx, identity.CallerOf(ctx), r.KeyId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteKey204Response{}, nil
}

// RotateKey serves POST /keys/{keyId}/rotate: it returns the key with its new secret, which is shown only once.
func (a *API) RotateKey(ctx context.Context, r gen.RotateKeyRequestObject) (gen.RotateKeyResponseObject, error) {
	rotated, secret, err := a.service.Rotate(ctx, identity.CallerOf(ctx), r.KeyId.String())
	if err != nil {
		return nil, err
	}
	return gen.RotateKey201JSONResponse{
		Body: wireKeyWithSecret(rotated, secret), Headers: gen.RotateKey201ResponseHeaders{Location: keyPath(rotated)},
	}, nil
}

// keyPath returns the path for deleting and rotating a key.
func keyPath(k Key) string { return "/keys/" + k.ID }

// wireKey converts k for a response.
func wireKey(k Key) gen.Key {
	return gen.Key{
		Id: wire.UUID(k.ID), Name: k.Name, Prefix: k.Prefix, ProjectId: wire.UUIDOrNull(k.ProjectID),
		CreatedAt: wire.Moment(k.CreatedAt), LastUsedAt: wire.MomentOrNull(k.LastUsedAt),
	}
}

func wireKeyWithSecret(k Key, secret string) gen.KeyWithSecret {
	w := wireKey(k)
	return gen.KeyWithSecret{
		Id: w.Id, Name: w.Name, Prefix: w.Prefix, ProjectId: w.ProjectId, CreatedAt: w.CreatedAt,
		LastUsedAt: w.LastUsedAt, Secret: secret,
	}
}

// wireKeyReplay returns a key that an interrupted attempt at the same request created.
func wireKeyReplay(k Key) gen.KeyReplay {
	w := wireKey(k)
	return gen.KeyReplay{
		Id: w.Id, Name: w.Name, Prefix: w.Prefix, ProjectId: w.ProjectId, CreatedAt: w.CreatedAt,
		LastUsedAt: w.LastUsedAt, Notice: "The first request that made this key was interrupted, so its secret was never " +
			"shown. Rotate the key to get one: POST /keys/{keyId}/rotate.",
	}
}
