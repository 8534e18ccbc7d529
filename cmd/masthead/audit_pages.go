package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

// maxSitemapPages is how many pages of a sitemap one command audits at most.
const maxSitemapPages = 10_000

// auditor audits the pages of one command and tells how far it is. It must be closed.
type auditor struct {
	clients  hostClients
	decoder  *picture.Decoder
	progress io.Writer
	show     bool // the pictures themselves are wanted, for a page of the report
	live     bool // progress is a terminal, on which one line can be written again and again

	work sync.WaitGroup
	mu   sync.Mutex
}

func newAuditor(as string, progress io.Writer) *auditor {
	return &auditor{
		clients: hostClients{userAgent: userAgent(as)}, decoder: picture.NewDecoder(picture.Config{}),
		progress: progress, live: onTerminal(progress),
	}
}

// close waits for what is still audited, which a context should have ended.
func (a *auditor) close() {
	a.work.Wait()
	a.clients.close()
}

// say shows a line that the next one replaces, on a terminal alone. "" clears it.
func (a *auditor) say(text string) {
	if !a.live {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = fmt.Fprintf(a.progress, "\r\x1b[K%s", text) // nobody is lost who misses it
}

// tell writes a line that stays.
func (a *auditor) tell(format string, args ...any) {
	a.say("")
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = fmt.Fprintf(a.progress, format+"\n", args...) // as above
}

// all audits the pages, and returns them in their order. It fails when ctx ends.
func (a *auditor) all(ctx context.Context, pages []weburl.URL) ([]format.Page, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	audited := make([]format.Page, len(pages))
	ready := make(chan int, len(pages))
	eachHost(&a.work, pages, func(i int) {
		report, err := a.one(ctx, pages[i], len(pages) == 1)
		audited[i] = format.Page{URL: pages[i].String(), Report: report, Err: err}
		ready <- i
	})
	for n := range pages {
		i := <-ready
		if ctx.Err() != nil {
			a.say("")
			return nil, fmt.Errorf("stopped after %d of %d pages", n, len(pages))
		}
		if len(pages) == 1 {
			continue
		}
		came := "no report"
		if r := audited[i].Report; r != nil {
			came = fmt.Sprintf("%3d  %-2s", r.Overall.Score, r.Overall.Letter)
		}
		line := fmt.Sprintf("%s  %s  %s", counter(n+1, len(pages)), came, pages[i])
		if a.live {
			a.say(line)
		} else {
			a.tell("%s", line)
		}
	}
	a.say("")
	return audited, nil
}

// one audits one page; watched, it tells each step.
func (a *auditor) one(ctx context.Context, page weburl.URL, watched bool) (*audit.Report, error) {
	client, err := a.clients.of(page)
	if err != nil {
		return nil, err
	}
	o := audit.Options{Show: a.show}
	if watched {
		a.say("Asking " + page.Hostname())
		o.Progress = func(p audit.Progress) { a.say(stepLine(p)) }
	}
	var report *audit.Report
	err = patiently(ctx, func() error {
		report, err = audit.Examine(ctx, scrape.New(client, a.decoder), page, o)
		return err
	})
	return report, explainCard(err)
}

// stepNames say what was done.
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

// sitemap returns the pages that a sitemap lists, at most so many.
func (a *auditor) sitemap(ctx context.Context, text string, most int) ([]weburl.URL, error) {
	u, err := parsePage(text)
	if err != nil {
		return nil, wrongUsage("--sitemap: %w", err)
	}
	client, err := a.clients.of(u)
	if err != nil {
		return nil, err
	}
	a.say("Reading " + u.String())
	var list sitemap.List
	err = patiently(ctx, func() error {
		list, err = sitemap.Collect(ctx, client, u, most, func(file weburl.URL, err error) {
			a.tell("Left out: %s  %v", file, explainCard(err))
		})
		return err
	})
	a.say("")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u, explainCard(err))
	}
	var left []string
	if list.More {
		left = append(left, fmt.Sprintf("there are more than the %d taken (--limit)", len(list.Pages)))
	}
	if list.Elsewhere > 0 {
		left = append(left, fmt.Sprintf("%d on other hosts, such as %s, left out", list.Elsewhere, list.ElsewhereHost))
	}
	if list.Unreadable > 0 {
		left = append(left, fmt.Sprintf("%d that are no addresses left out", list.Unreadable))
	}
	if len(list.Pages) == 0 {
		return nil, fmt.Errorf("%s lists no page of %s (%s)", u, hostKey(u), strings.Join(append(left, "nothing else"), "; "))
	}
	a.tell("%s lists %d pages%s", u, len(list.Pages), strings.Join(append([]string{""}, left...), "; "))
	return list.Pages, nil
}
