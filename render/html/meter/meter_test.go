package meter_test

import (
	"context"
	"errors"
	"testing"

	"masthead/render/html/meter"
)

// TestSpend_endsWithTheContext counts work until the context has ended.
func TestSpend_endsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := meter.New(ctx)
	for range 1000 {
		if m.Spend(1000) {
			t.Fatal("the work is over before the context")
		}
	}
	cancel()
	spent := 0
	for ; !m.Spend(1000) && spent < 1<<20; spent += 1000 {
	}
	if spent > 100_000 || !errors.Is(m.Err(), context.Canceled) || !m.Spend(0) {
		t.Errorf("the work ended %d units after the context, with %v", spent, m.Err())
	}
}

func TestExceed_isADeadline(t *testing.T) {
	m := meter.New(t.Context())
	m.Exceed("a path")
	if !m.Spend(0) || !m.Over() || !errors.Is(m.Err(), context.DeadlineExceeded) {
		t.Errorf("got %v", m.Err())
	}
}

func TestSpend_withoutMeter(t *testing.T) {
	var m *meter.Meter
	m.Exceed("a path")
	if m.Spend(1<<40) || m.Over() || m.Err() != nil {
		t.Error("no meter has a limit")
	}
}
