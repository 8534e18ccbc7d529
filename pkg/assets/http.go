package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on assets.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListAssets serves GET /projects/{projectId}/assets: it returns a page of a project's assets.
func (a *API) ListAssets(ctx context.Context, r gen.ListAssetsRequestObject) (gen.ListAssetsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), r.ProjectId.String(), page)
	if err != nil {
		return nil, err
	}
	return gen.ListAssets200JSONResponse{Items: wire.Items(found, wireAsset), NextCursor: wire.OrNull(next)}, nil
}

// CreateAsset serves POST /projects/{projectId}/assets: it stores an uploaded picture or font.
func (a *API) CreateAsset(ctx context.Context, r gen.CreateAssetRequestObject) (gen.CreateAssetResponseObject, error) {
	if r.Body == nil {
		return nil, apperr.New(apperr.BadRequest, "The body is required: the bytes of a picture or font.")
	}
	name, file, err := upload(r.ContentType, r.Body)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over), apperr.CodeOf(err) == apperr.BadRequest:
		return nil, err
	case err != nil:
		return nil, apperr.Wrap(apperr.BadRequest, "The body could not be read to its end.", err)
	case len(file) > MaxBytes: // a call within the program has no limit of its own
		return nil, apperr.New(apperr.PayloadTooLarge, fmt.Sprintf("The file is larger than %d MiB.", MaxBytes>>20))
	}
	name = cmp.Or(wire.Value(r.Params.Name), name)
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), r.ProjectId.String(), name, file)
	if err != nil {
		return nil, err
	}
	return gen.CreateAsset201JSONResponse{
		Body:    wireAsset(made),
		Headers: gen.CreateAsset201ResponseHeaders{Location: "/projects/" + made.ProjectID + "/assets/" + made.ID},
	}, nil
}

// maxFields is how many fields of a form may come before the file.
const maxFields = 32

// upload returns the file of a body: all of it, or the first file of a form, with its name.
func upload(contentType string, body io.Reader) (name string, file []byte, err error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" {
		file, err = io.ReadAll(body)
		return "", file, err
	}
	form := multipart.NewReader(body, params["boundary"])
	for range maxFields + 1 {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", nil, err
		}
		if part.FileName() != "" {
			file, err = io.ReadAll(part)
			return part.FileName(), file, err
		}
	}
	return "", nil, apperr.New(apperr.BadRequest,
		fmt.Sprintf("The form has no file, or more than %d fields before it.", maxFields))
}

// GetAsset serves GET /projects/{projectId}/assets/{assetId}: it returns an asset of a project.
func (a *API) GetAsset(ctx context.Context, r gen.GetAssetRequestObject) (gen.GetAssetResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ProjectId.String(), r.AssetId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetAsset200JSONResponse(wireAsset(found)), nil
}

// DeleteAsset serves DELETE /projects/{projectId}/assets/{assetId}.
func (a *API) DeleteAsset(ctx context.Context, r gen.DeleteAssetRequestObject) (gen.DeleteAssetResponseObject, error) {
	err := a.service.Delete(ctx, identity.CallerOf(ctx), r.ProjectId.String(), r.AssetId.String())
	if err != nil {
		return nil, err
	}
	return gen.DeleteAsset204Response{}, nil
}

// wireAsset converts a for a response.
func wireAsset(a Asset) gen.ProjectAsset {
	var font *gen.ProjectFont
	if f := a.Font; f != nil {
		font = &gen.ProjectFont{Family: f.Family, MinWeight: f.MinWeight, MaxWeight: f.MaxWeight, Italic: f.Italic}
	}
	return gen.ProjectAsset{
		Font: font, Id: wire.UUID(a.ID), ProjectId: wire.UUID(a.ProjectID), Name: a.Name, Url: a.URL,
		ContentType: gen.ProjectAssetContentType(a.ContentType), Width: a.Width, Height: a.Height,
		SizeBytes: int(a.SizeBytes), CreatedAt: wire.Moment(a.CreatedAt),
	}
}
