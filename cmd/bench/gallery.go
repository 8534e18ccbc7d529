package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"masthead/render"
	"masthead/render/palette"
	"masthead/render/specimen"
)

//go:embed gallery.html
var galleryHTML string

// exhibit is a card of the gallery.
type exhibit struct {
	Template, Kind, Mode, Accent, Font, Text, Logo string

	File          string
	Bytes         int
	Width, Height int

	request render.Request
}

// runGallery draws all templates in all ways into a folder: index.html, and a picture for each card in cards/.
func runGallery(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench gallery", flag.ContinueOnError)
	dir := flags.String("o", "", "write the page into `DIR`")
	only := flags.String("template", "", "draw this template alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		return errors.New("gallery takes -o DIR")
	}
	exhibits := exhibitsOf(*only)
	if len(exhibits) == 0 {
		return fmt.Errorf("there is no template %s", *only)
	}
	if err := open(exhibits, *dir); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d cards: %s\n", len(exhibits), filepath.Join(*dir, "index.html"))
	return err
}

// open draws the exhibits and writes the page that shows them.
func open(exhibits []*exhibit, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "cards"), 0o755); err != nil {
		return fmt.Errorf("make gallery: %w", err)
	}
	if err := hang(exhibits, dir); err != nil {
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
	if err := errors.Join(page.Execute(f, exhibits), f.Close()); err != nil {
		return fmt.Errorf("write gallery: %w", err)
	}
	return nil
}

// exhibitsOf lists every template × kind × mode × accent × font × text, and each logo in each corner; only those of
// one template if it is named.
func exhibitsOf(slug string) []*exhibit {
	var all []*exhibit
	for _, info := range render.Templates() {
		if slug != "" && info.Slug != slug {
			continue
		}
		for _, kind := range info.Kinds {
			for _, page := range specimen.Pages() {
				for _, font := range render.Fonts() {
					for _, accent := range specimen.Accents() {
						for _, dark := range []bool{true, false} {
							all = append(all, newExhibit(page, info.Slug, kind, accent, font, dark))
						}
					}
				}
			}
			all = append(all, withLogos(info.Slug, kind)...)
		}
	}
	return all
}

func withLogos(slug string, kind render.Kind) []*exhibit {
	var all []*exhibit
	for _, text := range []string{"60", "arabic"} {
		for _, logo := range specimen.Logos() {
			for _, corner := range specimen.Corners() {
				for _, dark := range []bool{true, false} {
					e := newExhibit(specimen.Find(text), slug, kind, specimen.Accents()[len(all)/2%4], "inter", dark)
					e.request.Logo, e.request.LogoPosition = specimen.Logo(logo), corner
					e.Logo = logo + "-" + corner
					all = append(all, e)
				}
			}
		}
	}
	return all
}

func newExhibit(page specimen.Page, slug string, kind render.Kind, accent color.NRGBA, font string, dark bool) *exhibit {
	e := &exhibit{Template: slug, Kind: string(kind), Mode: "light", Accent: palette.Hex(accent)[1:], Font: font, Text: page.Name, Logo: "none"}
	if dark {
		e.Mode = "dark"
	}
	e.request = page.Request(slug, kind)
	e.request.Accent, e.request.Font, e.request.Dark = accent, font, dark
	return e
}

// hang draws the exhibits, one on each processor at a time.
func hang(exhibits []*exhibit, dir string) error {
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(exhibits) && errs[w] == nil; i += workers {
				errs[w] = exhibits[i].draw(dir)
			}
		})
	}
	group.Wait()
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
}

func (e *exhibit) draw(dir string) error {
	pic, err := render.Draw(context.Background(), e.request)
	if err != nil {
		return err
	}
	e.File = fmt.Sprintf("cards/%s-%s-%s-%s-%s-%s-%s%s", e.Template, e.Kind, e.Text, e.Font, e.Accent, e.Mode, e.Logo, pic.Ext)
	e.Bytes, e.Width, e.Height = len(pic.Bytes), pic.Width, pic.Height
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(e.File)), pic.Bytes, 0o644); err != nil {
		return fmt.Errorf("write card: %w", err)
	}
	return nil
}
