package scrape

import (
	"encoding/base64"
	"net/url"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
)

// This file reads icons embedded in the page as data: addresses (RFC 2397).

const (
	dataScheme = "data:"
	// maxDataBytes is the maximum length of a data: address.
	maxDataBytes = 256 << 10
	// maxMediaType is the maximum length of its media type in results.
	maxMediaType = 40
)

// nameData replaces the data: address of an icon by a short one, "data:image/png", and sets its type to its media type.
func nameData(icon *page.Icon) {
	if icon.URL != "" || len(icon.Href) <= len(dataScheme) || !strings.EqualFold(icon.Href[:len(dataScheme)], dataScheme) {
		return
	}
	head, _, ok := strings.Cut(icon.Href[len(dataScheme):], ",")
	media, _, _ := strings.Cut(head, ";")
	if media = strings.ToLower(cleantext.Clean(media, maxMediaType)); ok && strings.HasPrefix(media, "image/") {
		icon.URL, icon.Type = dataScheme+media, media
	}
}

// dataOf returns the file in a data: address; ok is false for any other address, and for one that is too long or
// damaged.
func dataOf(address string) (file []byte, ok bool) {
	if len(address) > maxDataBytes || len(address) < len(dataScheme) ||
		!strings.EqualFold(address[:len(dataScheme)], dataScheme) {
		return nil, false
	}
	head, body, ok := strings.Cut(address[len(dataScheme):], ",")
	if !ok {
		return nil, false
	}
	text, err := url.PathUnescape(body)
	if err != nil {
		return nil, false
	}
	if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		return []byte(text), true
	}
	text = strings.TrimRight(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, text), "=")
	file, err = base64.RawStdEncoding.DecodeString(text)
	return file, err == nil
}
