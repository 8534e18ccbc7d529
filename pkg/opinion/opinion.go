// Package opinion has a language model give its opinion of audits. It calls the model in the background and validates
// its answer against the results of the rules. On the wire the answer is the analysis of an audit; the analysis of a
// page is [masthead/pkg/brand].
//
// The transaction that stores a report also takes a unit of its owner's monthly quota and enqueues a job
// ([Service.Begin]). The job calls the model up to three times and records the result: an analysis, or a message for
// the user that says why there is none, which returns the unit. prompt.go builds the question, answer.go validates
// the answer.
package opinion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/ai"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/jobs"
	"masthead/pkg/usage"
)

// Limits of calls to the model: 20 s each, three attempts. Source: docs/security.md#models.
const (
	maxTextTime = 20 * time.Second
	maxTries    = 3
	atOnce      = 4 // concurrent jobs per node
	usualPause  = 5 * time.Second
)

// Config has the timeouts of calls to the model.
type Config struct {
	TextTime time.Duration `name:"ai-text-time" env:"MASTHEAD_AI_TEXT_TIME" default:"20s" help:"Timeout of the provider for each of three attempts to analyze an audit, at most 20s."`
	// Pause is the time before the second attempt, and a quarter of the time before the third; 0 means 5 s.
	Pause time.Duration `kong:"-"`
}

// withDefaults fills in missing settings.
func (c Config) withDefaults() Config {
	c.TextTime = cmp.Or(c.TextTime, maxTextTime)
	c.Pause = cmp.Or(c.Pause, usualPause)
	return c
}

// Validate reports an invalid setting by variable name.
func (c Config) Validate() error {
	if c.TextTime < 0 || c.TextTime > maxTextTime {
		return fmt.Errorf("MASTHEAD_AI_TEXT_TIME must be up to %v, not %v", maxTextTime, c.TextTime)
	}
	return nil
}

// Deps are the service's dependencies.
type Deps struct {
	Reports audit.Analyses
	Model   *ai.Client // nil if AI is off
	Plans   *billing.Service
	Usage   *usage.Service
	Jobs    *jobs.Worker
}

// Service runs analyses of reports. It is safe for concurrent use by many nodes on one database. It implements
// [audit.Analyst].
type Service struct {
	cfg     Config
	reports audit.Analyses
	model   *ai.Client
	plans   *billing.Service
	usage   *usage.Service
	queue   *jobs.Queue
	metrics *metrics
}

// New returns a service that runs its work as jobs of deps.Jobs.
func New(cfg Config, deps Deps) *Service {
	cfg = cfg.withDefaults()
	s := &Service{
		cfg: cfg, reports: deps.Reports, model: deps.Model, plans: deps.Plans, usage: deps.Usage, metrics: newMetrics(),
	}
	s.queue = deps.Jobs.Handle("analysis", jobs.Work{
		Do: s.analyse, Fail: s.fail, Final: final, AtOnce: atOnce, Time: cfg.TextTime + writeTime, Attempts: maxTries,
		Pause: jobs.Pauses(cfg.Pause, 4*cfg.Pause),
	})
	return s
}

// writeTime is the time of an attempt in addition to the model's time.
const writeTime = 5 * time.Second

// Collectors returns the package's metrics.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.results, s.metrics.fallbacks}
}

// task is the payload of a job: what isn't stored with the report.
type task struct {
	OwnerID string `json:"ownerId"`
	Month   string `json:"month"` // of the quota unit
	Text    string `json:"text"`  // of the page
}

// noModel is the message for analyses that are skipped because no model is configured.
const noModel = "AI analysis is off: the operator of this service has configured no model for texts."

// Begin implements [audit.Analyst].
func (s *Service) Begin(ctx context.Context, tx *db.Tx, r audit.Subject) (reason string, err error) {
	if !s.model.Writes() {
		return noModel, nil
	}
	plan := s.plans.Plan(r.Plan)
	month, err := s.usage.TakeAnalysis(ctx, tx, r.OwnerID, plan)
	if errors.Is(err, usage.ErrQuota) {
		return fmt.Sprintf("The %d analyses that your plan has each month are used up. "+
			"The next month begins on the 1st (UTC).", plan.Analyses), nil
	}
	if err != nil {
		return "", err
	}
	return "", s.queue.Enqueue(ctx, tx, r.OwnerID, r.ID, task{r.OwnerID, month, r.Page.Prose(maxText)})
}

// analyse runs one attempt of a job.
func (s *Service) analyse(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var t task
	if err := json.Unmarshal(j.Payload, &t); err != nil {
		return nil, fmt.Errorf("read the job of an analysis: %w", err)
	}
	found, ai, err := s.reports.Find(ctx, j.Key)
	if apperr.CodeOf(err) == apperr.NotFound || err == nil && ai.Status != audit.Pending {
		return s.giveBack(&t), nil // it was deleted, and the model was not asked
	}
	if err != nil {
		return nil, err
	}
	question, err := questionOf(found.Report, t.Text)
	if err != nil {
		return nil, err
	}
	answer, err := s.model.Answer(ctx, question, s.cfg.TextTime)
	if err != nil {
		return nil, err
	}
	made, fellBack, err := read(found.Report, t.Text, answer)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) error {
		// If the report was deleted in the meantime, the unit stays used: the model has done the work.
		_, err := s.reports.Finish(ctx, tx, j.Key, audit.AI{Status: audit.Ready, Analysis: made})
		if err == nil {
			s.metrics.ready(fellBack)
		}
		return err
	}, nil
}

func (s *Service) giveBack(t *task) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		return s.usage.ReturnAnalysis(ctx, tx, t.OwnerID, t.Month)
	}
}

// fail records that there will be no analysis and returns the unit.
func (s *Service) fail(_ context.Context, j *jobs.Job, cause error) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		s.metrics.failed(cause)
		_, err := s.reports.Finish(ctx, tx, j.Key, audit.AI{Status: audit.Failed, Error: inWords(cause)})
		if err != nil {
			return err
		}
		var t task
		if err := json.Unmarshal(j.Payload, &t); err != nil {
			return fmt.Errorf("read the job of an analysis: %w", err)
		}
		return s.usage.ReturnAnalysis(ctx, tx, t.OwnerID, t.Month)
	}
}

// final reports whether retrying would return the same error.
func final(err error) bool {
	return errors.Is(err, ai.ErrPolicy) || errors.Is(err, ai.ErrOff) || errors.Is(err, ai.ErrCeiling)
}

// inWords explains to a user why there is no analysis.
func inWords(cause error) string {
	switch {
	case errors.Is(cause, jobs.ErrCanceled):
		return "The operator of this service canceled the analysis."
	case errors.Is(cause, ai.ErrPolicy):
		return "The AI provider declined to write about this page."
	case errors.Is(cause, ai.ErrOff):
		return "AI analysis was switched off before this report's turn came."
	case errors.Is(cause, ai.ErrCeiling):
		return "The operator of this service has spent what it spends on AI in a month. The next begins on the 1st (UTC)."
	case errors.Is(cause, ai.ErrTimeout):
		return "The AI provider took too long, three times over. Ask again later."
	case errors.Is(cause, ai.ErrProvider):
		return "The AI provider failed, three times over. Ask again later."
	case errors.Is(cause, errAnswer):
		return "The model's answers were not what it was asked for, three times over. Ask again later."
	}
	return "The service was interrupted while it worked on the analysis. Ask again."
}
