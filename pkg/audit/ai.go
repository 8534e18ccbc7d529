package audit

import (
	"context"

	"masthead/pkg/audit/rule"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/scrape"
)

// This file has the analysis of a report by a model, and how it is stored. An [Analyst] creates it.

// AIStatus is the state of an analysis.
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
	// Error explains to the user why it failed or was skipped; "" if it wasn't requested.
	Error string
	// Analysis is nil unless the status is Ready.
	Analysis *Analysis
}

// Analysis is what a model and the rules say about a page. It is stored as JSON.
type Analysis struct {
	PriorityActions []Action             `json:"priorityActions"` // at most 5, most important first
	Suggestions     Suggestions          `json:"suggestions"`
	AudienceFit     string               `json:"audienceFit"`
	Severity        string               `json:"severity"`   // critical, high, medium or low
	Confidence      string               `json:"confidence"` // high, medium or low
	ToneAssessment  string               `json:"toneAssessment"`
	Discoverability rule.Discoverability `json:"discoverability"`
}

// Action is a recommended action.
type Action struct {
	Title     string `json:"title"`
	Rationale string `json:"rationale"`
	Impact    string `json:"impact"` // high, medium or low
}

// Suggestions are replacements for the page's texts.
type Suggestions struct {
	OG      Suggestion `json:"og"`
	Twitter Suggestion `json:"twitter"`
}

// Suggestion is a title with a description.
type Suggestion struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

// Subject is a report to be analyzed.
type Subject struct {
	// ID is that of the report's row, for [Analyses.Finish]; OwnerID and Plan are its owner's.
	ID, OwnerID, Plan string
	Report            *Report
	// Page is the fetched page; it is only valid during the call.
	Page *scrape.Document
}

// Analyst creates analyses of reports.
type Analyst interface {
	// Begin accepts a report in the transaction that stores it, and returns without waiting for the analysis; the result
	// is passed to [Analyses.Finish]. If there will be none, for example for lack of quota, reason explains why to the
	// user.
	Begin(ctx context.Context, tx *db.Tx, s Subject) (reason string, err error)
}

// noProvider is the reason for skipping an analysis if none can be made.
const noProvider = "AI analysis is off: the operator of this service has configured no provider."

// begin requests the analysis of a report that is being stored.
func (s *Service) begin(ctx context.Context, tx *db.Tx, caller identity.Caller, r *record, site *scrape.Result) error {
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

// Analyses are the analyses of stored reports, for an [Analyst]. They aren't part of [Service], which needs an Analyst,
// which needs them.
type Analyses struct{ store store }

// NewAnalyses returns those of the reports in d.
func NewAnalyses(d *db.DB) Analyses { return Analyses{store{d}} }

// Finish records, in a transaction, the result of the analysis of the report with a row's ID: Ready with the analysis,
// or Failed with the reason. It returns false and changes nothing if the report was deleted or already has a result.
func (a Analyses) Finish(ctx context.Context, tx *db.Tx, id string, result AI) (noted bool, err error) {
	return a.store.finishAI(ctx, tx, id, result)
}

// Find returns the report with a row's ID and the state of its analysis; NotFound if it was deleted.
func (a Analyses) Find(ctx context.Context, id string) (*Record, AI, error) {
	found, err := a.store.byRow(ctx, id)
	if err != nil {
		return nil, AI{}, err
	}
	return &found.Record, found.ai, nil
}
