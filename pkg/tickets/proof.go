package tickets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/disintegration/imaging"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fair"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/worker"
	"masthead/render"
	"masthead/render/encode"
)

// Limits of drawing proofs.
const (
	proofQueue  = 64
	ticketQueue = 48 // of one ticket: as many as there are designs, and some more
	// proofWait is how long a proof waits for its turn.
	proofWait = 10 * time.Second
	// retryBusy is when to ask again for a proof that had no room.
	retryBusy = 2 * time.Second
)

// SmallWidth is the width of a proof in the sheet, in pixels.
const SmallWidth = 480

// smallLimits are those of a proof in the sheet: small files, since there are many.
var smallLimits = encode.Limits{MaxPNG: 60_000, MaxJPEG: 60_000}

// stage is the name of proofs in logs and metrics of workers.
const stage = "proof"

// Proof is a drawn proof.
type Proof struct {
	encode.File
	Width, Height int // in pixels
	// Took is the time of drawing and encoding, without waiting.
	Took time.Duration
	// Alt and Warnings are those of the card; they are only known at full size.
	Alt      string
	Warnings []render.Warning
	// Texts are where its texts are, at full size.
	Texts []platform.PictureText
}

// Proof draws the page of a ticket in a design. small means [SmallWidth]; otherwise it is the picture that the service
// would make, byte for byte.
//
// It returns NOT_FOUND for a design that doesn't draw this kind, RATE_LIMITED over the limits of the network or the
// ticket, and UNAVAILABLE if the queue is full, or if this drawing hung within the last hour.
func (s *Service) Proof(
	ctx context.Context, caller identity.Caller, t *Ticket, c Choices, template string, small bool,
) (*Proof, error) {
	r, err := c.request(t, template)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(t.ID, " ", template, " ", small, " ", c.Query().Encode())
	if err := s.count(ctx, caller, t); err != nil {
		s.metrics.proofs.WithLabelValues("limited").Inc()
		return nil, err
	}
	if p, ok := s.drawn.Get(key); ok {
		s.metrics.proofs.WithLabelValues("memory").Inc()
		return p, nil
	}
	site := t.siteFor(r, c)
	p, err := drawIn(ctx, s, t, key, func(ctx context.Context) (*Proof, error) {
		if small {
			return drawSmall(ctx, r.Compose(&site))
		}
		return drawWhole(ctx, r.Compose(&site))
	})
	if err != nil {
		return nil, err
	}
	s.drawn.Put(key, p)
	return p, nil
}

// count counts a proof for its network and its ticket.
func (s *Service) count(ctx context.Context, caller identity.Caller, t *Ticket) error {
	for _, of := range []struct {
		window *limit.Window
		key    string
		most   int64
	}{{s.perMinute, caller.Network(), s.cfg.ProofRPM}, {s.perTicket, t.ID, s.cfg.TicketProofs}} {
		result, err := of.window.Take(ctx, of.key, of.most)
		if err != nil {
			return err
		}
		if result.Reached {
			e := apperr.New(apperr.RateLimited, "Too many proofs were drawn. Try again after the seconds in Retry-After.")
			e.RetryAfter = time.Until(result.Reset)
			return e
		}
	}
	return nil
}

// drawIn waits for the turn of a ticket, then for everything that waits for the workers of all other drawing, and draws
// in the workers of proofs.
func drawIn[T any](
	ctx context.Context, s *Service, t *Ticket, key string, draw func(context.Context) (T, error),
) (drawn T, err error) {
	leave, err := s.proofs.Enter(ctx, t.network+" "+t.ID)
	if errors.Is(err, fair.ErrFull) || errors.Is(err, fair.ErrWaited) {
		s.metrics.proofs.WithLabelValues("busy").Inc()
		busy := apperr.Wrap(apperr.Unavailable, "The server is busy drawing. Try again in 2 seconds.", err)
		busy.RetryAfter = retryBusy
		return drawn, busy
	}
	if err != nil {
		return drawn, err
	}
	defer leave()
	result := "failed"
	defer func() { s.metrics.proofs.WithLabelValues(result).Inc() }()
	behind, cancel := context.WithTimeout(ctx, proofWait)
	defer cancel()
	// The queue of these workers is first come, first served: when a worker is free for this, none waits before it.
	_, err = worker.Do(behind, s.drawing, worker.Work{Stage: "turn of a proof"},
		func(context.Context) (struct{}, error) { return struct{}{}, nil })
	if err != nil {
		return drawn, fmt.Errorf("wait for other drawings: %w", err)
	}
	work := worker.Work{Stage: stage, Key: func() string {
		sum := sha256.Sum256([]byte(key))
		return stage + " " + hex.EncodeToString(sum[:])
	}}
	drawn, err = worker.Do(ctx, s.workers, work, func(ctx context.Context) (T, error) {
		worker.GrowStack()
		began := time.Now()
		defer func() { s.metrics.took.Observe(time.Since(began).Seconds()) }()
		return draw(ctx)
	})
	if err == nil {
		result = "drawn"
	}
	return drawn, err
}

// siteFor returns the site as reading it for a request would return it: with the pictures that its design shows.
func (t *Ticket) siteFor(r card.Request, c Choices) scrape.Result {
	site := t.site
	photo, portrait := r.Shows()
	if !photo {
		site.Photo = scrape.Part[scrape.Picture]{}
	}
	if !portrait {
		site.Portrait = scrape.Part[scrape.Picture]{}
	}
	if r.Style.Logo != nil {
		logo := scrape.Picture{Image: t.site.Icon.Value.Image}
		if t.logo != nil {
			logo = *t.logo
		}
		if t.uploaded(c) {
			logo = scrape.Picture{Image: t.upload.image}
		}
		site.Pictures = []scrape.Part[scrape.Picture]{{State: scrape.Got, Value: logo}}
	}
	return site
}

