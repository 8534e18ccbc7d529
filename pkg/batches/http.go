package batches

import (
	"context"
	"encoding/json"
	"fmt"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/images"
	"masthead/pkg/wire"
)

// API has the operations on batches.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// CreateBatch serves POST /images/batch: it accepts images that are drawn in the background.
func (a *API) CreateBatch(
	ctx context.Context, r gen.CreateBatchRequestObject,
) (gen.CreateBatchResponseObject, error) {
	entries := make([]New, len(r.Body.Requests))
	for i, request := range r.Body.Requests {
		text, err := json.Marshal(request)
		if err != nil {
			return nil, fmt.Errorf("encode request %d: %w", i, err)
		}
		entries[i] = New{ProjectID: request.ProjectId.String(), URL: request.Url, Request: text}
	}
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), entries)
	if err != nil {
		return nil, err
	}
	return gen.CreateBatch202JSONResponse{
		Body: wireBatch(made), Headers: gen.CreateBatch202ResponseHeaders{Location: "/images/batches/" + made.ID},
	}, nil
}

// GetBatch serves GET /images/batches/{batchId}: the progress of a batch, and a page of its results.
func (a *API) GetBatch(ctx context.Context, r gen.GetBatchRequestObject) (gen.GetBatchResponseObject, error) {
	p := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, page, next, err := a.service.Get(ctx, identity.CallerOf(ctx), r.BatchId.String(), p)
	if err != nil {
		return nil, err
	}
	return gen.GetBatch200JSONResponse{
		Batch: wireBatch(found), Items: wire.Items(page, wireEntry), NextCursor: wire.OrNull(next),
	}, nil
}

// readRequest reads the request of an entry, as it was accepted.
func readRequest(text json.RawMessage) (images.Request, error) {
	var body gen.GenerateRequest
	if err := json.Unmarshal(text, &body); err != nil {
		return images.Request{}, fmt.Errorf("read an entry: %w", err)
	}
	return images.ReadRequest(&body)
}

func wireBatch(b Batch) gen.Batch {
	state := gen.BatchStateACTIVE
	if !b.EndedAt.IsZero() {
		state = gen.BatchStateDONE
	}
	return gen.Batch{
		Id: wire.UUID(b.ID), State: state, Total: b.Total, Waiting: b.Waiting, Failed: b.Failed,
		CreatedAt: wire.Moment(b.CreatedAt), EndedAt: wire.MomentOrNull(b.EndedAt),
		ExpiresAt: wire.MomentOrNull(b.ExpiresAt()),
	}
}

func wireEntry(e Entry) gen.BatchResult {
	result := gen.BatchResult{
		Index: e.Index, Url: e.URL, State: gen.BatchResultState(e.State), ImageId: wire.UUIDOrNull(e.ImageID),
		PublicUrl: wire.OrNull(e.PublicURL),
	}
	if p := e.Problem; p != nil {
		result.Problem = &gen.BatchProblem{
			Code: gen.ErrorCode(p.Code), Status: p.Code.Meaning().Status, Detail: p.Detail,
			Errors: wire.Items(p.Fields, func(f apperr.Field) gen.FieldError {
				return gen.FieldError{Pointer: f.Pointer, Detail: f.Detail}
			}),
		}
	}
	return result
}
