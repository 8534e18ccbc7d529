package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"masthead/render"
	"masthead/render/palette"
	"masthead/render/specimen"
)

//go:embed gallery.html
var galleryHTML string

// galleryCard is a card of the gallery. The exported fields are what the page says of it.
type galleryCard struct {
	Template, Kind, Mode, Accent, Font, Text, Logo, Picture string

	File          string
	Bytes         int
	Width, Height int

	request render.Request
}

// iconSets stands for a template where the icon sets alone are drawn.
const iconSets = "icons"

// runGallery draws all templates in all ways into a folder: index.html, and a picture for each card in cards/; and two
// sheets of them all.
func runGallery(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench gallery", flag.ContinueOnError)
	dir := flags.String("o", "", "write the page into `DIR`")
	only := flags.String("template", "", "draw this template alone; icons: the icon sets alone")
	icons := flags.String("icons", defaultIcons, "draw the sets of the icons in `DIR`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		return errors.New("gallery takes -o DIR")
	}
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		return fmt.Errorf("make gallery: %w", err)
	}
	if *only == "" || *only == iconSets {
		sets, err := writeIconGallery(*icons, *dir, filepath.Join(os.TempDir(), "masthead-bench"))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%d icon sets: %s\n", sets, filepath.Join(*dir, "icons.html"))
		if err != nil || *only == iconSets {
			return err
		}
	}
	if *only == "" {
		if err := writeSheets(*dir); err != nil {
			return err
		}
	}
	cards := galleryCards(*only)
	if len(cards) == 0 {
		return fmt.Errorf("there is no template %s", *only)
	}
	if err := writeGallery(cards, *dir); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d cards: %s\n", len(cards), filepath.Join(*dir, "index.html"))
	return err
}

// writeGallery draws the cards and writes the page that shows them.
func writeGallery(cards []*galleryCard, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "cards"), 0o755); err != nil {
		return fmt.Errorf("make gallery: %w", err)
	}
	if err := drawAll(cards, dir); err != nil {
		return err
	}
	page, err := template.New("gallery").Parse(galleryHTML)
	if err != nil {
		return fmt.Errorf("read page of the gallery: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, "index.html"))
	if err != nil {
		return fmt.Errorf("write gallery: %w", err)
	}
	if err := errors.Join(page.Execute(f, cards), f.Close()); err != nil {
		return fmt.Errorf("write gallery: %w", err)
	}
	return nil
}

// galleryCards lists every template × kind × mode × accent × font × text, each logo in each corner, and each picture
// behind some of the texts; only those of one template if it is named.
func galleryCards(slug string) []*galleryCard {
	var all []*galleryCard
	for _, info := range render.Templates() {
		if slug != "" && info.Slug != slug {
			continue
		}
		for _, kind := range info.Kinds {
			all = append(all, styleCards(info.Slug, kind)...)
			all = append(all, logoCards(info.Slug, kind)...)
			all = append(all, pictureCards(info.Slug, kind)...)
		}
	}
	return all
}

// styleCards lists each text × font × accent × mode.
func styleCards(slug string, kind render.Kind) []*galleryCard {
	var all []*galleryCard
	for _, page := range specimen.Pages() {
		for _, font := range render.Fonts() {
			for _, accent := range specimen.Accents() {
				for _, dark := range []bool{true, false} {
					r := page.Request(slug, kind)
					r.Accent, r.Font, r.Dark = accent, font, dark
					all = append(all, newGalleryCard(page, r))
				}
			}
		}
	}
	return all
}

// logoCards lists each logo in each corner, for a text in either direction.
func logoCards(slug string, kind render.Kind) []*galleryCard {
	var all []*galleryCard
	for _, text := range []string{"60", "arabic"} {
		for _, logo := range specimen.Logos() {
			for _, corner := range specimen.Corners() {
				for _, dark := range []bool{true, false} {
					page := specimen.Find(text)
					r := page.Request(slug, kind)
					r.Accent, r.Font, r.Dark = specimen.Accents()[len(all)/2%4], "inter", dark
					r.Logo, r.LogoPosition = specimen.Logo(logo), corner
					c := newGalleryCard(page, r)
					c.Logo = logo + "-" + corner
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// pictureCards lists each picture behind some of the texts, in the accents by turns.
func pictureCards(slug string, kind render.Kind) []*galleryCard {
	var all []*galleryCard
	for _, picture := range append(specimen.Pictures(), specimen.HardPictures()...) {
		for _, text := range []string{"five-words", "60", "140", "arabic"} {
			for _, dark := range []bool{true, false} {
				page := specimen.Find(text)
				r := page.Request(slug, kind)
				r.Accent, r.Font, r.Dark = specimen.Accents()[len(all)/2%5], "inter", dark
				r.Background = specimen.Picture(picture)
				c := newGalleryCard(page, r)
				c.Picture = picture
				all = append(all, c)
			}
		}
	}
	return all
}

// newGalleryCard returns the card of a request.
func newGalleryCard(page specimen.Page, r render.Request) *galleryCard {
	c := &galleryCard{
		Template: r.Template, Kind: string(r.Kind), Mode: "light", Accent: palette.Hex(r.Accent)[1:], Font: r.Font,
		Text: page.Name, Logo: "none", Picture: "none", request: r,
	}
	if r.Dark {
		c.Mode = "dark"
	}
	return c
}

// drawAll draws the cards, one on each processor at a time.
func drawAll(cards []*galleryCard, dir string) error {
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(cards) && errs[w] == nil; i += workers {
				errs[w] = cards[i].draw(dir)
			}
		})
	}
	group.Wait()
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
}

// draw writes the picture of the card.
func (c *galleryCard) draw(dir string) error {
	axes := []string{c.Template, c.Kind, c.Text, c.Font, c.Accent, c.Mode, c.Logo, c.Picture}
	name := strings.Join(axes, "-")
	pic, err := render.Draw(context.Background(), c.request)
	if errors.Is(err, render.ErrUnreadable) { // as the service does: the card is drawn without the picture
		fmt.Fprintln(os.Stderr, name+" without its picture:", err)
		c.request.Background, c.request.Photo = nil, nil
		pic, err = render.Draw(context.Background(), c.request)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.File = "cards/" + name + pic.Ext
	c.Bytes, c.Width, c.Height = len(pic.Bytes), pic.Width, pic.Height
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(c.File)), pic.Bytes, 0o644); err != nil {
		return fmt.Errorf("write card: %w", err)
	}
	return nil
}
