package templates_test

import (
	"context"
	"errors"
	"testing"

	"masthead/pkg/templates"
	"masthead/pkg/worker"
	"masthead/render"
)

// TestSample_afterAFailure_isDrawn checks that a caller who left spoils nothing for those who come later.
func TestSample_afterAFailure_isDrawn(t *testing.T) {
	s := templates.New("", worker.New(worker.Config{Name: "draw"}))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	// The sample may be drawn before anybody looks whether the caller left.
	if _, err := s.Sample(gone, render.DefaultTemplate, nil); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("for one who left: got %v, want %v or none", err, context.Canceled)
	}
	first, err := s.Sample(t.Context(), render.DefaultTemplate, nil)
	if err != nil || len(first.Bytes) == 0 {
		t.Fatalf("got %d bytes, %v", len(first.Bytes), err)
	}
	if again, err := s.Sample(gone, render.DefaultTemplate, nil); err != nil || &again.Bytes[0] != &first.Bytes[0] {
		t.Errorf("the second time: %v, or drawn anew, want the kept one", err)
	}
}
