package web_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
	"masthead/pkg/testenv"
	"masthead/pkg/web/webtest"
)

// ticketPath is that of a page in the playground.
var ticketPath = regexp.MustCompile(`/try/[0-9A-Za-z]{22}`)

// drawn waits until the browser shows a page of the playground with all its pictures.
var drawn = chromedp.ActionFunc(func(ctx context.Context) error {
	for {
		var at string
		var done bool
		err := webtest.Run(ctx, chromedp.Location(&at), chromedp.Evaluate(`document.readyState === 'complete' &&
			!!document.querySelector('[data-main], .sizes img') && !document.querySelector('[aria-busy]') &&
			[...document.images].every(i => i.complete && i.naturalWidth > 0)`, &done))
		if err == nil && done && ticketPath.MatchString(at) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("still at %s: %w", at, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
})

// TestPlayground_fromTheFieldToACard draws a page with one click from the front page, and changes its look.
func TestPlayground_fromTheFieldToACard(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var before, after, address, kept, selected, caption, copied, refused, using, below, above, every string
	var sheet []string
	err := webtest.Run(ctx,
		chromedp.Navigate(h.Base+"/"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click("button[formaction='/try']"),
		drawn,
		chromedp.Evaluate(`window.refused = []; document.addEventListener('securitypolicyviolation',
			e => refused.push(e.violatedDirective + ' ' + e.blockedURI))
			navigator.clipboard.writeText = async t => { window.copied = t }`, nil),
		chromedp.Evaluate(`document.querySelector('[data-main]').src`, &before),
		chromedp.Evaluate(`document.getElementById('every').textContent`, &every),
		// Down and up go by row.
		chromedp.Focus(".proof :checked", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.Evaluate(`document.activeElement.parentElement.getBoundingClientRect().left -
			document.querySelector('.proof').getBoundingClientRect().left + ' ' + document.activeElement.value`, &below),
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp), // there is no third row
		chromedp.Evaluate(`document.activeElement.value`, &above),
		// Another background, by its label; the address follows, and the sheet.
		chromedp.Click(`label[for="dark-false"]`, chromedp.ByQuery),
		chromedp.Poll(`document.querySelector('[data-main]').src.includes('dark=false')`, nil),
		drawn,
		chromedp.Poll(`[...document.querySelectorAll('[data-proof]')].every(i => i.src.includes('dark=false'))`, nil),
		// Another design, and an accent of one's own.
		chromedp.Click(`.proof:has([value=poster])`, chromedp.ByQuery),
		chromedp.SendKeys(`#own`, "B91C1C", chromedp.ByQuery),
		chromedp.Poll(`/poster\.png.*accent=b91c1c/i.test(document.querySelector('[data-main]').src)`, nil),
		chromedp.Poll(`/Poster/.test(document.querySelector('.caption').textContent)`, nil),
		drawn,
		chromedp.Evaluate(`document.querySelector('[data-main]').src`, &after),
		chromedp.Location(&address),
		chromedp.Click(`[data-look]`, chromedp.ByQuery),
		chromedp.Poll(`window.copied`, &copied),
		// Another snippet, which follows the choices.
		chromedp.Click(`[data-use=astro]`, chromedp.ByQuery),
		chromedp.Poll(`document.activeElement.matches('[data-use=astro][aria-current]')`, nil),
		chromedp.Click(`.proof:has([value=editorial])`, chromedp.ByQuery),
		chromedp.Poll(`/template=editorial/.test(document.querySelector('.snippet pre').textContent)`, nil),
		chromedp.Click(`.proof:has([value=poster])`, chromedp.ByQuery),
		chromedp.Poll(`/Astro[^]*template=poster/.test(document.querySelector('.snippet pre').textContent)`, nil),
		drawn,
		chromedp.Evaluate(`window.refused.join()`, &refused),
		// A reload shows the same.
		chromedp.Reload(), drawn,
		chromedp.Evaluate(`document.querySelector('[data-main]').src`, &kept),
		chromedp.Evaluate(`document.querySelector('.proof :checked').value`, &selected),
		chromedp.Text(".caption", &caption),
		chromedp.Text(".snippet", &using),
		chromedp.Evaluate(`[...document.querySelectorAll('[data-proof]')].
			map(i => i.naturalWidth + ' ' + i.naturalHeight)`, &sheet),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "playground.png")
	if !strings.HasSuffix(before, "/editorial.png?w=1200") || !strings.EqualFold(kept, after) || selected != "poster" {
		t.Errorf("from %s to %s, and after a reload %s, %s", before, after, kept, selected)
	}
	if !strings.HasPrefix(below, "0 ") || below == "0 editorial" || above != "editorial" || every != "Every design" {
		t.Errorf("down leads to %s, up to %s, below %q", below, above, every)
	}
	if !strings.Contains(using, "Astro.url") {
		t.Errorf("the snippet after a reload: %s", using)
	}
	for _, want := range []string{"accent=", "dark=false", "template=poster"} {
		if !strings.Contains(address, want) || !strings.Contains(copied, want) {
			t.Errorf("the address %s or the link %s lacks %s", address, copied, want)
		}
	}
	if !strings.HasPrefix(copied, h.Base+"/try?") || refused != "" {
		t.Errorf("copied %s; refused %s", copied, refused)
	}
	if !strings.Contains(caption, "1200×630") || len(sheet) < 5 {
		t.Errorf("the caption is %q, the sheet %v", caption, sheet)
	}
	for _, size := range sheet {
		if size != "480 252" {
			t.Errorf("a proof has %s pixels", size)
		}
	}
}

// TestPlayground_retryAndPicker has a proof that failed drawn again, and a color picked with the system's picker.
func TestPlayground_retryAndPicker(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var focused string
	err := webtest.Run(ctx, chromedp.Navigate(h.Base+"/"), chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click("button[formaction='/try']"), drawn,
		chromedp.Evaluate(`window.entries = performance.getEntriesByName
			performance.getEntriesByName = () => [{ responseStatus: 500 }]
			const picker = document.querySelector('[type=color]')
			picker.value = '#aa0000'
			picker.dispatchEvent(new Event('input', { bubbles: true }))`, nil),
		webtest.Until(`location.search.includes('accent=AA0000') && document.getElementById('own').value === 'AA0000'`),
		webtest.Until(`document.querySelectorAll('.remark button').length >= 5`),
		chromedp.Evaluate(`performance.getEntriesByName = window.entries`, nil),
		chromedp.Click(".remark button", chromedp.ByQuery),
		webtest.Until(`document.querySelector('.proof .remark').textContent === ''`),
		chromedp.Evaluate(`document.activeElement.name`, &focused),
		chromedp.Click(".swatch:has(:checked)", chromedp.ByQuery), // takes the own color back
		webtest.Until(`!location.search.includes('AA0000') && document.getElementById('own').value === ''`))
	if err != nil || focused != "template" {
		t.Errorf("%v; the focus is in %q", err, focused)
	}
	shoot(t, ctx, "playground-retry.png")
}

// TestPlayground_withoutScript does the same where scripts are off.
func TestPlayground_withoutScript(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	base := withoutScripts(t, h.Base)
	var src, address, using, icons string
	err := webtest.Run(ctx,
		chromedp.Navigate(base+"/"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click("button[formaction='/try']"),
		drawn,
		chromedp.Click(`label[for="dark-false"]`, chromedp.ByQuery),
		chromedp.Click(`.proof:has([value=poster])`, chromedp.ByQuery),
		chromedp.Click(`.sheet + .nojs`, chromedp.ByQuery),
		webtest.Until(`location.search.includes('template=poster')`), // the choice alone is on the page before, too
		drawn,
		chromedp.Location(&address),
		chromedp.AttributeValue("[data-main]", "src", &src, nil),
		chromedp.Click(`[data-use=hugo]`, chromedp.ByQuery),
		chromedp.WaitVisible(`[data-use=hugo][aria-current]`, chromedp.ByQuery),
		drawn,
		chromedp.Text(".snippet", &using),
		chromedp.Click(`.kinds a:last-child`, chromedp.ByQuery),
		chromedp.WaitVisible(`.sizes`, chromedp.ByQuery),
		drawn,
		chromedp.Text("h1", &icons),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "playground-icons.png")
	if !strings.Contains(src, "/poster.png?") || !strings.Contains(src, "dark=false") ||
		!strings.Contains(address, "template=poster") || icons != "One icon, every size" {
		t.Errorf("got %s at %s, then %q", src, address, icons)
	}
	if !strings.Contains(using, "querify") || !strings.Contains(using, "template=poster") {
		t.Errorf("the snippet: %s", using)
	}
}

// TestPlayground_looksRightEverywhere runs axe over the pages of the playground, and finds those that scroll sideways.
func TestPlayground_looksRightEverywhere(t *testing.T) {
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
	var ticket, gone string
	for to, page := range map[*string]string{&ticket: "/page/one", &gone: "/gone"} {
		err := webtest.Run(ctx,
			chromedp.Navigate(h.Base+"/try"),
			chromedp.SendKeys("#url", h.Site.At(page)),
			chromedp.Click(".field .box button:not(.bar *)", chromedp.ByQuery),
			chromedp.WaitVisible(".kinds, .textform", chromedp.ByQuery),
			chromedp.Location(to),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, look := range []struct {
		name   string
		width  float64
		window chromedp.Action
		media  chromedp.Action
	}{
		{"desk-light", 1280, desk, scheme("light")}, {"desk-dark", 1280, desk, scheme("dark")},
		{"phone-light", 390, phone, scheme("light")}, {"phone-dark", 390, phone, scheme("dark")},
		{"narrow", 320, narrow, webtest.Still},
	} {
		for name, address := range map[string]string{
			"cards": ticket + "?logoPosition=top-left&title=Mine", "hero": ticket + "?kind=blog_hero&accent=x",
			"icons": ticket + "?kind=icon_set", "gone": gone, "empty": h.Base + "/try",
			"expired": h.Base + "/try/" + strings.Repeat("0", 22),
		} {
			var found, beyond, moving []string
			var wide float64
			err := webtest.Run(ctx, look.window, look.media,
				chromedp.Navigate(address),
				chromedp.WaitVisible("h1", chromedp.ByQuery),
				chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
				chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide),
				chromedp.Evaluate(webtest.Beyond, &beyond), chromedp.Evaluate(webtest.Moving, &moving),
				chromedp.Evaluate(string(script), nil),
				chromedp.Evaluate(`axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html)))`,
					&found, chromedp.EvalAsValue, awaited),
			)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, look.name, err)
			}
			if len(found) > 0 {
				t.Errorf("%s, %s: %s", name, look.name, strings.Join(found, "\n"))
			}
			if wide > look.width || len(beyond) > 0 {
				t.Errorf("%s, %s: is %v px wide; beyond its edge: %v", name, look.name, wide, beyond)
			}
			if look.media == webtest.Still && len(moving) > 0 {
				t.Errorf("%s: moves for those who want less motion: %v", name, moving)
			}
			shoot(t, ctx, fmt.Sprintf("playground-%s-%s.png", name, look.name))
		}
	}
}

// TestPlayground_phone has the card, the strip of designs, the actions and the choices one below the other; accents are
// squares, and the last place begins a design of one's own, after signing in.
func TestPlayground_phone(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var tops []float64
	var square []float64
	var said, fork, other string
	err := webtest.Run(ctx, phone,
		chromedp.Navigate(h.Base+"/try"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click(".field .box button:not(.bar *)", chromedp.ByQuery),
		chromedp.WaitVisible(".sheet", chromedp.ByQuery),
		chromedp.Evaluate(`['.card', '.caption', '.sheet', '.actions', '.swatches', '.switch', '.lacking'].map(
			s => document.querySelector(s).getBoundingClientRect().top)`, &tops),
		chromedp.Evaluate(`(r => [r.width, r.height])(document.querySelector('label.swatch svg').getBoundingClientRect())`,
			&square),
		chromedp.Evaluate(`[...document.querySelectorAll('label.swatch code')].filter(
			c => getComputedStyle(c).clipPath === 'none').map(c => c.textContent).join()`, &said),
		chromedp.Evaluate(`document.querySelector('.fork a').getAttribute('href')`, &fork),
		chromedp.Click(`input[value=mesh]`, chromedp.ByQuery),
		chromedp.Poll(`!document.querySelector('.fork a').href.includes('from=')`, nil),
		chromedp.Click(`.fork a`, chromedp.ByQuery), webtest.Until(`location.pathname === '/sign-in'`),
		chromedp.Location(&other))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(tops) {
		t.Errorf("card, caption, strip, actions, accents, background and what other designs need begin at %v", tops)
	}
	if len(square) != 2 || square[0] != 36 || square[1] != 36 || !strings.HasPrefix(said, "#") || len(said) != 7 {
		t.Errorf("an accent is a square of %v; the code of the chosen one is %q", square, said)
	}
	if fork != "/dashboard/designs?from=editorial&new=1#new" ||
		!strings.Contains(other, "next=%2Fdashboard%2Fdesigns%3Fnew%3D1") {
		t.Errorf("one's own begins at %q, and signed out at %q", fork, other)
	}
}

// TestPlayground_tabOrder goes through the choices with the Tab key, on a phone, then in the same window made wide, and
// on the phone again: the order is the one that is seen.
func TestPlayground_tabOrder(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: "http://127.0.0.1:9", ImageModelStandard: fakeai.ModelStandard} // is never asked
	})
	k := webtest.NewKeyboard(t, ctx)
	k.Do(phone, webtest.SignedIn(h.Base, h.Session.Access),
		chromedp.Navigate(h.Base+"/try"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click(".field .box button:not(.bar *)", chromedp.ByQuery),
		chromedp.WaitVisible(".sheet", chromedp.ByQuery))
	for _, look := range []struct {
		window     chromedp.Action
		want, from string
	}{
		{phone, "every actions also choices ai", ".kinds a:last-child"},
		{desk, "actions also ai choices every", ".kinds a:last-child"},
		{phone, "every actions also choices ai", ".kinds a:last-child"},
	} {
		k.Do(look.window, chromedp.Focus(look.from, chromedp.ByQuery))
		var got []string
		for range 60 {
			var part string
			k.Do(chromedp.KeyEvent(kb.Tab), chromedp.Evaluate(`['every', 'actions', 'also', 'choices', 'ai'].find(
				p => document.activeElement.closest('#choices .' + p)) ?? ''`, &part))
			if part == "" {
				break
			}
			if len(got) == 0 || got[len(got)-1] != part {
				got = append(got, part)
			}
		}
		if order := strings.Join(got, " "); order != look.want {
			t.Errorf("the Tab key goes through %s, want %s", order, look.want)
		}
		// What is seen: one part below the other, except for the choices beside the card on a desk.
		var tops []float64
		k.Do(chromedp.Evaluate(`'`+look.want+`'.split(' ').filter(p => innerWidth <= 860 || p !== 'choices').map(p =>
			document.querySelector(p === 'every' ? '.sheet' : '#choices .' + p).getBoundingClientRect().top)`, &tops))
		if !slices.IsSorted(tops) {
			t.Errorf("%s begin at %v", look.want, tops)
		}
	}
}

// TestPlayground_save saves a card by a click, with and without scripts. Enter in a field doesn't save.
func TestPlayground_save(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	h.NewProject(h.Session)
	for name, base := range map[string]string{"with scripts": h.Base, "without": withoutScripts(t, h.Base)} {
		var typed, at string
		err := webtest.Run(ctx,
			network.SetCookie(identity.CookieName, h.Session.Access).WithURL(base).WithHTTPOnly(true), desk,
			chromedp.Navigate(base+"/try"), chromedp.SendKeys(".empty #url", h.Site.At("/page/one")+"\r"), drawn,
			chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
			chromedp.Click(`label[for="dark-false"]`, chromedp.ByQuery),
			chromedp.SendKeys("#title", "Mine\r"),
			webtest.Until(`location.search.includes('title=Mine')`), drawn,
			chromedp.Location(&typed),
		)
		if err != nil || !strings.Contains(typed, "/try/") || !strings.Contains(typed, "dark=false") {
			t.Fatalf("%s: %v at %s", name, err, typed)
		}
		shoot(t, ctx, "playground-signed-in.png")
		err = webtest.Run(ctx, chromedp.Click(`[value=save]`, chromedp.ByQuery),
			chromedp.WaitVisible(".done", chromedp.ByQuery), chromedp.Location(&at))
		if err != nil || !strings.Contains(at, "/dashboard/images/") {
			t.Fatalf("%s: %v at %s", name, err, at)
		}
	}
}

// TestPlayground_ownLogo chooses a file as the logo, with scripts, where that is enough, and without.
func TestPlayground_ownLogo(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	file := filepath.Join(t.TempDir(), "logo.svg")
	err := os.WriteFile(file, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10">`+
		`<path d="M0 0h40v10z" fill="#c80000"/></svg>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	h := apptest.Start(t)
	for name, base := range map[string]string{"with scripts": h.Base, "without": withoutScripts(t, h.Base)} {
		var says, src string
		send := chromedp.Tasks{}
		if base != h.Base {
			send = chromedp.Tasks{chromedp.Click("[value=logo]", chromedp.ByQuery)}
		}
		err := webtest.Run(ctx, desk, chromedp.Navigate(base+"/try"),
			chromedp.SendKeys(".empty #url", h.Site.At("/page/one")+"\r"), drawn,
			chromedp.Click(`label[for="dark-false"]`, chromedp.ByQuery), chromedp.Click(".own-logo summary", chromedp.ByQuery),
			chromedp.SetUploadFiles("#file", []string{file}, chromedp.ByQuery), send,
			webtest.Until(`location.search.includes('logo=') && location.search.includes('dark=false')`), drawn,
			chromedp.Text(".logo legend", &says, chromedp.ByQuery),
			chromedp.AttributeValue("[data-main]", "src", &src, nil),
		)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(says, "your file") || !strings.Contains(src, "logo=") {
			t.Errorf("%s: the logo is %q, the card %s", name, says, src)
		}
	}
	shoot(t, ctx, "playground-logo.png")
	err = webtest.Run(ctx, phone, chromedp.Evaluate(`document.querySelector('.own-logo').open = true`, nil))
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "playground-logo-phone.png")
}
