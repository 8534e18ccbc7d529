package billing

import "slices"

// The names of the plans, as the rows of users have them.
const (
	Free = "free"
	Plus = "plus"
	Pro  = "pro"
)

// The AI models.
const (
	ModelStandard = "standard"
	ModelPro      = "pro"
)

// Plan is what an account may do. Plans are values; nobody changes them.
type Plan struct {
	// Name is free, plus or pro.
	Name string
	// RequestsPerMinute is the rate window of the account, over all its keys and sessions.
	RequestsPerMinute int64
	// AIUnits is how many AI pictures a calendar month (UTC) holds; ProUnits is how many of them may be of the pro model.
	AIUnits, ProUnits int64
	// Analyses is how many audits a calendar month (UTC) may have analysed by a model.
	Analyses int64
	// Models are the AI models that may be asked for.
	Models []string
	// History says whether what a model says of an audit is shown in the account's history.
	History bool
}

// Allows says whether the plan has an AI model.
func (p Plan) Allows(model string) bool { return slices.Contains(p.Models, model) }

// MissesPerMinute is how many pictures a project of the plan draws in a minute for its public address, all callers
// together. Source: the service's decisions, "Public endpoint": 10 times the plan's limit.
func (p Plan) MissesPerMinute() int64 { return 10 * p.RequestsPerMinute }

// plans is the one table of the plans, the least first; cfg has what an operator may set. Source: the specification,
// "Limits".
func plans(cfg Config) []Plan {
	standard := []string{ModelStandard}
	return []Plan{
		{Name: Free, RequestsPerMinute: cfg.FreeRPM, AIUnits: 3, Analyses: cfg.FreeAnalyses, Models: standard},
		{
			Name: Plus, RequestsPerMinute: cfg.PlusRPM, AIUnits: 100, Analyses: cfg.PlusAnalyses, Models: standard,
			History: true,
		},
		{
			Name: Pro, RequestsPerMinute: cfg.ProRPM, AIUnits: 1000, ProUnits: 300, Analyses: cfg.ProAnalyses,
			Models: []string{ModelStandard, ModelPro}, History: true,
		},
	}
}
