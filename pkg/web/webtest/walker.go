package webtest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Walker is a person with a browser without scripts, who follows links and sends forms by what they say: nothing that
// the page doesn't offer can be sent. It follows redirects within the service.
type Walker struct {
	*Visitor

	// Page is the current page, and At its address.
	Page Page
	At   *url.URL
	root *html.Node
}

// NewWalker returns a person at the start page of the service at base.
func NewWalker(v *Visitor) *Walker {
	v.t.Helper()
	w := &Walker{Visitor: v, At: &url.URL{Path: "/"}}
	w.arrive(v.Get("/"))
	return w
}

// arrive makes a response the current page.
func (w *Walker) arrive(page Page) {
	w.t.Helper()
	for range 5 {
		to, err := w.At.Parse(page.Header.Get("Location"))
		if err != nil {
			w.t.Fatal(err)
		}
		if page.Status < 300 || page.Status >= 400 || to.Host != "" && w.base != to.Scheme+"://"+to.Host {
			break
		}
		to.Scheme, to.Host = "", ""
		w.At = to
		page = w.Get(to.RequestURI())
	}
	root, err := html.Parse(strings.NewReader(page.Body))
	if err != nil {
		w.t.Fatal(err)
	}
	w.Page, w.root = page, root
}

// Reload requests the current page again, without the name of what was just done.
func (w *Walker) Reload() {
	w.t.Helper()
	w.arrive(w.Get(w.At.Path))
}

// Open goes to a page by its path.
func (w *Walker) Open(path string) {
	w.t.Helper()
	w.At = &url.URL{Path: path}
	w.arrive(w.Get(path))
}

// Text is the text of the page.
func (w *Walker) Text() string { return textOf(w.root) }

// Has reports whether the page has a text.
func (w *Walker) Has(text string) bool { return strings.Contains(textOf(w.root), text) }

// Want fails unless the page has a text and is a success.
func (w *Walker) Want(text string) {
	w.t.Helper()
	if w.Page.Status != http.StatusOK || !w.Has(text) {
		w.t.Fatalf("%s (%d) doesn't say %q: %.3000s", w.At, w.Page.Status, text, w.Page.Main())
	}
}

// Follow follows the first link with a text.
func (w *Walker) Follow(text string) {
	w.t.Helper()
	i := slices.IndexFunc(w.all(atom.A), func(n *html.Node) bool { return says(n, text) })
	if i < 0 {
		w.t.Fatalf("%s has no link %q: %.3000s", w.At, text, w.Page.Main())
	}
	to, err := w.At.Parse(attribute(w.all(atom.A)[i], "href"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.At = to
	w.arrive(w.Get(to.RequestURI()))
}

// Submit types texts into the fields with names, and presses the first button with a text whose form has all of them.
func (w *Walker) Submit(button string, typed ...string) {
	w.t.Helper()
	for _, b := range w.all(atom.Button) {
		form := formOf(b)
		if form == nil || !says(b, button) {
			continue
		}
		values := valuesOf(form)
		fits := true
		for i := 0; i+1 < len(typed); i += 2 {
			_, there := values[typed[i]]
			fits = fits && there
			values.Set(typed[i], typed[i+1])
		}
		if fits {
			if name := attribute(b, "name"); name != "" {
				values.Add(name, attribute(b, "value"))
			}
			w.send(form, b, values)
			return
		}
	}
	w.t.Fatalf("%s has no button %q in a form with %v: %.3000s", w.At, button, typed, w.Page.Main())
}

// Form is what a button of a form sends, and where.
type Form struct {
	Path   string
	Values url.Values
}

// Posts returns what the buttons of the page send with POST, unless something is typed.
func (w *Walker) Posts() (forms []Form) {
	w.t.Helper()
	for _, b := range w.all(atom.Button) {
		form := formOf(b)
		if form == nil || attribute(form, "method") != "post" || attribute(b, "type") == "button" {
			continue
		}
		values := valuesOf(form)
		if name := attribute(b, "name"); name != "" {
			values.Set(name, attribute(b, "value"))
		}
		to, err := w.At.Parse(cmp.Or(attribute(b, "formaction"), attribute(form, "action"), w.At.Path))
		if err != nil {
			w.t.Fatal(err)
		}
		forms = append(forms, Form{to.RequestURI(), values})
	}
	return forms
}

// send sends a form as a browser does.
func (w *Walker) send(form, button *html.Node, values url.Values) {
	w.t.Helper()
	pick := func(attr, fallback string) string {
		for _, n := range []*html.Node{button, form} {
			if v := attribute(n, "form"+attr); v != "" {
				return v
			}
			if v := attribute(n, attr); v != "" && n == form {
				return v
			}
		}
		return fallback
	}
	to, err := w.At.Parse(pick("action", w.At.Path))
	if err != nil {
		w.t.Fatal(err)
	}
	if pick("method", "get") == "get" {
		to.RawQuery = values.Encode()
		w.At = to
		w.arrive(w.Get(to.RequestURI()))
		return
	}
	w.At = to
	w.arrive(w.Post(to.RequestURI(), values))
}

// valuesOf are the values that a form sends unless something is typed.
func valuesOf(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if name == "" {
			continue
		}
		switch n.DataAtom {
		case atom.Input:
			kind := attribute(n, "type")
			if (kind == "radio" || kind == "checkbox") && !has(n, "checked") || kind == "file" {
				continue
			}
			values.Add(name, attribute(n, "value"))
		case atom.Textarea:
			values.Add(name, textOf(n))
		case atom.Select:
			var options []*html.Node
			for o := range n.Descendants() {
				if o.DataAtom == atom.Option {
					options = append(options, o)
				}
			}
			if len(options) > 0 {
				i := slices.IndexFunc(options, func(o *html.Node) bool { return has(o, "selected") })
				values.Add(name, attribute(options[max(0, i)], "value"))
			}
		}
	}
	return values
}

// all are the elements of a kind.
func (w *Walker) all(kind atom.Atom) (found []*html.Node) {
	for n := range w.root.Descendants() {
		if n.DataAtom == kind {
			found = append(found, n)
		}
	}
	return found
}

// says reports whether a link or button has a text or label, apart from spaces around it.
func says(n *html.Node, text string) bool {
	return strings.TrimSpace(textOf(n)) == text || attribute(n, "aria-label") == text
}

func formOf(n *html.Node) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Form {
			return p
		}
	}
	return nil
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		hidden := d.Parent.DataAtom == atom.Style || d.Parent.DataAtom == atom.Script
		if d.Type == html.TextNode && !hidden {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
