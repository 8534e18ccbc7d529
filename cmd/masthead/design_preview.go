package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"image"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
	"masthead/render/design"
)

// designPreviewCommand shows a design in the browser.
type designPreviewCommand struct {
	File  string `arg:"" help:"The design."`
	URL   string `name:"url" placeholder:"URL" help:"Page whose facts are shown. By default those of a sample page."`
	Data  string `placeholder:"FILE" help:"Values for the tag data: a JSON object."`
	Size  string `default:"1200x630" placeholder:"WxH" help:"Size of the card in pixels."`
	Port  int    `help:"Port on 127.0.0.1. By default a free one."`
	Light bool   `help:"Begin with dark text on a light background."`

	targets.SiteFlags `embed:""`

	Fonts     fontsConfig `embed:""`
	Typefaces typefaces   `embed:""`
}

// Run serves the page until it is interrupted.
func (c *designPreviewCommand) Run(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", c.Port))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return c.serve(ctx, listener, os.Stdout)
}

// serve serves the page on a listener until ctx ends.
func (c *designPreviewCommand) serve(ctx context.Context, listener net.Listener, out io.Writer) error {
	p, err := c.newPreview(ctx)
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer p.drawer.close()
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx },
	}
	if _, err := fmt.Fprintf(out, "http://%s/ shows %s, and draws it again when you save it. Ctrl+C ends it.\n",
		listener.Addr(), c.File); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newPreview checks the flags.
func (c *designPreviewCommand) newPreview(ctx context.Context) (*designPreview, error) {
	size, ok := design.ParseSize(c.Size)
	if !ok {
		return nil, usage.Errorf("--size: %q isn't a size such as 1200x630, with %s", c.Size, design.SizeLimits)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	if _, folder, err := openDesign(c.File); err != nil {
		return nil, err
	} else if err := folder.Close(); err != nil {
		return nil, err
	}
	if err := c.Fonts.add(); err != nil {
		return nil, err
	}
	var pages targets.List
	var err error
	if c.URL != "" {
		if pages, err = targets.ReadOne(c.URL, targets.NoRate); err != nil {
			return nil, err
		}
	}
	drawer, err := newDrawer(pages.Clients(c.SiteFlags, version, ""), "", "")
	if err != nil {
		return nil, err
	}
	if drawer.fonts, err = c.Typefaces.load(ctx); err != nil {
		return nil, err
	}
	known, err := lru.New[string, preview](maxPreviewed)
	if err != nil {
		return nil, err
	}
	p := &designPreview{command: c, size: size, drawer: drawer, known: known}
	if c.URL != "" {
		p.page = pages.Addresses[0]
	}
	return p, nil
}

// designPreview is the page of one design. It is safe for concurrent use.
type designPreview struct {
	command *designPreviewCommand
	size    image.Point
	page    weburl.URL // zero for the sample
	drawer  *drawer

	drawing sync.Mutex // one card at a time
	known   simplelru.LRUCache[string, preview]
}

// maxPreviewed is how many cards are kept.
const maxPreviewed = 64

// preview is a card, or why there is none.
type preview struct {
	drawn card.Result
	fault string
}

//go:embed design_preview.html
var designPreviewHTML string

var designPreviewPage = template.Must(template.New("").Parse(designPreviewHTML))

// previewPolicy allows nothing but what the page has.
const previewPolicy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// ServeHTTP serves the page, its cards and its version.
func (p *designPreview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		http.Error(w, "This page is for this machine only.", http.StatusForbidden) // a name that leads here is another site's
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET is possible.", http.StatusMethodNotAllowed)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", previewPolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case "/":
		p.show(w, r)
	case "/card":
		p.serveCard(w, r)
	case "/version":
		header.Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, p.version())
	case "/style.css":
		header.Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, designPreviewStyle)
	case "/script.js":
		header.Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = io.WriteString(w, designPreviewScript)
	default:
		http.NotFound(w, r)
	}
}

//go:embed design_preview.css
var designPreviewStyle string

//go:embed design_preview.js
var designPreviewScript string

