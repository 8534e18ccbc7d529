package images

import (
	"testing"

	"masthead/pkg/apperr"
)

func TestSafely_panicIsAnError(t *testing.T) {
	err := safely(func() error { panic("a parser's mistake") })
	if err == nil || apperr.CodeOf(err) != apperr.Internal {
		t.Errorf("got %v, want an internal error", err)
	}
	if err := safely(func() error { return nil }); err != nil {
		t.Errorf("got %v, want none", err)
	}
}
