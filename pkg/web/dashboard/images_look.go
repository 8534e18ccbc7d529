package dashboard

import (
	"strconv"
	"strings"

	"masthead/gen"
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
