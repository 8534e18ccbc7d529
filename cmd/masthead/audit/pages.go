package audit

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/fetch"
	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

// maxSitemapPages is the maximum number of pages of a sitemap per command.
const maxSitemapPages = 10_000

// progressLines is the maximum number of progress lines.
const progressLines = 10

// siteThumb is the side of the pictures in the report of a site, in pixels.
const siteThumb = 400

// auditor audits the pages of one command and reports progress. It must be closed.
type auditor struct {
	*targets.Progress
	clients *targets.Clients
	decoder *picture.Decoder
	counts  bool // on an output that isn't a terminal, it only counts pages: the report lists them
	show    bool // the pictures themselves are needed, for an HTML report
	// finished are the pages of an earlier, interrupted run, to which new ones are added; nil without --resume.
	finished *journal

	work sync.WaitGroup
}

func newAuditor(clients *targets.Clients, report io.Writer) *auditor {
	a := &auditor{Progress: targets.NewProgress(report), clients: clients, decoder: picture.NewDecoder(picture.Config{})}
	a.clients.Tell = a.Tell
	return a
}

// close waits for running audits, which should have been canceled by their context.
func (a *auditor) close() {
	a.work.Wait()
	a.clients.Close()
}

// all audits the pages that aren't finished, and returns the results in order. It fails if ctx ends.
func (a *auditor) all(ctx context.Context, pages []weburl.URL) ([]format.Page, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	audited := make([]format.Page, len(pages))
	left := make([]int, 0, len(pages)) // of pages
	for i, page := range pages {
		if done, ok := a.finished.page(page.String()); ok {
			audited[i] = done
			continue
		}
		left = append(left, i)
	}
	if n := len(pages) - len(left); n > 0 {
		a.Tell("Continuing: %d of %d pages are in %s", n, len(pages), a.finished.path)
	}
	rest := make([]weburl.URL, len(left))
	for n, i := range left {
		rest[n] = pages[i]
	}
	ready := make(chan int, len(left))
	a.clients.Each(&a.work, rest, func(n int) {
		page, report, err := a.one(ctx, rest[n], len(pages) == 1)
		audited[left[n]] = format.Page{URL: page.String(), Report: report, Err: err}
		ready <- left[n]
	})
	for n := len(pages) - len(left); n < len(pages); n++ {
		i := <-ready
		if err := a.finished.add(pages[i].String(), audited[i]); err != nil {
			return nil, err
		}
		if ctx.Err() != nil && len(ready) == 0 {
			a.Say("")
			return nil, a.finished.stopped(n, len(pages))
		}
		if len(pages) > 1 {
			a.sayAudited(n, len(pages), &audited[i])
		}
	}
	a.Say("")
	return audited, nil
}

// sayAudited reports a page, after n of all pages.
func (a *auditor) sayAudited(n, all int, page *format.Page) {
	came := "no report"
	if r := page.Report; r != nil {
		came = fmt.Sprintf("%3d  %-2s", r.Overall.Score, r.Overall.Letter)
	}
	line := fmt.Sprintf("%s  %s  %s", targets.Counter(n+1, all), came, page.URL)
	switch {
	case a.Live:
		a.Say(line)
	case !a.counts:
		a.Tell("%s", line)
	case (n+1)*progressLines/all > n*progressLines/all:
		a.Tell("Audited %d of %d pages", n+1, all)
	}
}

// one audits one page and returns the address that it was read at; if watched, it reports each step.
func (a *auditor) one(
	ctx context.Context, page weburl.URL, watched bool,
) (readAt weburl.URL, report *audit.Report, err error) {
	o := audit.Options{Agents: watched}
	switch {
	case a.show && watched:
		o.Show = true
	case a.show:
		o.Thumb = siteThumb
	}
	if watched {
		a.Say("Asking " + page.Hostname())
		o.Progress = func(p audit.Progress) { a.Say(stepLine(p)) }
	}
	page, err = a.clients.Read(page, func(client *fetch.Client, page weburl.URL) error {
		return targets.Patiently(ctx, func() error {
			report, err = audit.Examine(ctx, scrape.New(client, a.decoder, nil), page, o)
			return err
		})
	})
	return page, report, usage.Explain(err)
}

// lens reads a page by the names of all crawlers, with an address in the User-Agent, or "".
func (a *auditor) lens(ctx context.Context, page weburl.URL, contact string) (found *audit.Lens, err error) {
	a.Say("Reading the page by the names of crawlers")
	defer a.Say("")
	_, err = a.clients.Read(page, func(client *fetch.Client, page weburl.URL) error {
		found, err = audit.Look(ctx, client, page, audit.LookOptions{Contact: contact})
		return err
	})
	return found, usage.Explain(err)
}

// stepNames describe the finished steps.
var stepNames = map[audit.Step]string{
	audit.StepAnswered: "The page answered", audit.StepRead: "The page was read",
	audit.StepPicture: "A picture was measured", audit.StepRules: "The checks were made",
}

func stepLine(p audit.Progress) string {
	line := stepNames[p.Step]
	if p.Says != "" {
		line += ": " + p.Says
	}
	return fmt.Sprintf("%s (%.1f s)", line, p.After.Seconds())
}

// sitemap returns the pages in a sitemap, at most most.
func (a *auditor) sitemap(ctx context.Context, u weburl.URL, most int) (pages []weburl.URL, err error) {
	a.Say("Reading " + u.String())
	var list sitemap.List
	u, err = a.clients.Read(u, func(client *fetch.Client, u weburl.URL) error {
		return targets.Patiently(ctx, func() (err error) {
			list, err = sitemap.Collect(ctx, client, "", u, most, func(file weburl.URL, err error) {
				a.Tell("Left out: %s  %v", file, usage.Explain(err))
			})
			return err
		})
	})
	a.Say("")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u, usage.Explain(err))
	}
	var left []string
	if list.More {
		left = append(left, fmt.Sprintf("there are more than the %d taken (--limit)", len(list.Pages)))
	}
	if list.Elsewhere > 0 {
		left = append(left, fmt.Sprintf("%d on other hosts, such as %s, left out", list.Elsewhere, list.ElsewhereHost))
	}
	if list.Unreadable > 0 {
		left = append(left, fmt.Sprintf("%d that aren't addresses left out", list.Unreadable))
	}
	if len(list.Pages) == 0 {
		return nil, fmt.Errorf("%s lists no page of %s%s", u, targets.HostKey(u), a.whyNoPages(u, list, left))
	}
	a.Tell("%s lists %s%s", u, humanize.Count(len(list.Pages), "page"), strings.Join(append([]string{""}, left...), "; "))
	return list.Pages, nil
}

// whyNoPages says what a sitemap without pages of its own host contains instead, and the flag for it.
func (a *auditor) whyNoPages(u weburl.URL, list sitemap.List, left []string) string {
	if len(left) == 0 {
		return ""
	}
	why := ": " + strings.Join(left, "; ")
	if list.Elsewhere > 0 && a.clients.Origin.Site.IsZero() {
		why += fmt.Sprintf(". If this server has the pages of %s, add --origin %s://%s",
			list.ElsewhereHost, u.Scheme(), u.URL().Host)
	}
	return why
}
