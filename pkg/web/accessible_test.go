package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// TestPages_haveNothingThatAxeFinds runs axe-core over all pages of ours, on a desk and on a phone, light and dark, and
// with forced colors.
func TestPages_haveNothingThatAxeFinds(t *testing.T) {
	t.Parallel()
	file, ok := testenv.Axe(t)
	if !ok {
		return
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
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
			var found []string
			err := chromedp.Run(ctx, look.window, look.media,
				chromedp.Navigate(h.Base+path),
				chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
				chromedp.Evaluate(string(script), nil),
				chromedp.Evaluate(`axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html)))`,
					&found, chromedp.EvalAsValue, awaited),
			)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				t.Errorf("%s, %s: %s", path, look.name, strings.Join(found, "\n"))
			}
			shoot(t, ctx, fmt.Sprintf("%s-%s.png", path, look.name))
		}
	}
}
