package main

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
	"masthead/render"
)

// cardTime is the time limit of one card, including fetching.
const cardTime = 30 * time.Second

// cardCommand draws pictures without a server.
type cardCommand struct {
	Pages  []string `arg:"" optional:"" name:"url" help:"Pages, or a folder of HTML files. - reads addresses from standard input, one per line. Optional with --title."`
	Output string   `short:"o" placeholder:"FILE" help:"Output: a .png or .jpg file, a name without extension (.png is added, or .jpg if a PNG would have more than 300 KB), a folder, or - for standard output. By default card.png, or the folder cards for several pages."`

	Kind         string `default:"og" enum:"og,blog_hero" help:"og (1200x630) or blog_hero (1600x900)."`
	Template     string `default:"${template}" help:"Design, or auto for the one that suits the page; --list shows all."`
	Accent       string `placeholder:"RRGGBB" help:"Accent color. By default the page's own."`
	Light        bool   `help:"Dark text on a light background."`
	Font         string `default:"${font}" enum:"${fonts}" help:"Typeface of the title: ${enum}."`
	AspectRatio  string `default:"${aspect}" enum:"16:9,16:10" help:"Aspect ratio of a blog_hero: ${enum}."`
	Logo         string `placeholder:"FILE" help:"Logo for a corner of the card: a file or URL."`
	LogoPosition string `default:"${corner}" enum:"top-left,top-right,bottom-left,bottom-right" help:"Corner of the logo: ${enum}."`

	Title       string `help:"Title, instead of the page's. With it, no page is needed."`
	Description string `help:"Description, instead of the page's."`
	SiteName    string `help:"Site name, instead of the page's."`
	Eyebrow     string `help:"Short label above the title."`
	Author      string `help:"Author of the page."`
	Lang        string `placeholder:"TAG" help:"Language of the page, such as de or zh-Hant, if the page doesn't declare it. It decides dates, quotation marks, line breaks and letter forms."`
	Date        string `placeholder:"YYYY-MM-DD" help:"Date of publication."`
	Icon        string `placeholder:"FILE" help:"Icon, instead of the site's: a file or URL."`

	Design string   `placeholder:"FILE" help:"Design of your own: an HTML document with {{values}}, drawn instead of a template, with the facts of a page, of --title and other flags, or with --data alone. Its pictures are files beside it, or data URLs."`
	Data   string   `placeholder:"FILE" help:"Values for --design: a JSON object. With a page or --title, those of the tag data."`
	Size   []string `placeholder:"WxH" help:"Size in pixels: any for a --design, those that --list shows for a template, such as 1080x1080. Several draw the same card in each, as card-1080x1080.png. By default those that the --design lists, or that of the kind."`

	JSON      bool   `name:"json" help:"Print what was read and drawn, one line of JSON per picture."`
	Meta      bool   `help:"Print the tags for the page's head."`
	ImageBase string `placeholder:"URL" help:"Where the pictures will be published, for --meta. By default the root of the page's host, or the place of the picture in the folder of the pages."`

	targets.SiteFlags `embed:""`

	Fonts     fontsConfig `embed:""`
	Typefaces typefaces   `embed:""`

	As   string `placeholder:"NAME" help:"User-Agent to send, for sites that only respond to browsers."`
	List bool   `help:"List the designs and exit."`

	own ownDesign // of --design, with a page or a title
}

// Help implements kong's HelpProvider.
func (c *cardCommand) Help() string {
	return `Examples:

  masthead card https://example.com/
  masthead card https://example.com/ -o hello.jpg
  masthead card URL URL URL -o cards/
  masthead card - -o cards/ < addresses.txt
  masthead card public/ -o public/og/ --page-base https://example.com --meta
  masthead card --title "Hello" --description "No page at all."
  masthead card --design card.html --data card.json --size 1200x630
  masthead card --design card.html https://example.com/
  masthead card --template cover --size 1080x1350 https://example.com/
  masthead card --size 1200x630,1080x1080,1080x1920 https://example.com/
  masthead card --font-file Acme-Bold.woff2 https://example.com/`
}

