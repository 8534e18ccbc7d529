package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/platform"
	"masthead/pkg/web/report"
	"masthead/pkg/weburl"
)

// auditCommand judges pages without any server.
type auditCommand struct {
	Pages   []string `arg:"" optional:"" name:"url" help:"The page, or several; - reads addresses from standard input, one a line."`
	Sitemap string   `placeholder:"URL" help:"Audit the pages that a sitemap lists, or an index of sitemaps."`
	Limit   int      `default:"100" help:"How many pages of the sitemap at most."`

	Format string `default:"text" enum:"${auditFormats}" help:"What is printed: ${enum}."`
	JSON   bool   `name:"json" help:"The same as --format json: a line for each page."`
	All    bool   `help:"Show how to mend every finding, and what passed."`

	HTML string `name:"html" placeholder:"FILE" help:"Also write the report of one page into a file that needs nothing else."`

	MinScore int    `placeholder:"N" help:"End with code 6 when a page scores less, of 100."`
	FailOn   string `placeholder:"SEVERITY" enum:",error,warning" default:"" help:"End with code 6 when a check of this severity, or a worse one, fails: error or warning."`

	As string `placeholder:"NAME" help:"Fetch as a platform's crawler, such as twitterbot or facebook, or as any User-Agent."`
}

// Help implements kong's HelpProvider.
func (c *auditCommand) Help() string {
	return `Examples:

  masthead audit https://example.com/
  masthead audit localhost:3000/blog --fail-on error
  masthead audit --sitemap https://example.com/sitemap.xml --min-score 80
  masthead audit https://example.com/ --format sarif > masthead.sarif

It ends with code 0 when it is done, 1 when a page could not be read, 2 for a wrong command line, and 6 when there are
findings by --min-score or --fail-on. Only hosts named on the command line may be private.`
}

// findingsError says that an audit found what it must not.
type findingsError struct{ error }

// Run audits the pages.
func (c *auditCommand) Run(ctx context.Context) error {
	return c.run(ctx, os.Stdin, os.Stdout, os.Stderr)
}

// run audits the pages. out gets the report, progress is for people.
func (c *auditCommand) run(ctx context.Context, in io.Reader, out, progress io.Writer) error {
	if err := c.check(); err != nil {
		return err
	}
	list, err := readPages(c.Pages, in)
	if err != nil {
		return err
	}
	a := newAuditor(c.As, progress)
	a.show = c.HTML != ""
	defer a.close()
	pages := list.addresses
	if c.Sitemap != "" {
		listed, err := a.sitemap(ctx, c.Sitemap, c.Limit)
		if err != nil {
			return err
		}
		pages = union(pages, listed)
	}
	if len(pages) == 0 {
		return wrongUsage("name a page, or a --sitemap")
	}
	if c.HTML != "" && len(pages) > 1 {
		return wrongUsage("--html writes the report of one page, and there are %d", len(pages))
	}
	audited, err := a.all(ctx, pages)
	if err != nil {
		return err
	}
	if c.Format == "text" && len(audited) == 1 && audited[0].Err != nil {
		return fmt.Errorf("%s: %w", audited[0].URL, audited[0].Err)
	}
	o := format.Options{
		Version: version, FailOn: c.FailOn, MinScore: c.MinScore, All: c.All, Now: time.Now(), Color: colored(out),
	}
	if err := format.Write(out, c.Format, audited, o); err != nil {
		return err
	}
	if c.HTML != "" && audited[0].Report != nil {
		if err := writeHTML(c.HTML, audited[0].Report); err != nil {
			return err
		}
	}
	return c.outcome(audited, o)
}

// writeHTML writes the page of a report, with its pictures and faces in it, into a file.
func writeHTML(path string, r *audit.Report) error {
	var b bytes.Buffer
	if err := report.WriteFile(&b, &report.Source{Report: r}); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// check looks at the flags, before anything is fetched.
func (c *auditCommand) check() error {
	switch {
	case c.JSON && c.Format != "text" && c.Format != "json":
		return wrongUsage("--json and --format %s both say what is printed: take one of them", c.Format)
	case c.MinScore < 0 || c.MinScore > 100:
		return wrongUsage("--min-score must be between 0 and 100; it is %d", c.MinScore)
	case c.Limit < 1 || c.Limit > maxSitemapPages:
		return wrongUsage("--limit must be between 1 and %d; it is %d", maxSitemapPages, c.Limit)
	}
	if c.JSON {
		c.Format = "json"
	}
	return nil
}

// outcome is the error that the reports come to.
func (c *auditCommand) outcome(pages []format.Page, o format.Options) error {
	unread := 0
	for _, p := range pages {
		if p.Err != nil {
			unread++
		}
	}
	rules, scores := o.Findings(pages)
	switch {
	case unread > 0 && len(pages) == 1:
		return fmt.Errorf("%s: %w", pages[0].URL, pages[0].Err)
	case unread > 0:
		return fmt.Errorf("%d of %d pages could not be read", unread, len(pages))
	case rules > 0 && scores > 0:
		return findingsError{fmt.Errorf("%d checks failed by --fail-on %s, %d of %d pages score less than %d",
			rules, c.FailOn, scores, len(pages), c.MinScore)}
	case rules > 0:
		return findingsError{fmt.Errorf("%d checks failed by --fail-on %s", rules, c.FailOn)}
	case scores > 0:
		return findingsError{fmt.Errorf("%d of %d pages score less than %d", scores, len(pages), c.MinScore)}
	}
	return nil
}

// union returns both lists as one, each address once.
func union(a, b []weburl.URL) []weburl.URL {
	seen := map[weburl.URL]bool{}
	var all []weburl.URL
	for _, u := range append(append([]weburl.URL{}, a...), b...) {
		if !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
	}
	return all
}

// userAgent returns what --as asks for: that of a platform's crawler, or the text itself.
func userAgent(as string) string {
	if known, ok := platform.UserAgent(strings.TrimSpace(as)); ok {
		return known
	}
	return as
}

// onTerminal reports whether somebody looks at what is written.
func onTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// colored reports whether what is written there has colours. Source: https://no-color.org.
func colored(w io.Writer) bool { return onTerminal(w) && os.Getenv("NO_COLOR") == "" }
