package card

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/design"
	"masthead/render/encode"
	"masthead/render/html"
	"masthead/render/palette"
)

// This file draws designs of the user's own: the facts of a page are filled into a document, whose pictures are read.

// Design is a design of a project.
type Design struct {
	// ID is the same for all versions of the design.
	ID string
	*design.Design
}

// WarningDesign is the code of warnings about what a design asks for and isn't drawn.
const WarningDesign = "DESIGN"

// maxWarnings is how many warnings about a design a picture has.
const maxWarnings = 20

// normalizeDesign checks the parts of a request that are only for designs of the user's own.
func (r *Request) normalizeDesign(at func(pointer string, err error)) {
	data, canonical, err := design.ParseData(orEmpty(r.Data))
	if err != nil {
		at("/data", apperr.New(apperr.BadRequest, err.Error()))
	}
	r.Data, r.parsed.data = canonical, data
	if r.Design == nil { // no other design shows it
		r.Data, r.parsed.data = nil, nil
	}
}

// orEmpty returns an object without members for data that wasn't sent.
func orEmpty(data json.RawMessage) json.RawMessage {
	if text := strings.TrimSpace(string(data)); text == "" || text == "null" {
		return json.RawMessage("{}")
	}
	return data
}

// document is a design filled in for a page, with the pictures that it shows.
type document struct {
	*design.Document
	facts      map[string]any
	properties map[string]string
	images     map[string]design.Image
	// lost are the addresses of pictures that couldn't be read, with the reason.
	lost map[string]string
}

// fillDesign fills in the design of a request. site has the page, and the pictures of the document if they were read.
func (r Request) fillDesign(drawn *render.Request, colors palette.Choice, site *scrape.Result) (*document, error) {
	facts := drawn.Facts()
	if r.parsed.data != nil {
		facts["data"] = r.parsed.data
	}
	if r.URL != "" {
		facts["url"] = r.URL
	}
	d := &document{
		facts: facts, properties: design.Properties(palette.New(colors.Accent, r.Style.Dark), colors.Secondary),
		images: map[string]design.Image{}, lost: map[string]string{},
	}
	filled, err := r.Design.Fill(facts, d.properties)
	if err != nil {
		return nil, r.designFault(err)
	}
	d.Document = filled
	for address, img := range map[string]image.Image{
		render.IconAddress: drawn.Icon, render.ImageAddress: drawn.Photo, render.PortraitAddress: drawn.Portrait,
		render.LogoAddress: drawn.Logo,
	} {
		if of, ok := img.(*image.NRGBA); ok && of != nil {
			d.images[address] = html.Raster(of)
		}
	}
	for i, address := range foreign(filled) {
		if drawing, ok := drawingOf(address); ok {
			d.images[address] = drawing
			continue
		}
		if i >= len(site.Extra) {
			continue
		}
		if part := site.Extra[i]; part.Got() {
			d.images[address] = html.Raster(part.Value.Image)
		} else if part.Err != nil {
			d.lost[address] = sentenceOf(part.Err)
		}
	}
	return d, nil
}

// foreign are the pictures of a document that aren't the page's.
func foreign(d *design.Document) []string {
	return slices.DeleteFunc(slices.Clone(d.Pictures()), func(address string) bool {
		return strings.HasPrefix(address, "page:")
	})
}

// drawingOf returns the drawing of a data URL with an SVG that is drawn without an engine.
func drawingOf(address string) (img design.Image, ok bool) {
	data, ok := html.DataURL(address)
	if !ok {
		return nil, false
	}
	return html.SVG(string(data))
}

// sentenceOf says why a picture is missing.
func sentenceOf(err error) string {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return fault.Detail
	}
	return "it can't be read"
}

// designFault returns an error of a design as one about the request.
func (r Request) designFault(err error) error {
	var fault *design.Error
	if !errors.As(err, &fault) {
		return err
	}
	said := apperr.Wrap(apperr.BadRequest, "The design "+r.Template+" can't be drawn for this page. "+fault.Error(), err)
	said.Fields = []apperr.Field{{Pointer: "/template", Detail: said.Detail}}
	return said
}

