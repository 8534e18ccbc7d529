package events

import "masthead/gen"

// The events. Their names and data are part of the API: webhooks send them.
var (
	// ImageCreated is published with the record of a new image; not when an image is drawn again.
	ImageCreated = Type[Image]{"image.created"}
	// ImageFailed is published once ([Type.PublishOnce]) for each project, page and day.
	ImageFailed = Type[ImageFailure]{"image.failed"}
	// AuditCompleted is published with the report of a signed-in caller. Its analysis by a model comes later.
	AuditCompleted = Type[Audit]{"audit.completed"}
	// ScoreDropped is published with [AuditCompleted] if the page's score is lower than in the previous report.
	ScoreDropped = Type[Score]{"audit.score_dropped"}
	// QuotaReached is published once ([Type.PublishOnce]) for each month, resource and percentage.
	QuotaReached = Type[Quota]{"quota.reached"}
	// SubscriptionChanged is published with each change of an account's plan, whoever makes it.
	SubscriptionChanged = Type[Subscription]{"subscription.changed"}
	// PaymentFailed is published with the first failed payment of a subscription, and again after one succeeded.
	PaymentFailed = Type[FailedPayment]{"payment.failed"}
	// AIDisabled is published when the program turns off a project's AI pictures, not when its owner does.
	AIDisabled = Type[AI]{"ai.disabled"}
	// WatchWorse is published when a watched page has a new error, loses a picture, its letter, or can't be loaded.
	WatchWorse = Type[Watch]{"watch.worse"}
	// WatchRecovered is published when something that [WatchWorse] told is over.
	WatchRecovered = Type[Watch]{"watch.recovered"}
	// SiteCompleted is published with the end of an audit of a site.
	SiteCompleted = Type[Site]{"site.completed"}
	// ExportCompleted is published with the end of an export of an account.
	ExportCompleted = Type[Export]{"export.completed"}
	// WebhookDisabled is published when the program disables a webhook, not when its owner does.
	WebhookDisabled = Type[Webhook]{"webhook.disabled"}
	// NewPlace is published with a session that begins in a network new to its account.
	NewPlace = Type[SignIn]{"sign_in.new_place"}

	// ProjectChanged follows the creation of a project, and changes of what it allows or is called.
	ProjectChanged = Type[Project]{"project.changed"}
	// ProjectDeleted follows the deletion of a project with its images and keys, not that of its account.
	ProjectDeleted = Type[Project]{"project.deleted"}
	// ProjectStale says that this node found that a project is another than it remembers, or that it may be: its change
	// was on another node. It is for in-process subscribers alone, by [Type.Noticed]; the project's id may be "".
	ProjectStale = Type[Project]{"project.stale"}
	// DesignChanged says that this node has created, changed or deleted a design of a project. It is for in-process
	// subscribers alone, by [Type.Noticed].
	DesignChanged = Type[Project]{"design.changed"}
	// AccountChanged follows changes of an account's plan or role, and its being disabled or enabled.
	AccountChanged = Type[Account]{"account.changed"}
	// AccountDeleted follows the deletion of an account with everything it owns.
	AccountDeleted = Type[Account]{"account.deleted"}
)

// The resources of [QuotaReached].
const (
	QuotaPictures = gen.EventQuotaResourceAiImages
	QuotaAnalyses = gen.EventQuotaResourceAiAnalyses
)

// ExportFailed is the state of an export without a file.
const ExportFailed = gen.EventExportStateFAILED

// AIPolicy is the reason of [AIDisabled]: the provider rejected too many prompts.
const AIPolicy = gen.EventAIDisabledReasonPolicy

type (
	// Image is the data of events about an image.
	Image = gen.EventImage
	// ImageKind is what an image is for.
	ImageKind = gen.ImageKind
	// ImageFailure is the data of [ImageFailed].
	ImageFailure = gen.EventImageFailed
	// Audit is the data of events about a report.
	Audit = gen.EventAudit
	// Score is the data of [ScoreDropped].
	Score = gen.EventScore
	// Quota is the data of [QuotaReached].
	Quota = gen.EventQuota
	// QuotaResource is what a quota limits.
	QuotaResource = gen.EventQuotaResource
	// QuotaPercent is the part of a quota that was reached.
	QuotaPercent = gen.EventQuotaPercent
	// Subscription is the data of [SubscriptionChanged].
	Subscription = gen.EventSubscription
	// FailedPayment is the data of [PaymentFailed].
	FailedPayment = gen.EventPaymentFailed
	// PlanName is the name of a plan.
	PlanName = gen.PlanName
	// AI is the data of [AIDisabled].
	AI = gen.EventAIDisabled
	// Watch is the data of [WatchWorse] and [WatchRecovered].
	Watch = gen.EventWatch
	// Site is the data of [SiteCompleted].
	Site = gen.EventSite
	// SiteState is READY or FAILED.
	SiteState = gen.EventSiteState
	// Export is the data of [ExportCompleted].
	Export = gen.EventExport
	// ExportState is READY or [ExportFailed].
	ExportState = gen.EventExportState
	// Webhook is the data of [WebhookDisabled].
	Webhook = gen.EventWebhook
	// SignIn is the data of [NewPlace].
	SignIn = gen.EventSignIn
	// Project is the data of events about a project.
	Project = gen.EventProject
	// Account is the data of events about an account.
	Account = gen.EventAccount
)
