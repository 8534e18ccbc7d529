package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/google/uuid"

	api "masthead/gen/client"
)

const (
	// firstLook and longestPause bound the time between two looks at a batch: each pause is twice the one before.
	firstLook    = 500 * time.Millisecond
	longestPause = 15 * time.Second
	// resultsAtOnce is how many results are read at a time.
	resultsAtOnce = 50
)

// BatchResults waits until a batch is done, and then yields the result of each of its requests, in their order. An
// error, which ends the sequence, is a [*Problem] or that of the connection or ctx.
func (c *Client) BatchResults(ctx context.Context, id uuid.UUID) iter.Seq2[api.BatchResult, error] {
	return func(yield func(api.BatchResult, error) bool) {
		err := c.waitForBatch(ctx, id)
		for cursor := (*string)(nil); err == nil; {
			var page *api.BatchResults
			if page, err = c.batch(ctx, id, cursor, resultsAtOnce); err != nil {
				break
			}
			for _, result := range page.Items {
				if !yield(result, nil) {
					return
				}
			}
			if cursor = page.NextCursor; cursor == nil {
				return
			}
		}
		yield(api.BatchResult{}, err)
	}
}

// waitForBatch returns when a batch is done.
func (c *Client) waitForBatch(ctx context.Context, id uuid.UUID) error {
	for pause := firstLook; ; pause = min(2*pause, longestPause) {
		page, err := c.batch(ctx, id, nil, 1)
		if err != nil || page.Batch.State == api.BatchStateDONE {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// batch returns a batch with a page of its results. Over the rate limit it waits as long as the service says.
func (c *Client) batch(ctx context.Context, id uuid.UUID, cursor *string, limit int) (*api.BatchResults, error) {
	for {
		r, err := c.GetBatchWithResponse(ctx, id, &api.GetBatchParams{Cursor: cursor, Limit: &limit})
		var problem *Problem
		if errors.As(err, &problem) && problem.Code == api.ErrorCodeRATELIMITED {
			if err := sleep(ctx, max(problem.RetryAfter, time.Second)); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		return r.JSON200, nil
	}
}

// sleep waits for a time, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
