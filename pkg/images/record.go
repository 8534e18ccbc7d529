package images

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/card"
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
	AI                      *AIResult       // nil when none was asked for
	Page                    card.PageData
	Alt                     string
	Warnings                []render.Warning // what the picture does without
	CreatedAt               time.Time
	Version                 int64   // the number of the picture among those that the image had
	Files                   []File  // at least one; ImageURL names the first
	Assets                  []Asset // of an icon set all files, of a card those in other sizes
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

// File is one of the pictures of an image: of a card one in each size, of an icon set each of the assets.
type File struct {
	Name        string `db:"name"`   // that it is served by, such as og.png
	Digest      string `db:"digest"` // of project and bytes: see [files.Digest]
	ContentType string `db:"content_type"`
	Width       int    `db:"width"` // in pixels
	Height      int    `db:"height"`
	SizeBytes   int64  `db:"size_bytes"`
}

func (f File) blobName() blob.Name { return blob.Name{Digest: f.Digest, File: f.Name} }

// AIResult is what came of asking for AI.
type AIResult struct {
	Model  string `json:"model"`
	Prompt string `json:"prompt,omitempty"`
	// OwnPrompt and Override are those of the request.
	OwnPrompt      string `json:"ownPrompt,omitempty"`
	Override       bool   `json:"override,omitempty"`
	FellBack       bool   `json:"fellBack"`
	FallbackReason string `json:"fallbackReason,omitempty"`
	// Marked says that the file tells of its AI picture.
	Marked bool `json:"marked,omitempty"`
	// From is the image whose picture this one has, or "".
	From string `json:"from,omitempty"`
}

// cached returns the record of an image that existed before the request.
func (s *Service) cached(row imageRow) Record {
	r := s.record(row)
	r.Cached = true
	return r
}

// versionDigits is how many digits of a digest tell that a picture is another one.
const versionDigits = 12

// record returns the record of a row, with the addresses of this service.
func (s *Service) record(row imageRow) Record {
	r, first := row.record(), row.Files[0]
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

// fileURL is the address of a file.
func (s *Service) fileURL(f File) string {
	return fmt.Sprintf("%s/cdn/%s/%s", s.addresses.CDN, f.Digest, f.Name)
}
