package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/weburl"
	"masthead/render"
)

// heavyBytes is the size from which some platforms drop a picture from previews.
const heavyBytes = 300_000

// summary is the line about a picture.
func summary(path string, drawn card.Result) string {
	p := drawn.Picture()
	size := humanize.Bytes(int64(len(p.Bytes)))
	if len(p.Bytes) > heavyBytes && drawn.Request.Kind == card.OG && p.ContentType == "image/png" {
		size += " (more than some platforms load: use a name that ends in .jpg to make it smaller)"
	}
	title := p.Title
	if unset(drawn) {
		title += " (no typeface has the characters of the title)"
	}
	line := fmt.Sprintf("%s  %dx%d  %s  %s", path, p.Width, p.Height, size, title) + summaryOfFurther(path, drawn)
	for _, w := range drawn.Warnings {
		line += "\n  " + w.Detail
	}
	return line
}

// unset reports whether the title was replaced because it couldn't be drawn.
func unset(drawn card.Result) bool {
	p := drawn.Picture()
	return drawn.Page.Title != "" && p.Title == p.SiteName && !strings.Contains(drawn.Page.Title, p.SiteName)
}

// cardRecord is the --json output for a picture. Its fields are named like those of an image in the API, and file is
// its path.
type cardRecord struct {
	URL         string           `json:"url,omitempty"`
	Error       string           `json:"error,omitempty"`
	File        string           `json:"file,omitempty"`
	Kind        card.Kind        `json:"kind,omitempty"`
	Template    string           `json:"template,omitempty"`
	Style       *cardStyle       `json:"style,omitempty"`
	Width       int              `json:"width,omitempty"`
	Height      int              `json:"height,omitempty"`
	ContentType string           `json:"contentType,omitempty"`
	SizeBytes   int              `json:"sizeBytes,omitempty"`
	Assets      []cardAsset      `json:"assets,omitempty"`
	Source      *card.PageData   `json:"source,omitempty"`
	Alt         string           `json:"alt,omitempty"`
	Warnings    []render.Warning `json:"warnings,omitempty"`
}

// cardStyle is a style with the logo as on the command line.
type cardStyle struct {
	card.Style
	Logo *card.Logo `json:"logo,omitempty"`
}

// print prints the output of --json or --meta.
func (c *cardCommand) print(out io.Writer, list targets.List, page weburl.URL, path string, drawn card.Result) error {
	switch {
	case c.JSON:
		r := drawn.Request
		style := cardStyle{Style: r.Style}
		if c.Logo != "" {
			style.Logo = &card.Logo{URL: c.Logo, Position: c.LogoPosition}
		}
		source := drawn.Page
		if c.Icon != "" {
			source.Favicon = c.Icon
		}
		p := drawn.Picture()
		return printJSON(out, cardRecord{
			URL: page.String(), File: path, Kind: r.Kind, Template: cmp.Or(source.Template, r.Template), Style: &style,
			Width: p.Width, Height: p.Height, ContentType: p.ContentType, SizeBytes: len(p.Bytes),
			Assets: furtherPictures(path, drawn), Source: &source, Alt: drawn.Alt, Warnings: drawn.Warnings,
		})
	case c.Meta:
		address, err := c.imageURL(list.Folder, page, path)
		if err != nil {
			return err
		}
		if list.Many() {
			if _, err := fmt.Fprintf(out, "<!-- %s -->\n", page); err != nil {
				return err
			}
		}
		_, err = io.WriteString(out, drawn.MetaTags(address))
		return err
	}
	return nil
}

// printFailure prints the --json output for a page that couldn't be drawn.
func (c *cardCommand) printFailure(out io.Writer, page weburl.URL, fault error) error {
	if !c.JSON {
		return nil
	}
	return printJSON(out, cardRecord{URL: page.String(), Error: fault.Error()})
}

func printJSON(out io.Writer, r cardRecord) error {
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	return to.Encode(r)
}

// imageURL returns the public address of the picture at path.
func (c *cardCommand) imageURL(f *targets.Folder, page weburl.URL, path string) (string, error) {
	name := url.PathEscape(filepath.Base(path))
	if c.ImageBase != "" {
		return strings.TrimSuffix(c.ImageBase, "/") + "/" + name, nil
	}
	if f != nil {
		within, _ := f.Contains(filepath.Dir(path)) // checked by checkFolderMeta
		return f.Base.String() + (&url.URL{Path: "/" + within + name}).EscapedPath()[1:], nil
	}
	at, err := page.Resolve("/" + name)
	if err != nil {
		return "", fmt.Errorf("make the address of %s: %w", path, err)
	}
	return at.String(), nil
}

// hintBase says once where the tags of --meta expect the pictures if no flag does.
func (c *cardCommand) hintBase(pages targets.List, report io.Writer) error {
	if !c.Meta || c.ImageBase != "" || pages.Folder != nil {
		return nil
	}
	_, err := fmt.Fprintln(report,
		"The tags expect the picture at the root of the page's host; --image-base says where it is.")
	return err
}

// hintName says once that the pages don't have a site name, so that the tags have the host instead.
func (d *drawer) hintName(page weburl.URL, drawn card.Result) {
	if d.hinted || !d.command.Meta || page.IsZero() || drawn.Page.SiteName != strings.TrimPrefix(page.Hostname(), "www.") {
		return
	}
	d.hinted = true
	d.progress.Tell("The pages don't name the site: set og:site_name with --site-name.")
}

// checkFolderMeta checks that the tags for the pages of a folder can have correct addresses.
func (c *cardCommand) checkFolderMeta(f *targets.Folder) error {
	if !f.Placed {
		return usage.Errorf("--meta needs --page-base: tags need full addresses, and nothing says where %s will be published",
			f.Dir)
	}
	output := cmp.Or(c.Output, defaultFolder)
	if _, ok := f.Contains(output); !ok && c.ImageBase == "" {
		return usage.Errorf("--meta needs to know where the pictures will be published: draw them into the folder "+
			"(-o %s), or name the address with --image-base", filepath.Join(f.Dir, "og"))
	}
	return nil
}