// readDesign reads the pictures that the document of a request shows, once the page was read.
func (m *Maker) readDesign(ctx context.Context, r Request, site *scrape.Result) error {
	drawn, _ := compose(r, site)
	d, err := r.fillDesign(&drawn, chooseColors(r, site.Colors.Value), site)
	if err != nil {
		return err
	}
	addresses := foreign(d.Document)
	if len(addresses) == 0 {
		return nil
	}
	var largest image.Point
	for _, size := range r.CardSizes() {
		largest.X, largest.Y = max(largest.X, size.X), max(largest.Y, size.Y)
	}
	box := design.PictureBox(largest, len(addresses))
	need := scrape.Need{NoPage: true, Owner: r.Own.Owner}
	places := map[int]int{} // in need, by the position in site.Extra
	site.Extra = make([]scrape.Part[scrape.Picture], len(addresses))
	for i, address := range addresses {
		if _, ok := drawingOf(address); ok {
			continue
		}
		wanted, err := r.pictureAt(ctx, address)
		if err != nil {
			site.Extra[i].Err = err
			continue
		}
		wanted.Width, wanted.Height = box.X, box.Y
		places[i] = len(need.Pictures)
		need.Pictures = append(need.Pictures, wanted)
	}
	if len(need.Pictures) == 0 {
		return nil
	}
	found := m.scraper.Scrape(ctx, r.parsed.page, need)
	for i, place := range places {
		site.Extra[i] = found.Pictures[place]
	}
	return ctx.Err()
}

// pictureAt returns what to read for the picture at an address of a document: an asset, a data URL, or an address.
func (r Request) pictureAt(ctx context.Context, address string) (wanted scrape.PictureNeed, err error) {
	if data, ok := html.DataURL(address); ok {
		return scrape.PictureNeed{Data: data}, nil
	}
	if r.Own.Asset != nil {
		if wanted.Data, err = r.Own.Asset(ctx, address); wanted.Data != nil || err != nil {
			return wanted, err
		}
	}
	if !strings.Contains(address, "://") {
		return wanted, apperr.New(apperr.NotFound, "the project has no asset with this name")
	}
	wanted.URL, err = weburl.Parse(address)
	return wanted, err
}

// drawDesign draws the document of a composition.
func (c *Composition) drawDesign(ctx context.Context, d *Result) error {
	if c.fault != nil {
		return c.fault
	}
	images, filled := c.document.images, c.document.Document
	background, marked := asNRGBA(c.Background)
	if marked = marked && c.request.Design.Uses("image"); marked {
		facts := maps.Clone(c.document.facts)
		images = maps.Clone(images)
		images[render.ImageAddress], facts["image"] = html.Raster(background), render.ImageAddress
		var err error
		if filled, err = c.request.Design.Fill(facts, c.document.properties); err != nil {
			return c.request.designFault(err)
		}
	}
	title, _ := c.document.facts["title"].(string)
	siteName, _ := c.document.facts["siteName"].(string)
	var unlike []design.Warning
	for i, size := range c.request.CardSizes() {
		p, err := filled.Draw(ctx, design.Options{
			Width: size.X, Height: size.Y, Images: images, SVG: c.request.Own.SVG, Limits: c.limits(size, marked),
			Fonts: c.request.Own.Fonts,
		})
		if err != nil {
			return c.request.designFault(err)
		}
		if marked {
			p.File = encode.Mark(p.File)
		}
		d.Files = append(d.Files, File{c.request.fileName(i, p.Ext), render.Card{
			File: p.File, Width: p.Width, Height: p.Height, Template: c.request.Template, Title: title,
			SiteName: siteName, Marked: marked,
		}})
		unlike = appendNew(unlike, p.Warnings)
	}
	d.Warnings, d.Unlike = c.document.warnings(unlike), unlike
	return nil
}

// limits are those of a file of a design.
func (c *Composition) limits(size image.Point, marked bool) encode.Limits {
	limits := encode.OG
	if size.X*size.Y > OGSize.X*OGSize.Y {
		limits = encode.Hero
	}
	switch c.request.Own.Format {
	case render.PNG:
		limits = encode.Lossless
	case render.JPEG:
		limits.NoPNG = true
	}
	if marked {
		limits.MaxPNG, limits.MaxJPEG = max(limits.MaxPNG-encode.MarkSize, 0), max(limits.MaxJPEG-encode.MarkSize, 0)
	}
	return limits
}

// appendNew appends those of more that all doesn't have.
func appendNew[T comparable](all, more []T) []T {
	for _, w := range more {
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// asNRGBA returns a picture in the type that documents show.
func asNRGBA(img image.Image) (*image.NRGBA, bool) {
	of, ok := img.(*image.NRGBA)
	return of, ok && of != nil
}

// warnings are those of drawing, and the pictures that are missing.
func (d *document) warnings(of []design.Warning) (all []render.Warning) {
	add := func(detail string) {
		if len(all) < maxWarnings {
			all = append(all, render.Warning{Code: WarningDesign, Detail: detail})
		}
	}
	for _, address := range slices.Sorted(maps.Keys(d.lost)) {
		shown := address
		if len(shown) > 80 {
			shown = shown[:80] + "…"
		}
		add(fmt.Sprintf("The picture %s isn't drawn: %s.", shown, strings.TrimSuffix(d.lost[address], ".")))
	}
	for _, w := range of {
		add(design.Place(w.Line, w.Column) + cmp.Or(w.Message, "This isn't drawn as in a browser."))
	}
	return all
}
