package main

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
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fogleman/gg"
)

//go:embed sample/*.html
var sampleFiles embed.FS

// samplePages are the pages of the demo, served by the program itself so that it works offline.
var samplePages = []struct{ path, file, what string }{
	{"/article", "sample/article.html", "an article with author and date"},
	{"/product", "sample/product.html", "a product page"},
	{"/ar/guide", "sample/guide.ar.html", "a page in Arabic"},
}

// sampleSite serves the sample pages on a loopback address of its own.
type sampleSite struct {
	listener net.Listener
	server   *http.Server
}

// openSampleSite serves on the port of the last time, which stands in the data folder, or on a free one: a page's address is part of
// what its image is kept under.
func openSampleSite(ctx context.Context, dir string) (*sampleSite, error) {
	icon, err := sampleIcon()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "demo-port")
	port := "0"
	if kept, err := os.ReadFile(path); err == nil {
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
		err = writePrivate(path, []byte(port+"\n"))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("keep the port of the sample pages: %w", err), listener.Close())
	}
	mux := http.NewServeMux()
	for _, page := range samplePages {
		body, err := sampleFiles.ReadFile(page.file)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("read a sample page: %w", err), listener.Close())
		}
		mux.HandleFunc("GET "+page.path, serveBytes("text/html; charset=utf-8", body))
	}
	mux.HandleFunc("GET /icon.png", serveBytes("image/png", icon))
	site := &sampleSite{listener: listener, server: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}}
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

// url is the address of a sample page.
func (s *sampleSite) url(path string) string { return "http://" + s.listener.Addr().String() + path }

// allowed is the one private target that the demo may fetch.
func (s *sampleSite) allowed() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return "127.0.0.1/32:" + port
}

func (s *sampleSite) close() { _ = s.server.Close() } // it serves nobody any more

// sampleIcon draws the icon of the sample site: a rising path on a rounded square.
func sampleIcon() ([]byte, error) {
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
