// Package audit is the command `masthead audit`: which pages it audits, its configuration file, continuing after an
// interruption, and its reports and exit status.
package audit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/audit/site"
	"masthead/pkg/humanize"
	"masthead/pkg/web/report"
	"masthead/pkg/weburl"
)

// Command audits pages without a server.
type Command struct {
	// Version is that of the program, for its User-Agent and in reports.
	Version string `kong:"-"`

	Pages   []string `arg:"" optional:"" name:"url" help:"Pages, or a folder of HTML files. - reads addresses from standard input, one per line."`
	Sitemap string   `placeholder:"URL" help:"Audit the pages of a sitemap or sitemap index."`
	Limit   int      `default:"100" least:"1" most:"10000" help:"Maximum number of pages from the sitemap."`
	Origin  string   `placeholder:"URL" help:"Read the site from this server, such as http://localhost:8802, under its public addresses."`
	Allow   []string `placeholder:"HOST[:PORT]" help:"Private hosts or prefixes that pages may name, such as 127.0.0.1:9000 for a picture server."`

	Format []string `enum:"${auditFormats}" placeholder:"FORMAT" help:"Output formats: ${enum}. One is printed, text by default; others need an --output."`
	Output []string `placeholder:"FORMAT=FILE" sep:"none" help:"Write a format into a file; FILE alone is for the one --format."`
	JSON   bool     `name:"json" help:"Same as --format json: one line per page."`
	All    bool     `help:"Show the fix of every finding, and the checks that passed."`

	HTML string `name:"html" placeholder:"FILE" help:"Also write the report of a page, or of all pages together, into a self-contained HTML file."`

	Resume string `placeholder:"FILE" help:"Save each finished page in this file, and continue from it after an interruption. It is deleted at the end."`

	MinScore int      `least:"0" most:"100" placeholder:"N" help:"Exit with status 6 if a page scores lower (0 to 100)."`
	FailOn   *string  `placeholder:"SEVERITY" enum:"error,warning" help:"Exit with status 6 if a check of this severity or a worse one fails: error or warning."`
	Ignore   []string `placeholder:"RULE" help:"Don't count this rule, such as og-locale, for the exit status. The score stays."`
	Baseline string   `placeholder:"FILE" help:"Count only findings that aren't in this report, written earlier by --output json=FILE."`

	targets.SiteFlags `embed:""`

	As string `placeholder:"NAME" help:"Fetch as a platform's crawler, such as twitterbot or facebook, or as any User-Agent. With all, the page is also read by the names of 12 crawlers of previews and 5 of AI agents, to show what each receives."`

	Contact string `placeholder:"URL" env:"MASTHEAD_FETCH_CONTACT" help:"Address in the User-Agent of --as all, which tells site owners who reads their page."`

	Config       string `placeholder:"FILE" help:"Read flags from this file instead of masthead.yaml in the working directory."`
	ConfigSchema bool   `help:"Print the JSON schema of the configuration file."`

	configured []string // the pages of the configuration file
}

// Help implements kong's HelpProvider.
func (c *Command) Help() string {
	return `Examples:

  masthead audit https://example.com/
  masthead audit localhost:3000/blog --fail-on error
  masthead audit public/ --page-base https://example.com
  masthead audit https://example.com/ --as all
  masthead audit --sitemap https://example.com/sitemap.xml --min-score 80
  masthead audit --sitemap https://example.com/sitemap.xml --origin http://localhost:8802
  masthead audit --sitemap https://example.com/sitemap.xml --html site.html --output site=site.json --resume site.tmp
  masthead audit https://example.com/ --fail-on error --output sarif=masthead.sarif --output json=report.json
  masthead audit https://example.com/ --fail-on warning --ignore og-locale --baseline report.json

Exit status:

  0  done: no findings by --fail-on and --min-score
  1  a page could not be read, or a report could not be written
  2  the command line or the configuration file is wrong
  6  findings: a check failed that --fail-on names, or a page scores less than --min-score

--ignore and --baseline change the exit status and the failed cases of JUnit, nothing else. Reports are written whatever
the exit status is.

With --origin, every address of the site is read from that server: pages, sitemaps, pictures, robots.txt and canonical
addresses. They are judged by their public addresses. The site is the host of the pages or the sitemap named; if these
are named on the server itself, it is the host of the first page's canonical address, or of what the sitemap lists.

Pages on localhost are audited without the checks that cannot hold there, such as https. Only hosts named on the command
line may be private.

With --resume, the same command continues where it was interrupted. Pages that couldn't be read are read again.

Several pages are also judged together: --format site, --html and the text say which are worst, which faults they share,
and which titles, descriptions and pictures they repeat. That counts for neither scores nor exit status.

Flags can be set in masthead.yaml: each key is the name of a flag, and pages lists the pages. The command line overrides
the file.`
}

