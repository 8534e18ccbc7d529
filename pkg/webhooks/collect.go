package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/mail"
	"masthead/pkg/notifications"
)

// TestType is the type of the events of [Service.Test].
const TestType = "webhook.test"

// Types are the types of events that webhooks can ask for.
var Types = []string{
	events.ImageCreated.Name(), events.ImageFailed.Name(), events.AuditCompleted.Name(), events.ScoreDropped.Name(),
	events.QuotaReached.Name(), events.SubscriptionChanged.Name(), events.PaymentFailed.Name(),
	events.AIDisabled.Name(), events.WatchWorse.Name(), events.WatchRecovered.Name(),
	events.SiteCompleted.Name(), events.ExportCompleted.Name(), events.WebhookDisabled.Name(), events.NewPlace.Name(),
}

// about is what an event is about.
type about struct {
	// subject orders events: those with the same subject arrive in their order.
	subject string
	// projectID is "" for an event about no project.
	projectID string
	// kind is the notification whose channel "webhook" turns the event off; "" for none.
	kind mail.Kind
}

// collect delivers the events that webhooks can ask for.
func (s *Service) collect(b *events.Bus) {
	deliver(b, s, events.ImageCreated, func(i events.Image) about {
		return about{subject: "image " + i.ImageId, projectID: i.ProjectId}
	})
	deliver(b, s, events.ImageFailed, func(i events.ImageFailure) about {
		return about{subject: "page " + i.ProjectId + " " + i.Url, projectID: i.ProjectId, kind: mail.ImageFailed}
	})
	deliver(b, s, events.AuditCompleted, func(a events.Audit) about { return about{subject: "audit " + a.Url} })
	deliver(b, s, events.ScoreDropped, func(a events.Score) about {
		return about{subject: "audit " + a.Url}
	})
	deliver(b, s, events.QuotaReached, func(q events.Quota) about {
		return about{subject: "quota " + string(q.Resource), kind: mail.QuotaReached}
	})
	deliver(b, s, events.SubscriptionChanged, func(events.Subscription) about {
		return about{subject: "subscription", kind: mail.PlanChanged}
	})
	deliver(b, s, events.PaymentFailed, func(events.FailedPayment) about {
		return about{subject: "subscription", kind: mail.PaymentFailed}
	})
	deliver(b, s, events.AIDisabled, func(a events.AI) about {
		return about{subject: "project " + a.ProjectId, projectID: a.ProjectId, kind: mail.AIDisabled}
	})
	ofWatch := func(w events.Watch) about { return about{subject: "watch " + w.WatchId, kind: mail.WatchWorse} }
	deliver(b, s, events.WatchWorse, ofWatch)
	deliver(b, s, events.WatchRecovered, ofWatch)
	deliver(b, s, events.SiteCompleted, func(e events.Site) about {
		return about{subject: "site " + e.SiteId, kind: mail.SiteCompleted}
	})
	deliver(b, s, events.ExportCompleted, func(e events.Export) about {
		return about{subject: "export " + e.ExportId, kind: mail.ExportCompleted}
	})
	deliver(b, s, events.WebhookDisabled, func(h events.Webhook) about {
		return about{subject: "webhook " + h.WebhookId, kind: mail.WebhookDisabled}
	})
	deliver(b, s, events.NewPlace, func(i events.SignIn) about {
		return about{subject: "session " + i.SessionId, kind: mail.NewSignIn}
	})
}

// deliver stores each event of a type, in the publisher's transaction, for each webhook that wants it.
func deliver[D any](b *events.Bus, s *Service, kind events.Type[D], of func(data D) about) {
	kind.Within(b, func(ctx context.Context, tx *db.Tx, e events.Event, data D) error {
		all, err := enabled(ctx, tx, e.OwnerID, maxLimit)
		if err != nil || len(all) == 0 { // as for most accounts
			return err
		}
		text, err := json.Marshal(data)
		if err != nil {
			return fmt.Errorf("write the data: %w", err)
		}
		plan, err := planOf(ctx, tx, e.OwnerID)
		if err != nil {
			return err
		}
		all = all[:min(len(all), s.deps.Plans.Plan(plan).Webhooks)]
		return s.fanOut(ctx, tx, e, text, of(data), all)
	})
}

// fanOut stores an event for those of its owner's webhooks that want it.
func (s *Service) fanOut(
	ctx context.Context, tx *db.Tx, e events.Event, data []byte, of about, all []Webhook,
) error {
	all = slices.DeleteFunc(all, func(w Webhook) bool {
		return !slices.Contains(w.Events, e.Type) || w.ProjectID != "" && w.ProjectID != of.projectID
	})
	if len(all) == 0 {
		return nil
	}
	if of.kind != "" {
		wanted, err := notifications.Wants(ctx, tx, e.OwnerID, of.kind, notifications.Webhook)
		if err != nil || !wanted {
			return err
		}
	}
	for _, w := range all {
		d, err := newDelivery(w.ID, e, data, e.ID, s.now())
		if err == nil {
			err = insertDelivery(ctx, tx, d, of.subject)
		}
		if err == nil {
			err = s.queue.Wake(ctx, tx, w.ID, w.ID, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// message is what is sent: the payload of Standard Webhooks, with the event's id.
type message struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// newDelivery returns the delivery of an event to a webhook.
func newDelivery(webhookID string, e events.Event, data []byte, id string, now time.Time) (Delivery, error) {
	body, err := json.Marshal(message{id, e.Type, e.At.UTC(), data})
	if err != nil {
		return Delivery{}, fmt.Errorf("write the event %s: %w", id, err)
	}
	now = db.Moment(now)
	return Delivery{
		ID: db.NewID(), WebhookID: webhookID, EventID: e.ID, Type: e.Type, Body: string(body), State: Waiting,
		NextAt: now, EventAt: e.At, CreatedAt: now, baseAt: now,
	}, nil
}
