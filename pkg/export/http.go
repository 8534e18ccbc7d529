package export

import (
	"context"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on exports.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// CreateExport serves POST /users/me/export.
func (a *API) CreateExport(
	ctx context.Context, _ gen.CreateExportRequestObject,
) (gen.CreateExportResponseObject, error) {
	begun, err := a.service.Request(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CreateExport202JSONResponse{
		Body: wireExport(begun), Headers: gen.CreateExport202ResponseHeaders{Location: "/users/me/export/" + begun.ID},
	}, nil
}

// GetExport serves GET /users/me/export/{exportId}.
func (a *API) GetExport(ctx context.Context, r gen.GetExportRequestObject) (gen.GetExportResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ExportId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetExport200JSONResponse(wireExport(found)), nil
}

// DownloadExport serves GET /users/me/export/{exportId}/file.
func (a *API) DownloadExport(
	ctx context.Context, r gen.DownloadExportRequestObject,
) (gen.DownloadExportResponseObject, error) {
	f, size, err := a.service.Open(ctx, identity.CallerOf(ctx), r.ExportId.String())
	if err != nil {
		return nil, err
	}
	return gen.DownloadExport200ApplicationzipResponse{
		Body: f, ContentLength: size, Headers: gen.DownloadExport200ResponseHeaders{
			ContentDisposition: `attachment; filename="masthead-export.zip"`,
		},
	}, nil
}

func wireExport(e Export) gen.Export {
	w := gen.Export{
		Id: wire.UUID(e.ID), State: gen.ExportState(e.State), CreatedAt: wire.Moment(e.CreatedAt),
		ExpiresAt: wire.Moment(e.ExpiresAt),
	}
	if e.State == Ready {
		w.Size, w.FileUrl = new(int(e.Size)), &e.URL
	}
	return w
}
