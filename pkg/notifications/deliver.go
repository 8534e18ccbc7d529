package notifications

import (
	"context"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/humanize"
	"masthead/pkg/jobs"
	"masthead/pkg/mail"
)

// This file is the sender: for each event, what its account is told. What a delivery inserts, the notification and the
// email with its job, is in the transaction that ends the delivery, so each happens exactly once.

// subscribe delivers the events that accounts are told of. Other emails are sent where they are caused: links, and that
// an account was deleted, since no account is left to be told.
func (s *Service) subscribe(b *events.Bus, w *jobs.Worker) {
	to := events.Subscribe(b, w, "notifications", events.Delivery{})
	deliver(to, s, events.QuotaReached, func(e events.Event, q events.Quota) notice {
		return notice{kind: mail.QuotaReached, cause: e.ID, data: mail.Data{
			Resource: resources[q.Resource], Month: q.Month, Percent: int(q.Percent), Used: q.Used, Limit: q.Limit,
		}}
	})
	deliver(to, s, events.SubscriptionChanged, func(e events.Event, p events.Subscription) notice {
		d := mail.Data{Plan: string(p.Plan), PreviousPlan: string(p.PreviousPlan)}
		if p.Paused != nil {
			d.Lines = *p.Paused
		}
		return notice{kind: mail.PlanChanged, cause: e.ID, data: d}
	})
	deliver(to, s, events.PaymentFailed, func(e events.Event, p events.FailedPayment) notice {
		return notice{kind: mail.PaymentFailed, cause: e.ID, data: mail.Data{
			Plan: string(p.Plan), Until: time.Time(p.KeptUntil), Page: p.InvoiceUrl,
		}}
	})
	deliver(to, s, events.AIDisabled, func(e events.Event, a events.AI) notice {
		return notice{kind: mail.AIDisabled, cause: e.ID, data: mail.Data{
			Project: a.Name, Reason: "The AI provider rejected three prompts within a day.",
		}}
	})
	deliver(to, s, events.WebhookDisabled, func(e events.Event, h events.Webhook) notice {
		return notice{kind: mail.WebhookDisabled, cause: e.ID, data: mail.Data{URL: h.Url, Reason: h.Reason}}
	})
	deliver(to, s, events.NewPlace, func(e events.Event, p events.SignIn) notice {
		return notice{kind: mail.NewSignIn, cause: e.ID, data: mail.Data{Place: p.Network, Device: p.Device, At: e.At}}
	})
	deliver(to, s, events.WatchWorse, func(e events.Event, w events.Watch) notice { return ofWatch(e, w, false) })
	deliver(to, s, events.WatchRecovered, func(e events.Event, w events.Watch) notice { return ofWatch(e, w, true) })
	deliver(to, s, events.SiteCompleted, ofSite)
	deliver(to, s, events.ExportCompleted, ofExport)
	deliver(to, s, events.ImageFailed, func(e events.Event, f events.ImageFailure) notice {
		// A project whose site is down fails for many pages: its owner is told of the first one of a day.
		return notice{kind: mail.ImageFailed, cause: f.ProjectId + " " + e.At.UTC().Format(time.DateOnly), data: mail.Data{
			URL: f.Url, Reason: f.Reason,
		}}
	})
}

// ofWatch returns what the owner of a watched page is told.
func ofWatch(e events.Event, w events.Watch, recovered bool) notice {
	d := mail.Data{URL: w.Url, Recovered: recovered, Lines: w.Problems}
	if w.AuditId != nil && w.Score != nil {
		d.Score, d.Path = float64(*w.Score), "/audit/"+*w.AuditId
	}
	if w.PreviousScore != nil {
		d.PreviousScore = float64(*w.PreviousScore)
	}
	return notice{kind: mail.WatchWorse, cause: e.ID, data: d}
}

// waits is how long the owner of a job is expected to look at its page: accounts aren't told of what is over before.
const waits = time.Minute

// ofSite returns what the owner of an audit of a site is told.
func ofSite(e events.Event, of events.Site) notice {
	if e.At.Sub(time.Time(of.StartedAt)) <= waits {
		return notice{}
	}
	d := mail.Data{URL: of.Url, Path: "/dashboard/audits/sites/" + of.SiteId}
	if of.Score != nil {
		d.Score, d.Lines = float64(*of.Score), []string{humanize.Count(of.Read, "page") + " audited"}
		if of.Unread > 0 {
			d.Lines = append(d.Lines, humanize.Count(of.Unread, "page")+" couldn't be read")
		}
	}
	if of.Error != nil {
		d.Reason, d.Path = *of.Error, "/dashboard/audits/sites#new"
	}
	return notice{kind: mail.SiteCompleted, cause: of.SiteId, data: d}
}

// ofExport returns what the owner of an export is told.
func ofExport(e events.Event, of events.Export) notice {
	if e.At.Sub(time.Time(of.StartedAt)) <= waits {
		return notice{}
	}
	d := mail.Data{Path: "/dashboard/settings?export=" + of.ExportId + "#data", Until: time.Time(of.ExpiresAt)}
	if of.State == events.ExportFailed {
		d.Reason = "The export couldn't be written. Request another one."
	}
	return notice{kind: mail.ExportCompleted, cause: of.ExportId, data: d}
}

// resources are the resources of quotas as people call them.
var resources = map[events.QuotaResource]string{
	events.QuotaPictures: "AI images", events.QuotaAnalyses: "AI analyses",
}

// notice is what an account is told of an event; nothing without a kind.
type notice struct {
	kind  mail.Kind
	cause string // what it is told of once
	data  mail.Data
}

// deliver tells the owners of events of a type what of returns.
func deliver[D any](
	to *events.Subscriber, s *Service, kind events.Type[D], of func(e events.Event, data D) notice,
) {
	kind.Deliver(to, func(_ context.Context, e events.Event, data D) (jobs.Result, error) {
		t := of(e, data)
		if t.kind == "" {
			return nil, nil //nolint:nilnil // it isn't told
		}
		return func(ctx context.Context, tx *db.Tx) error {
			if err := insert(ctx, tx, e, t); err != nil {
				return err
			}
			return s.mail.Send(ctx, tx, mail.Message{Kind: t.kind, AccountID: e.OwnerID, EventID: t.cause, Data: t.data})
		}, nil
	})
}
