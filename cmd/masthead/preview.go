package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit/format"
	"masthead/pkg/audit/rule"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// previewCommand shows what links to a page look like.
type previewCommand struct {
	Page string `arg:"" name:"url" help:"The page."`
	JSON bool   `name:"json" help:"Print it as JSON."`
	As   string `placeholder:"NAME" help:"Fetch as a platform's crawler, such as twitterbot or facebook, or as any User-Agent."`
}

// Run previews the page.
func (c *previewCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *previewCommand) run(ctx context.Context, out, progress io.Writer) error {
	pages, err := targets.ReadOne(c.Page, targets.NoRate)
	if err != nil {
		return err
	}
	told, decoder := targets.NewProgress(progress), picture.NewDecoder(picture.Config{})
	clients := pages.Clients(targets.SiteFlags{}, version, targets.UserAgent(c.As))
	clients.Tell = told.Tell
	defer clients.Close()
	told.Say("Reading " + pages.Addresses[0].String())
	var site scrape.Result
	page, err := clients.Read(pages.Addresses[0], func(client *fetch.Client, page weburl.URL) error {
		return targets.Patiently(ctx, func() error {
			site = scrape.New(client, decoder, nil).Scrape(ctx, page, scrape.Need{
				PageEssential: true, AnyStatus: true, ShareImages: true, Robots: true,
			})
			return site.Page.Err
		})
	})
	told.Say("")
	if err != nil {
		return fmt.Errorf("%s: %w", page, usage.Explain(err))
	}
	m := &site.Page.Value.Metadata
	p := format.Preview{
		Title: m.Title, Description: m.Description, Image: m.Image, SiteName: m.SiteName, URL: m.URL, Favicon: m.Favicon,
		TwitterCardType: m.TwitterCardType, Platforms: platform.ShowAll(rule.Shared(&site)),
	}
	if c.JSON {
		to := json.NewEncoder(out)
		to.SetEscapeHTML(false)
		return to.Encode(p)
	}
	_, err = io.WriteString(out, strings.TrimLeft(format.PreviewText(p, targets.Colored(out)), "\n"))
	return err
}
