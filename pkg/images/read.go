package images

import (
	"context"
	"errors"
	"image"
	"image/color"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/palette"
)

// Sides of pictures in pixels, about twice what the largest place on a card takes.
const (
	markSide = 128
	logoSide = 160
)

// reader turns a request into what is drawn: it fetches the page with its icon and the logo, and lets the request's own content
// stand before what the page says.
type reader struct {
	fetch   *fetch.Client
	decoder *picture.Decoder
}

// read gathers what is drawn for r, and the part of it that the record tells. The page, its icon and the logo share one fetching job.
func (rd *reader) read(ctx context.Context, r Request) (render.Request, PageData, error) {
	job, done := rd.fetch.NewJob(ctx)
	defer done()
	work, ctx := errgroup.WithContext(ctx)
	var logo *image.NRGBA
	if r.Style.Logo != nil {
		work.Go(func() error {
			return safely(func() (err error) {
				logo, err = rd.logo(ctx, job, r.at.logo)
				return err
			})
		})
	}
	var read *page.Page
	var app page.Manifest
	var icon mark
	work.Go(func() error {
		return safely(func() (err error) {
			if read, err = rd.page(ctx, job, r); err != nil {
				return err
			}
			app = rd.manifest(ctx, job, read, r.Style.Accent != "")
			icon = rd.mark(ctx, job, iconCandidates(read, app.Icons, r.Content.Favicon))
			return nil
		})
	})
	if err := work.Wait(); err != nil {
		return render.Request{}, PageData{}, err
	}
	drawing, said := compose(r, read, app, icon, logo)
	return drawing, said, nil
}

// manifest fetches the page's web app manifest where it can tell what the page itself does not: a colour, when none is asked for, or
// an icon. Its zero value stands for none.
func (rd *reader) manifest(ctx context.Context, job *fetch.Job, p *page.Page, accentGiven bool) page.Manifest {
	if p == nil || p.Manifest == "" || (accentGiven || len(p.Brand.ThemeColors) > 0) && len(p.Icons) > 0 {
		return page.Manifest{}
	}
	address, err := weburl.Parse(p.Manifest)
	if err != nil {
		return page.Manifest{}
	}
	answer, err := job.Get(ctx, address, fetch.Manifest)
	if err != nil || answer.Err() != nil {
		return page.Manifest{}
	}
	app, err := page.ParseManifest(answer.Body, answer.URL.URL())
	if err != nil {
		return page.Manifest{} // a card is good without
	}
	return app
}

// page fetches and parses the page. With a title of the request's own, a page that cannot be had is no error, and it is nil.
func (rd *reader) page(ctx context.Context, job *fetch.Job, r Request) (*page.Page, error) {
	answer, err := job.Get(ctx, r.at.page, fetch.Page)
	if err == nil {
		err = answer.Err()
	}
	if err == nil {
		switch page.ClassOf(answer.ContentType) {
		case page.PageContent:
			return page.Parse(answer.Body, answer.ContentType, answer.URL.URL()), nil
		case page.ImageContent:
			return page.FromImage(answer.ContentType, answer.URL.URL()), nil
		}
		err = apperr.New(apperr.UpstreamFailed, "There is no web page at this address: it answers with "+describeType(answer.ContentType)+".")
	}
	if r.Content.Title != "" && (errors.Is(err, fetch.ErrRefused) || apperr.CodeOf(err) == apperr.UpstreamFailed) {
		return nil, nil
	}
	return nil, err
}

// describeType names a content type in an error, cut to what one can be long.
func describeType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	if kind = cleantext.Clean(kind, 60); kind == "" {
		return "no content type"
	}
	return kind
}

// logo fetches the picture that the request names. It was asked for, so a card without it would be wrong.
func (rd *reader) logo(ctx context.Context, job *fetch.Job, address weburl.URL) (*image.NRGBA, error) {
	answer, err := job.Get(ctx, address, fetch.Image)
	if err == nil {
		err = answer.Err()
	}
	if err != nil {
		fault := apperr.Wrap(apperr.CodeOf(err), "The logo could not be fetched. "+detailOf(err), err)
		if fault.Code == apperr.Internal {
			return nil, err
		}
		fault.Fields = []apperr.Field{{Pointer: "/style/logo/url", Detail: fault.Detail}}
		return nil, fault
	}
	img, _, err := rd.decoder.Decode(ctx, answer.Body, picture.Want{Side: logoSide})
	if err == nil {
		return picture.Contain(img, 4*logoSide, logoSide), nil
	}
	if picture.Transient(err) {
		busy := apperr.Wrap(apperr.Unavailable, "The logo cannot be read just now; try again in a moment.", err)
		busy.RetryAfter = 2 * time.Second
		return nil, busy
	}
	fault := apperr.Wrap(apperr.UpstreamFailed, "The logo is no picture that can be used: "+err.Error()+". PNG, JPEG, GIF, WebP and ICO are.", err)
	fault.Fields = []apperr.Field{{Pointer: "/style/logo/url", Detail: fault.Detail}}
	return nil, fault
}

// mark is the site's icon, with its address and its colours.
type mark struct {
	image   *image.NRGBA
	address string
	colors  []palette.Cluster
}

