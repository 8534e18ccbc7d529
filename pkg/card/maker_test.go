package card_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/worker"
)

// madeSite serves a page with a title, an icon and a logo, and some that are none.
func madeSite(t *testing.T) *httptest.Server {
	t.Helper()
	square := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for i := range 256 * 256 {
		square.SetNRGBA(i%256, i/256, color.NRGBA{R: 0x15, G: 0x80, B: 0x3d, A: 255})
		if x, y := i%256-128, i/256-128; x*x+y*y < 70*70 {
			square.SetNRGBA(i%256, i/256, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		}
	}
	var icon bytes.Buffer
	if err := png.Encode(&icon, square); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, `<html lang="en"><head><title>Bread that waits | Ofen</title><meta property="og:site_name" `+
				`content="Ofen"><meta name="description" content="Slow dough."><link rel="icon" href="/icon.png"></head></html>`)
		case "/icon.png":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(icon.Bytes())
		case "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(site.Close)
	return site
}

// newMaker returns a maker that may reach a site, with the workers that it draws with.
func newMaker(
	t *testing.T, site *httptest.Server, cfg worker.Config, took prometheus.Observer,
) (*card.Maker, *worker.Pool) {
	t.Helper()
	client, err := fetch.New(fetch.Config{Allow: []string{site.Listener.Addr().String()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	workers := worker.New(cfg)
	return card.NewMaker(scrape.New(client, picture.NewDecoder(picture.Config{}), workers), workers, took), workers
}

// TestMaker_Make_whatIsAskedFor makes each kind from a page, from an address and from texts alone.
func TestMaker_Make_whatIsAskedFor(t *testing.T) {
	site := madeSite(t)
	m, _ := newMaker(t, site, worker.Config{}, nil)
	for name, c := range map[string]struct {
		request       card.Request
		files         int
		width, height int
		title, alt    string
	}{
		"a card": {
			request: card.Request{URL: site.URL + "/page", Style: card.Style{Dark: true}},
			files:   1, width: 1200, height: 630, title: "Bread that waits | Ofen", alt: "Bread that waits",
		},
		"a hero": {
			request: card.Request{URL: site.URL + "/page", Kind: card.BlogHero, Style: card.Style{AspectRatio: "16:10"}},
			files:   1, width: 1600, height: 1000, title: "Bread that waits | Ofen", alt: "Bread that waits",
		},
		"an icon set": {
			request: card.Request{URL: site.URL + "/page", Kind: card.IconSet},
			files:   7, width: 512, height: 512, title: "Bread that waits | Ofen", alt: "Ofen",
		},
		"texts in place of the page's": {
			request: card.Request{URL: site.URL + "/page", Content: card.Content{Title: "Another title"}},
			files:   1, width: 1200, height: 630, title: "Another title", alt: "Another title",
		},
		"texts alone": {
			request: card.Request{Content: card.Content{Title: "A title"}, Style: card.Style{Accent: "#2563eb"}},
			files:   1, width: 1200, height: 630, title: "A title", alt: "A title",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := m.Make(t.Context(), c.request)
			if err != nil {
				t.Fatal(err)
			}
			p := d.Picture()
			size, _, err := image.DecodeConfig(bytes.NewReader(p.Bytes))
			if err != nil || size.Width != c.width || size.Height != c.height || p.Width != c.width || p.Height != c.height {
				t.Errorf("got a picture of %dx%d, said to be %dx%d (%v), want %dx%d",
					size.Width, size.Height, p.Width, p.Height, err, c.width, c.height)
			}
			if len(d.Files) != c.files || d.Page.Title != c.title || !strings.Contains(d.Alt, c.alt) {
				t.Errorf("got %d files, %q, alt %q, want %d, %q, %q", len(d.Files), d.Page.Title, d.Alt, c.files, c.title, c.alt)
			}
			if len(d.Warnings) > 0 {
				t.Errorf("got the warnings %v", d.Warnings)
			}
			if again, err := m.Make(t.Context(), c.request); err != nil || !bytes.Equal(again.Picture().Bytes, p.Bytes) {
				t.Errorf("the same request makes another picture (%v)", err)
			}
		})
	}
}

// TestMaker_Make_refuses has the errors of requests and of pages.
func TestMaker_Make_refuses(t *testing.T) {
	site := madeSite(t)
	m, _ := newMaker(t, site, worker.Config{}, nil)
	for name, c := range map[string]struct {
		request card.Request
		want    apperr.Code
	}{
		"no address":         {card.Request{}, apperr.BadRequest},
		"no address of icon": {card.Request{Kind: card.IconSet, Content: card.Content{Title: "A title"}}, apperr.BadRequest},
		"a private address":  {card.Request{URL: "http://10.1.2.3/"}, apperr.BadRequest},
		"an unknown template": {
			card.Request{URL: site.URL + "/page", Template: "none"}, apperr.NotFound,
		},
		"a logo that is not there": {
			card.Request{URL: site.URL + "/page", Style: card.Style{Logo: &card.Logo{URL: site.URL + "/none.png"}}},
			apperr.UpstreamFailed,
		},
		"a page that fails":  {card.Request{URL: site.URL + "/broken"}, apperr.UpstreamFailed},
		"a page that is not": {card.Request{URL: site.URL + "/none"}, apperr.UpstreamFailed},
	} {
		if d, err := m.Make(t.Context(), c.request); apperr.CodeOf(err) != c.want || len(d.Files) != 0 {
			t.Errorf("%s: got %d files, %v, want %s", name, len(d.Files), err, c.want)
		}
	}
}

// TestMaker_ReadAndDraw_asMake reads once and draws twice: the same as Make does, each drawing observed.
func TestMaker_ReadAndDraw_asMake(t *testing.T) {
	site := madeSite(t)
	var observed []float64
	m, _ := newMaker(t, site, worker.Config{}, prometheus.ObserverFunc(func(s float64) { observed = append(observed, s) }))
	r, err := card.Request{URL: site.URL + "/page", Style: card.Style{Dark: true}}.Normalize()
	if err != nil {
		t.Fatal(err)
	}
	read, err := m.Read(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	made, err := m.Make(t.Context(), card.Request{URL: site.URL + "/page", Style: card.Style{Dark: true}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d, err := m.Draw(t.Context(), "a key", r.Compose(&read))
		if err != nil || !bytes.Equal(d.Picture().Bytes, made.Picture().Bytes) || d.Alt != made.Alt {
			t.Errorf("got another picture than Make does (%v)", err)
		}
	}
	if len(observed) != 3 || observed[0] <= 0 {
		t.Errorf("the drawings took %v, want three times", observed)
	}
	// The card of a page that can't be read says its address alone.
	p, err := m.DrawAddress(t.Context(), "address", r)
	if err != nil || p.Width != 1200 || p.Title == made.Picture().Title {
		t.Errorf("got %dx%d %q, %v, want a card of the address", p.Width, p.Height, p.Title, err)
	}
}

// TestMaker_drawingThatSpins_isGivenUp has a drawing not finish: it is refused from then on, and others are drawn. A
// caller that leaves doesn't wait for it.
func TestMaker_drawingThatSpins_isGivenUp(t *testing.T) {
	site := madeSite(t)
	var spins atomic.Bool
	release := make(chan struct{})
	defer close(release)
	m, workers := newMaker(t, site, worker.Config{
		Workers: 8, Deadline: 200 * time.Millisecond, Begin: func(w worker.Work) {
			if w.Stage == card.DrawStage && spins.Swap(false) {
				<-release
			}
		},
	}, nil)
	hangs := card.Request{Content: card.Content{Title: "It hangs"}}
	spins.Store(true)
	if _, err := m.Make(t.Context(), hangs); !errors.Is(err, worker.ErrHung) {
		t.Fatalf("got %v, want that it hung", err)
	}
	key, err := keyOf(hangs)
	if err != nil {
		t.Fatal(err)
	}
	if err := workers.Check(t.Context(), key); !errors.Is(err, worker.ErrHung) {
		t.Errorf("its key: got %v, want that it is refused", err)
	}
	spins.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := card.Request{Content: card.Content{Title: "Another"}}
	if _, err := m.Make(ctx, other); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left: got %v, want that it is canceled", err)
	}
	spins.Store(false)
	if _, err := m.Make(t.Context(), other); err != nil {
		t.Errorf("another: %v", err)
	}
}

// keyOf is the key of a request without a page.
func keyOf(r card.Request) (string, error) {
	r.Own.NoPage = true
	r, err := r.Normalize()
	if err != nil {
		return "", err
	}
	return r.Key("")
}

// TestMaker_KeepPages reads a page once in half a minute for an account, and again for another one, and for a logo.
func TestMaker_KeepPages(t *testing.T) {
	now, reads := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		reads++
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<title>Read %d</title>`, reads)
	}))
	t.Cleanup(site.Close)
	m, _ := newMaker(t, site, worker.Config{}, nil)
	m.KeepPages(func() time.Time { return now })
	title := func(owner string, more ...func(*card.Request)) string {
		t.Helper()
		r := card.Request{URL: site.URL + "/page", Own: card.Own{Owner: owner}}
		for _, change := range more {
			change(&r)
		}
		d, err := m.Make(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return d.Page.Title
	}
	for i, c := range []struct {
		owner string
		after time.Duration
		more  func(*card.Request)
		want  string
	}{
		{owner: "ann", want: "Read 1"},
		{owner: "ann", after: 29 * time.Second, want: "Read 1"},
		{owner: "ann", more: func(r *card.Request) { r.Style.Dark = true }, want: "Read 1"},
		{owner: "bob", want: "Read 2"},
		{owner: "ann", more: func(r *card.Request) { r.Own.Fresh = true }, want: "Read 3"},
		{owner: "ann", more: func(r *card.Request) { r.Style.Accent = "#123456" }, want: "Read 4"},
		{owner: "ann", after: time.Second, want: "Read 5"},
	} {
		now = now.Add(c.after)
		change := c.more
		if change == nil {
			change = func(*card.Request) {}
		}
		if got := title(c.owner, change); got != c.want {
			t.Errorf("%d: got %q, want %q", i, got, c.want)
		}
	}
}
