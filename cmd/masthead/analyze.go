package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/brand"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// analyzeTime is the time limit of an analysis, including compiling the engine for SVG.
const analyzeTime = 40 * time.Second

// analyzeCommand prints a page's brand, without a server.
type analyzeCommand struct {
	Page string `arg:"" name:"url" help:"The page."`
	JSON bool   `name:"json" help:"Print JSON, as POST /pages/analyze returns it."`
	As   string `placeholder:"NAME" help:"User-Agent to send, for sites that only respond to browsers."`
}

// Run prints the analysis.
func (c *analyzeCommand) Run(ctx context.Context) error {
	look := printing{out: os.Stdout, swatches: isTerminal(os.Stdout) && !plain()}
	var told func(string)
	if isTerminal(os.Stderr) && !plain() {
		told = func(address string) { fmt.Fprintf(os.Stderr, "\r\x1b[K%s", targets.CutTo(address, 78)) }
	}
	return c.run(ctx, &look, told)
}

// plain reports whether the environment disables colors. Source: https://no-color.org.
func plain() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" }

// run prints the analysis. told, if not nil, shows what is being read, and "" at the end.
func (c *analyzeCommand) run(ctx context.Context, look *printing, told func(address string)) error {
	pages, err := targets.ReadOne(c.Page, targets.NoRate)
	if err != nil {
		return err
	}
	clients := pages.Clients(targets.SiteFlags{}, version, c.As)
	defer clients.Close()
	engine := svg.New(svg.Config{Dir: cacheDir(), Lazy: true, Wait: svgWait, Faces: app.SVGFaces()})
	defer func() { _ = engine.Close() }() // the program ends
	decoder := picture.NewDecoder(picture.Config{SVG: engine})
	bounded, cancel := context.WithTimeout(ctx, analyzeTime)
	defer cancel()
	var analysis *brand.Analysis
	_, err = clients.Read(pages.Addresses[0], func(client *fetch.Client, page weburl.URL) error {
		analysis, err = brand.New(scrape.New(client, decoder, nil)).Examine(bounded, page, brand.Options{OnRead: told})
		return err
	})
	if told != nil {
		told("")
	}
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return fmt.Errorf("the page was not read after %v", analyzeTime)
		}
		return usage.Explain(err)
	}
	if c.JSON {
		return printAnalysis(look.out, analysis)
	}
	return look.analysis(analysis)
}

// printAnalysis prints an analysis as the service returns it.
func printAnalysis(out io.Writer, a *brand.Analysis) error {
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	return to.Encode(brand.Wire(a))
}
