package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/picture"
	"masthead/render"
)

// cardTime is how long one card may take, fetching included.
const cardTime = 30 * time.Second

// cardCommand draws one picture without any server.
type cardCommand struct {
	URL    string `arg:"" optional:"" help:"The page. It can be left out with --title."`
	Output string `short:"o" default:"card.png" placeholder:"FILE" help:"Where the picture goes; - for standard output."`

	Kind         string `default:"og" enum:"og,blog_hero" help:"og (1200x630) or blog_hero (1600x900)."`
	Template     string `default:"editorial" help:"The design; --list shows all."`
	Accent       string `placeholder:"#RRGGBB" help:"The colour; the page's own when it is left out."`
	Light        bool   `help:"Dark text on light ground."`
	Font         string `default:"${font}" enum:"${fonts}" help:"The typeface of the title: ${enum}."`
	AspectRatio  string `default:"16:9" enum:"16:9,16:10" help:"Of a blog_hero: ${enum}."`
	Logo         string `placeholder:"URL" help:"A picture for a corner of the card."`
	LogoPosition string `default:"top-left" enum:"top-left,top-right,bottom-left,bottom-right" help:"The corner: ${enum}."`

	Title       string `help:"Stands instead of the page's title; with it no page is needed."`
	Description string `help:"Stands instead of the page's description."`
	SiteName    string `help:"Stands instead of the site's name."`
	Eyebrow     string `help:"A short label over the title."`
	Author      string `help:"Who wrote the page."`
	Date        string `placeholder:"YYYY-MM-DD" help:"When it was published."`
	Icon        string `placeholder:"URL" help:"Stands instead of the site's icon."`

	As   string `placeholder:"NAME" help:"The User-Agent to fetch as, for pages that answer browsers only."`
	List bool   `help:"List the templates and end."`
}

// Run draws the card.
func (c *cardCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *cardCommand) run(ctx context.Context, out, report io.Writer) error {
	if c.List {
		for _, t := range render.Templates() {
			if _, err := fmt.Fprintf(out, "%-12s %-14s %s\n", t.Slug, kindsOf(t), t.Mood); err != nil {
				return err
			}
		}
		return nil
	}
	if c.URL == "" && c.Title == "" {
		return errors.New("name a page, or give at least --title; `masthead card --help` shows both")
	}
	if c.Accent != "" && !strings.HasPrefix(c.Accent, "#") {
		c.Accent = "#" + c.Accent // a shell takes # for a comment
	}
	ctx, stop := context.WithTimeout(ctx, cardTime)
	defer stop()
	client, err := fetch.New(fetch.Config{Version: version, UserAgent: c.As, AllowHosts: c.hosts()})
	if err != nil {
		return err
	}
	defer client.Close()
	drawn, err := images.Once(ctx, client, picture.NewDecoder(picture.Config{}), c.request(), images.Own{})
	if err != nil {
		return cardFault(err)
	}
	if c.Output == "-" {
		_, err := out.Write(drawn.Bytes)
		return err
	}
	// A photograph becomes a JPEG, whatever the name says; a name that lies would be refused by whoever opens it.
	path := c.Output
	ext := filepath.Ext(path)
	alike := strings.EqualFold(ext, drawn.Ext) || strings.EqualFold(ext, ".jpeg") && drawn.Ext == ".jpg"
	if !alike {
		path = strings.TrimSuffix(path, ext) + drawn.Ext
	}
	if err := os.WriteFile(path, drawn.Bytes, 0o644); err != nil {
		return fmt.Errorf("write the card: %w", err)
	}
	_, err = fmt.Fprintf(report, "%s  %dx%d  %d KB  %s\n",
		path, drawn.Width, drawn.Height, (len(drawn.Bytes)+999)/1000, drawn.Title)
	return err
}

func kindsOf(t render.Template) string {
	var kinds []string
	for _, k := range t.Kinds {
		kinds = append(kinds, string(k))
	}
	return strings.Join(kinds, ",")
}

// hosts are those that the operator names: they may be private, as on the command line of any other program.
func (c *cardCommand) hosts() []string {
	var hosts []string
	for _, address := range []string{c.URL, c.Logo, c.Icon} {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

func (c *cardCommand) request() images.Request {
	r := images.Request{
		URL: c.URL, Kind: images.Kind(c.Kind), Template: c.Template,
		Style: images.Style{Accent: c.Accent, Dark: !c.Light, Font: c.Font, AspectRatio: c.AspectRatio},
		Content: images.Content{
			Title: c.Title, Description: c.Description, SiteName: c.SiteName, Eyebrow: c.Eyebrow,
			Author: c.Author, Date: c.Date, Favicon: c.Icon,
		},
	}
	if c.URL != "" && !strings.Contains(c.URL, "://") {
		r.URL = "https://" + c.URL
	}
	if c.Logo != "" {
		r.Style.Logo = &images.Logo{URL: c.Logo, Position: c.LogoPosition}
	}
	return r
}

// cardFault shows the sentence that is meant for people, and the cause, which is no secret to whoever runs the program.
func cardFault(err error) error {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return errors.New(fault.Error())
	}
	return err
}
