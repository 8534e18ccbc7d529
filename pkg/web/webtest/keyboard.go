package webtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// maxTabs is how many times the Tab key is pressed on the way to an element.
const maxTabs = 120

// focused evaluates to the element with the focus: what it is, whether it matches a selector, and whether its focus is
// visible: an outline around it or what stands for it, in the window.
const focused = `(() => {
	const e = document.activeElement
	if (!e || e === document.body) return {What: ''}
	// What shows the focus of an element: a box around a field, the label of a radio, its picture.
	const near = [e, e.parentElement, e.nextElementSibling, ...(e.labels ?? [])]
	const rings = near.filter(n => {
		const s = n && getComputedStyle(n)
		return s && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 && n.getClientRects().length
	})
	const seen = rings.some(n => {
		const r = n.getBoundingClientRect()
		return r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth
	})
	return {What: e.outerHTML.slice(0, 160), There: e.matches(%q), Seen: seen}
})()`

// Keyboard uses a page with the keys alone. It presses what a person would, and fails where the focus can't be seen.
type Keyboard struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // that of a window, as chromedp has it
}

// NewKeyboard returns the keyboard of a window.
func NewKeyboard(t *testing.T, ctx context.Context) *Keyboard {
	t.Helper()
	return &Keyboard{t, ctx}
}

// Do runs actions in the window.
func (k *Keyboard) Do(actions ...chromedp.Action) {
	k.t.Helper()
	if err := Run(k.ctx, actions...); err != nil {
		// The window is still open when its time is over.
		ctx, stop := context.WithTimeout(context.WithoutCancel(k.ctx), 10*time.Second)
		defer stop()
		var page string
		unread := chromedp.Run(ctx, chromedp.Evaluate(`[location, document.activeElement?.outerHTML.slice(0, 160),
			document.getElementById('toast')?.textContent, document.querySelector('main')?.innerText].join(' | ')`, &page))
		k.t.Fatalf("%v, at %.1000s (%v)", err, page, unread)
	}
}

// Tab presses the Tab key until an element has the focus.
func (k *Keyboard) Tab(to string) {
	k.t.Helper()
	k.Do(Visible("body"))
	var passed []string
	for range maxTabs {
		var now struct {
			What        string
			There, Seen bool
		}
		k.Do(chromedp.KeyEvent("\t"), chromedp.Evaluate(fmt.Sprintf(focused, to), &now))
		passed = append(passed, now.What)
		if now.What != "" && !now.Seen {
			k.t.Errorf("the focus can't be seen on %s", now.What)
		}
		if now.There {
			return
		}
	}
	k.t.Fatalf("the Tab key doesn't lead to %s, but to %s", to, strings.Join(passed, "\n"))
}

// Type goes to a field and types into it.
func (k *Keyboard) Type(to, text string) {
	k.t.Helper()
	k.Tab(to)
	k.Do(chromedp.KeyEvent(text))
}

// Press goes to a link or button and presses Enter, and for buttons the space bar.
func (k *Keyboard) Press(to string) {
	k.t.Helper()
	k.Tab(to)
	var button bool
	k.Do(chromedp.Evaluate(`document.activeElement.tagName === 'BUTTON'`, &button))
	key := '\r'
	if button {
		key = ' '
	}
	k.Do(Key(key))
}

// Key presses a key as a keyboard does: what it types comes with its press. Sent after it, as [chromedp.KeyEvent] does,
// it goes to what the page has focused meanwhile: the Enter that opens a form would submit it.
func Key(r rune) chromedp.Action {
	events := kb.Encode(r)
	down, up := *events[0], events[len(events)-1]
	if len(events) > 2 {
		down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
	}
	return chromedp.Tasks{&down, up}
}
