package tailwind

// options are the utilities with a value, in an order in which later ones win: shorthands before their parts.
var options = []option{
	{"inset", "inset:$;", inset, ""}, {"inset-x", "left:$;right:$;", inset, ""}, {"inset-y", "top:$;bottom:$;", inset, ""},
	{"top", "top:$;", inset, ""}, {"right", "right:$;", inset, ""}, {"bottom", "bottom:$;", inset, ""},
	{"left", "left:$;", inset, ""}, {"start", "left:$;", inset, ""}, {"end", "right:$;", inset, ""},
	{"z", "z-index:$;", signed(keywords(same("auto"), integer, arbitrary)), ""},
	{"order", "order:$;", signed(keywords(map[string]string{"first": "-9999", "last": "9999", "none": "0"}, integer)), ""},
	{"col-span", "grid-column:$;", keywords(map[string]string{"full": "1 / -1"}, spanOf), ""},
	{"row-span", "grid-row:$;", keywords(map[string]string{"full": "1 / -1"}, spanOf), ""},
	{"col-start", "grid-column-start:$;", track, ""}, {"col-end", "grid-column-end:$;", track, ""},
	{"row-start", "grid-row-start:$;", track, ""}, {"row-end", "grid-row-end:$;", track, ""},
	{"m", "margin:$;", margin, ""}, {"mx", "margin-left:$;margin-right:$;", margin, ""},
	{"my", "margin-top:$;margin-bottom:$;", margin, ""}, {"mt", "margin-top:$;", margin, ""},
	{"mr", "margin-right:$;", margin, ""}, {"mb", "margin-bottom:$;", margin, ""}, {"ml", "margin-left:$;", margin, ""},
	{"ms", "margin-left:$;", margin, ""}, {"me", "margin-right:$;", margin, ""},
	{"line-clamp", "overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:$;",
		keywords(nil, integer, arbitrary), ""},
	{"aspect", "aspect-ratio:$;", keywords(map[string]string{"square": "1 / 1", "video": "16 / 9", "auto": "auto"},
		ratioOf, arbitrary), ""},
	{"size", "width:$;height:$;", size, ""}, {"w", "width:$;", width, ""}, {"min-w", "min-width:$;", width, ""},
	{"max-w", "max-width:$;", width, ""}, {"h", "height:$;", height, ""}, {"min-h", "min-height:$;", height, ""},
	{"max-h", "max-height:$;", height, ""},
	{"flex", "flex:$;", keywords(map[string]string{"auto": "auto", "initial": "0 auto", "none": "none"}, integer,
		arbitrary), ""},
	{"grow", "flex-grow:$;", keywords(nil, integer, arbitrary), ""},
	{"shrink", "flex-shrink:$;", keywords(nil, integer, arbitrary), ""},
	{"basis", "flex-basis:$;", width, ""},
	{"origin", "transform-origin:$;", keywords(nil, positions, arbitrary), ""},
	{"translate-x", "--tw-x:$;translate:var(--tw-x,0) var(--tw-y,0);", place, ""},
	{"translate-y", "--tw-y:$;translate:var(--tw-x,0) var(--tw-y,0);", place, ""},
	{"translate", "--tw-x:$;--tw-y:$;translate:var(--tw-x,0) var(--tw-y,0);", place, ""},
	{"scale-x", "--tw-sx:$;scale:var(--tw-sx,1) var(--tw-sy,1);", factor, ""},
	{"scale-y", "--tw-sy:$;scale:var(--tw-sx,1) var(--tw-sy,1);", factor, ""},
	{"scale", "scale:$;", factor, ""}, {"rotate", "rotate:$;", angle, ""},
	{"skew-x", "transform:skewX($);", angle, ""}, {"skew-y", "transform:skewY($);", angle, ""},
	{"grid-cols", "grid-template-columns:$;", keywords(same("none"), tracksOf, arbitrary), ""},
	{"grid-rows", "grid-template-rows:$;", keywords(same("none"), tracksOf, arbitrary), ""},
	{"grid-flow", "grid-auto-flow:$;", keywords(map[string]string{"row": "row", "col": "column", "dense": "dense"}), ""},
	{"auto-cols", "grid-auto-columns:$;", keywords(map[string]string{"fr": "minmax(0, 1fr)"}, size), ""},
	{"auto-rows", "grid-auto-rows:$;", keywords(map[string]string{"fr": "minmax(0, 1fr)"}, size), ""},
	{"gap", "gap:$;", spacing, ""}, {"gap-x", "column-gap:$;", spacing, ""}, {"gap-y", "row-gap:$;", spacing, ""},
	{"space-x", "margin-right:$;", margin, between}, {"space-y", "margin-bottom:$;", margin, between},
	{"items", "align-items:$;", keywords(aligned), ""}, {"justify", "justify-content:$;", keywords(aligned), ""},
	{"content", "align-content:$;", keywords(aligned), ""},
	{"content", "--tw-content:$;content:$;", keywords(map[string]string{"none": "none"}), ""},
	{"self", "align-self:$;", keywords(map[string]string{"auto": "auto"}, keywords(aligned)), ""},
	{"justify-items", "justify-items:$;", keywords(same("start", "end", "center", "stretch", "normal")), ""},
	{"justify-self", "justify-self:$;", keywords(same("auto", "start", "end", "center", "stretch")), ""},
	{"place-content", "place-content:$;", keywords(same("start", "end", "center", "stretch", "baseline")), ""},
	{"place-items", "place-items:$;", keywords(same("start", "end", "center", "stretch", "baseline")), ""},
	{"place-self", "place-self:$;", keywords(same("auto", "start", "end", "center", "stretch")), ""},
	{"overflow", "overflow:$;", keywords(same("auto", "hidden", "clip", "visible", "scroll")), ""},
	{"overflow-x", "overflow-x:$;", keywords(same("auto", "hidden", "clip", "visible", "scroll")), ""},
	{"overflow-y", "overflow-y:$;", keywords(same("auto", "hidden", "clip", "visible", "scroll")), ""},
	{"rounded", "border-radius:$;", radii, ""},
	{"rounded-t", "border-top-left-radius:$;border-top-right-radius:$;", radii, ""},
	{"rounded-r", "border-top-right-radius:$;border-bottom-right-radius:$;", radii, ""},
	{"rounded-b", "border-bottom-right-radius:$;border-bottom-left-radius:$;", radii, ""},
	{"rounded-l", "border-top-left-radius:$;border-bottom-left-radius:$;", radii, ""},
	{"rounded-tl", "border-top-left-radius:$;", radii, ""}, {"rounded-tr", "border-top-right-radius:$;", radii, ""},
	{"rounded-br", "border-bottom-right-radius:$;", radii, ""}, {"rounded-bl", "border-bottom-left-radius:$;", radii, ""},
	{"border", "border-style:solid;border-width:$;", border, ""},
	{"border-x", "border-left-style:solid;border-right-style:solid;border-left-width:$;border-right-width:$;", border, ""},
	{"border-y", "border-top-style:solid;border-bottom-style:solid;border-top-width:$;border-bottom-width:$;", border, ""},
	{"border-t", "border-top-style:solid;border-top-width:$;", border, ""},
	{"border-r", "border-right-style:solid;border-right-width:$;", border, ""},
	{"border-b", "border-bottom-style:solid;border-bottom-width:$;", border, ""},
	{"border-l", "border-left-style:solid;border-left-width:$;", border, ""},
	{"divide-x", "border-right-style:solid;border-right-width:$;", border, between},
	{"divide-y", "border-bottom-style:solid;border-bottom-width:$;", border, between},
	{"border", "border-style:$;", keywords(lines), ""}, {"border", "border-color:$;", color, ""},
	{"border-t", "border-top-color:$;", color, ""}, {"border-r", "border-right-color:$;", color, ""},
	{"border-b", "border-bottom-color:$;", color, ""}, {"border-l", "border-left-color:$;", color, ""},
	{"divide", "border-color:$;", color, between},
	{"bg", "background-color:$;", color, ""}, {"bg", "background-image:$;", keywords(same("none"), imageOf), ""},
	{"bg-linear-to", gradientStops + "background-image:linear-gradient($,var(--tw-stops));", toSide, ""},
	{"bg-gradient-to", gradientStops + "background-image:linear-gradient($,var(--tw-stops));", toSide, ""},
	{"bg-linear", gradientStops + "background-image:linear-gradient($ in oklab,var(--tw-stops));", angle, ""},
	{"bg-radial", gradientStops + "background-image:radial-gradient($ in oklab,var(--tw-stops));",
		keywords(map[string]string{"": ""}, arbitrary), ""},
	{"bg-conic", gradientStops + "background-image:conic-gradient(from $ in oklab,var(--tw-stops));",
		keywords(map[string]string{"": "0deg"}, angle), ""},
	{"from", "--tw-from:$;", color, ""}, {"from", "--tw-from-at:$;", shareOf, ""},
	{"to", "--tw-to:$;", color, ""}, {"to", "--tw-to-at:$;", shareOf, ""},
	{"via", viaStops, color, ""}, {"via", "--tw-via-at:$;", shareOf, ""},
	{"bg", "background-size:$;", keywords(same("auto", "cover", "contain")), ""},
	{"bg", "background-position:$;", positions, ""},
	{"bg", "background-repeat:$;", keywords(map[string]string{"repeat": "repeat", "no-repeat": "no-repeat",
		"repeat-x": "repeat-x", "repeat-y": "repeat-y"}), ""},
	{"bg-clip", "background-clip:$;", keywords(map[string]string{"text": "text", "border": "border-box",
		"padding": "padding-box", "content": "content-box"}), ""},
	{"fill", "fill:$;", keywords(same("none"), color), ""}, {"stroke", "stroke:$;", keywords(same("none"), color), ""},
	{"stroke", "stroke-width:$;", integer, ""},
	{"object", "object-fit:$;", keywords(same("contain", "cover", "fill", "none", "scale-down")), ""},
	{"object", "object-position:$;", keywords(nil, positions, arbitrary), ""},
	{"p", "padding:$;", spacing, ""}, {"px", "padding-left:$;padding-right:$;", spacing, ""},
	{"py", "padding-top:$;padding-bottom:$;", spacing, ""}, {"pt", "padding-top:$;", spacing, ""},
	{"pr", "padding-right:$;", spacing, ""}, {"pb", "padding-bottom:$;", spacing, ""}, {"pl", "padding-left:$;", spacing, ""},
	{"ps", "padding-left:$;", spacing, ""}, {"pe", "padding-right:$;", spacing, ""},
	{"text", "text-align:$;", keywords(same("left", "center", "right", "justify", "start", "end")), ""},
	{"indent", "text-indent:$;", margin, ""},
	{"align", "vertical-align:$;", keywords(same("baseline", "top", "middle", "bottom", "text-top", "text-bottom", "sub",
		"super")), ""},
	{"font", "font-family:$;", keywords(map[string]string{"sans": "sans-serif", "serif": "serif", "mono": "monospace"},
		familyOf), ""},
	{"text", "$", textSize, ""},
	{"leading", "--tw-leading:$;line-height:$;", leading, ""},
	{"font", "font-weight:$;", keywords(map[string]string{
		"thin": "100", "extralight": "200", "light": "300", "normal": "400", "medium": "500", "semibold": "600",
		"bold": "700", "extrabold": "800", "black": "900",
	}, weightOf), ""},
	{"tracking", "letter-spacing:$;", signed(keywords(map[string]string{
		"tighter": "-0.05em", "tight": "-0.025em", "normal": "0", "wide": "0.025em", "wider": "0.05em", "widest": "0.1em",
	}, arbitrary)), ""},
	{"text", "text-wrap:$;", keywords(same("wrap", "nowrap", "balance", "pretty")), ""},
	{"whitespace", "white-space:$;", keywords(same("normal", "nowrap", "pre", "pre-line", "pre-wrap", "break-spaces")), ""},
	{"text", "color:$;", color, ""},
	{"decoration", "text-decoration-color:$;", color, ""},
	{"decoration", "text-decoration-style:$;", keywords(same("solid", "double", "dotted", "dashed", "wavy")), ""},
	{"decoration", "text-decoration-thickness:$;", keywords(same("auto"), with("px", integer), lengthOnly), ""},
	{"underline-offset", "text-underline-offset:$;", keywords(same("auto"), with("px", integer), arbitrary), ""},
	{"list", "list-style-type:$;", keywords(same("none", "disc", "decimal")), ""},
	{"opacity", "opacity:$;", keywords(nil, percent, arbitrary), ""},
	{"bg-blend", "background-blend-mode:$;", blend, ""}, {"mix-blend", "mix-blend-mode:$;", blend, ""},
	{"shadow", "--tw-shadow:$;" + shadowBody, shadow, ""}, {"shadow", "--tw-shadow-color:$;", color, ""},
	{"ring", "--tw-ring:0 0 0 $ var(--tw-ring-color,currentcolor);" + shadowBody, border, ""},
	{"ring", "--tw-ring-color:$;", color, ""},
	{"outline", "outline-style:solid;outline-width:$;", border, ""}, {"outline", "outline-color:$;", color, ""},
	{"outline-offset", "outline-offset:$;", signed(keywords(nil, with("px", integer), arbitrary)), ""},
	{"blur", "--tw-blur:blur($);" + filterBody, blurs, ""},
	{"brightness", "--tw-brightness:brightness($);" + filterBody, factor, ""},
	{"contrast", "--tw-contrast:contrast($);" + filterBody, factor, ""},
	{"grayscale", "--tw-grayscale:grayscale($);" + filterBody, whole, ""},
	{"hue-rotate", "--tw-hue-rotate:hue-rotate($);" + filterBody, angle, ""},
	{"invert", "--tw-invert:invert($);" + filterBody, whole, ""},
	{"saturate", "--tw-saturate:saturate($);" + filterBody, factor, ""},
	{"sepia", "--tw-sepia:sepia($);" + filterBody, whole, ""},
	{"backdrop-blur", "--tw-b-blur:blur($);" + backdropBody, blurs, ""},
	{"backdrop-brightness", "--tw-b-brightness:brightness($);" + backdropBody, factor, ""},
	{"backdrop-saturate", "--tw-b-saturate:saturate($);" + backdropBody, factor, ""},
}

var (
	blend = keywords(same("normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
		"hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"))
	whole = keywords(map[string]string{"": "100%"}, percent, arbitrary)
)

func spanOf(v string) (string, bool) {
	n, ok := integer(v)
	return "span " + n + " / span " + n, ok
}

func tracksOf(v string) (string, bool) {
	n, ok := integer(v)
	return "repeat(" + n + ", minmax(0, 1fr))", ok && n != "0"
}

func ratioOf(v string) (string, bool) { return v, fractionValue.MatchString(v) }

// shareOf is the place of a color in a gradient: 10%.
func shareOf(v string) (string, bool) {
	if len(v) > 1 && v[len(v)-1] == '%' {
		return v, numberValue.MatchString(v[:len(v)-1])
	}
	return lengthOnly(v)
}

// imageOf is an arbitrary picture or gradient.
func imageOf(v string) (string, bool) {
	a, ok := arbitrary(v)
	return a, ok && !looksLikeColor(a)
}

func familyOf(v string) (string, bool) {
	a, ok := arbitrary(v)
	return a, ok && !numberValue.MatchString(a)
}

func weightOf(v string) (string, bool) {
	a, ok := arbitrary(v)
	return a, ok && numberValue.MatchString(a)
}
