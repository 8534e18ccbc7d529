package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestPages_haveNothingThatAxeFinds runs axe-core over all pages of ours, on a desk and on a phone, light and dark, and
// with forced colors.
func TestPages_haveNothingThatAxeFinds(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	forced := emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}})
	looks := []struct {
		name   string
		window chromedp.Action
		media  chromedp.Action
	}{
		{"desk-light", desk, scheme("light")}, {"phone-dark", phone, scheme("dark")}, {"desk-dark", desk, scheme("dark")},
		{"phone-light", phone, scheme("light")}, {"forced", desk, forced},
	}
	for _, path := range ownPages {
		for i, look := range looks {
			if i > 0 && path != "/" && path != "/audit/example" {
				break // they are made of the same
			}
			err := webtest.Run(ctx, look.window, look.media,
				chromedp.Navigate(h.Base+path),
				chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
			)
			if err != nil {
				t.Fatal(err)
			}
			found, ok := webtest.Axe(t, ctx)
			if !ok {
				return
			}
			if len(found) > 0 {
				t.Errorf("%s, %s: %s", path, look.name, strings.Join(found, "\n"))
			}
			shoot(t, ctx, fmt.Sprintf("%s-%s.png", path, look.name))
		}
	}
}
