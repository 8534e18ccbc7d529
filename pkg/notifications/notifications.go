// Package notifications tells accounts what happened: in their inbox and by email, as they prefer.
//
//   - deliver.go is the sender: it subscribes to events, and says of each what the account is told.
//   - package mail has the words of each kind, which the inbox shows too, and sends the emails.
//   - the table notification_preferences is the one place that says what accounts want. Package mail reads it when it
//     sends, whoever caused the mail, and writes it when an account unsubscribes.
//
// To add a kind, add it to package mail (see docs/house.md), to kinds, and to NotificationKind in openapi.yaml; then
// deliver an event to it.
package notifications

import (
	"context"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/mail"
)

const (
	// keptFor is how long notifications are kept.
	keptFor = 90 * 24 * time.Hour
	// maxKept is how many an account has at most: the newest.
	maxKept = 1000
)

// Channel is a way of telling an account something.
type Channel string

// Channels. Webhook stands for the events of a kind that package webhooks sends.
const (
	Inbox   Channel = "inbox"
	Mail    Channel = "mail"
	Webhook Channel = "webhook"
)

var channels = []Channel{Inbox, Mail, Webhook}

// kinds are all kinds of notifications, in the order of the preferences. Package mail says which are sent by email by
// default; the other channels are on.
var kinds = []mail.Kind{
	mail.NewSignIn, mail.QuotaReached, mail.PlanChanged, mail.PaymentFailed, mail.AIDisabled, mail.ImageFailed,
	mail.WatchWorse, mail.SiteCompleted, mail.ExportCompleted, mail.WebhookDisabled,
}

// Notification is what an account is told in its inbox.
type Notification struct {
	ID        string
	Kind      mail.Kind
	Data      mail.Data
	CreatedAt time.Time
	ReadAt    time.Time // zero until it is read
}

// Preference says over which channels an account wants a kind.
type Preference struct {
	Kind mail.Kind
	On   map[Channel]bool
}

// Change changes preferences of a kind; channels that are left out stay as they are.
type Change struct {
	Kind mail.Kind
	On   map[Channel]bool
}

// Service has the inboxes and preferences. It is safe for concurrent use.
type Service struct {
	store store
	mail  *mail.Service
	now   func() time.Time
}

// New returns a service for the accounts in d. It subscribes to the events of b, which w delivers.
func New(d *db.DB, b *events.Bus, w *jobs.Worker, m *mail.Service) *Service {
	s := &Service{store: store{d}, mail: m, now: time.Now}
	s.subscribe(b, w)
	return s
}

// List returns a page of the caller's notifications, newest first, the cursor of the next page, and how many are unread
// in all.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Notification, next string, unread int, err error) {
	page, next, err = cursor.List(p, func(n Notification) string { return n.ID },
		func(before string, limit int) ([]Notification, error) {
			return s.store.list(ctx, caller.UserID, before, limit)
		})
	if err != nil {
		return nil, "", 0, err
	}
	unread, err = s.store.unread(ctx, caller.UserID)
	return page, next, unread, err
}

// Read marks a notification of the caller as read, or returns NotFound. It may be read already.
func (s *Service) Read(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.read(ctx, caller.UserID, id, s.now())
}

// ReadAll marks all notifications of the caller as read.
func (s *Service) ReadAll(ctx context.Context, caller identity.Caller) error {
	return s.store.readAll(ctx, caller.UserID, s.now())
}

// Preferences returns the caller's preferences for all kinds.
func (s *Service) Preferences(ctx context.Context, caller identity.Caller) ([]Preference, error) {
	said, err := s.store.preferences(ctx, caller.UserID)
	if err != nil {
		return nil, err
	}
	list := make([]Preference, len(kinds))
	for i, kind := range kinds {
		list[i] = Preference{Kind: kind, On: map[Channel]bool{}}
		for _, channel := range channels {
			on, known := said[choice{kind, channel}]
			if !known || always(kind, channel) {
				on = byDefault(kind, channel)
			}
			list[i].On[channel] = on
		}
	}
	return list, nil
}

// Prefer changes preferences of the caller, all or none, and returns them all. It returns BadRequest for turning off
// emails about security.
func (s *Service) Prefer(ctx context.Context, caller identity.Caller, changes []Change) ([]Preference, error) {
	var invalid []apperr.Field
	for i, c := range changes {
		if !slices.Contains(kinds, c.Kind) {
			invalid = append(invalid, apperr.Field{
				Pointer: fmt.Sprintf("/items/%d/kind", i), Detail: "There is no kind of notifications with this name.",
			})
		}
		if on, given := c.On[Mail]; given && !on && always(c.Kind, Mail) {
			invalid = append(invalid, apperr.Field{
				Pointer: fmt.Sprintf("/items/%d/mail", i), Detail: "Emails about security can't be turned off.",
			})
		}
	}
	if len(invalid) > 0 {
		e := apperr.New(apperr.BadRequest, invalid[0].Detail)
		e.Fields = invalid
		return nil, e
	}
	if err := s.store.prefer(ctx, caller.UserID, changes); err != nil {
		return nil, err
	}
	return s.Preferences(ctx, caller)
}

// always reports whether a kind can't be turned off for a channel.
func always(kind mail.Kind, channel Channel) bool { return channel == Mail && mail.Always(kind) }

func byDefault(kind mail.Kind, channel Channel) bool { return channel != Mail || mail.DefaultOn(kind) }

// Sweep deletes notifications after 90 days.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.sweep(ctx, s.now().Add(-keptFor))
}
