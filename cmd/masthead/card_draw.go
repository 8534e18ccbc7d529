package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
	"masthead/render"
)

// Bounds of what is drawn for a command line.
const (
	busyTries = 3                // of a page whose site asks us to wait
	busyPause = 30 * time.Second // at most, before another try
)

// drawer draws the cards of one command. It is safe for concurrent use, and must be closed.
//
// The pages of a host share a client, and so the limits of the host. The hosts that a client may reach although they
// are private are those that the command line names for its own pages: no page can send us on to another one's.
type drawer struct {
	command    *cardCommand
	decoder    *picture.Decoder
	logo, icon ownPicture

	work    sync.WaitGroup
	mu      sync.Mutex
	clients map[string]*fetch.Client
}

// The flags that name pictures.
const (
	logoFlag = "--logo"
	iconFlag = "--icon"
)

// ownPicture is a picture that a flag names: by its address, or by a file, whose content it is then.
type ownPicture struct {
	url  weburl.URL
	data []byte
}

func newDrawer(c *cardCommand) (*drawer, error) {
	d := &drawer{command: c, decoder: picture.NewDecoder(picture.Config{}), clients: map[string]*fetch.Client{}}
	var err, err2 error
	d.logo, err = d.readPicture(logoFlag, c.Logo)
	d.icon, err2 = d.readPicture(iconFlag, c.Icon)
	return d, errors.Join(err, err2)
}

// close waits for what is still drawn, which a context should have ended.
func (d *drawer) close() {
	d.work.Wait()
	for _, client := range d.clients {
		client.Close()
	}
}

// readPicture reads what a flag names: an address, or a file, which must be a picture.
func (d *drawer) readPicture(flag, value string) (ownPicture, error) {
	if value == "" {
		return ownPicture{}, nil
	}
	if strings.Contains(value, "://") {
		u, err := weburl.Parse(value)
		if err != nil {
			return ownPicture{}, wrongUsage("%s %s: %w", flag, value, explainCard(err))
		}
		return ownPicture{url: u}, nil
	}
	info, err := os.Stat(value)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return ownPicture{}, wrongUsage("%s: there is no file %s; an address begins with https://", flag, value)
	case err != nil:
		return ownPicture{}, wrongUsage("%s: %w", flag, err)
	case info.IsDir():
		return ownPicture{}, wrongUsage("%s: %s is a folder", flag, value)
	case info.Size() > picture.MaxFileBytes:
		return ownPicture{}, wrongUsage("%s: %s has more than %d MB", flag, value, picture.MaxFileBytes>>20)
	}
	data, err := os.ReadFile(value)
	if err != nil {
		return ownPicture{}, wrongUsage("%s: %w", flag, err)
	}
	_, facts, err := d.decoder.Decode(context.Background(), data, picture.Want{})
	if err != nil {
		return ownPicture{}, wrongUsage("%s: %s is no picture that can be used: %w. PNG, JPEG, GIF, WebP and ICO are",
			flag, value, err)
	}
	if flag == iconFlag && min(facts.Width, facts.Height) < images.MinIconSide {
		return ownPicture{}, wrongUsage("%s: %s has %dx%d pixels, and icons are drawn from %dx%d on",
			flag, value, facts.Width, facts.Height, images.MinIconSide, images.MinIconSide)
	}
	return ownPicture{data: data}, nil
}

// client returns the client for the pages of a host.
func (d *drawer) client(page weburl.URL) (*fetch.Client, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hosts := []string{}
	for _, u := range []weburl.URL{page, d.logo.url, d.icon.url} {
		if !u.IsZero() {
			hosts = append(hosts, u.URL().Host)
		}
	}
	key := hostKey(page)
	if client := d.clients[key]; client != nil {
		return client, nil
	}
	// Hosts that the operator names may be private, as on the command line of any other program.
	client, err := fetch.New(fetch.Config{Version: version, UserAgent: d.command.As, AllowHosts: hosts}, nil)
	if err != nil {
		return nil, asUsage(err)
	}
	d.clients[key] = client
	return client, nil
}

// hostKey tells the hosts of pages apart; "" is that of no page.
func hostKey(page weburl.URL) string {
	if page.IsZero() {
		return ""
	}
	return page.URL().Host
}

// draw draws the card of a page, or one without a page.
func (d *drawer) draw(ctx context.Context, page weburl.URL, format render.Format) (images.Drawn, error) {
	client, err := d.client(page)
	if err != nil {
		return images.Drawn{}, err
	}
	r := d.command.request(page)
	r.Content.Favicon = d.icon.url.String()
	if d.command.Logo != "" {
		r.Style.Logo = &images.Logo{URL: d.logo.url.String(), Position: d.command.LogoPosition}
	}
	own := images.Own{Format: format, Logo: d.logo.data, Icon: d.icon.data}
	for try := 1; ; try++ {
		once, cancel := context.WithTimeout(ctx, cardTime)
		drawn, err := images.Once(once, client, d.decoder, r, own)
		cancel()
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.RetryAfter == 0 || try == busyTries {
			if errors.Is(err, context.DeadlineExceeded) && fault == nil && ctx.Err() == nil {
				err = fmt.Errorf("the card was not ready after %v", cardTime)
			}
			if err == nil && drawn.Title == "" {
				err = errNoLetters
			}
			return drawn, explainCard(err)
		}
		select {
		case <-ctx.Done():
			return drawn, ctx.Err()
		case <-time.After(min(fault.RetryAfter, busyPause)):
		}
	}
}

// errNoLetters is the error for a card that would be empty.
var errNoLetters = errors.New("no face has the letters of the title, " +
	"and nothing is known that could stand in its place: --site-name gives it")

// flagsOf are the flags that say what the API has in these places.
var flagsOf = map[string]string{
	"/style/logo/url": logoFlag, "/content/favicon": iconFlag, "/content/date": "--date", "/style/accent": "--accent",
}

// explainCard shows the sentence that is meant for people, and why an address is refused, which is no secret to
// whoever runs the program. A fault of a flag is told by the flag.
func explainCard(err error) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		return err
	}
	var flags []string
	for _, field := range fault.Fields {
		if flag := flagsOf[field.Pointer]; flag != "" {
			flags = append(flags, flag+": "+field.Detail)
		}
	}
	switch {
	case len(flags) == 0 && errors.Is(err, fetch.ErrRefused):
		return errors.New(fault.Error()) // with the rule that forbids it
	case len(flags) == 0:
		return errors.New(fault.Detail)
	case fault.Code == apperr.BadRequest:
		return wrongUsage("%s", strings.Join(flags, "\nmasthead: "))
	}
	return errors.New(strings.Join(flags, "\nmasthead: "))
}
