package billing

import "slices"

// Names of the plans, as stored in the users table.
const (
	Free = "free"
	Plus = "plus"
	Pro  = "pro"
)

// Names of the AI models.
const (
	ModelStandard = "standard"
	ModelPro      = "pro"
)

// Plan has the limits of an account. Plans are values and never modified.
type Plan struct {
	// Name is free, plus or pro.
	Name string
	// RequestsPerMinute is the account's rate limit over all its keys and sessions.
	RequestsPerMinute int64
	// AIUnits is the number of AI pictures per calendar month (UTC); ProUnits is how many of them may use the pro
	// model.
	AIUnits, ProUnits int64
	// Analyses is the number of audits per calendar month (UTC) that a model may analyze.
	Analyses int64
	// Models are the AI models that the plan includes.
	Models []string
	// History reports whether the account's history shows the model's opinions of audits.
	History bool
	// Webhooks is the number of webhooks that the account can create; of more, the oldest get events.
	Webhooks int
	// Watches is the number of pages that the account can watch; of more, the oldest are audited. WatchEvery is how often
	// at most: day or week.
	Watches    int
	WatchEvery string
	// SitePages is the number of pages of a site that are audited together.
	SitePages int
	// AssetBytes is the size of the pictures that the account can upload, in bytes, over all projects.
	AssetBytes int64
	// BatchRequests is how many requests of all batches of the account can wait at a time.
	BatchRequests int
	// Designs is the number of own designs that the account can create, over all projects.
	Designs int
}

// megabyte is in bytes.
const megabyte = 1_000_000

// How often pages are audited.
const (
	EveryDay  = "day"
	EveryWeek = "week"
)

// Allows reports whether the plan includes an AI model.
func (p Plan) Allows(model string) bool { return slices.Contains(p.Models, model) }

// MissesPerMinute returns how many pictures the public endpoint may draw per minute for a project with this plan, for
// all callers together: 10 times the plan's rate limit. Source: docs/api.md#plans-and-limits.
func (p Plan) MissesPerMinute() int64 { return 10 * p.RequestsPerMinute }

// plans returns the table of plans, smallest first, with the operator's settings from cfg. Source:
// docs/api.md#plans-and-limits.
func plans(cfg Config) []Plan {
	standard := []string{ModelStandard}
	return []Plan{
		{
			Name: Free, RequestsPerMinute: cfg.FreeRPM, AIUnits: 3, Analyses: cfg.FreeAnalyses, Models: standard,
			Webhooks: int(cfg.FreeWebhooks), Watches: int(cfg.FreeWatches), WatchEvery: EveryWeek,
			SitePages: int(cfg.FreeSitePages), AssetBytes: cfg.FreeAssets * megabyte,
			BatchRequests: int(cfg.FreeBatches), Designs: int(cfg.FreeDesigns),
		},
		{
			Name: Plus, RequestsPerMinute: cfg.PlusRPM, AIUnits: 100, Analyses: cfg.PlusAnalyses, Models: standard,
			History: true, Webhooks: int(cfg.PlusWebhooks), Watches: int(cfg.PlusWatches), WatchEvery: EveryDay,
			SitePages: int(cfg.PlusSitePages), AssetBytes: cfg.PlusAssets * megabyte,
			BatchRequests: int(cfg.PlusBatches), Designs: int(cfg.PlusDesigns),
		},
		{
			Name: Pro, RequestsPerMinute: cfg.ProRPM, AIUnits: 1000, ProUnits: 300, Analyses: cfg.ProAnalyses,
			Models: []string{ModelStandard, ModelPro}, History: true, Webhooks: int(cfg.ProWebhooks),
			Watches: int(cfg.ProWatches), WatchEvery: EveryDay, SitePages: int(cfg.ProSitePages),
			AssetBytes:    cfg.ProAssets * megabyte,
			BatchRequests: int(cfg.ProBatches), Designs: int(cfg.ProDesigns),
		},
	}
}
