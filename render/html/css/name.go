package css

import (
	"slices"
	"strings"

	"masthead/render/html/css/media"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
)

// This file is about the names of properties: other names, those relative to the direction of text, and those that
// have nothing to draw.

// aliases are other names of properties.
var aliases = map[string]string{
	"word-wrap": "overflow-wrap", "grid-gap": "gap", "grid-row-gap": "row-gap", "grid-column-gap": "column-gap",
	"-webkit-background-clip": "background-clip", "-webkit-backdrop-filter": "backdrop-filter",
	"-webkit-mask": "mask", "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size",
	"-webkit-mask-position": "mask-position", "-webkit-mask-repeat": "mask-repeat", "-webkit-mask-clip": "mask-clip",
	"-webkit-mask-origin": "mask-origin", "-webkit-clip-path": "clip-path", "-webkit-transform": "transform",
	"-webkit-transform-origin": "transform-origin", "-webkit-filter": "filter", "-webkit-box-shadow": "box-shadow",
	"-webkit-border-radius": "border-radius", "-webkit-flex": "flex", "-webkit-flex-direction": "flex-direction",
	"-webkit-flex-wrap": "flex-wrap", "-webkit-flex-grow": "flex-grow", "-webkit-flex-shrink": "flex-shrink",
	"-webkit-flex-basis": "flex-basis", "-webkit-justify-content": "justify-content",
	"-webkit-align-items": "align-items", "-webkit-align-self": "align-self", "-webkit-align-content": "align-content",
	"-webkit-order": "order", "-webkit-opacity": "opacity", "-webkit-box-sizing": "box-sizing",
	"-webkit-hyphens": "hyphens", "-webkit-text-decoration": "text-decoration",
	"-webkit-font-feature-settings": "font-feature-settings", "-webkit-background-size": "background-size",
	"-webkit-background-origin": "background-origin", "-moz-box-sizing": "box-sizing", "line-clamp": "-webkit-line-clamp",
	"inline-size": "width", "block-size": "height", "min-inline-size": "min-width", "max-inline-size": "max-width",
	"min-block-size": "min-height", "max-block-size": "max-height", "margin-block-start": "margin-top",
	"margin-block-end": "margin-bottom", "margin-inline-start": "margin-left", "margin-inline-end": "margin-right",
	"padding-block-start": "padding-top", "padding-block-end": "padding-bottom", "padding-inline-start": "padding-left",
	"padding-inline-end": "padding-right", "inset-block-start": "top", "inset-block-end": "bottom",
	"inset-inline-start": "left", "inset-inline-end": "right", "border-inline-start": "border-left",
	"border-inline-end": "border-right", "border-block-start": "border-top", "border-block-end": "border-bottom",
	"border-inline-start-width": "border-left-width", "border-inline-end-width": "border-right-width",
	"border-block-start-width": "border-top-width", "border-block-end-width": "border-bottom-width",
	"border-inline-start-color": "border-left-color", "border-inline-end-color": "border-right-color",
	"border-block-start-color": "border-top-color", "border-block-end-color": "border-bottom-color",
	"border-inline-start-style": "border-left-style", "border-inline-end-style": "border-right-style",
	"border-block-start-style": "border-top-style", "border-block-end-style": "border-bottom-style",
	"border-start-start-radius": "border-top-left-radius", "border-start-end-radius": "border-top-right-radius",
	"border-end-start-radius": "border-bottom-left-radius", "border-end-end-radius": "border-bottom-right-radius",
	"-webkit-box-decoration-break": "box-decoration-break", "text-wrap-style": "text-wrap", "text-wrap-mode": "white-space", "font-width": "font-stretch",
}

// physical returns the name of a property without prefix and relation to the direction of the text.
func (b *builder) physical(name string) string {
	a, ok := aliases[name]
	if !ok {
		return name
	}
	if b.text.Direction == RTL && (strings.Contains(name, "-inline-") || strings.HasSuffix(name, "-radius")) {
		return mirrored.Replace(a)
	}
	return a
}

// mirrored changes the sides in the names of properties.
var mirrored = strings.NewReplacer("left", "right", "right", "left")

// harmless are properties that have nothing to do with a picture; they are ignored without a warning.
var harmless = map[string]bool{}

func init() {
	for _, n := range strings.Fields(`cursor pointer-events user-select -webkit-user-select -webkit-font-smoothing
		-moz-osx-font-smoothing text-rendering will-change touch-action scroll-behavior overscroll-behavior
		color-scheme accent-color caret-color resize appearance -webkit-appearance
		-webkit-tap-highlight-color -webkit-text-size-adjust text-size-adjust transition transition-property
		transition-duration transition-timing-function transition-delay backface-visibility print-color-adjust
		-webkit-print-color-adjust scrollbar-width scrollbar-color scrollbar-gutter orphans widows font-optical-sizing
		break-inside break-before break-after page-break-inside page-break-before page-break-after
		scroll-margin scroll-padding scroll-snap-type scroll-snap-align
		src font-display unicode-range contain-intrinsic-size forced-color-adjust
		transform-style perspective-origin -webkit-backface-visibility zoom-animation speak`) {
		harmless[n] = true
	}
}

// harmlessValues are words in values of properties that have nothing to do with a picture then.
var harmlessValues = map[string]string{
	"contain": " none layout style ", "content-visibility": " visible auto ", "image-orientation": " from-image ",
	"font-synthesis": " weight style small-caps position ",
}

// isHarmless reports whether a declaration has nothing to do with a picture.
func isHarmless(name string, v []value.Value) bool {
	words, some := harmlessValues[name]
	return harmless[name] || some && !slices.ContainsFunc(v, func(v value.Value) bool {
		return !strings.Contains(words, " "+strings.ToLower(v.Text)+" ")
	})
}

// known reports whether the property is drawn, or has nothing to draw.
func known(name string) bool {
	if a, ok := aliases[name]; ok {
		name = a
	}
	return properties[name] != nil || shorthands[name] != nil || harmless[name] || harmlessValues[name] != "" ||
		name == "all"
}

// declarable reports whether a declaration would be valid, for @supports.
func declarable(v []value.Value) bool {
	b := builder{root: initial.Text, view: media.Viewport{Width: 1200, Height: 630}}
	b.start(initial)
	name := b.physical(strings.ToLower(v[0].Text))
	return isHarmless(name, v[2:]) || sheet.HasVar(v[2:]) || b.apply(name, v[2:])
}