// mark fetches the best icon that can be had; its zero value when there is none, since a card is good without.
func (rd *reader) mark(ctx context.Context, job *fetch.Job, candidates []string) mark {
	for _, address := range candidates {
		u, err := weburl.Parse(address)
		if err != nil {
			continue
		}
		answer, err := job.Get(ctx, u, fetch.Icon)
		if err != nil || answer.Err() != nil {
			continue
		}
		img, facts, err := rd.decoder.Decode(ctx, answer.Body, picture.Want{Side: markSide})
		if err != nil || min(facts.Width, facts.Height) < minMarkSide {
			continue
		}
		return mark{image: picture.Contain(img, markSide, markSide), address: address, colors: palette.Clusters(picture.Contain(img, 64, 64))}
	}
	return mark{}
}

// compose lets the request's content stand before what the page says and chooses the colours.
func compose(r Request, p *page.Page, app page.Manifest, icon mark, logo *image.NRGBA) (render.Request, PageData) {
	own := r.Content
	out := render.Request{
		Template: r.Template, Kind: render.Kind(r.Kind), AspectRatio: r.Style.AspectRatio, Seed: r.URL,
		Texts: render.Texts{
			Title: own.Title, Description: own.Description, SiteName: own.SiteName, Host: hostOf(r.at.page),
			Eyebrow: own.Eyebrow, Author: own.Author, DescriptionGiven: own.Description != "",
		},
		Dark: r.Style.Dark, Font: r.Style.Font, Pictures: render.Pictures{Icon: icon.image, Logo: logo},
	}
	out.Published, _ = parseDate(own.Date)
	favicon := own.Favicon
	if r.Style.Logo != nil {
		out.LogoPosition = r.Style.Logo.Position
	}
	if p != nil {
		out.Title = first(out.Title, cleantext.Clean(p.Metadata.Title, cleantext.MaxTitle))
		out.Description = first(out.Description, cleantext.Clean(p.Metadata.Description, cleantext.MaxDescription))
		out.SiteName = first(out.SiteName, cleantext.Clean(p.Metadata.SiteName, cleantext.MaxSite))
		out.Eyebrow = first(out.Eyebrow, cleantext.Clean(p.Details.Eyebrow, cleantext.MaxOther))
		out.Author = first(out.Author, cleantext.Clean(p.Details.Author, cleantext.MaxOther))
		if out.Published.IsZero() {
			out.Published = p.Details.Published
		}
		out.ReadingMinutes = int(p.Details.ReadingTime / time.Minute)
		out.Lang, out.Dir = p.Lang, p.Dir
		favicon = first(favicon, p.Metadata.Favicon)
	}
	colors := chooseColors(r.Style, p, app, icon)
	out.Accent = colors.Accent
	return out, PageData{
		Title: out.Title, Description: out.Description, SiteName: out.SiteName, Favicon: favicon,
		Palette: Palette{
			Accent: palette.Hex(colors.Accent), AccentSource: string(colors.Source),
			Companion: palette.Hex(colors.Companion), Background: palette.Hex(colors.BG),
		},
	}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// fromStyle is the source of an accent that the request gives.
const fromStyle palette.Source = "style"

// chooseColors takes the accent of the request, else that of the page.
func chooseColors(s Style, p *page.Page, app page.Manifest, icon mark) palette.Choice {
	if s.Accent != "" {
		if accent, err := palette.ParseHex(s.Accent); err == nil {
			// The choice gives the companion and the canvas; an accent that was asked for is never mended.
			choice := palette.Choose([]palette.Candidate{{Color: accent, Source: fromStyle, Weight: 1}}, s.Dark)
			choice.Accent, choice.Source, choice.BG = accent, fromStyle, palette.New(accent, s.Dark).BG
			return choice
		}
	}
	found := palette.Candidates(icon.colors, palette.Icon)
	if p != nil {
		found = append(found, pageColors(p, app, s.Dark)...)
	}
	return palette.Choose(found, s.Dark)
}

// pageColors returns the colours that the markup of a page and its manifest name.
func pageColors(p *page.Page, app page.Manifest, dark bool) []palette.Candidate {
	var found []palette.Candidate
	add := func(text string, source palette.Source) {
		if c, ok := page.ParseColor(text); ok && c.A == 0xff {
			found = append(found, palette.Candidate{Color: color.NRGBA{c.R, c.G, c.B, 0xff}, Source: source})
		}
	}
	for _, t := range p.Brand.ThemeColors {
		if forMode(t.Media, dark) {
			add(t.Value, palette.ThemeColor)
		} else {
			add(t.Value, palette.ThemeColorOther)
		}
	}
	add(app.ThemeColor, palette.Manifest)
	add(p.Brand.MaskIcon, palette.MaskIcon)
	add(p.Brand.Tile, palette.TileColor)
	for _, property := range p.Brand.Style.Properties {
		name := strings.ToLower(property.Name)
		if strings.Contains(name, "brand") || strings.Contains(name, "primary") || strings.Contains(name, "accent") {
			add(property.Value, palette.CustomProperty)
		}
	}
	for _, background := range p.Brand.Style.Buttons {
		add(background, palette.Button)
	}
	return found
}

// forMode says whether a theme-color with this media query holds for cards of the mode.
func forMode(media string, dark bool) bool {
	media = strings.ToLower(media)
	switch {
	case strings.Contains(media, "prefers-color-scheme: dark"), strings.Contains(media, "prefers-color-scheme:dark"):
		return dark
	case strings.Contains(media, "prefers-color-scheme: light"), strings.Contains(media, "prefers-color-scheme:light"):
		return !dark
	}
	return media == ""
}