// version changes when the design or its data do.
func (p *designPreview) version() string {
	h := sha256.New()
	for _, name := range []string{p.command.File, p.command.Data} {
		if data, err := os.ReadFile(name); name != "" && err == nil {
			_, _ = h.Write(data)
		}
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// choices are the parameters of a card.
func (p *designPreview) choices(q url.Values) url.Values {
	out := url.Values{}
	if mode := q.Get("mode"); mode == "light" || mode == "" && p.command.Light {
		out.Set("mode", "light")
	} else {
		out.Set("mode", "dark")
	}
	if accent := strings.TrimPrefix(q.Get("accent"), "#"); accent != "" {
		out.Set("accent", accent)
	}
	for _, t := range card.TestTexts() {
		if q.Get("text") == t.ID {
			out.Set("text", t.ID)
		}
	}
	return out
}

// show serves the page.
func (p *designPreview) show(w http.ResponseWriter, r *http.Request) {
	chosen := p.choices(r.URL.Query())
	version := p.version()
	main := p.draw(r.Context(), chosen)
	cardAt := func(text string) string {
		q := p.choices(chosen)
		q.Del("text")
		if text != "" {
			q.Set("text", text)
		}
		q.Set("v", version)
		return "/card?" + q.Encode()
	}
	type other struct{ Name, Card, Link string }
	var others []other
	for _, t := range append([]card.TestText{{Name: "The page"}}, card.TestTexts()...) {
		q := p.choices(chosen)
		q.Del("text")
		if t.ID != "" {
			q.Set("text", t.ID)
		}
		others = append(others, other{t.Name, cardAt(t.ID), "/?" + q.Encode()})
	}
	about := "a sample page"
	if !p.page.IsZero() {
		about = p.page.String()
	}
	values := map[string]any{
		"File": p.command.File, "Page": about, "Width": p.size.X, "Height": p.size.Y, "Version": version,
		"Card": cardAt(chosen.Get("text")), "Others": others, "Fault": main.fault, "Warnings": main.drawn.Warnings,
		"Dark": chosen.Get("mode") == "dark", "Accent": chosen.Get("accent"), "Text": chosen.Get("text"),
		"Share": p.size == image.Pt(1200, 630),
	}
	if main.fault == "" {
		values["Bytes"] = len(main.drawn.Picture().Bytes) >> 10
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := designPreviewPage.Execute(w, values); err != nil {
		fmt.Fprintln(os.Stderr, "masthead:", err)
	}
}

// serveCard serves a card.
func (p *designPreview) serveCard(w http.ResponseWriter, r *http.Request) {
	of := p.draw(r.Context(), p.choices(r.URL.Query()))
	if of.fault != "" {
		http.Error(w, of.fault, http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", of.drawn.Picture().ContentType)
	_, _ = w.Write(of.drawn.Picture().Bytes)
}

// draw draws the card of choices, unless it is known for the present version.
func (p *designPreview) draw(ctx context.Context, chosen url.Values) preview {
	key := p.version() + " " + chosen.Encode()
	p.drawing.Lock()
	defer p.drawing.Unlock()
	if of, ok := p.known.Get(key); ok {
		return of
	}
	var of preview
	var err error
	if of.drawn, err = p.make(ctx, chosen); err != nil {
		of.fault = faultOfPreview(err)
	}
	if ctx.Err() == nil {
		p.known.Add(key, of)
	}
	return of
}

// faultOfPreview is an error as a sentence.
func faultOfPreview(err error) string {
	var fault *design.Error
	var said *apperr.Error
	switch {
	case errors.As(err, &fault):
		return fault.Error()
	case errors.As(err, &said):
		return said.Detail
	}
	return err.Error()
}

// make draws a card.
func (p *designPreview) make(ctx context.Context, chosen url.Values) (drawn card.Result, err error) {
	source, folder, err := openDesign(p.command.File)
	if err != nil {
		return drawn, err
	}
	defer folder.Close()
	own, err := compileOwn(source)
	if err != nil {
		return drawn, err
	}
	r := card.Request{
		Kind: card.Custom, Size: p.size, Template: "design", Design: own,
		Style: card.Style{Dark: chosen.Get("mode") == "dark"},
	}
	if accent := chosen.Get("accent"); accent != "" {
		r.Style.Accent = "#" + accent
	}
	if p.command.Data != "" {
		if r.Data, err = os.ReadFile(p.command.Data); err != nil {
			return drawn, err
		}
	}
	r.Own.SVG, r.Own.Asset, r.Own.Fonts = p.drawer.drawSVG, folderAssets(folder), p.drawer.fonts
	for _, t := range card.TestTexts() {
		if t.ID == chosen.Get("text") {
			r.Content, r.Own.Lang = t.On(r.Content), t.Lang
		}
	}
	if p.page.IsZero() {
		r.Own.NoPage = true
		r.Content = card.SampleContent(r.Content)
	}
	_, err = p.drawer.clients.Read(p.page, func(client *fetch.Client, page weburl.URL) error {
		r := r
		r.URL = page.String()
		drawn, err = inTime(ctx, "the card was", func(ctx context.Context) (card.Result, error) {
			return p.drawer.maker(client).Make(ctx, r)
		})
		return err
	})
	return drawn, err
}
