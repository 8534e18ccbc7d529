package rig

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// PageServer serves pages on loopback: as many as are asked for, each with a title of its own, a description and an
// icon.
type PageServer struct {
	// Asked counts the pages that were asked for.
	Asked atomic.Int64

	hosts  []string
	server *http.Server
	icon   []byte
}

// NewPageServer starts a site at free ports of loopback addresses, such as 127.0.0.1: each is a host of its own.
func NewPageServer(addresses ...string) (*PageServer, error) {
	icon := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		icon.SetNRGBA(i%64, i/64, color.NRGBA{R: uint8(i / 32), G: 90, B: 200, A: 255})
	}
	var file bytes.Buffer
	if err := png.Encode(&file, icon); err != nil {
		return nil, err
	}
	s := &PageServer{icon: file.Bytes()}
	s.server = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second}
	for _, address := range addresses {
		listener, err := net.Listen("tcp", net.JoinHostPort(address, "0")) //nolint:noctx // it lives until Close
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.hosts = append(s.hosts, "http://"+listener.Addr().String())
		go func() { _ = s.server.Serve(listener) }() // it ends with Close
	}
	return s, nil
}

// Page is the address of a page of the first host; each name is another page.
func (s *PageServer) Page(name string) string { return s.PageOf(0, name) }

// PageOf is the address of a page of one of the hosts, which are counted round.
func (s *PageServer) PageOf(host int, name string) string {
	return s.hosts[host%len(s.hosts)] + "/page/" + name
}

// Allowed are the prefixes and ports that MASTHEAD_FETCH_ALLOW takes.
func (s *PageServer) Allowed() string {
	var all []string
	for _, host := range s.hosts {
		address, port, _ := net.SplitHostPort(strings.TrimPrefix(host, "http://"))
		all = append(all, address+"/32:"+port)
	}
	return strings.Join(all, ",")
}

// Close ends the site.
func (s *PageServer) Close() error { return s.server.Close() }

func (s *PageServer) serve(w http.ResponseWriter, r *http.Request) {
	name, isPage := strings.CutPrefix(r.URL.Path, "/page/")
	switch {
	case isPage:
		s.Asked.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		//nolint:gosec // names are our own
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %s, and what it has to say</title>
<meta name="description" content="A page like many others: it says what it is about. This is the second sentence.">
<meta property="og:site_name" content="Measured"><link rel="icon" href="/icon.png" sizes="64x64">
</head><body><h1>Page %s</h1><p>Text.</p></body></html>`, name, name)
	case r.URL.Path == "/icon.png":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(s.icon) // who is gone needs no icon
	default:
		http.NotFound(w, r)
	}
}
