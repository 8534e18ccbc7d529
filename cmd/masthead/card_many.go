package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/weburl"
)

// outcome is the result of one page.
type outcome struct {
	page  weburl.URL // where it was read
	drawn card.Result
	err   error
}

// drawMany draws a picture of each page into a folder. A failing page doesn't stop the others; it is reported at the
// end.
func (c *cardCommand) drawMany(ctx context.Context, d *drawer, list targets.List, out io.Writer) error {
	places, err := placeMany(c.Output, list)
	if err != nil {
		return err
	}
	pages := list.Addresses
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	outcomes := d.drawAll(ctx, pages, places)
	var failed []string
	for i, page := range pages {
		d.progress.Say(fmt.Sprintf("%s %s", targets.Counter(i+1, len(pages)), page))
		result := <-outcomes[i]
		page = result.page
		if ctx.Err() != nil {
			d.progress.Say("")
			return fmt.Errorf("stopped after %d of %d pages", i, len(pages))
		}
		if errors.As(result.err, new(usage.Error)) {
			return result.err // it would be the same for every page
		}
		if result.err != nil {
			failed = append(failed, fmt.Sprintf("  %s  %v", page, result.err))
			d.progress.Tell("%s %s  failed", targets.Counter(i+1, len(pages)), page)
			if err := c.printFailure(out, page, result.err); err != nil {
				return err
			}
			continue
		}
		line := summary(places[i].path, result.drawn)
		d.progress.Tell("%s %s", targets.Counter(i+1, len(pages)), line)
		d.hintName(page, result.drawn)
		if err := c.print(out, list, page, places[i].path, result.drawn); err != nil {
			return err
		}
	}
	d.progress.Say("")
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d pages could not be drawn:\n%s", len(failed), len(pages), strings.Join(failed, "\n"))
	}
	return nil
}

// drawAll draws the pages and writes their pictures, hosts concurrently. Each channel gets the outcome of its page.
func (d *drawer) drawAll(ctx context.Context, pages []weburl.URL, places []place) []chan outcome {
	outcomes := make([]chan outcome, len(pages))
	for i := range pages {
		outcomes[i] = make(chan outcome, 1)
	}
	d.clients.Each(&d.work, pages, func(i int) {
		page, drawn, err := d.draw(ctx, pages[i], places[i].format)
		if err == nil {
			err = places[i].writeCard(drawn)
		}
		outcomes[i] <- outcome{page, drawn, err}
	})
	return outcomes
}
