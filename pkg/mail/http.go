package mail

import (
	"context"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on mails.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListOutbox serves GET /admin/outbox: it returns a page of mails.
func (a *API) ListOutbox(ctx context.Context, r gen.ListOutboxRequestObject) (gen.ListOutboxResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), string(wire.Value(r.Params.State)), page)
	if err != nil {
		return nil, err
	}
	return gen.ListOutbox200JSONResponse{Items: wire.Items(found, wireMail), NextCursor: wire.OrNull(next)}, nil
}

// CreateOutboxLink serves POST /admin/outbox/{mailId}/link: it returns a link of a mail that waits.
func (a *API) CreateOutboxLink(
	ctx context.Context, r gen.CreateOutboxLinkRequestObject,
) (gen.CreateOutboxLinkResponseObject, error) {
	link, expires, err := a.service.ShowLink(ctx, identity.CallerOf(ctx), r.MailId.String())
	if err != nil {
		return nil, err
	}
	return gen.CreateOutboxLink200JSONResponse{Url: link, ExpiresAt: wire.Moment(expires)}, nil
}

// ResendOutbox serves POST /admin/outbox/resend: it sends failed mails again.
func (a *API) ResendOutbox(
	ctx context.Context, r gen.ResendOutboxRequestObject,
) (gen.ResendOutboxResponseObject, error) {
	count, err := a.service.Resend(ctx, identity.CallerOf(ctx), Kind(wire.Value(r.Params.Kind)))
	if err != nil {
		return nil, err
	}
	return gen.ResendOutbox202JSONResponse{Count: count, More: count == maxResent}, nil
}

// Unsubscribe serves POST /mail/unsubscribe/{token}.
func (a *API) Unsubscribe(ctx context.Context, r gen.UnsubscribeRequestObject) (gen.UnsubscribeResponseObject, error) {
	if err := a.service.Unsubscribe(ctx, r.Token); err != nil {
		return nil, err
	}
	return gen.Unsubscribe204Response{}, nil
}

func wireMail(m row) gen.OutboxMail {
	wired := gen.OutboxMail{
		Id: wire.UUID(m.ID), Kind: gen.MailKind(m.Kind), Recipient: m.Recipient, UserId: wire.UUIDOrNull(m.UserID.String),
		State: gen.MailState(m.State), Error: wire.OrNull(m.Error), CreatedAt: wire.Moment(m.CreatedAt.Time),
	}
	if m.EndedAt != nil {
		wired.EndedAt = wire.MomentOrNull(m.EndedAt.Time)
	}
	return wired
}
