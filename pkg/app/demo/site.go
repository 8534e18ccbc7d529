package demo

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"image/png"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/fogleman/gg"

	"masthead/pkg/app"
)

//go:embed pages/*.html
var pageFiles embed.FS

// Page is one of the sample pages.
type Page struct {
	Path string
	What string // in words for people

	file string
}

// Pages are the pages of the demo, served by the program itself so that it works offline. The first is the one to
// begin with.
var Pages = []Page{
	{"/article", "an article with author and date", "pages/article.html"},
	{"/product", "a product page", "pages/product.html"},
	{"/ar/guide", "a page in Arabic", "pages/guide.ar.html"},
}

// Faulty are pages to audit, from one that lacks everything to one that lacks little.
var Faulty = []Page{
	{"/faulty", "a page with most faults that there are", "pages/faulty.html"},
	{"/nearly", "a page that is nearly right", "pages/nearly.html"},
	{"/bare", "a page that says nothing about itself", "pages/bare.html"},
}

// robots keeps one crawler away from the page with most faults.
const robots = "User-agent: LinkedInBot\nDisallow: /faulty\n"

// Samples serves the sample pages on a loopback address of its own.
type Samples struct {
	listener net.Listener
	server   *http.Server
}

// Port is where the sample pages are served unless another program is there: the examples in openapi.yaml that need a
// page to read name it, so that they work in /swagger as they stand.
const Port = "8098"

// OpenSite serves on the port of the last time, which stands in the data folder, else on [Port] or a free one: a page's
// address is part of what its image is kept under.
func OpenSite(ctx context.Context, storage app.Storage) (*Samples, error) {
	const portFile = "demo-port"
	picture, err := icon()
	if err != nil {
		return nil, err
	}
	port := Port
	if kept, err := storage.Kept(portFile); err == nil {
		port = strings.TrimSpace(string(kept))
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		listener, err = config.Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("serve the sample pages: %w", err)
	}
	_, port, err = net.SplitHostPort(listener.Addr().String())
	if err == nil {
		err = storage.Keep(portFile, []byte(port+"\n"))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("keep the port of the sample pages: %w", err), listener.Close())
	}
	mux := http.NewServeMux()
	for _, page := range slices.Concat(Pages, Faulty) {
		body, err := pageFiles.ReadFile(page.file)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("read a sample page: %w", err), listener.Close())
		}
		mux.HandleFunc("GET "+page.Path, serveBytes("text/html; charset=utf-8", body))
	}
	mux.HandleFunc("GET /icon.png", serveBytes("image/png", picture))
	mux.HandleFunc("GET /robots.txt", serveBytes("text/plain; charset=utf-8", []byte(robots)))
	for path, size := range map[string][2]int{"/share.png": {1200, 630}, "/small.png": {320, 240}} {
		shared, err := shareImage(size[0], size[1])
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		mux.HandleFunc("GET "+path, serveBytes("image/png", shared))
	}
	site := &Samples{listener: listener, server: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}}
	go func() {
		if err := site.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("sample pages ended", "err", err)
		}
	}()
	return site, nil
}

func serveBytes(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // the client left; there is nobody to tell
	}
}

// URL is the address of the page at a path.
func (s *Samples) URL(path string) string { return "http://" + s.listener.Addr().String() + path }

// Allowed is the one private target that the demo may fetch, as an entry of [fetch.Config].Allow.
func (s *Samples) Allowed() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return "127.0.0.1/32:" + port
}

// Close ends the site.
func (s *Samples) Close() { _ = s.server.Close() } // it serves nobody any more

// shareImage draws a share image of the sample site: hills under a low sun.
func shareImage(width, height int) ([]byte, error) {
	w, h := float64(width), float64(height)
	dc := gg.NewContext(width, height)
	dc.SetHexColor("#FDF3E3")
	dc.Clear()
	dc.SetHexColor("#F2B872")
	dc.DrawCircle(w*.7, h*.42, h*.17)
	dc.Fill()
	for i, color := range []string{"#5FA79F", "#2C8279", "#0F5F58"} {
		y := h * (.55 + .13*float64(i))
		dc.SetHexColor(color)
		dc.MoveTo(0, y+h*.1)
		dc.CubicTo(w*.3, y-h*(.22-.08*float64(i)), w*.5, y+h*.18, w, y-h*.06)
		dc.LineTo(w, h)
		dc.LineTo(0, h)
		dc.ClosePath()
		dc.Fill()
	}
	var b bytes.Buffer
	if err := png.Encode(&b, dc.Image()); err != nil {
		return nil, fmt.Errorf("draw a sample share image: %w", err)
	}
	return b.Bytes(), nil
}

// icon draws the icon of the sample site: a rising path on a rounded square.
func icon() ([]byte, error) {
	const side = 180
	dc := gg.NewContext(side, side)
	dc.DrawRoundedRectangle(0, 0, side, side, side*.24)
	dc.SetHexColor("#0F766E")
	dc.Fill()
	dc.SetHexColor("#FFFFFF")
	dc.SetLineWidth(side * .11)
	dc.SetLineCapRound()
	dc.SetLineJoinRound()
	dc.MoveTo(side*.28, side*.68)
	dc.LineTo(side*.5, side*.32)
	dc.LineTo(side*.72, side*.68)
	dc.Stroke()
	var b bytes.Buffer
	if err := png.Encode(&b, dc.Image()); err != nil {
		return nil, fmt.Errorf("draw the sample icon: %w", err)
	}
	return b.Bytes(), nil
}
