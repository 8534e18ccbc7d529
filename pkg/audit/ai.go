package audit

import (
	"context"

	"masthead/pkg/audit/rule"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/scrape"
)

// This file owns what a report says of its analysis by a model, and where that comes in. Who makes it is not known
// here: see [Analyst].

// AIStatus is how an analysis stands.
type AIStatus string

// The states. A report begins as Pending or Skipped; Pending becomes Ready or Failed.
const (
	Pending AIStatus = "PENDING"
	Ready   AIStatus = "READY"
	Failed  AIStatus = "FAILED"
	Skipped AIStatus = "SKIPPED"
)

// AI is the analysis of a report.
type AI struct {
	Status AIStatus
	// Error says, in words for a user, why it failed or was skipped; "" when it was not asked for.
	Error string
	// Analysis is nil unless the status is Ready.
	Analysis *Analysis
}

// Analysis is what a model, and the rules, say of a page. Its JSON is how it is stored.
type Analysis struct {
	PriorityActions []Action             `json:"priorityActions"` // at most 5, the most important first
	Suggestions     Suggestions          `json:"suggestions"`
	AudienceFit     string               `json:"audienceFit"`
	Severity        string               `json:"severity"`   // critical, high, medium or low
	Confidence      string               `json:"confidence"` // high, medium or low
	ToneAssessment  string               `json:"toneAssessment"`
	Discoverability rule.Discoverability `json:"discoverability"`
}

// Action is something to do.
type Action struct {
	Title     string `json:"title"`
	Rationale string `json:"rationale"`
	Impact    string `json:"impact"` // high, medium or low
}

// Suggestions are texts to use instead of the page's.
type Suggestions struct {
	OG      Suggestion `json:"og"`
	Twitter Suggestion `json:"twitter"`
}

// Suggestion is a title with a description.
type Suggestion struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

// Subject is a report to be analysed.
type Subject struct {
	// ID is that of the report's row, by which [Service.Analysed] takes the result; OwnerID and Plan are of its owner.
	ID, OwnerID, Plan string
	Report            *Report
	// Page is what was fetched; it is gone after the call.
	Page *scrape.Document
}

// Analyst has reports analysed.
type Analyst interface {
	// Begin takes a report in the transaction that keeps it, and returns without waiting for the analysis, which
	// [Service.Analysed] is told once it is there. When there will be none, such as for lack of quota, reason says why in
	// words for a user.
	Begin(ctx context.Context, tx *db.Tx, s Subject) (reason string, err error)
}

// noProvider is why an analysis is skipped where nobody can make one.
const noProvider = "AI analysis is off: the operator of this service has configured no provider."

// begin asks for the analysis of a report that is being kept.
func (s *Service) begin(ctx context.Context, tx *db.Tx, caller identity.Caller, r *record, site *scrape.Site) error {
	reason := noProvider
	if s.analyst != nil {
		var err error
		reason, err = s.analyst.Begin(ctx, tx, Subject{
			ID: r.id, OwnerID: r.OwnerID, Plan: caller.Plan, Report: r.Report, Page: &site.Page.Value,
		})
		if err != nil {
			return err
		}
	}
	r.ai = AI{Status: Pending}
	if reason != "" {
		r.ai = AI{Status: Skipped, Error: reason}
	}
	return s.store.setAI(ctx, tx, r.id, Skipped, r.ai)
}

// Analysed notes, in a transaction, what came of the analysis of a report: Ready with the analysis, or Failed with the
// reason. It reports whether it was noted: a report that was deleted, or has its result, is left as it is.
func (s *Service) Analysed(ctx context.Context, tx *db.Tx, id string, result AI) (noted bool, err error) {
	return s.store.finishAI(ctx, tx, id, result)
}

// ByRow returns the report of a row's id, for an analyst; NotFound when it was deleted.
func (s *Service) ByRow(ctx context.Context, id string) (*Record, AI, error) {
	found, err := s.store.byRow(ctx, id)
	if err != nil {
		return nil, AI{}, err
	}
	return &found.Record, found.ai, nil
}
