package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
	"masthead/render"
	"masthead/render/text"
)

// svgWait is how long the first SVG waits while its engine is compiled, which takes 3 s of a processor once. A card
// that doesn't wait for it lacks the site's icon.
const svgWait = 30 * time.Second

// drawer draws the pictures of one command. It is safe for concurrent use, and must be closed.
type drawer struct {
	command    *cardCommand // of cards
	svg        *svg.Engine
	decoder    *picture.Decoder
	logo, icon ownPicture
	fonts      *text.Fonts // of --font-file; nil for none

	work     sync.WaitGroup
	clients  *targets.Clients
	progress *targets.Progress
	hinted   bool // see hintName
}

// Flags that name pictures.
const (
	logoFlag = "--logo"
	iconFlag = "--icon"
)

// ownPicture is a picture that a flag names: its address, or the content of a file.
type ownPicture struct {
	url   weburl.URL
	data  []byte
	facts picture.Facts // of a file
}

// newDrawer returns a drawer that fetches with clients, with the pictures of the flags --logo and --icon. It reports no
// progress; see follow.
func newDrawer(clients *targets.Clients, logo, icon string) (*drawer, error) {
	engine := svg.New(svg.Config{Dir: cacheDir(), Lazy: true, Wait: svgWait, Faces: app.SVGFaces()})
	decoder := picture.NewDecoder(picture.Config{SVG: engine})
	d := &drawer{svg: engine, decoder: decoder, clients: clients}
	var err, err2 error
	d.logo, err = d.readPicture(logoFlag, logo)
	d.icon, err2 = d.readPicture(iconFlag, icon)
	d.clients.Beside = []weburl.URL{d.logo.url, d.icon.url}
	d.follow(io.Discard)
	return d, errors.Join(err, err2)
}

// follow reports progress to report.
func (d *drawer) follow(report io.Writer) {
	d.progress = targets.NewProgress(report)
	d.clients.Tell = d.progress.Tell
}

// close waits for running drawings, which should have been canceled by their context.
func (d *drawer) close() {
	d.work.Wait()
	d.clients.Close()
	_ = d.svg.Close() // the program ends, or has finished drawing
}

// cacheDir is the folder for compiled code between commands, or "" if there is none.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "masthead")
}

// readPicture reads the picture that a flag names, by address or file.
func (d *drawer) readPicture(flag, value string) (ownPicture, error) {
	if value == "" {
		return ownPicture{}, nil
	}
	if strings.Contains(value, "://") {
		u, err := weburl.Parse(value)
		if err != nil {
			return ownPicture{}, usage.Errorf("%s %s: %w", flag, value, usage.Explain(err))
		}
		return ownPicture{url: u}, nil
	}
	info, err := os.Stat(value)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return ownPicture{}, usage.Errorf("%s: there is no file %s; an address begins with https://", flag, value)
	case err != nil:
		return ownPicture{}, usage.Errorf("%s: %w", flag, err)
	case info.IsDir():
		return ownPicture{}, usage.Errorf("%s: %s is a folder", flag, value)
	case info.Size() > picture.MaxFileBytes:
		return ownPicture{}, usage.Errorf("%s: %s has more than %d MB", flag, value, picture.MaxFileBytes>>20)
	}
	data, err := os.ReadFile(value)
	if err != nil {
		return ownPicture{}, usage.Errorf("%s: %w", flag, err)
	}
	_, facts, err := d.decoder.Decode(context.Background(), data, picture.Want{})
	if err != nil {
		if why := whyNoIcon(err); why != noPicture {
			return ownPicture{}, usage.Errorf("%s: %s cannot be used: %s", flag, value,
				strings.ToLower(why[:1])+strings.TrimSuffix(why[1:], "."))
		}
		return ownPicture{}, usage.Errorf("%s: %s isn't a usable picture; PNG, JPEG, GIF, WebP, ICO and SVG are",
			flag, value)
	}
	return ownPicture{data: data, facts: facts}, nil
}

// draw draws the card of a page, or one without a page. It returns the address that the page was read at.
func (d *drawer) draw(
	ctx context.Context, page weburl.URL, format render.Format,
) (readAt weburl.URL, drawn card.Result, err error) {
	page, err = d.clients.Read(page, func(client *fetch.Client, page weburl.URL) (err error) {
		r := d.command.request(page)
		r.Own = card.Own{Format: format, Logo: d.logo.data, Icon: d.icon.data, Lang: d.command.Lang, Fonts: d.fonts}
		if own := d.command.own; own.design != nil {
			r.Own.Asset, r.Own.SVG = own.assets, d.drawSVG
		}
		r.Content.Favicon = d.icon.url.String()
		if d.command.Logo != "" {
			r.Style.Logo = &card.Logo{URL: d.logo.url.String(), Position: d.command.LogoPosition}
		}
		drawn, err = inTime(ctx, "the card was", func(ctx context.Context) (card.Result, error) {
			return d.maker(client).Make(ctx, r)
		})
		return err
	})
	if err == nil && drawn.Picture().Title == "" {
		err = errNoLetters
	}
	return page, drawn, usage.Explain(err)
}

// maker returns a maker that reads with client and draws one picture.
func (d *drawer) maker(client *fetch.Client) *card.Maker {
	workers := worker.New(worker.Config{Name: card.DrawStage, Workers: 1})
	return card.NewMaker(scrape.New(client, d.decoder, workers), workers, nil)
}

// inTime draws within the time limit for one page, and again if its site asks us to wait; what names the drawing.
func inTime[T any](ctx context.Context, what string, draw func(context.Context) (T, error)) (drawn T, err error) {
	err = targets.Patiently(ctx, func() error {
		once, cancel := context.WithTimeout(ctx, cardTime)
		defer cancel()
		drawn, err = draw(once)
		if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, new(*apperr.Error)) && ctx.Err() == nil {
			return fmt.Errorf("%s not ready after %v", what, cardTime)
		}
		return err
	})
	return drawn, err
}

// errNoLetters is for a card that would be empty.
var errNoLetters = errors.New("no typeface has the characters of the title, " +
	"and there is nothing to show instead: set --site-name")
