package kit

import (
	"image"
	"image/color"
	"testing"
)

// TestScaledLogo_equalContentIsSharedAndCopied checks that pictures are kept by what they show, and apart from those
// of the caller.
func TestScaledLogo_equalContentIsSharedAndCopied(t *testing.T) {
	fill := func(v uint8) *image.NRGBA {
		return painted(56, 56, func(x, y float64) color.NRGBA {
			return color.NRGBA{R: v, G: uint8(255 * x), B: uint8(255 * y), A: 255}
		})
	}
	mine := fill(1)
	first, ok := scaledLogo(mine, 56, 56)
	if !ok || first == mine {
		t.Fatalf("ok is %v and the picture the caller's own: %v, want a copy", ok, first == mine)
	}
	kept, _ := scaledLogo(fill(1), 56, 56) // from the second time on
	if again, _ := scaledLogo(fill(1), 56, 56); again != kept {
		t.Error("an equal picture is scaled anew, want the one that is kept")
	}
	if other, _ := scaledLogo(fill(2), 56, 56); other == kept {
		t.Error("another picture gets the one that is kept")
	}
}
