package draw

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A file that takes too long fails, rather than being drawn in part.
func TestSVGFile_drawingEnds(t *testing.T) {
	t.Parallel()
	s, ok := NewSVG(`<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">` +
		strings.Repeat(`<circle cx="4" cy="4" r="3"/>`, 64) + `</svg>`)
	if !ok {
		t.Fatal("it isn't taken for SVG")
	}
	ended, cancel := context.WithCancel(t.Context())
	if img, err := s.pixels(ended, 8, 8); err != nil || img.NRGBAAt(4, 4).A != 255 {
		t.Errorf("got %v, want a drawing", err)
	}
	cancel()
	if img, err := s.pixels(ended, 8, 8); !errors.Is(err, context.Canceled) || img != nil {
		t.Errorf("got %v, %v, want that the time is over", img, err)
	}
}
