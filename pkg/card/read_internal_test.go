package card

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/scrape"
)

// TestLogoFault_causeIsForTheLogAlone has a decoder panic: its trace must not reach the client.
func TestLogoFault_causeIsForTheLogAlone(t *testing.T) {
	for name, c := range map[string]struct {
		cause error
		want  string
	}{
		"panic":   {fmt.Errorf("%w: its decoder failed: boom\ngoroutine 7", picture.ErrCorrupt), "it is damaged"},
		"unknown": {picture.ErrUnknown, "not a PNG, JPEG, GIF, WebP, ICO or SVG picture"},
		"unsupported": {fmt.Errorf("decode svg: %w", picture.ErrUnsupported),
			"not a PNG, JPEG, GIF, WebP, ICO or SVG picture"},
		"words":     {fmt.Errorf("decode svg: %w: %w", picture.ErrUnsupported, svg.ErrUnsupported), "turned into paths"},
		"too large": {fmt.Errorf("%w: 7 bytes", picture.ErrTooLarge), "it is too large"},
	} {
		err := logoFault(&scrape.PictureError{Cause: c.cause})
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.Code != apperr.UpstreamFailed || !errors.Is(err, c.cause) {
			t.Errorf("%s: got %v, want %s for %v", name, err, apperr.UpstreamFailed, c.cause)
			continue
		}
		if !strings.Contains(fault.Detail, c.want) || strings.Contains(fault.Detail, "goroutine") ||
			fault.Fields[0].Detail != fault.Detail {
			t.Errorf("%s: got %q, want %q and nothing of the cause", name, fault.Detail, c.want)
		}
	}
	if err := logoFault(fetch.ErrRefused); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("got %v, want the refusal as it is", err)
	}
}