// Run draws the cards.
func (c *cardCommand) Run(ctx context.Context) error {
	return c.run(ctx, os.Stdin, os.Stdout, os.Stderr)
}

// run draws the cards. out gets the requested output, report messages for people.
func (c *cardCommand) run(ctx context.Context, in io.Reader, out, report io.Writer) error {
	if c.List {
		return listTemplates(out)
	}
	if c.Design != "" && len(c.Pages) == 0 && c.Title == "" {
		return c.drawDesign(ctx, out, report)
	}
	if c.Design != "" {
		folder, err := c.takeDesign()
		if err != nil {
			return err
		}
		defer folder.Close()
	}
	if c.Design == "" && c.Data != "" {
		return usage.Errorf("--data is for a --design")
	}
	sizes, err := readSizes(c.Size)
	if err != nil {
		return err
	}
	c.own.sizes = sizes
	pages, err := targets.Read(c.Pages, in, c.SiteFlags)
	if err != nil {
		return err
	}
	defer pages.Close()
	if err := c.check(pages); err != nil {
		return err
	}
	if err := c.hintBase(pages, report); err != nil {
		return err
	}
	if err := c.Fonts.add(); err != nil {
		return err
	}
	d, err := newDrawer(pages.Clients(c.SiteFlags, version, c.As), c.Logo, c.Icon)
	if err != nil {
		return err
	}
	defer d.close()
	d.follow(report)
	if icon := d.icon.facts; d.icon.data != nil && min(icon.Width, icon.Height) < card.MinIconSide {
		return usage.Errorf("%s: %s has %dx%d pixels, but icons need at least %[5]dx%[5]d",
			iconFlag, c.Icon, icon.Width, icon.Height, card.MinIconSide)
	}
	d.command = c
	if d.fonts, err = c.Typefaces.load(ctx); err != nil {
		return err
	}
	if hint := pages.Folder.Hint(); hint != "" {
		d.progress.Tell("%s", hint)
	}
	if pages.Many() {
		return c.drawMany(ctx, d, pages, out)
	}
	return c.drawOne(ctx, d, pages, out)
}

// drawOne draws one card, of the page if there is one.
func (c *cardCommand) drawOne(ctx context.Context, d *drawer, pages targets.List, out io.Writer) error {
	target, err := placeOne(c.Output)
	if err != nil {
		return err
	}
	var page weburl.URL
	if len(pages.Addresses) > 0 {
		page = pages.Addresses[0]
		d.progress.Say("Reading " + page.String())
	}
	format := cmp.Or(target.format, render.PNG)
	readAt, drawn, err := d.draw(ctx, page, format)
	if err == nil && target.format == "" && isHeavy(drawn) {
		format = render.JPEG
		readAt, drawn, err = d.draw(ctx, page, format)
	}
	d.progress.Say("")
	if err != nil {
		return err
	}
	page, target = readAt, target.named(drawn.Picture().Ext)
	if err := target.takes(len(drawn.Files)); err != nil {
		return err
	}
	if target.stdout {
		_, err := out.Write(drawn.Picture().Bytes)
		return err
	}
	if err := target.writeCard(drawn); err != nil {
		return err
	}
	d.progress.Tell("%s", summary(target.path, drawn))
	d.hintName(page, drawn)
	return c.print(out, pages, page, target.path, drawn)
}

// isHeavy reports whether a picture of a card is too large as a PNG.
func isHeavy(drawn card.Result) bool {
	return slices.ContainsFunc(drawn.Files, func(f card.File) bool { return len(f.Bytes) > maxUnnamedPNG })
}

