package ai_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestBound_stopsAllAIAtTheCeiling spends on texts and pictures until nothing more fits, on two nodes over a database.
func TestBound_stopsAllAIAtTheCeiling(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		cfg := ai.Config{Ceiling: 20, PriceText: 1, PriceStandard: 4}
		month := time.Date(2026, time.November, 30, 23, 59, 0, 0, time.UTC)
		var asked atomic.Int64
		pictures := ai.OpenFunc(func(context.Context, string, string) ([]byte, error) {
			asked.Add(1)
			return nil, ai.ErrProvider // what fails is paid for all the same
		})
		texts := ai.OpenTexts(func() json.RawMessage { asked.Add(1); return json.RawMessage("{}") })
		for _, c := range []*ai.Client{pictures, texts} {
			c.Bound(cfg, d)
			c.SetMonth(month)
		}
		draw := func() error {
			_, err := pictures.Picture(t.Context(), "p", ai.Standard, ai.Patience{Wait: time.Minute, Try: time.Minute})
			return err
		}
		write := func() error {
			_, err := texts.Answer(t.Context(), ai.Question{}, time.Minute)
			return err
		}
		var stopped atomic.Int64
		var all sync.WaitGroup
		for range 6 { // 24 cents, of which 20 are there
			all.Go(func() {
				if errors.Is(draw(), ai.ErrCeiling) {
					stopped.Add(1)
				}
			})
		}
		all.Wait()
		if asked.Load() != 5 || stopped.Load() != 1 {
			t.Errorf("asked %d times and stopped %d, want 5 and 1", asked.Load(), stopped.Load())
		}
		if err := write(); !errors.Is(err, ai.ErrCeiling) || !errors.Is(err, ai.ErrProvider) || asked.Load() != 5 {
			t.Errorf("got %v for a text at the ceiling, asked %d times", err, asked.Load())
		}
		texts.SetMonth(month.Add(time.Minute))
		if err := write(); err != nil {
			t.Errorf("got %v in the next month", err)
		}
	})
}

func TestBound_pricesOfNothingAndOfTooMuch(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		texts := ai.OpenTexts(func() json.RawMessage { return json.RawMessage("{}") })
		for _, c := range []struct {
			price int64
			want  error
		}{{0, nil}, {21, ai.ErrCeiling}} {
			texts.Bound(ai.Config{Ceiling: 20, PriceText: c.price}, d)
			for range 3 {
				if _, err := texts.Answer(t.Context(), ai.Question{}, time.Minute); !errors.Is(err, c.want) {
					t.Errorf("got %v for a price of %d, want %v", err, c.price, c.want)
				}
			}
		}
	})
}
