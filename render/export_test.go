package render

import (
	"masthead/render/encode"
	"masthead/render/template/kit"
)

// Spec lets the tests of what holds for every template look at a card between its stages.
func Spec(r Request) (*kit.Template, kit.Spec, error) { return r.spec() }

// EncodeCard lets tests encode cards of templates that are not in the catalog.
var EncodeCard = encodeCard

// LimitsOf returns how a drawn card is encoded.
func LimitsOf(c *kit.Card) encode.Limits { return limitsOf(c, "") }
