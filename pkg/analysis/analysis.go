// Package analysis owns what a language model says of audits: asking it, in the background, and holding its answer to
// what the rules know.
//
// A report that is to be analysed comes in the transaction that keeps it, which takes a unit of its owner's month and
// enqueues a job ([Service.Begin]). The job asks the model up to three times and notes what came of it: an analysis,
// or in words for a user why there is none, which gives the unit back. prompt.go is what the model is asked, answer.go
// what of its answer is taken.
package analysis

import (
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

// Source of the figures: security requirements, "AI analysis" (20 s a call, three tries).
const (
	maxTextTime = 20 * time.Second
	maxTries    = 3
	atOnce      = 4 // jobs on a node
	usualPause  = 5 * time.Second
)

// Config says how long the model is waited for.
type Config struct {
	TextTime time.Duration `name:"ai-text-time" env:"MASTHEAD_AI_TEXT_TIME" default:"20s" help:"Timeout of the provider for each of three attempts to analyze an audit, at most 20s."`
	// Pause is the time before the second try; it is four times as long before the third. 0 is 5 s.
	Pause time.Duration `kong:"-"`
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	if c.TextTime == 0 {
		c.TextTime = maxTextTime
	}
	if c.Pause == 0 {
		c.Pause = usualPause
	}
	return c
}

// Validate reports what is wrong, naming the variable.
func (c Config) Validate() error {
	if c.TextTime < 0 || c.TextTime > maxTextTime {
		return fmt.Errorf("MASTHEAD_AI_TEXT_TIME must be up to %v, not %v", maxTextTime, c.TextTime)
	}
	return nil
}

// Deps are what the service stands on.
type Deps struct {
	Model *ai.Client // nil where AI is off
	Plans *billing.Service
	Usage *usage.Service
	Jobs  *jobs.Worker
}

// Service has reports analysed. It is safe for concurrent use, on many nodes over one database. It implements
// [audit.Analyst].
type Service struct {
	// Reports are those that are analysed; set before Run.
	Reports *audit.Service

	cfg     Config
	model   *ai.Client
	plans   *billing.Service
	usage   *usage.Service
	queue   *jobs.Queue
	metrics *metrics
}

// New returns a service, whose work is done by deps.Jobs.
func New(cfg Config, deps Deps) *Service {
	cfg = cfg.withDefaults()
	s := &Service{
		cfg: cfg, model: deps.Model, plans: deps.Plans, usage: deps.Usage, metrics: newMetrics(),
	}
	s.queue = deps.Jobs.Handle("analysis", jobs.Work{
		Do: s.analyse, Fail: s.fail, Final: final, AtOnce: atOnce, Time: cfg.TextTime + writeTime, Attempts: maxTries,
		Pause: jobs.Pauses(cfg.Pause, 4*cfg.Pause),
	})
	return s
}

// writeTime is what an attempt has beside the model's time.
const writeTime = 5 * time.Second

// Collectors are the metrics of the package.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.results, s.metrics.fallbacks}
}

// task is what a job keeps beside the report's id: what is gone after the audit.
type task struct {
	OwnerID string `json:"ownerId"`
	Month   string `json:"month"` // of the unit
	Text    string `json:"text"`  // of the page
}

// noModel is why an analysis is skipped where nobody can make one.
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

// analyse makes an attempt at a job.
func (s *Service) analyse(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var t task
	if err := json.Unmarshal(j.Payload, &t); err != nil {
		return nil, fmt.Errorf("read the job of an analysis: %w", err)
	}
	found, ai, err := s.Reports.ByRow(ctx, j.Key)
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
		// Of a report that was deleted meanwhile the unit is kept: the model has done the work.
		_, err := s.Reports.Analysed(ctx, tx, j.Key, audit.AI{Status: audit.Ready, Analysis: made})
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

// fail notes that there will be no analysis, and gives its unit back.
func (s *Service) fail(_ context.Context, j *jobs.Job, cause error) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		s.metrics.failed(cause)
		_, err := s.Reports.Analysed(ctx, tx, j.Key, audit.AI{Status: audit.Failed, Error: inWords(cause)})
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

// final reports whether an error will be the same at the next try.
func final(err error) bool {
	return errors.Is(err, ai.ErrPolicy) || errors.Is(err, ai.ErrOff) || errors.Is(err, ai.ErrCeiling)
}

// inWords says to a user why there is no analysis.
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
