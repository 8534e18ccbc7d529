package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"masthead/gen"
	"masthead/pkg/humanize"
	"masthead/pkg/web/ui"
	"masthead/render"
)

// This file is the part of a project's page that has its brand: what requests get that name none.

// brandForm is the form of a project's brand, with the project's own pictures and fonts to choose from.
func brandForm(of gen.Brand, assets []gen.ProjectAsset) *ui.Form {
	logos := []ui.Option{{Text: "None"}}
	fonts := []ui.Option{{Text: "Default (Inter)"}}
	for _, family := range families(assets) {
		fonts = append(fonts, ui.Option{Value: family, Text: family})
	}
	for _, slug := range render.Fonts() {
		fonts = append(fonts, ui.Option{Value: slug, Text: fontName(slug)})
	}
	for _, a := range assets {
		if a.Font == nil {
			logos = append(logos, ui.Option{Value: a.Id.String(), Text: a.Name})
		}
	}
	logo := brandChoice("logoAssetId", "Logo", of.LogoAssetId, logos)
	if len(logos) == 1 {
		logo.Hint = "Upload one below."
	}
	return ui.NewForm(
		ui.Input{
			Name: "template", Pointer: "/brand/template", Label: "Design", Value: of.Template,
			Options: designNames(nil).choices(ui.Option{Value: "auto", Text: "Whichever suits the page"}),
		},
		ui.Input{
			Name: "accent", Pointer: "/brand/accent", Label: "Color", Value: textOf(of.Accent), Optional: true,
			Autocomplete: "off", MaxLength: 7, Hint: "Such as #0f766e. Without one, each page’s own.",
		},
		logo,
		ui.Input{
			Name: "logoPosition", Pointer: "/brand/logoPosition", Label: "Corner of the logo", Value: string(of.LogoPosition),
			Options: []ui.Option{
				{Value: "top-left", Text: "Top left"}, {Value: "top-right", Text: "Top right"},
				{Value: "bottom-left", Text: "Bottom left"}, {Value: "bottom-right", Text: "Bottom right"},
			},
		},
		brandChoice("headingFont", "Font of titles", of.HeadingFont, fonts),
		brandChoice("textFont", "Font of other texts", of.TextFont, fonts),
	)
}

// brandChoice is an input of the brand whose value may be none.
func brandChoice(name, label string, value *string, options []ui.Option) ui.Input {
	now := textOf(value)
	if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == now }) { // of a file that isn't listed
		options = append(slices.Clone(options), ui.Option{Value: now, Text: now})
	}
	return ui.Input{Name: name, Pointer: "/brand/" + name, Label: label, Value: now, Optional: true, Options: options}
}

// fontName is the name of a value of style.font.
func fontName(slug string) string {
	words := strings.Split(slug, "-")
	for i, w := range words {
		words[i] = humanize.Capital(w)
	}
	return strings.Join(words, " ")
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// families are the families of a project's fonts, each once, in order.
func families(assets []gen.ProjectAsset) (names []string) {
	for _, a := range assets {
		if a.Font != nil && !slices.Contains(names, a.Font.Family) {
			names = append(names, a.Font.Family)
		}
	}
	slices.Sort(names)
	return names
}

// outdatedWords say how many images of a project are still to be redrawn, or "" if there are none.
func outdatedWords(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 image still shows an earlier look"
	}
	return humanize.Count(n, "image") + " still show an earlier look"
}

// brandOf is the body of the operation for the form of a brand.
func brandOf(sent *ui.Form) map[string]any {
	brand := map[string]any{}
	for _, name := range []string{"template", "accent", "logoAssetId", "logoPosition", "headingFont", "textFont"} {
		brand[name] = sent.Typed(name)
	}
	return map[string]any{"brand": brand}
}

// weights says the weight and slant of a font.
func weights(f gen.ProjectFont) string {
	s := "Weight " + strconv.Itoa(f.MinWeight)
	if f.MaxWeight > f.MinWeight {
		s = "Weights " + strconv.Itoa(f.MinWeight) + " to " + strconv.Itoa(f.MaxWeight)
	}
	if f.Italic {
		s += ", italic"
	}
	return s
}
