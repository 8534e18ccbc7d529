package images

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/weburl"
)

// Kind is what a picture is for.
type Kind string

// The kinds.
const (
	OG       Kind = "og"
	BlogHero Kind = "blog_hero"
	IconSet  Kind = "icon_set"
)

// row is an image as the database keeps it.
type row struct {
	ID          string             `db:"id"`
	PublicID    string             `db:"public_id"`
	CacheKey    string             `db:"cache_key"`
	OwnerID     string             `db:"owner_id"`
	ProjectID   string             `db:"project_id"`
	Kind        Kind               `db:"kind"`
	URL         string             `db:"url"`
	Template    string             `db:"template"`
	Style       db.JSON[Style]     `db:"style"`
	AI          db.JSON[*AIResult] `db:"ai"`
	Page        db.JSON[PageData]  `db:"source"`
	Alt         string             `db:"alt"`
	Width       int                `db:"width"`
	Height      int                `db:"height"`
	Digest      string             `db:"digest"`
	Version     string             `db:"version"`
	FileName    string             `db:"file_name"`
	ContentType string             `db:"content_type"`
	SizeBytes   int                `db:"size_bytes"`
	CreatedAt   db.Millis          `db:"created_at"`
	UpdatedAt   db.Millis          `db:"updated_at"`
}

func (r row) blobName() blob.Name { return blob.Name{Digest: r.Digest, File: r.FileName} }

// Record is an image as callers see it.
type Record struct {
	row
	// ImageURL is the address of exactly these bytes; PublicURL goes on serving the image when it is drawn anew.
	ImageURL, PublicURL string
	// MetaTags is the block of meta elements for the page's head.
	MetaTags string
	// Cached says that an existing image was returned; then Generation is zero.
	Cached     bool
	Generation time.Duration
}

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

// PageData is what was taken from the page. Empty texts are unknown.
type PageData struct {
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	SiteName    string  `json:"siteName,omitempty"`
	Favicon     string  `json:"favicon,omitempty"`
	Palette     Palette `json:"palette"`
}

// Palette is the colours that were used, each "#RRGGBB".
type Palette struct {
	Accent       string `json:"accent"`
	AccentSource string `json:"accentSource"`
	Companion    string `json:"companion"`
	Background   string `json:"background"`
}

// kept returns the record of a row that existed before the request.
func (s *Service) kept(r row) Record {
	rec := s.record(r)
	rec.Cached = true
	return rec
}

func (s *Service) record(r row) Record {
	rec := Record{
		row:       r,
		ImageURL:  fmt.Sprintf("%s/cdn/%s/%s", s.addresses.CDN, r.Digest, r.FileName),
		PublicURL: fmt.Sprintf("%s/og/%s?v=%s", s.addresses.Base, r.PublicID, r.Version),
	}
	rec.MetaTags = metaTags(rec)
	return rec
}

// metaTags returns the elements for a page's head, one a line. Source: the Open Graph protocol, "Structured Properties"; X,
// "Summary Card with Large Image".
func metaTags(r Record) string {
	var b strings.Builder
	tag := func(attribute, key, value string) {
		fmt.Fprintf(&b, "<meta %s=%q content=\"%s\">\n", attribute, key, html.EscapeString(value))
	}
	tag("property", "og:image", r.PublicURL)
	tag("property", "og:image:type", r.ContentType)
	tag("property", "og:image:width", fmt.Sprint(r.Width))
	tag("property", "og:image:height", fmt.Sprint(r.Height))
	tag("property", "og:image:alt", r.Alt)
	tag("name", "twitter:card", "summary_large_image")
	tag("name", "twitter:image", r.PublicURL)
	tag("name", "twitter:image:alt", r.Alt)
	return b.String()
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

// hostOf is the host of an address as people say it.
func hostOf(u weburl.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }
