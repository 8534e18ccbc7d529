package images

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/weburl"
	"masthead/render"
)

// Kind is what a picture is for.
type Kind string

// The kinds.
const (
	OG       Kind = "og"
	BlogHero Kind = "blog_hero"
	IconSet  Kind = "icon_set"
)

// Record is an image as callers see it.
type Record struct {
	ID, PublicID, ProjectID string
	Kind                    Kind
	URL, Template           string
	Style                   Style
	AI                      *AIResult // nil when none was asked for
	Page                    PageData
	Alt                     string
	Warnings                []render.Warning // what the picture does without
	CreatedAt               time.Time
	Files                   []File  // at least one; ImageURL names the first
	Assets                  []Asset // of an icon set
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

// File is one of the pictures of an image: for a card the only one, of an icon set each of the assets.
type File struct {
	Name        string `db:"name"`   // that it is served by, such as og.png
	Digest      string `db:"digest"` // of project and bytes: see fileDigest
	ContentType string `db:"content_type"`
	Width       int    `db:"width"` // in pixels
	Height      int    `db:"height"`
	SizeBytes   int64  `db:"size_bytes"`

	// claimed says that the file's row was claimed before it was written, and life which one of its lives that was: see
	// store_files.go.
	claimed bool
	life    string
}

func (f File) blobName() blob.Name { return blob.Name{Digest: f.Digest, File: f.Name} }

// Style is how a picture is drawn, with the defaults filled in.
type Style struct {
	// Accent is "#rrggbb", or "" for the page's own colour.
	Accent string `json:"accent,omitempty"`
	Dark   bool   `json:"dark"`
	Font   string `json:"font"`
	Logo   *Logo  `json:"logo,omitempty"`
	// AspectRatio is "16:9" or "16:10" for a hero and "" for other kinds.
	AspectRatio string `json:"aspectRatio,omitempty"`
}

// Logo is a picture in a corner of the card.
type Logo struct {
	URL      string `json:"url"`
	Position string `json:"position"`
}

// AIResult is what came of asking for AI.
type AIResult struct {
	Model          string `json:"model"`
	Prompt         string `json:"prompt,omitempty"`
	FellBack       bool   `json:"fellBack"`
	FallbackReason string `json:"fallbackReason,omitempty"`
}

// PageData is what was taken from the page, or from the request where it says otherwise. Empty texts are unknown. They
// are the page's own words; the card, and Alt with it, says them as it draws them: the title without the name of the
// site at its end, in the typography of the language.
type PageData struct {
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	SiteName    string  `json:"siteName,omitempty"`
	Favicon     string  `json:"favicon,omitempty"`
	Type        string  `json:"type,omitempty"`   // of the Open Graph protocol, such as "article"
	Locale      string  `json:"locale,omitempty"` // with its territory, such as "de_AT"
	Palette     Palette `json:"palette"`
}

// Palette is the colours that were used, each "#RRGGBB".
type Palette struct {
	Accent       string `json:"accent"`
	AccentSource string `json:"accentSource"`
	Companion    string `json:"companion"`
	Background   string `json:"background"`
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
	if r.Kind == IconSet {
		r.Assets = s.assets(r)
		r.MetaTags = iconLinks(r)
	} else {
		r.MetaTags = head{r.URL, r.Page, r.Alt, r.PublicURL, first}.metaTags()
	}
	return r
}

// fileURL is the address of a file.
func (s *Service) fileURL(f File) string {
	return fmt.Sprintf("%s/cdn/%s/%s", s.addresses.CDN, f.Digest, f.Name)
}

// altText is the sentence that stands for the picture where it cannot be seen.
func altText(title, siteName, host string) string {
	site := siteName
	if site == "" {
		site = host
	}
	switch {
	case title == "":
		return site
	case site == "" || strings.EqualFold(title, site):
		return title
	}
	return title + " — " + site
}

var contentTypes = map[string]string{"png": "image/png", "jpg": "image/jpeg"}

func contentTypeOf(fileName string) string {
	_, ext, _ := strings.Cut(fileName, ".")
	return contentTypes[ext]
}

// fileName is the name that a picture is served by.
func fileName(kind Kind, ext string) string {
	return strings.ReplaceAll(string(kind), "_", "-") + "." + strings.TrimPrefix(ext, ".")
}

// fileDigest names a file: two projects never share one, and the bytes under a digest never change.
func fileDigest(projectID string, data []byte) string {
	h := sha256.New()
	h.Write([]byte(projectID))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// hostOf is the host of an address without www.; a card shortens it further, by rules of its own.
func hostOf(u weburl.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }
