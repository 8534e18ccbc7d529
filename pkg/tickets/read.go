package tickets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"log/slog"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// Limits of reading.
const (
	readSlots    = 32
	networkReads = 4
	readQueue    = 256
	networkQueue = 32
	// saveTime limits storing what was read.
	saveTime = 5 * time.Second
	// lostTime is how long after its time a reading counts as one of a killed node: what storing takes, and what the
	// clocks of nodes may differ by.
	lostTime = 30 * time.Second
)

// Limits of what is kept of a page.
const (
	// maxFacts is the size of the facts as JSON, in bytes.
	maxFacts = 64 << 10
	// maxPictures is the size of all pictures as files, in bytes.
	maxPictures = 2 << 20
	// maxIcons is the number of icons kept for icon sets, iconPixels their longer side, in pixels: that of the largest
	// icon of a set.
	maxIcons   = 3
	iconPixels = 512
	// photoQuality is that of the page's own picture, a JPEG.
	photoQuality = 90
)

// Names of the pictures of a ticket.
const (
	iconName     = "icon"
	photoName    = "photo"
	portraitName = "portrait"
	logoName     = "logo"
	sourceName   = "source-" // and a number
	uploadName   = "upload"
)

// readPage reads the page of a ticket, and stores the result or why there is none.
func (s *Service) readPage(ctx context.Context, t *Ticket, bare bool) {
	began := s.now()
	pictures, err := s.readFacts(ctx, t, bare)
	t.State, t.Facts.Took = Ready, s.now().Sub(began)
	if err != nil {
		t.State, t.Facts.Fault = Failed, faultOf(err)
		slog.DebugContext(ctx, "a page wasn't read for the playground", "err", err)
	}
	s.metrics.reads.WithLabelValues(strings.ToLower(string(t.State))).Inc()
	// What was read is kept even if the program is about to end.
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	if err := s.store.save(saving, t, pictures); err != nil {
		slog.ErrorContext(ctx, "what was read for the playground wasn't stored", "err", err)
	}
}

func (s *Service) readFacts(ctx context.Context, t *Ticket, bare bool) (map[string][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ReadTime)
	defer cancel()
	leave, err := s.reading.Enter(ctx, t.network)
	if err != nil {
		return nil, apperr.Wrap(apperr.Unavailable, "Too many pages are being read. Try again in a few seconds.", err)
	}
	defer leave()
	site := s.scrape(ctx, t.ID, t.Page)
	if bare && fetch.Unreached(site.Fault) {
		if plain, err := weburl.Parse("http://" + strings.TrimPrefix(t.Page.String(), "https://")); err == nil {
			if over := s.scrape(ctx, t.ID, plain); over.Fault == nil || !fetch.Unreached(over.Fault) {
				site, t.Page = over, plain
			}
		}
	}
	if site.Fault != nil {
		return nil, scrape.PageFault(site.Fault)
	}
	if !site.Page.Got() {
		return nil, site.Page.Err
	}
	if page.ClassOf(site.Page.Value.Header.Get("Content-Type")) == page.ImageContent {
		return nil, apperr.New(apperr.UpstreamFailed, "This is the address of a picture, not of a web page.")
	}
	t.Facts = factsOf(&site)
	return keep(ctx, &site, &t.Facts)
}

func (s *Service) scrape(ctx context.Context, id string, u weburl.URL) scrape.Result {
	need := card.Everything()
	need.OnStep = func(step scrape.Step) { s.readings.step(id, step) }
	return s.scraper.Scrape(ctx, u, need)
}

// faultOf says why a page wasn't read.
func faultOf(err error) Fault {
	f := Fault{Headline: fetch.Headline(err), Detail: "Reading the page failed here. Try again.", Code: apperr.Internal}
	var known *apperr.Error
	switch {
	case errors.As(err, &known):
		f.Code, f.Detail = known.Code, known.Detail
	case errors.Is(err, context.DeadlineExceeded):
		f.Code, f.Headline, f.Detail = apperr.UpstreamFailed, "The site didn’t respond", "Reading the page took too long."
	case errors.Is(err, context.Canceled):
		f.Code, f.Headline, f.Detail = apperr.Unavailable, "Reading the page was interrupted", "Read the page again."
	}
	return f
}

// keep encodes the pictures of a site and enters them into its facts. Those that exceed [maxPictures] are left out.
func keep(ctx context.Context, site *scrape.Result, f *Facts) (map[string][]byte, error) {
	files, room := map[string][]byte{}, maxPictures
	add := func(name string, img *image.NRGBA, asJPEG bool) bool {
		if img == nil || ctx.Err() != nil {
			return false
		}
		data, err := encodePicture(img, asJPEG)
		if err != nil || len(data) > room {
			return false
		}
		files[name], room = data, room-len(data)
		return true
	}
	add(iconName, site.Icon.Value.Image, false)
	add(photoName, site.Photo.Value.Image, opaque(site.Photo.Value.Image))
	add(portraitName, site.Portrait.Value.Image, opaque(site.Portrait.Value.Image))
	for _, file := range site.IconSources() {
		if len(f.Icons) == maxIcons {
			break
		}
		img := file.Image
		if file.Draw != nil {
			if drawn, err := file.Draw(ctx, iconPixels); err == nil {
				img = drawn
			}
		}
		if max(img.Rect.Dx(), img.Rect.Dy()) > iconPixels {
			img = picture.Contain(img, iconPixels, iconPixels)
		}
		name := fmt.Sprint(sourceName, len(f.Icons))
		if add(name, img, false) {
			f.Icons = append(f.Icons, IconFact{Name: name, Link: bounded(file.Link.URL, maxLink), Vector: file.Draw != nil})
		}
	}
	if logo := logoOf(site); logo != nil {
		if add(logoName, card.FitLogo(logo.Image), false) {
			f.Logo = logo.URL.String()
		}
	}
	return files, nil
}

// logoOf returns the file that the page names as its logo, or nil.
func logoOf(site *scrape.Result) *scrape.IconFile {
	for i := range site.Icons {
		file := &site.Icons[i].Value
		if site.Icons[i].Got() && file.IsLogo() && !file.URL.IsZero() {
			return file
		}
	}
	return nil
}

func opaque(img *image.NRGBA) bool { return img != nil && img.Opaque() }

func encodePicture(img *image.NRGBA, asJPEG bool) ([]byte, error) {
	var b bytes.Buffer
	if asJPEG {
		err := jpeg.Encode(&b, img, &jpeg.Options{Quality: photoQuality})
		return b.Bytes(), err
	}
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	return b.Bytes(), err
}
