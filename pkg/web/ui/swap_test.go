package ui_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/web/ui"
	"masthead/pkg/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// swapPage is a page as those of the dashboard are. Its list has markup that got there by mistake: it must do nothing.
var swapPage = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><head><title>Page {{.At}}</title>
<script nonce="{{.Nonce}}">window.loads = {{.Loads}}; addEventListener('securitypolicyviolation', e => {
(window.violations ??= []).push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample)})</script>
<style nonce="{{.Nonce}}">main { color: black }</style></head><body>
<main id="main" hx-boost:inherited="true" hx-target:inherited="#main" hx-select:inherited="#main" hx-select-oob:inherited="#count"
hx-swap:inherited="outerMorph show:none" hx-sync:inherited="drop" hx-history-elt><h1>Page {{.At}}</h1>
{{with .Done}}<p class="done">{{.}}</p>{{end}}{{with .Error}}<input id="wrong" autofocus value="kept"><p>{{.}}</p>{{end}}
<form id="save" method="post" action="/page"><input name="name" id="name" value=""><button name="do" value="save">Save</button>
<button id="elsewhere" name="do" value="save" formaction="/other">Save elsewhere</button>
<button name="do" value="wrong">Wrong</button><button name="do" value="broken">Broken</button></form>
<input id="typed" value=""><details id="more-of-it"><summary>More</summary>It</details>
<a id="next" href="/page?at=next">Next</a> <a id="other" href="/other">Other</a>
<ul id="list">{{range .Rows}}<li><a href="/page?row={{.}}">Row {{.}}</a></li>{{end}}</ul>
<p id="more"><a id="more-link" href="/page?rows=3" hx-target="#list" hx-select="#list > *" hx-select-oob="#more" hx-swap="beforeend" hx-push-url="false">More</a></p>
<div hx-get="/injected" hx-trigger="load">get</div><form action="/page" method="post" hx-trigger="load" hx-post="/injected"></form>
<a href="/page" hx-vals='js:{hit: window.hit = 1}' id="valued">vals</a><b hx-on:click="window.hit = 1" id="clicked">on</b>
<a href="/page" hx-trigger="click[window.hit=1]" id="filtered">filter</a><a href="https://elsewhere.example/page" id="far">far</a>
<script nonce="{{.Nonce}}">window.scripts = (window.scripts ?? 0) + 1</script><script>window.hit = 1</script></main>
<p id="count">{{.Count}}</p><div id="toast" role="status"></div>
<script nonce="{{.Nonce}}" src="{{.Script}}" defer></script></body></html>`))

// swapSite serves swapPage at /page, and counts.
type swapSite struct{ loads, posts, injected, others int }

func (s *swapSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, ui.ScriptPath); ok {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(ui.Scripts()[name])
		return
	}
	status := http.StatusOK
	values := map[string]any{"Rows": []int{1, 2}, "At": "start", "Done": r.URL.Query().Get("done")}
	if at := r.URL.Query().Get("at"); at != "" {
		values["At"] = at
	}
	switch {
	case r.URL.Path == "/injected":
		s.injected++
	case r.URL.Path == "/other":
		s.others++
		values["At"] = "other"
	case r.Method == http.MethodPost:
		s.posts++
		switch r.FormValue("do") {
		case "wrong":
			status, values["Error"] = http.StatusUnprocessableEntity, "Wrong: "+r.FormValue("name")
		case "broken":
			http.Error(w, "<p>broken</p>", http.StatusInternalServerError)
			return
		default:
			http.Redirect(w, r, "/page?done="+r.FormValue("name"), http.StatusSeeOther)
			return
		}
	case r.URL.Query().Has("rows"):
		values["Rows"] = []int{3, 4}
	}
	s.loads++
	nonce := ui.NewNonce()
	values["Nonce"], values["Loads"], values["Count"] = nonce, s.loads, s.posts
	values["Script"] = ui.Head{}.SwapsURL()
	w.Header().Set("Content-Security-Policy", ui.Strict(nonce))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = swapPage.Execute(w, values)
}

// TestSwaps checks in a browser what the pages rely on of htmx, whose attributes, settings and defaults differ between
// versions: forms and links of a page swap its part, and nothing else that htmx can do is possible.
func TestSwaps(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	site := &swapSite{}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	click := func(selector string) chromedp.Action { return chromedp.Click(selector, chromedp.ByQuery) }
	typed := func(selector, text string) chromedp.Action {
		return chromedp.SendKeys(selector, text, chromedp.ByQuery)
	}
	next := chromedp.Tasks{click("#next"), webtest.Until(`document.title === 'Page next'`)}
	for _, c := range []struct {
		name    string
		actions chromedp.Tasks
		// want is what is true afterwards, and same means that the document is still the one that was loaded.
		want string
		same bool
	}{
		{"a link of the page swaps it, and the address follows", chromedp.Tasks{click("#next")},
			`document.title === 'Page next' && location.search === '?at=next' && document.querySelector('h1').textContent === 'Page next'`, true},
		{"Back shows what was there", chromedp.Tasks{next, chromedp.Evaluate(`history.back()`, nil)}, `document.title === 'Page start' && location.search === ''`, true},
		{"a form follows its redirect, is emptied, and what else was typed or opened stays", chromedp.Tasks{
			typed("#typed", "mine"), click("summary"), typed("#name", "saved"), click("[value=save]")},
			`location.search === '?done=saved' && document.querySelector('.done').textContent === 'saved' &&
			document.getElementById('name').value === '' && document.getElementById('typed').value === 'mine' &&
			document.getElementById('more-of-it').open && document.getElementById('toast').textContent === 'saved'`, true},
		{"another part of the page changes with it", chromedp.Tasks{click("[value=save]"), webtest.Until(`document.querySelector('.done, #count') && location.search === '?done='`)},
			`document.getElementById('count').textContent !== '0'`, true},
		{"an error is shown, and its field has the focus", chromedp.Tasks{typed("#name", "x"), click("[value=wrong]")},
			`document.body.innerText.includes('Wrong: x') && document.activeElement.id === 'wrong' && location.search === ''`, true},
		{"a page that can't be shown replaces nothing", chromedp.Tasks{typed("#name", "x"), click("[value=broken]")},
			`document.getElementById('name').value === 'x' && document.getElementById('toast').textContent.startsWith('That didn’t work')`, true},
		{"the focus stays on the button", chromedp.Tasks{chromedp.Focus("[value=save]", chromedp.ByQuery), webtest.Key('\r')},
			`location.search === '?done=' && document.activeElement.value === 'save'`, true},
		{"a row that is gone leaves the focus to the heading", chromedp.Tasks{next,
			chromedp.Evaluate(`document.getElementById('list').insertAdjacentHTML('beforebegin', '<section><a id="gone" href="/page?at=gone">Gone</a></section>');
			htmx.process(document.getElementById('gone').parentElement)`, nil),
			chromedp.Focus("#gone", chromedp.ByQuery), webtest.Key('\r')},
			`document.title === 'Page gone' && document.activeElement.tagName === 'H1'`, true},
		{"more of a list is appended", chromedp.Tasks{click("#more-link")},
			`document.querySelectorAll('#list li').length === 4 && location.search === '' && document.activeElement.textContent === 'Row 3'`, true},
		{"another page is loaded as one", chromedp.Tasks{click("#other")}, `document.title === 'Page other' && location.pathname === '/other'`, false},
		{"and by a button that leads there", chromedp.Tasks{click("#elsewhere")}, `document.title === 'Page other' && location.pathname === '/other'`, false},
		{"code in attributes doesn't run", chromedp.Tasks{click("#clicked"), click("#filtered"), webtest.Until(`document.readyState === 'complete'`), click("#valued")},
			`location.pathname === '/page' && window.hit === undefined`, false},
		{"no script of a response runs, and none is refused", chromedp.Tasks{click("#next")},
			`document.title === 'Page next' && window.scripts === 1`, true},
		{"nothing is kept in the browser, and htmx adds no style", next,
			`localStorage.length === 0 && sessionStorage.length === 0 && document.adoptedStyleSheets.length === 0 &&
			document.querySelectorAll('style').length === 1`, true},
		{"the link to another site is the browser's", nil, `!document.getElementById('far')._htmx && document.getElementById('next')._htmx`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var same bool
			var violations string
			err := webtest.Run(ctx, chromedp.Navigate(server.URL+"/page"),
				webtest.Until(`document.getElementById('next')._htmx`),
				chromedp.Evaluate(`window.first = true; window.violations = []`, nil), c.actions,
				webtest.Until(c.want), chromedp.Evaluate(`window.first === true`, &same),
				chromedp.Evaluate(`(window.violations ?? []).join('; ')`, &violations))
			if err != nil || same != c.same || c.same && violations != "" {
				var html string
				_ = chromedp.Run(ctx, chromedp.Evaluate(
					`location.href + ' ' + document.title + document.activeElement.outerHTML + document.body.innerHTML`, &html))
				t.Errorf("%v; the same document: %v; refused: %s\n%s", err, same, violations, html)
			}
		})
	}
	if site.injected > 0 {
		t.Errorf("markup in a page sent %d requests by itself", site.injected)
	}
}

// TestSwaps_size weighs the script that pages load as a file.
func TestSwaps_size(t *testing.T) {
	t.Parallel()
	for name, data := range ui.Scripts() {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(data)
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if packed.Len() > 18_000 {
			t.Errorf("%s has %d bytes on the wire", name, packed.Len())
		}
		fmt.Fprintln(t.Output(), name, packed.Len())
	}
}
