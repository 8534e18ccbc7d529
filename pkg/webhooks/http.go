package webhooks

import (
	"context"
	"time"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on webhooks.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListWebhooks serves GET /webhooks: it returns a page of the caller's webhooks.
func (a *API) ListWebhooks(
	ctx context.Context, r gen.ListWebhooksRequestObject,
) (gen.ListWebhooksResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), wire.ID(r.Params.ProjectId), page)
	if err != nil {
		return nil, err
	}
	return gen.ListWebhooks200JSONResponse{Items: wire.Items(found, wireWebhook), NextCursor: wire.OrNull(next)}, nil
}

// CreateWebhook serves POST /webhooks: it returns the new webhook with its secret, which is shown only once.
func (a *API) CreateWebhook(
	ctx context.Context, r gen.CreateWebhookRequestObject,
) (gen.CreateWebhookResponseObject, error) {
	caller := identity.CallerOf(ctx)
	made, secret, err := a.service.Create(ctx, caller, New{
		ID: caller.ResourceID, URL: r.Body.Url, ProjectID: wire.ID(r.Body.ProjectId), Events: typesIn(r.Body.Events),
	})
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return gen.CreateWebhook200JSONResponse{
			Body: withNotice(made), Headers: gen.CreateWebhook200ResponseHeaders{Location: pathOf(made)},
		}, nil
	}
	return gen.CreateWebhook201JSONResponse{
		Body: withSecret(made, secret), Headers: gen.CreateWebhook201ResponseHeaders{Location: pathOf(made)},
	}, nil
}

// GetWebhook serves GET /webhooks/{webhookId}: one webhook of the caller.
func (a *API) GetWebhook(ctx context.Context, r gen.GetWebhookRequestObject) (gen.GetWebhookResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.WebhookId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetWebhook200JSONResponse(wireWebhook(found)), nil
}

// UpdateWebhook serves PATCH /webhooks/{webhookId}: it changes what is given, and returns the webhook.
func (a *API) UpdateWebhook(
	ctx context.Context, r gen.UpdateWebhookRequestObject,
) (gen.UpdateWebhookResponseObject, error) {
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.WebhookId.String(),
		Update{URL: r.Body.Url, Events: typesIn(r.Body.Events), Enabled: r.Body.Enabled})
	if err != nil {
		return nil, err
	}
	return gen.UpdateWebhook200JSONResponse(wireWebhook(changed)), nil
}