// Run audits the pages.
func (c *Command) Run(ctx context.Context, line *kong.Context) error {
	if c.ConfigSchema {
		schema, err := configSchema(configKeys(line.Selected()))
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(schema)
		return err
	}
	return c.run(ctx, os.Stdin, os.Stdout, os.Stderr)
}

// run audits the pages. out gets the report, progress messages for people.
func (c *Command) run(ctx context.Context, in io.Reader, out, progress io.Writer) error {
	if err := c.check(); err != nil {
		return err
	}
	outputs, err := c.outputs()
	if err != nil {
		return err
	}
	o := format.Options{
		Version: c.Version, MinScore: c.MinScore, Ignore: c.Ignore, All: c.All, Now: time.Now(), Sitemap: c.Sitemap,
	}
	if c.FailOn != nil {
		o.FailOn = *c.FailOn
	}
	if o.Baseline, err = readBaseline(c.Baseline); err != nil {
		return err
	}
	named := c.Pages
	if len(named) == 0 {
		named = c.configured
	}
	list, err := targets.Read(named, in, c.SiteFlags)
	if err != nil {
		return err
	}
	defer list.Close()
	a := newAuditor(list.Clients(c.SiteFlags, c.Version, targets.UserAgent(c.As)), progress)
	a.clients.Allow, a.show, a.counts = c.Allow, c.HTML != "", prints(outputs, "text")
	defer a.close()
	pages, err := c.pages(ctx, a, list)
	if err != nil {
		return err
	}
	if a.finished, err = openJournal(c.Resume, c.task(len(pages))); err != nil {
		return err
	}
	defer a.finished.close()
	audited, err := a.all(ctx, pages)
	if err != nil {
		return err
	}
	if len(audited) == 1 && audited[0].Err != nil { // outcome reports it
		outputs = slices.DeleteFunc(outputs, func(to output) bool { return to == output{"text", ""} })
	}
	if c.everyone() && audited[0].Report != nil {
		if audited[0].Report.Lens, err = a.lens(ctx, pages[0], c.Contact); err != nil {
			return err
		}
	}
	if err := writeReports(outputs, out, audited, o); err != nil {
		return err
	}
	if err := c.writeHTML(audited); err != nil {
		return err
	}
	if err := a.finished.remove(); err != nil {
		return err
	}
	a.tellNew(audited, &o)
	return outcome(audited, o)
}

// pages returns the addresses to audit.
func (c *Command) pages(ctx context.Context, a *auditor, list targets.List) ([]weburl.URL, error) {
	if list.Folder != nil && (c.Sitemap != "" || c.Origin != "") {
		return nil, usage.Errorf("%s is a folder, and a folder is read alone, without --sitemap and --origin",
			list.Folder.Dir)
	}
	if hint := list.Folder.Hint(); hint != "" {
		a.Tell("%s", hint)
	}
	var from weburl.URL // the server of the sitemap
	var err error
	if c.Sitemap != "" {
		if from, err = targets.Parse(c.Sitemap); err != nil {
			return nil, usage.Errorf("--sitemap: %w", err)
		}
		if !strings.Contains(c.Sitemap, "://") {
			list.Typed[from] = true
		}
	}
	origin, err := parseOrigin(c.Origin)
	if err != nil {
		return nil, err
	}
	pages, from, err := a.setOrigin(ctx, origin, list.Addresses, from)
	if err != nil {
		return nil, err
	}
	if c.Sitemap != "" {
		listed, err := a.sitemap(ctx, from, c.Limit)
		if err != nil {
			return nil, err
		}
		pages = union(pages, listed)
	}
	if len(pages) == 0 {
		return nil, usage.Errorf("name a page, or a --sitemap")
	}
	if c.everyone() && len(pages) > 1 {
		return nil, usage.Errorf("--as all reads one page by the names of crawlers, but there are %d", len(pages))
	}
	return pages, nil
}

