package images_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/images"
	"masthead/render"
)

// TestGenerate_styleThatIsNotOfferedIsExplained asks past the document, as a caller in the program may.
func TestGenerate_styleThatIsNotOfferedIsExplained(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	caller := identity.Caller{UserID: s.ID(s.Session), KeyProjectID: s.Project, Via: identity.Project}
	for name, c := range map[string]struct {
		style         card.Style
		pointer, says string
	}{
		"font":         {card.Style{Font: "comic-sans"}, "/style/font", "style.font must be one of: inter, "},
		"aspect ratio": {card.Style{AspectRatio: "4:3"}, "/style/aspectRatio", "style.aspectRatio must be one of: 16:9, 16:10."},
		"corner": {card.Style{Logo: &card.Logo{URL: s.Site.At("/icon.png"), Position: "middle"}}, "/style/logo/position",
			"style.logo.position must be one of: bottom-left, bottom-right, top-left, top-right."},
	} {
		_, err := s.App.Images.Generate(t.Context(), caller, images.Request{
			ProjectID: s.Project,
			Request:   card.Request{URL: s.Site.At("/page/one"), Kind: card.BlogHero, Style: c.style},
		})
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.Code != apperr.BadRequest || !strings.HasPrefix(fault.Detail, c.says) ||
			!slices.Equal(fault.Fields, []apperr.Field{{Pointer: c.pointer, Detail: fault.Detail}}) ||
			!errors.Is(err, render.ErrStyle) {
			t.Errorf("%s: got %v, want BAD_REQUEST about %s", name, err, c.pointer)
		}
	}
	if n := s.Site.Pages.Load(); n != 0 {
		t.Errorf("the page was fetched %d times for pictures that cannot be drawn", n)
	}
	s.Generate("/page/one", map[string]any{"style": map[string]any{"font": "comic-sans"}}).
		WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}