// check checks the flags, before anything is fetched.
func (c *cardCommand) check(pages targets.List) error {
	switch {
	case len(pages.Addresses) == 0 && !pages.Listed && c.Title == "":
		return usage.Errorf("name a page, or give at least --title; `masthead card --help` shows both")
	case c.Title != "" && cleantext.Clean(c.Title, cleantext.MaxTitle) == "":
		return usage.Errorf("--title has no visible characters; omit it to use the page's title")
	case pages.Many() && (c.Title != "" || c.Description != ""):
		return usage.Errorf("--title and --description are for one page, but there are several")
	case c.JSON && c.Meta:
		return usage.Errorf("--json and --meta both print to standard output: use one of them")
	case (c.JSON || c.Meta) && c.Output == "-":
		return usage.Errorf("-o - writes the picture to standard output: with --json or --meta, name a file")
	case c.Meta && c.ImageBase == "" && len(pages.Addresses) == 0 && !pages.Listed:
		return usage.Errorf("--meta needs --image-base: without a page, nothing says where the picture will be published")
	}
	if c.Meta && pages.Folder != nil {
		if err := c.checkFolderMeta(pages.Folder); err != nil {
			return err
		}
	}
	if c.ImageBase != "" {
		if _, err := weburl.Parse(c.ImageBase); err != nil {
			return usage.Errorf("--image-base: %w", usage.Explain(err))
		}
	}
	if err := c.checkTemplate(); err != nil {
		return err
	}
	if c.Accent != "" && !strings.HasPrefix(c.Accent, "#") {
		c.Accent = "#" + c.Accent // a shell takes # for a comment
	}
	return nil
}

// checkTemplate checks that the template exists and draws the kind or the sizes.
func (c *cardCommand) checkTemplate() error {
	if c.own.design != nil || c.Template == card.AutoTemplate {
		return nil
	}
	t, ok := render.Lookup(c.Template, "")
	if ok && len(c.own.sizes) > 0 {
		for _, size := range c.own.sizes {
			if !hasSize(t, size) {
				return usage.Errorf("the template %s has no size %s, only %s", c.Template, card.SizeName(size), sizesOf(t))
			}
		}
		return nil
	}
	if render.Draws(c.Template, render.Kind(c.Kind), image.Point{}) {
		return nil
	}
	var there []string
	for _, t := range render.Templates() {
		if t.Slug == c.Template {
			return usage.Errorf("the template %s draws %s, not %s", t.Slug, kindsOf(t), c.Kind)
		}
		there = append(there, t.Slug)
	}
	return usage.Errorf("there is no template %q, only %s, %s (--list describes them)",
		c.Template, card.AutoTemplate, strings.Join(there, ", "))
}

func listTemplates(out io.Writer) error {
	for _, t := range render.Templates() {
		if _, err := fmt.Fprintf(out, "%-12s %-14s %s\n", t.Slug, kindsOf(t), t.Mood); err != nil {
			return err
		}
		if len(t.Sizes) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-27s --size: %s\n", "", sizesOf(t)); err != nil {
			return err
		}
	}
	return nil
}

// sizesOf lists the sizes of a template beside those of the kinds.
func sizesOf(t render.Template) string {
	var sizes []string
	for _, s := range t.Sizes {
		sizes = append(sizes, card.SizeName(s))
	}
	return cmp.Or(strings.Join(sizes, ", "), "those of --kind")
}

func kindsOf(t render.Template) string {
	var kinds []string
	for _, k := range t.Kinds {
		kinds = append(kinds, string(k))
	}
	return strings.Join(kinds, ",")
}

// request is the request of the flags for a page, which may be zero.
func (c *cardCommand) request(page weburl.URL) card.Request {
	return c.own.applied(card.Request{
		URL: page.String(), Kind: card.Kind(c.Kind), Template: c.Template,
		Style: card.Style{Accent: c.Accent, Dark: !c.Light, Font: c.Font, AspectRatio: c.AspectRatio},
		Content: card.Content{
			Title: c.Title, Description: c.Description, SiteName: c.SiteName, Eyebrow: c.Eyebrow, Author: c.Author, Date: c.Date,
		},
	})
}
