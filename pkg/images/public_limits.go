package images

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/limit"
)

// errProjectBusy says that a project asks for too many new pictures.
var errProjectBusy = errors.New("too many new pictures of the project")

// strangers bounds what GET /og makes.
type strangers struct {
	breaker *limit.Breaker
	misses  *limit.Window // new pictures, by project
	// aiMisses are the AI pictures that an address asks for in a day, rejections the prompts of a project that are
	// rejected.
	aiMisses, rejections *limit.Window
}

func newStrangers(limits *limit.Store, breaker *limit.Breaker) strangers {
	return strangers{
		breaker: breaker, misses: limits.Window("misses"), aiMisses: limits.Day("ai misses"),
		rejections: limits.Day("rejections"),
	}
}

// missError refuses a new picture for the address that has begun it.
type missError struct {
	address string
	err     error
}

func (e *missError) Error() string { return e.err.Error() }

// Unwrap returns what the client is told.
func (e *missError) Unwrap() error { return e.err }

// drawPublic makes the picture of a job, together with all who ask for the same. It counts for the one who began it
// alone: for the others it costs nothing.
func (s *Service) drawPublic(ctx context.Context, j *job) (Record, error) {
	gate := append(stages{{name: "count", run: s.countMiss}}, s.gate()...)
	for {
		record, err := s.share(ctx, j, gate, s.making())
		var refused *missError
		if errors.As(err, &refused) && refused.address != j.public.address && ctx.Err() == nil {
			continue // whoever began it has had too many; this one has not
		}
		return record, err
	}
}

// countMiss counts a new picture that GET /og is to make: for the address that asks, which is RATE_LIMITED beyond its
// limit, and for the project, which is busy beyond its own. See docs/security.md, Limits and quotas.
func (s *Service) countMiss(ctx context.Context, j *job) error {
	if told := s.strangers.breaker.TakeMiss(ctx, j.public.address); told.Reached {
		return &missError{j.public.address, &apperr.Error{
			Code: apperr.RateLimited, RetryAfter: time.Until(told.Reset),
			Detail: "Too many new pictures are asked for from your address; try again after the seconds in Retry-After.",
		}}
	}
	plan, err := s.plans.PlanOf(ctx, j.public.project.OwnerID)
	if err != nil {
		return fmt.Errorf("find the plan of a project's owner: %w", err)
	}
	told, err := s.strangers.misses.Take(ctx, j.public.project.ID, plan.MissesPerMinute())
	if err == nil && told.Reached {
		err = errProjectBusy
	}
	return err
}
