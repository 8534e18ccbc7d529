package main

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/render/icon"
	"masthead/render/palette"
)

//go:embed icon_gallery.html
var iconGalleryHTML string

// galleryIcon is the set of an icon, as the page shows it.
type galleryIcon struct {
	Name, Treatment string
	Brand           template.CSS
	Bytes           int
	Warnings        []string
	// Assets are addresses by the names of the assets.
	Assets map[string]template.URL
}

// writeIconGallery draws the sets of all icons in a folder, and writes the page that shows them at their own size and
// enlarged four times, on white and on dark, in a tab and on a home screen.
func writeIconGallery(icons, dir, cache string) (count int, err error) {
	engine := svg.New(svg.Config{Dir: cache, Lazy: true, Wait: iconWait})
	defer func() { err = errors.Join(err, engine.Close()) }()
	decoder := picture.NewDecoder(picture.Config{SVG: engine, Deadline: iconWait, Wait: iconWait})
	entries, err := os.ReadDir(icons)
	if err != nil {
		return 0, fmt.Errorf("read icons: %w", err)
	}
	var all []galleryIcon
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(icons, e.Name()))
		if err != nil {
			return 0, fmt.Errorf("read icon: %w", err)
		}
		if picture.Sniff(data) == picture.Unknown {
			continue // what says whose they are
		}
		g, err := drawGalleryIcon(decoder, e.Name(), data)
		if err != nil {
			return 0, fmt.Errorf("draw icon %s: %w", e.Name(), err)
		}
		all = append(all, g)
	}
	page, err := template.New("icons").Parse(iconGalleryHTML)
	if err != nil {
		return 0, fmt.Errorf("read page of the icons: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, "icons.html"))
	if err != nil {
		return 0, fmt.Errorf("write icons: %w", err)
	}
	return len(all), errors.Join(page.Execute(f, all), f.Close())
}

func drawGalleryIcon(decoder *picture.Decoder, name string, data []byte) (galleryIcon, error) {
	ctx := context.Background()
	source, err := iconSource(ctx, decoder, data)
	if err != nil {
		return galleryIcon{}, err
	}
	img := source.Picture
	if img == nil {
		if img, err = source.Draw(ctx, 64); err != nil {
			return galleryIcon{}, err
		}
	}
	brand := palette.Choose(palette.Candidates(palette.Clusters(img), palette.Icon), false).Accent
	short, _, _ := strings.Cut(strings.TrimSuffix(name, filepath.Ext(name)), "-")
	set, err := icon.Draw(ctx, icon.Request{Sources: []icon.Source{source}, Name: short, Brand: brand, Extras: true})
	if err != nil {
		return galleryIcon{}, err
	}
	g := galleryIcon{
		Name: name, Treatment: string(set.Treatment), Warnings: set.Warnings,
		Brand:  template.CSS(palette.Hex(brand)), //nolint:gosec // six hexadecimal digits of our own
		Assets: map[string]template.URL{},
	}
	for _, a := range set.Assets {
		address := "data:image/png;base64," + base64.StdEncoding.EncodeToString(a.PNG)
		g.Assets[assetNames.Replace(a.Name)] = template.URL(address) //nolint:gosec // pixels in base64
		g.Bytes += len(a.PNG)
	}
	return g, nil
}

// assetNames makes names for the page: f16, touch, i192, i512maskable, fdark16.
var assetNames = strings.NewReplacer("apple-touch-icon", "touch", "favicon-", "f", "icon-", "i", "-", "", ".png", "")

// drawing returns what draws an SVG so that its longer side has so many pixels. The machine that draws a gallery may be
// busy: what took too long is tried a few times more.
func drawing(decoder *picture.Decoder, data []byte) func(ctx context.Context, side int) (*image.NRGBA, error) {
	return func(ctx context.Context, side int) (img *image.NRGBA, err error) {
		for range 5 {
			img, _, err = decoder.Decode(ctx, data, picture.Want{Long: side, Patience: iconWait})
			if !errors.Is(err, picture.ErrTimeout) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		return img, err
	}
}

// defaultIcons is where the icons of the gallery lie, seen from the project's folder.
const defaultIcons = "render/icon/testdata/icons"
