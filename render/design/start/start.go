// Package start has six of the service's designs as documents, to begin one's own with.
package start

import (
	"embed"
	"slices"
)

//go:embed *.html
var files embed.FS

// slugs are those of the designs that they look like, in the order in which they are offered.
var slugs = []string{"editorial", "minimal", "split", "quote", "poster", "repo"}

// Slugs returns the names of the documents.
func Slugs() []string { return slices.Clone(slugs) }

// Document returns the document with a name; ok is false if there is none.
func Document(slug string) (html string, ok bool) {
	if !slices.Contains(slugs, slug) {
		return "", false
	}
	source, err := files.ReadFile(slug + ".html")
	return string(source), err == nil
}
