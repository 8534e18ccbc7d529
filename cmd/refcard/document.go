package refcard

import (
	"context"
	_ "embed"
	"time"

	"masthead/render/encode"
	"masthead/render/html"
)

// cardDocument is the reference card as a document: the elements and styles of the other renderers' tree.
//
//go:embed card.html
var cardDocument string

// renderDocument is render of a card from its document.
func (r *renderer) renderDocument(title, format string) (encode.File, timings, error) {
	var s timings
	start := time.Now()
	logo := html.Raster(r.logo)
	pic, _, err := r.document.Encode(context.Background(), map[string]any{
		"title": title, "description": defaultText, "domain": domain,
	}, html.Options{Width: cardW, Height: cardH, Images: func(string) html.Image { return logo }}, limitsOf(format))
	s.encode = time.Since(start)
	return pic, s, err
}
