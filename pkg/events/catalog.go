package events

import "masthead/gen"

// The events. Their names and data are part of the API: webhooks send them.
var (
	// ImageCreated is published with the record of a new image; not when an image is drawn again.
	ImageCreated = Type[Image]{"image.created"}
	// AuditCompleted is published with the report of a signed-in caller. Its analysis by a model comes later.
	AuditCompleted = Type[Audit]{"audit.completed"}
	// QuotaReached is published once ([Type.PublishOnce]) for each month, resource and percentage.
	QuotaReached = Type[Quota]{"quota.reached"}

	// ProjectChanged follows changes of what a project allows or is called.
	ProjectChanged = Type[Project]{"project.changed"}
	// ProjectDeleted follows the deletion of a project with its images and keys, not that of its account.
	ProjectDeleted = Type[Project]{"project.deleted"}
	// ProjectStale says that this node found that a project is another than it remembers, or that it may be: its change
	// was on another node. It is for in-process subscribers alone, by [Type.Noticed]; the project's id may be "".
	ProjectStale = Type[Project]{"project.stale"}
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

type (
	// Image is the data of events about an image.
	Image = gen.EventImage
	// ImageKind is what an image is for.
	ImageKind = gen.ImageKind
	// Audit is the data of events about a report.
	Audit = gen.EventAudit
	// Quota is the data of [QuotaReached].
	Quota = gen.EventQuota
	// QuotaResource is what a quota limits.
	QuotaResource = gen.EventQuotaResource
	// QuotaPercent is the part of a quota that was reached.
	QuotaPercent = gen.EventQuotaPercent
	// Project is the data of events about a project.
	Project = gen.EventProject
	// Account is the data of events about an account.
	Account = gen.EventAccount
)
