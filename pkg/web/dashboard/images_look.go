package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"masthead/gen"
	"masthead/pkg/card"
	"masthead/pkg/web/ui"
)

// lookOf returns the fields of a form that opens the playground with the look and the words of an image, or nil for an
// icon set, which has none. A design of the account's own is left out: the playground doesn't draw it.
func lookOf(of gen.Image) (fields []ui.Input) {
	if of.Style == nil || of.Kind == gen.ImageKindIconSet {
		return nil
	}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, ui.Input{Name: name, Value: value})
		}
	}
	text := func(name string, value *string) {
		if value != nil {
			add(name, *value)
		}
	}
	add("url", of.Url)
	add("kind", string(of.Kind))
	text("template", of.Template)
	if of.Style.Accent != nil {
		add("accent", strings.TrimPrefix(*of.Style.Accent, "#"))
	}
	add("dark", strconv.FormatBool(of.Style.Dark))
	add("font", string(of.Style.Font))
	if of.Style.AspectRatio != nil {
		add("aspectRatio", string(*of.Style.AspectRatio))
	}
	if of.Style.Logo != nil {
		add("logoPosition", string(of.Style.Logo.Position))
	}
	if said := of.Content; said != nil {
		text("title", said.Title)
		text("description", said.Description)
		text("siteName", said.SiteName)
		text("eyebrow", said.Eyebrow)
		text("author", said.Author)
		text("date", said.Date)
	}
	return fields
}

// leftOpen reports whether the request of an image left a part open.
func leftOpen(of gen.Image, part gen.ImageDefaults) bool {
	return of.Defaults != nil && slices.Contains(*of.Defaults, part)
}

// addLook adds the design and the style of an image to a request for it, but for what its request left open.
func addLook(body map[string]any, of gen.Image) {
	if of.Template == nil {
		return
	}
	switch {
	case leftOpen(of, gen.ImageDefaultsTemplate):
	case of.Source.TemplateReason != nil: // it may be another one now
		body["template"] = card.AutoTemplate
	default:
		body["template"] = *of.Template
	}
	if of.Style == nil {
		return
	}
	style := map[string]any{"dark": of.Style.Dark}
	if of.Style.AspectRatio != nil {
		style["aspectRatio"] = *of.Style.AspectRatio
	}
	if of.Style.Accent != nil && !leftOpen(of, gen.ImageDefaultsAccent) {
		style["accent"] = *of.Style.Accent
	}
	if of.Style.Logo != nil && !leftOpen(of, gen.ImageDefaultsLogo) {
		style["logo"] = *of.Style.Logo
	}
	if !leftOpen(of, gen.ImageDefaultsFont) {
		style["font"] = of.Style.Font
	}
	body["style"] = style
}
