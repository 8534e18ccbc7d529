package ui

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/identity"
)

// CardLink is a card on a page that leads to another page.
type CardLink struct {
	Path, URL, Alt, Caption string
	Width, Height           int
}

// View is a page's template with its style.
type View struct {
	template *template.Template
	style    template.CSS
}

// NewView reads the page NAME.html of files. Its style is that of the ui sheets, and after them of own, the names of
// sheets of files with spaces between them; "" for none. parts are files with templates that it shares with other
// pages. It panics if a file is missing or isn't a template.
func NewView(files fs.FS, name, own string, sheets []string, parts ...string) *View {
	read := func(file string) string {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			panic("ui: " + err.Error())
		}
		return string(text)
	}
	var style strings.Builder
	for file := range strings.FieldsSeq(own) {
		style.WriteString(read(file))
	}
	t := Templates(nil)
	for _, shared := range parts {
		template.Must(t.Parse(read(shared)))
	}
	page := template.Must(t.New(name).Parse(read(name + ".html")))
	return &View{template: page, style: Style(style.String(), sheets...)}
}

// With adds templates and a sheet of another package, before the view is used for the first time.
func (v *View) With(add func(*template.Template), sheet string) *View {
	add(v.template)
	v.style += template.CSS(minify(sheet)) //nolint:gosec // files of ours
	return v
}

// Part writes one of the page's own templates, without the page around it.
func (v *View) Part(w io.Writer, name string, values any) error {
	if err := v.template.ExecuteTemplate(w, name, values); err != nil {
		return fmt.Errorf("draw the part %s: %w", name, err)
	}
	return nil
}

// Responder responds with pages of an installation. Its zero value is one without https.
type Responder struct {
	// HTTPS means that browsers must use https from then on.
	HTTPS bool
}

// ResponderOf returns the one of an installation at a public address.
func ResponderOf(base string) Responder { return Responder{HTTPS: strings.HasPrefix(base, "https://")} }

// bodies are buffers for pages.
var bodies = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// Buffered passes what write wrote to send, which must not keep it: the buffer is used again.
func Buffered(write func(io.Writer) error, send func(body []byte) error) error {
	body := bodies.Get().(*bytes.Buffer) //nolint:forcetypeassert // the pool has nothing else
	defer bodies.Put(body)
	body.Reset()
	if err := write(body); err != nil {
		return err
	}
	return send(body.Bytes())
}

// Render responds with a page. values["Head"] is its [Head]; Render sets its nonce and style.
func (s Responder) Render(c echo.Context, status int, of *View, values map[string]any) error {
	head := values["Head"].(Head) //nolint:forcetypeassert // every page has one
	head.Nonce, head.Style, head.SignedIn = NewNonce(), of.style, SignedIn(c)
	values["Head"] = head
	if head.SignedIn {
		c.Response().Header().Set("Cache-Control", "no-store")
	}
	policy := Strict(head.Nonce)
	if head.FormsTo != "" {
		policy = strings.Replace(policy, "form-action 'self'", "form-action 'self' "+head.FormsTo, 1)
	}
	return Buffered(func(w io.Writer) error {
		if err := of.template.Execute(w, values); err != nil {
			return fmt.Errorf("draw the page %s: %w", of.template.Name(), err)
		}
		return nil
	}, func(body []byte) error { return s.HTML(c, status, policy, body) })
}

// SignedIn reports whether a page is requested by someone with a session. Its route must read it.
func SignedIn(c echo.Context) bool { return !identity.CallerOf(c.Request().Context()).Anonymous() }

// HTML responds with a page under a Content-Security-Policy.
func (s Responder) HTML(c echo.Context, status int, policy string, body []byte) error {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	if s.HTTPS {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return c.Blob(status, echo.MIMETextHTMLCharsetUTF8, body)
}

// Strict is the Content-Security-Policy of our pages: elements with the nonce, pictures and fonts from here, and no
// style attributes. Source: docs/security.md#responses.
func Strict(nonce string) string {
	own := "'nonce-" + nonce + "'"
	return "default-src 'none'; script-src " + own + "; style-src " + own + "; img-src 'self'; font-src 'self'; " +
		"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// NewNonce returns 128 random bits for the scripts and styles of one response.
func NewNonce() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails: without randomness the process ends
	return base64.RawStdEncoding.EncodeToString(raw[:])
}
