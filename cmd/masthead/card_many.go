package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"masthead/pkg/images"
	"masthead/pkg/weburl"
)

// hostsAtOnce is how many hosts are drawn from at once. The pages of one come one after the other, as a polite guest
// takes them.
const hostsAtOnce = 4

// outcome is what came of one page.
type outcome struct {
	drawn images.Drawn
	err   error
}

// drawMany draws a picture of each page into a folder. A page that fails stops no other: it is told at the end.
func (c *cardCommand) drawMany(ctx context.Context, d *drawer, pages []weburl.URL, out, report io.Writer) error {
	places, err := placeMany(c.Output, pages)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	outcomes := d.drawAll(ctx, pages, places)
	var failed []string
	for i, page := range pages {
		result := <-outcomes[i]
		if ctx.Err() != nil {
			return fmt.Errorf("stopped after %d of %d pages", i, len(pages))
		}
		if errors.As(result.err, new(usageError)) {
			return result.err // and so it is with every page
		}
		if result.err != nil {
			failed = append(failed, fmt.Sprintf("  %s  %v", page, result.err))
			if _, err := fmt.Fprintf(report, "%s %s  failed\n", counter(i+1, len(pages)), page); err != nil {
				return err
			}
			if err := c.printFailure(out, page, result.err); err != nil {
				return err
			}
			continue
		}
		line := summary(places[i].path, result.drawn)
		if _, err := fmt.Fprintln(report, counter(i+1, len(pages)), line); err != nil {
			return err
		}
		if err := c.print(out, page, places[i].path, result.drawn); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d pages could not be drawn:\n%s", len(failed), len(pages), strings.Join(failed, "\n"))
	}
	return nil
}

// counter says how far the work is, such as "[ 3/12]".
func counter(n, of int) string {
	digits := len(fmt.Sprint(of))
	return fmt.Sprintf("[%*d/%d]", digits, n, of)
}

// drawAll draws the pages and writes their pictures, hosts beside each other. Each channel gets the outcome of its
// page.
func (d *drawer) drawAll(ctx context.Context, pages []weburl.URL, places []place) []chan outcome {
	outcomes := make([]chan outcome, len(pages))
	for i := range pages {
		outcomes[i] = make(chan outcome, 1)
	}
	eachHost(&d.work, pages, func(i int) {
		drawn, err := d.draw(ctx, pages[i], places[i].format)
		if err == nil {
			err = places[i].write(drawn.Bytes)
		}
		outcomes[i] <- outcome{drawn, err}
	})
	return outcomes
}