func drawWhole(ctx context.Context, c card.Composition) (*Proof, error) {
	began := time.Now()
	d, err := c.Draw(ctx)
	if err != nil {
		return nil, err
	}
	p := d.Picture()
	return &Proof{
		File: p.File, Width: p.Width, Height: p.Height, Took: time.Since(began), Alt: d.Alt, Warnings: d.Warnings,
		Texts: textsOf(p),
	}, nil
}

// textNames are what the texts of a card are called.
var textNames = map[render.TextRole]string{
	render.TitleText: "the title", render.OtherText: "a text", render.SiteText: "the site’s name",
	render.LetterText: "the site’s letter",
}

// textsOf returns where the texts of a card are, as parts of it.
func textsOf(p render.Card) []platform.PictureText {
	texts := make([]platform.PictureText, len(p.Texts))
	w, h := float64(p.Width), float64(p.Height)
	for i, t := range p.Texts {
		texts[i] = platform.PictureText{Name: textNames[t.Of], Box: platform.Rect{
			X: float64(t.Box.Min.X) / w, Y: float64(t.Box.Min.Y) / h, Width: float64(t.Box.Dx()) / w,
			Height: float64(t.Box.Dy()) / h,
		}}
	}
	return texts
}

func drawSmall(ctx context.Context, c card.Composition) (*Proof, error) {
	began := time.Now()
	img, err := c.Paint(ctx)
	if err != nil {
		return nil, err
	}
	size := img.Bounds().Size()
	p := &Proof{Width: SmallWidth, Height: (size.Y*SmallWidth + size.X/2) / size.X}
	scaled := imaging.Resize(img, p.Width, p.Height, imaging.Box)
	if p.File, err = encode.Encode(opaqueOf(scaled), smallLimits); err != nil {
		return nil, err
	}
	p.Took = time.Since(began)
	return p, nil
}

// opaqueOf returns an opaque picture in the type that is encoded in place.
func opaqueOf(img *image.NRGBA) *image.RGBA {
	return &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
}

// Auto returns the slug of the design that suits the ticket's page best: see [card.AutoTemplate].
func (t *Ticket) Auto(c Choices) (string, error) {
	composed, err := t.composed(c)
	if err != nil {
		return "", err
	}
	return composed.Chosen()
}

// composed returns the facts for a card whose design isn't chosen yet: they are the same for all of them.
func (t *Ticket) composed(c Choices) (card.Composition, error) {
	r, err := c.request(t, card.AutoTemplate)
	if err != nil {
		return card.Composition{}, err
	}
	site := t.siteFor(r, c)
	return r.Compose(&site), nil
}

// Designs are the designs of a kind for a ticket's page: first those that the page has facts for, then the others with
// what they need. Each group is in the order of the catalog, with the design named first in front.
func (t *Ticket) Designs(c Choices, first string) (shown, lacking []Design, err error) {
	composed, err := t.composed(c)
	if err != nil {
		return nil, nil, err
	}
	for _, info := range render.Templates() {
		if !slices.Contains(info.Kinds, render.Kind(c.Kind)) {
			continue
		}
		missing := composed.Missing(info)
		// A design of which all is missing but what it can do without is drawn all the same.
		d := Design{Template: info, Missing: missing}
		switch {
		case info.Slug == first:
			shown = slices.Insert(shown, 0, d)
		case len(missing) == 0:
			shown = append(shown, d)
		default:
			lacking = append(lacking, d)
		}
	}
	return shown, lacking, nil
}

// Design is a design with what a page lacks for it, by the names in [render.Template.Needs].
type Design struct {
	render.Template
	Missing []string
}

// Words are the texts and colors that a page's card would have, for the placeholders of the form: those of the page
// itself.
func (t *Ticket) Words() (card.PageData, error) {
	r, err := Choices{Kind: card.OG}.request(t, "")
	if err != nil {
		return card.PageData{}, err
	}
	site := t.siteFor(r, Choices{})
	composed := r.Compose(&site)
	return composed.Page, nil
}

// Icons draws the icon set of a ticket's page.
func (s *Service) Icons(ctx context.Context, caller identity.Caller, t *Ticket) (*card.Result, error) {
	r, err := Choices{Kind: card.IconSet}.request(t, "")
	if err != nil {
		return nil, err
	}
	if err := s.count(ctx, caller, t); err != nil {
		return nil, err
	}
	if d, ok := s.icons.Get(t.ID); ok {
		return d, nil
	}
	d, err := drawIn(ctx, s, t, t.ID+" icons", func(ctx context.Context) (*card.Result, error) {
		drawn, err := r.Compose(&t.site).Draw(ctx)
		return &drawn, err
	})
	if err != nil {
		return nil, err
	}
	s.icons.Put(t.ID, d)
	return d, nil
}

// scaledTo returns a function that draws an icon at any size from its largest drawing.
func scaledTo(img *image.NRGBA) func(context.Context, int) (*image.NRGBA, error) {
	return func(_ context.Context, side int) (*image.NRGBA, error) { return picture.Contain(img, side, side), nil }
}
