package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/humanize"
	"masthead/pkg/iconset"
	"masthead/pkg/weburl"
	"masthead/render/icon"
)

// iconsCommand draws the icon set of a site without a server.
type iconsCommand struct {
	Page             string `arg:"" name:"url" help:"A page of the site."`
	Output           string `short:"o" placeholder:"DIR|FILE.zip" default:"icons" help:"Output: a folder, a .zip file, or - for a zip on standard output. By default the folder icons."`
	Extras           bool   `help:"Add favicon.ico, favicon.svg, maskable and monochrome icons, icons for dark tab bars, and the elements for the page's head."`
	Preview          bool   `help:"Add preview.html, which shows the icons in tabs, among bookmarks and on home screens."`
	Icon             string `placeholder:"FILE" help:"Icon, instead of the site's: a file or URL."`
	JSON             bool   `name:"json" help:"Print what was read and drawn as JSON."`
	targets.RateFlag `embed:""`
	As               string `placeholder:"NAME" help:"User-Agent to send, for sites that only respond to browsers."`
}

// Help implements kong's HelpProvider.
func (c *iconsCommand) Help() string {
	return `Examples:

  masthead icons https://example.com/
  masthead icons https://example.com/ -o public/ --extras
  masthead icons https://example.com/ --preview
  masthead icons https://example.com/ -o icons.zip --icon logo.svg`
}

// Run draws the icons.
func (c *iconsCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

// run draws the icons. out gets the requested output, report messages for people.
func (c *iconsCommand) run(ctx context.Context, out, report io.Writer) error {
	pages, err := targets.ReadOne(c.Page, c.RateFlag)
	if err != nil {
		return err
	}
	if c.JSON && c.Output == stdout {
		return usage.Errorf("-o - writes the zip to standard output: with --json, name a file or folder")
	}
	target, err := placeIcons(c.Output)
	if err != nil {
		return err
	}
	d, err := newDrawer(pages.Clients(targets.SiteFlags{RateFlag: c.RateFlag}, version, c.As), "", c.Icon)
	if err != nil {
		return err
	}
	defer d.close()
	d.follow(report)
	d.progress.Say("Reading " + pages.Addresses[0].String())
	page, drawn, err := d.drawIcons(ctx, pages.Addresses[0])
	d.progress.Say("")
	if err != nil {
		return err
	}
	files, err := drawn.IconSet(c.Extras)
	if err != nil {
		return err
	}
	if c.Preview {
		page, err := iconset.Preview(drawn.Site(), files)
		if err != nil {
			return err
		}
		files = append(files, page)
	}
	written, err := target.write(out, files)
	if err != nil {
		return err
	}
	if target.stdout {
		return nil
	}
	if c.JSON {
		return printIcons(out, page, written, &drawn, files)
	}
	return tellIcons(report, target, &drawn, files)
}

// drawIcons draws the icons of a page's site. It returns the address that the page was read at.
func (d *drawer) drawIcons(
	ctx context.Context, page weburl.URL,
) (readAt weburl.URL, drawn card.Result, err error) {
	page, err = d.clients.Read(page, func(client *fetch.Client, page weburl.URL) (err error) {
		r := card.Request{
			URL: page.String(), Kind: card.IconSet, Content: card.Content{Favicon: d.icon.url.String()},
			Own: card.Own{Icon: d.icon.data},
		}
		drawn, err = inTime(ctx, "the icons were", func(ctx context.Context) (card.Result, error) {
			return d.maker(client).Make(ctx, r)
		})
		return err
	})
	return page, drawn, usage.Explain(err)
}

// iconPlace is the destination of an icon set's files.
type iconPlace struct {
	path           string
	zipped, stdout bool
}

// placeIcons returns the destination: a folder, or an archive.
func placeIcons(output string) (iconPlace, error) {
	if output == stdout {
		return iconPlace{zipped: true, stdout: true}, nil
	}
	info, err := os.Stat(output)
	isZip := strings.EqualFold(filepath.Ext(output), ".zip")
	switch {
	case err == nil && info.IsDir(), err != nil && os.IsPathSeparator(output[len(output)-1]):
		return iconPlace{path: output}, nil
	case isZip:
		if info, err := os.Stat(filepath.Dir(output)); err != nil || !info.IsDir() {
			return iconPlace{}, usage.Errorf("-o %s: there is no folder %s", output, filepath.Dir(output))
		}
		return iconPlace{path: output, zipped: true}, nil
	case err == nil:
		return iconPlace{}, usage.Errorf("-o %s is a file: icons go into a folder, or a file that ends in .zip", output)
	case filepath.Ext(output) != "":
		return iconPlace{}, usage.Errorf(
			"-o %s: icons go into a file that ends in .zip, or a folder, which ends in /", output)
	}
	return iconPlace{path: output}, nil
}

// write writes the files and returns the paths written.
func (p iconPlace) write(out io.Writer, files []iconset.File) (written []string, err error) {
	if p.zipped {
		archive, err := iconset.Zip(files)
		if err != nil {
			return nil, err
		}
		if p.stdout {
			_, err := out.Write(archive)
			return nil, err
		}
		return []string{p.path}, writeFile(p.path, archive)
	}
	if err := makeFolder(p.path); err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(p.path, f.Name)
		if err := writeFile(path, f.Data); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

// writeFile writes a file with exactly this name.
func writeFile(path string, data []byte) error {
	err := os.WriteFile(path, data, 0o644)
	if fault := (&fs.PathError{}); errors.As(err, &fault) {
		return fmt.Errorf("write %s: %w", path, fault.Err)
	}
	return err
}

// inWords says what the icons were drawn from.
var inWords = map[icon.Treatment]string{
	icon.Vector:   "from an SVG",
	icon.Raster:   "from a picture",
	icon.Tile:     "from a small picture: the largest icons are tiles with it",
	icon.Pixel:    "from pixel art",
	icon.Monogram: "a letter, because the site has no usable icon",
}

// tellIcons says what was drawn, and which of the site's icons couldn't be used.
func tellIcons(report io.Writer, p iconPlace, drawn *card.Result, files []iconset.File) error {
	size := 0
	for _, f := range files {
		size += len(f.Data)
	}
	_, err := fmt.Fprintf(report, "%s  %d files  %s  %s (%s)\n",
		p.path, len(files), humanize.Bytes(int64(size)), drawn.Site().Title(), inWords[drawn.Treatment])
	for _, warning := range drawn.Warnings {
		if err == nil {
			_, err = fmt.Fprintln(report, "  "+warning.Detail)
		}
	}
	return err
}

// iconsRecord is the --json output.
type iconsRecord struct {
	URL       string        `json:"url"`
	Files     []string      `json:"files"`
	Treatment string        `json:"treatment"`
	Warnings  []string      `json:"warnings"`
	Source    card.PageData `json:"source"`
	Assets    []iconRecord  `json:"assets"`
}

type iconRecord struct {
	Name      string `json:"name"`
	SizeBytes int    `json:"sizeBytes"`
}

func printIcons(
	out io.Writer, page weburl.URL, written []string, drawn *card.Result, files []iconset.File,
) error {
	r := iconsRecord{
		URL: page.String(), Files: written, Treatment: string(drawn.Treatment), Warnings: []string{}, Source: drawn.Page,
	}
	r.Source.FaviconSVG = "" // it is a file
	for _, w := range drawn.Warnings {
		r.Warnings = append(r.Warnings, w.Detail)
	}
	for _, f := range files {
		r.Assets = append(r.Assets, iconRecord{f.Name, len(f.Data)})
	}
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	return to.Encode(r)
}