// everyone reports whether the page is to be read by the names of all crawlers, too.
func (c *Command) everyone() bool { return strings.EqualFold(strings.TrimSpace(c.As), "all") }

// writeHTML writes the page of a report, or of all reports together, into a self-contained file.
func (c *Command) writeHTML(audited []format.Page) error {
	if c.HTML == "" || len(audited) == 1 && audited[0].Report == nil {
		return nil
	}
	var b bytes.Buffer
	var err error
	if len(audited) == 1 {
		err = report.WriteFile(&b, &report.Source{Report: audited[0].Report})
	} else {
		err = report.WriteSiteFile(&b, siteOf(c.Sitemap, audited))
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.HTML, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// siteOf returns the report of all pages together, with their pictures.
func siteOf(sitemap string, audited []format.Page) *report.SitePage {
	pictures := map[string]*audit.Thumbnail{}
	for i := range audited {
		if r := audited[i].Report; r != nil {
			if share := r.Picture(audit.ShareImage); share != nil && share.Shown != nil {
				pictures[audited[i].URL] = share.Shown
			}
		}
	}
	return &report.SitePage{
		Report: format.Site(sitemap, audited), At: time.Now(),
		Shown: func(p *site.Page) *audit.Thumbnail { return pictures[p.URL] },
	}
}

// check checks the flags, before anything is fetched.
func (c *Command) check() error {
	switch {
	case c.MinScore < 0 || c.MinScore > 100:
		return usage.Errorf("--min-score must be between 0 and 100; it is %d", c.MinScore)
	case c.Limit < 1 || c.Limit > maxSitemapPages:
		return usage.Errorf("--limit must be between 1 and %d; it is %d", maxSitemapPages, c.Limit)
	}
	if c.Contact != "" {
		if u, err := weburl.Parse(c.Contact); err != nil || strings.ContainsAny(u.String(), " ()") {
			return usage.Errorf("--contact must be an http or https address; it is %q", c.Contact)
		}
	}
	if err := checkAllowed(c.Allow); err != nil {
		return err
	}
	return checkIgnored(c.Ignore)
}

// outcome returns the error for the exit status, if any.
func outcome(pages []format.Page, o format.Options) error {
	var unread []string
	for _, p := range pages {
		if p.Err != nil {
			unread = append(unread, fmt.Sprintf("  %s  %v", p.URL, p.Err))
		}
	}
	rules, scores := o.Findings(pages)
	switch {
	case len(unread) > 0 && len(pages) == 1:
		return fmt.Errorf("%s: %w", pages[0].URL, pages[0].Err)
	case len(unread) > 0:
		return fmt.Errorf("%d of %s could not be read:\n%s",
			len(unread), humanize.Count(len(pages), "page"), strings.Join(unread, "\n"))
	}
	var says []string
	if rules > 0 {
		noun := "check"
		if o.Baseline != nil {
			noun = "new check"
		}
		says = append(says, fmt.Sprintf("%s failed by --fail-on %s", humanize.Count(rules, noun), o.FailOn))
	}
	if scores > 0 {
		verb := "score"
		if scores == 1 {
			verb = "scores"
		}
		says = append(says,
			fmt.Sprintf("%d of %s %s less than %d", scores, humanize.Count(len(pages), "page"), verb, o.MinScore))
	}
	if len(says) == 0 {
		return nil
	}
	return usage.Findings(strings.Join(says, ", "))
}

// union merges two lists without duplicates.
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
