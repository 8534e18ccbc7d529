package notifications

import (
	"context"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/mail"
	"masthead/pkg/wire"
)

// API has the operations on notifications.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListNotifications serves GET /notifications: it returns a page of the caller's inbox.
func (a *API) ListNotifications(
	ctx context.Context, r gen.ListNotificationsRequestObject,
) (gen.ListNotificationsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, unread, err := a.service.List(ctx, identity.CallerOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListNotifications200JSONResponse{
		Items: wire.Items(found, wireNotification), NextCursor: wire.OrNull(next), Unread: unread,
	}, nil
}

// ReadNotifications serves POST /notifications/read: it marks one notification of the caller as read, or all.
func (a *API) ReadNotifications(
	ctx context.Context, r gen.ReadNotificationsRequestObject,
) (gen.ReadNotificationsResponseObject, error) {
	caller := identity.CallerOf(ctx)
	var err error
	if r.Body.Id != nil {
		err = a.service.Read(ctx, caller, r.Body.Id.String())
	} else {
		err = a.service.ReadAll(ctx, caller)
	}
	if err != nil {
		return nil, err
	}
	return gen.ReadNotifications204Response{}, nil
}

// GetPreferences serves GET /notifications/preferences: it returns the caller's preferences.
func (a *API) GetPreferences(
	ctx context.Context, _ gen.GetPreferencesRequestObject,
) (gen.GetPreferencesResponseObject, error) {
	list, err := a.service.Preferences(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.GetPreferences200JSONResponse{Items: wire.Items(list, wirePreference)}, nil
}

// PutPreferences serves PUT /notifications/preferences: it changes preferences of the caller and returns them all.
func (a *API) PutPreferences(
	ctx context.Context, r gen.PutPreferencesRequestObject,
) (gen.PutPreferencesResponseObject, error) {
	list, err := a.service.Prefer(ctx, identity.CallerOf(ctx), wire.Items(r.Body.Items, change))
	if err != nil {
		return nil, err
	}
	return gen.PutPreferences200JSONResponse{Items: wire.Items(list, wirePreference)}, nil
}

func wireNotification(n Notification) gen.Notification {
	title, text := mail.Words(n.Kind, n.Data)
	return gen.Notification{
		Id: wire.UUID(n.ID), Kind: gen.NotificationKind(n.Kind), Title: title, Text: text, Path: wire.OrNull(n.Data.Path),
		CreatedAt: wire.Moment(n.CreatedAt), ReadAt: wire.MomentOrNull(n.ReadAt),
	}
}

func wirePreference(p Preference) gen.NotificationPreference {
	return gen.NotificationPreference{
		Kind: gen.NotificationKind(p.Kind), Inbox: p.On[Inbox], Mail: p.On[Mail], Webhook: p.On[Webhook],
		MailAlways: always(p.Kind, Mail),
	}
}

func change(c gen.NotificationChoice) Change {
	on := map[Channel]bool{}
	for channel, given := range map[Channel]*bool{Inbox: c.Inbox, Mail: c.Mail, Webhook: c.Webhook} {
		if given != nil {
			on[channel] = *given
		}
	}
	return Change{Kind: mail.Kind(c.Kind), On: on}
}
