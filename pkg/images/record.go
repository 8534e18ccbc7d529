package images

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/images/store"
	"masthead/render"
)

// Record is an image as callers see it.
type Record struct {
	ID, PublicID, ProjectID string
	Kind                    card.Kind
	URL, Template           string
	Style                   card.Style
	Content                 card.Content    // what the request gave in place of the page's texts
	Data                    json.RawMessage // for the project's own design, or nil
	Open                    *card.Open      // what the request left open; nil if it isn't known
	AI                      *store.AIResult // nil when none was asked for
	Page                    card.PageData
	Alt                     string
	Warnings                []render.Warning // what the picture does without
	CreatedAt               time.Time
	Version                 int64        // the number of the picture among those that the image had
	Files                   []store.File // at least one; ImageURL names the first
	Assets                  []Asset      // of an icon set all files, of a card those in other sizes
	// ImageURL is the address of exactly these bytes; PublicURL goes on serving the image when it is drawn anew.
	ImageURL, PublicURL string
	// MetaTags is the block of meta elements for the page's head; of an icon set, of link elements that name its files.
	MetaTags string
	// Cached says that an existing image was returned; then Generation is zero.
	Cached     bool
	Generation time.Duration

	// lasts and willBeBetter are those of the row.
	lasts, willBeBetter bool
}

// cached returns the record of an image that existed before the request.
func (s *Service) cached(row store.Image) Record {
	r := s.record(row)
	r.Cached = true
	return r
}

// versionDigits is how many digits of a digest tell that a picture is another one.
const versionDigits = 12

// record returns the record of a row, with the addresses of this service.
func (s *Service) record(row store.Image) Record {
	r, first := recordOf(row), row.Files[0]
	r.Warnings = slices.Concat(r.Warnings, s.outdatedWarnings(row))
	r.ImageURL = s.fileURL(first)
	r.PublicURL = fmt.Sprintf("%s/og/%s?v=%s", s.addresses.Base, row.PublicID, first.Digest[:versionDigits])
	r.Assets = s.assets(r)
	if r.Kind == card.IconSet {
		r.MetaTags = iconLinks(r)
	} else {
		r.MetaTags = card.Head{
			URL: r.URL, Page: r.Page, Alt: r.Alt, PictureURL: r.PublicURL,
			ContentType: first.ContentType, Width: first.Width, Height: first.Height,
		}.MetaTags()
	}
	return r
}

// recordOf is a stored image as callers see it, but for its addresses.
func recordOf(r store.Image) Record {
	var content card.Content
	if r.Content.V != nil {
		content = *r.Content.V
	}
	var open *card.Open
	if r.LeftOpen != nil {
		is := r.Open()
		open = &is
	}
	return Record{
		Open: open,
		ID:   r.ID, PublicID: r.PublicID, ProjectID: r.ProjectID, Kind: r.Kind, URL: r.URL,
		Template: cmp.Or(r.Page.V.Template, r.Template), Style: r.Style.V, Content: content, AI: r.AI.V,
		Page: r.Page.V, Alt: r.Alt, CreatedAt: r.CreatedAt.Time, Version: r.Version, Files: r.Files, Data: r.Data.V,
		Warnings: r.Warnings.V,
		lasts:    r.Lasts(), willBeBetter: r.WillBeBetter(),
	}
}

// fileURL is the address of a file.
func (s *Service) fileURL(f store.File) string {
	return fmt.Sprintf("%s/cdn/%s/%s", s.addresses.CDN, f.Digest, f.Name)
}