// DeleteWebhook serves DELETE /webhooks/{webhookId}.
func (a *API) DeleteWebhook(
	ctx context.Context, r gen.DeleteWebhookRequestObject,
) (gen.DeleteWebhookResponseObject, error) {
	remove := a.service.Delete
	if wire.Value(r.Params.Undo) {
		remove = a.service.DeleteLater
	}
	if err := remove(ctx, identity.CallerOf(ctx), r.WebhookId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteWebhook204Response{}, nil
}

// UndeleteWebhook serves POST /webhooks/{webhookId}/undelete: a webhook of the caller, whose deletion is taken back.
func (a *API) UndeleteWebhook(
	ctx context.Context, r gen.UndeleteWebhookRequestObject,
) (gen.UndeleteWebhookResponseObject, error) {
	found, err := a.service.Undelete(ctx, identity.CallerOf(ctx), r.WebhookId.String())
	if err != nil {
		return nil, err
	}
	return gen.UndeleteWebhook200JSONResponse(wireWebhook(found)), nil
}

// RotateWebhook serves POST /webhooks/{webhookId}/rotate: it returns the webhook with its new secret.
func (a *API) RotateWebhook(
	ctx context.Context, r gen.RotateWebhookRequestObject,
) (gen.RotateWebhookResponseObject, error) {
	rotated, secret, err := a.service.Rotate(ctx, identity.CallerOf(ctx), r.WebhookId.String())
	if err != nil {
		return nil, err
	}
	return gen.RotateWebhook201JSONResponse{
		Body: withSecret(rotated, secret), Headers: gen.RotateWebhook201ResponseHeaders{Location: pathOf(rotated)},
	}, nil
}

// TestWebhook serves POST /webhooks/{webhookId}/test: it sends a test event and returns its delivery.
func (a *API) TestWebhook(ctx context.Context, r gen.TestWebhookRequestObject) (gen.TestWebhookResponseObject, error) {
	made, err := a.service.Test(ctx, identity.CallerOf(ctx), r.WebhookId.String())
	if err != nil {
		return nil, err
	}
	return gen.TestWebhook202JSONResponse(wireDelivery(made)), nil
}

// ReplayWebhook serves POST /webhooks/{webhookId}/replay: it sends the deliveries of a time again.
func (a *API) ReplayWebhook(
	ctx context.Context, r gen.ReplayWebhookRequestObject,
) (gen.ReplayWebhookResponseObject, error) {
	count, err := a.service.ReplayRange(ctx, identity.CallerOf(ctx), r.WebhookId.String(), Range{
		From: time.Time(r.Body.From), To: time.Time(r.Body.To), FailedOnly: wire.Value(r.Body.FailedOnly),
	})
	if err != nil {
		return nil, err
	}
	return gen.ReplayWebhook202JSONResponse{Count: count}, nil
}

// ListWebhookDeliveries serves GET /webhooks/{webhookId}/deliveries: a page of the deliveries to a webhook.
func (a *API) ListWebhookDeliveries(
	ctx context.Context, r gen.ListWebhookDeliveriesRequestObject,
) (gen.ListWebhookDeliveriesResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.Deliveries(ctx, identity.CallerOf(ctx), r.WebhookId.String(), page)
	if err != nil {
		return nil, err
	}
	return gen.ListWebhookDeliveries200JSONResponse{
		Items: wire.Items(found, wireDelivery), NextCursor: wire.OrNull(next),
	}, nil
}

// GetWebhookDelivery serves GET /webhooks/{webhookId}/deliveries/{deliveryId}: a delivery with its responses.
func (a *API) GetWebhookDelivery(
	ctx context.Context, r gen.GetWebhookDeliveryRequestObject,
) (gen.GetWebhookDeliveryResponseObject, error) {
	found, err := a.service.Delivery(ctx, identity.CallerOf(ctx), r.WebhookId.String(), r.DeliveryId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetWebhookDelivery200JSONResponse(wireDelivery(found)), nil
}

// ReplayWebhookDelivery serves POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay: it sends a delivery again.
func (a *API) ReplayWebhookDelivery(
	ctx context.Context, r gen.ReplayWebhookDeliveryRequestObject,
) (gen.ReplayWebhookDeliveryResponseObject, error) {
	found, err := a.service.Replay(ctx, identity.CallerOf(ctx), r.WebhookId.String(), r.DeliveryId.String())
	if err != nil {
		return nil, err
	}
	return gen.ReplayWebhookDelivery202JSONResponse(wireDelivery(found)), nil
}

// typesIn returns the types that a request names, or nil if it names none.
func typesIn(given *[]gen.WebhookEventType) []string {
	if given == nil {
		return nil
	}
	return wire.Items(*given, func(t gen.WebhookEventType) string { return string(t) })
}

func wireWebhook(w Webhook) gen.Webhook {
	state := gen.WebhookStateEnabled
	switch {
	case !w.Enabled:
		state = gen.WebhookStateDisabled
	case w.Paused:
		state = gen.WebhookStatePaused
	}
	return gen.Webhook{
		Id: wire.UUID(w.ID), Url: w.URL, ProjectId: wire.UUIDOrNull(w.ProjectID), State: state,
		Events: wire.Items(w.Events, func(t string) gen.WebhookEventType { return gen.WebhookEventType(t) }),
		Reason: wire.OrNull(w.Reason), PreviousSecretUntil: wire.MomentOrNull(w.PreviousUntil),
		CreatedAt: wire.Moment(w.CreatedAt), UpdatedAt: wire.Moment(w.UpdatedAt),
		LastDay: gen.WebhookDay{
			Delivered: w.LastDay[Delivered], Failed: w.LastDay[Failed], Waiting: w.LastDay[Waiting],
		},
	}
}

// pathOf returns the path of a webhook.
func pathOf(w Webhook) string { return "/webhooks/" + w.ID }

// withNotice returns a webhook that an interrupted attempt at the same request created.
func withNotice(w Webhook) gen.WebhookRepeat {
	v := wireWebhook(w)
	return gen.WebhookRepeat{
		Id: v.Id, Url: v.Url, ProjectId: v.ProjectId, Events: v.Events, State: v.State, Reason: v.Reason,
		PreviousSecretUntil: v.PreviousSecretUntil, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		Notice: "The first request that made this webhook was interrupted, so its secret was never shown. Get a new one: " +
			"POST " + pathOf(w) + "/rotate.",
	}
}

func withSecret(w Webhook, secret string) gen.WebhookWithSecret {
	v := wireWebhook(w)
	return gen.WebhookWithSecret{
		Id: v.Id, Url: v.Url, ProjectId: v.ProjectId, Events: v.Events, State: v.State, Reason: v.Reason,
		PreviousSecretUntil: v.PreviousSecretUntil, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt, Secret: secret,
	}
}

func wireDelivery(d Delivery) gen.WebhookDelivery {
	return gen.WebhookDelivery{
		Id: wire.UUID(d.ID), EventId: wire.UUID(d.EventID), Type: d.Type, State: gen.WebhookDeliveryState(d.State),
		Body: d.Body, EventAt: wire.Moment(d.EventAt), CreatedAt: wire.Moment(d.CreatedAt),
		NextAttemptAt: wire.MomentOrNull(d.NextAt), Attempts: wire.Items(d.Made, wireAttempt),
	}
}

func wireAttempt(a Attempt) gen.WebhookAttempt {
	w := gen.WebhookAttempt{
		At: wire.Moment(a.At), Error: wire.OrNull(a.Error), DurationMs: int(a.Duration.Milliseconds()),
		Response: wire.OrNull(a.Response),
	}
	if a.Status != 0 {
		w.Status = &a.Status
	}
	return w
}
