package tailwind

import (
	"strings"
)

// words are utilities without a value, in an order in which later ones win.
var words = []struct{ name, body string }{
	{"block", "display:block;"}, {"inline-block", "display:inline-block;"}, {"inline", "display:inline;"},
	{"flex", "display:flex;"}, {"inline-flex", "display:inline-flex;"}, {"grid", "display:grid;"},
	{"inline-grid", "display:inline-grid;"}, {"contents", "display:contents;"}, {"hidden", "display:none;"},
	{"flow-root", "display:flow-root;"}, {"list-item", "display:list-item;"},
	{"static", "position:static;"}, {"relative", "position:relative;"}, {"absolute", "position:absolute;"},
	{"fixed", "position:fixed;"}, {"sticky", "position:sticky;"},
	{"isolate", "isolation:isolate;"}, {"visible", "visibility:visible;"}, {"invisible", "visibility:hidden;"},
	{"box-border", "box-sizing:border-box;"}, {"box-content", "box-sizing:content-box;"},
	{"flex-row", "flex-direction:row;"}, {"flex-row-reverse", "flex-direction:row-reverse;"},
	{"flex-col", "flex-direction:column;"}, {"flex-col-reverse", "flex-direction:column-reverse;"},
	{"flex-wrap", "flex-wrap:wrap;"}, {"flex-nowrap", "flex-wrap:nowrap;"},
	{"flex-wrap-reverse", "flex-wrap:wrap-reverse;"}, {"grow", "flex-grow:1;"}, {"shrink", "flex-shrink:1;"},
	{"truncate", "overflow:hidden;text-overflow:ellipsis;white-space:nowrap;"},
	{"text-ellipsis", "text-overflow:ellipsis;"}, {"text-clip", "text-overflow:clip;"},
	{"italic", "font-style:italic;"}, {"not-italic", "font-style:normal;"},
	{"uppercase", "text-transform:uppercase;"}, {"lowercase", "text-transform:lowercase;"},
	{"capitalize", "text-transform:capitalize;"}, {"normal-case", "text-transform:none;"},
	{"underline", "text-decoration-line:underline;"}, {"overline", "text-decoration-line:overline;"},
	{"line-through", "text-decoration-line:line-through;"}, {"no-underline", "text-decoration-line:none;"},
	{"antialiased", "-webkit-font-smoothing:antialiased;"}, {"tabular-nums", "font-variant-numeric:tabular-nums;"},
	{"break-words", "overflow-wrap:break-word;"}, {"break-all", "word-break:break-all;"},
	{"break-keep", "word-break:keep-all;"}, {"break-normal", "overflow-wrap:normal;word-break:normal;"},
	{"sr-only", "position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;border-width:0;"},
}

// option is a utility with a value.
type option struct {
	name     string
	body     string // with $ for the value
	value    resolver
	selector string
}

var (
	size = keywords(map[string]string{
		"auto": "auto", "full": "100%", "min": "min-content", "max": "max-content", "fit": "fit-content", "none": "none",
		"3xs": "16rem", "2xs": "18rem", "xs": "20rem", "sm": "24rem", "md": "28rem", "lg": "32rem", "xl": "36rem",
		"2xl": "42rem", "3xl": "48rem", "4xl": "56rem", "5xl": "64rem", "6xl": "72rem", "7xl": "80rem",
	}, fraction, spacing)
	width  = keywords(map[string]string{"screen": "100vw", "dvw": "100vw"}, size)
	height = keywords(map[string]string{"screen": "100vh", "dvh": "100vh", "svh": "100vh"}, size)
	margin = signed(keywords(same("auto"), spacing))
	inset  = signed(keywords(map[string]string{"auto": "auto", "full": "100%"}, fraction, spacing))
	angle  = signed(keywords(nil, with("deg", number), arbitrary))
	factor = signed(keywords(nil, percent, arbitrary))
	place  = signed(keywords(map[string]string{"full": "100%"}, fraction, spacing))
	track  = keywords(map[string]string{"auto": "auto", "full": "1 / -1"}, integer, arbitrary)
	radii  = keywords(map[string]string{
		"": "0.25rem", "none": "0", "full": "9999px", "xs": "0.125rem", "sm": "0.25rem", "md": "0.375rem",
		"lg": "0.5rem", "xl": "0.75rem", "2xl": "1rem", "3xl": "1.5rem", "4xl": "2rem",
	}, arbitrary)
	border  = keywords(map[string]string{"": "1px"}, with("px", integer), lengthOnly)
	lines   = same("solid", "dashed", "dotted", "double", "none")
	aligned = map[string]string{
		"start": "flex-start", "end": "flex-end", "center": "center", "between": "space-between", "around": "space-around",
		"evenly": "space-evenly", "stretch": "stretch", "baseline": "baseline", "normal": "normal",
	}
	leading = keywords(map[string]string{
		"none": "1", "tight": "1.25", "snug": "1.375", "normal": "1.5", "relaxed": "1.625", "loose": "2",
	}, spacing)
	blurs = keywords(map[string]string{
		"": "8px", "none": "0", "xs": "4px", "sm": "8px", "md": "12px", "lg": "16px", "xl": "24px", "2xl": "40px",
		"3xl": "64px",
	}, arbitrary)
	positions = keywords(map[string]string{
		"center": "center", "top": "top", "bottom": "bottom", "left": "left", "right": "right",
		"top-left": "left top", "left-top": "left top", "top-right": "right top", "right-top": "right top",
		"bottom-left": "left bottom", "left-bottom": "left bottom", "bottom-right": "right bottom",
		"right-bottom": "right bottom",
	})
	between = " > :not(:last-child)"
)

// lengthOnly is an arbitrary value that isn't a color.
func lengthOnly(v string) (string, bool) {
	a, ok := arbitrary(v)
	return a, ok && (!looksLikeColor(a) || strings.HasPrefix(v, "[length:"))
}

// plainSizes are the sizes of text with their line heights. Source: theme.css of Tailwind CSS 4.3.
var plainSizes = map[string][2]string{
	"xs": {"0.75rem", "calc(1 / 0.75)"}, "sm": {"0.875rem", "calc(1.25 / 0.875)"}, "base": {"1rem", "1.5"},
	"lg": {"1.125rem", "calc(1.75 / 1.125)"}, "xl": {"1.25rem", "1.4"}, "2xl": {"1.5rem", "calc(2 / 1.5)"},
	"3xl": {"1.875rem", "1.2"}, "4xl": {"2.25rem", "calc(2.5 / 2.25)"}, "5xl": {"3rem", "1"}, "6xl": {"3.75rem", "1"},
	"7xl": {"4.5rem", "1"}, "8xl": {"6rem", "1"}, "9xl": {"8rem", "1"},
}

// textSize is text-lg, text-lg/7 or text-[32px]; its value are two declarations.
func textSize(v string) (string, bool) {
	name, line := v, ""
	if i := slashOf(v); i >= 0 {
		name, line = v[:i], v[i+1:]
		l, ok := leading(line)
		if !ok {
			return "", false
		}
		line = l
	}
	s, ok := plainSizes[name]
	if !ok {
		if s[0], ok = lengthOnly(name); !ok {
			return "", false
		}
	}
	if line == "" && s[1] != "" {
		line = "var(--tw-leading," + s[1] + ")"
	}
	if line == "" {
		return "font-size:" + s[0] + ";", true
	}
	return "font-size:" + s[0] + ";line-height:" + line + ";", true
}

const (
	gradientStops = "--tw-stops:var(--tw-via,var(--tw-from,transparent) var(--tw-from-at,0%),var(--tw-to,transparent) " +
		"var(--tw-to-at,100%));"
	viaStops = "--tw-via:var(--tw-from,transparent) var(--tw-from-at,0%),$ var(--tw-via-at,50%)," +
		"var(--tw-to,transparent) var(--tw-to-at,100%);"
	shadowBody = "box-shadow:var(--tw-inset-shadow,0 0 #0000),var(--tw-ring,0 0 #0000),var(--tw-shadow,0 0 #0000);"
	filterBody = "filter:var(--tw-blur,) var(--tw-brightness,) var(--tw-contrast,) var(--tw-grayscale,) " +
		"var(--tw-hue-rotate,) var(--tw-invert,) var(--tw-saturate,) var(--tw-sepia,) var(--tw-drop-shadow,);"
	backdropBody = "backdrop-filter:var(--tw-b-blur,) var(--tw-b-brightness,) var(--tw-b-saturate,);"
)

// shadows are the layers of shadow-…; # stands for the color of one.
var shadows = map[string]string{
	"2xs": "0 1px #05", "xs": "0 1px 2px 0 #05", "": "0 1px 3px 0 #10,0 1px 2px -1px #10",
	"sm": "0 1px 3px 0 #10,0 1px 2px -1px #10", "md": "0 4px 6px -1px #10,0 2px 4px -2px #10",
	"lg": "0 10px 15px -3px #10,0 4px 6px -4px #10", "xl": "0 20px 25px -5px #10,0 8px 10px -6px #10",
	"2xl": "0 25px 50px -12px #25", "none": "0 0 #00",
}

func shadow(v string) (string, bool) {
	if s, ok := shadows[v]; ok {
		for _, alpha := range []string{"00", "05", "10", "25"} {
			s = strings.ReplaceAll(s, "#"+alpha, "var(--tw-shadow-color,rgb(0 0 0 / 0."+alpha+"))")
		}
		return s, true
	}
	return lengthOnly(v)
}

// directions are the sides that gradients run to.
var directions = map[string]string{
	"t": "top", "tr": "top right", "r": "right", "br": "bottom right", "b": "bottom", "bl": "bottom left", "l": "left",
	"tl": "top left",
}

// toSide is the direction of a gradient, mixed in oklab.
func toSide(v string) (string, bool) {
	if side, ok := directions[v]; ok {
		return "to " + side + " in oklab", true
	}
	return "", false
}

// utility compiles a class without variants: its declarations, its place in the table, and what its selector has more.
func utility(name string) (body string, order int, selector string, ok bool) {
	for i := range words {
		if words[i].name == name {
			return words[i].body, len(options) + i, "", true
		}
	}
	if body, ok := containerClass(name); ok {
		return body, len(options) + len(words), "", true
	}
	minus := ""
	if strings.HasPrefix(name, "-") {
		minus, name = "-", name[1:]
	}
	for i := range options {
		o := &options[i]
		rest, found := strings.CutPrefix(name, o.name)
		switch {
		case !found:
			continue
		case rest == "":
		case strings.HasSuffix(o.name, "-"):
		default:
			if rest, found = strings.CutPrefix(rest, "-"); !found || rest == "" {
				continue
			}
		}
		if strings.HasPrefix(rest, "-") {
			continue
		}
		if v, ok := o.value(minus + rest); ok {
			return strings.ReplaceAll(o.body, "$", v), i, o.selector, true
		}
	}
	return "", 0, "", false
}

// defaultsOf resets the variables that rules share, so that elements don't inherit them.
func defaultsOf(rules []rule) string {
	var b strings.Builder
	for _, name := range []string{
		"leading", "shadow", "shadow-color", "inset-shadow", "ring", "ring-color", "from", "from-at", "via", "via-at", "to",
		"to-at", "blur", "brightness", "contrast", "grayscale", "hue-rotate", "invert", "saturate", "sepia", "drop-shadow",
		"b-blur", "b-brightness", "b-saturate", "x", "y", "sx", "sy",
	} {
		for i := range rules {
			if strings.Contains(rules[i].body, "--tw-"+name+":") {
				b.WriteString("--tw-" + name + ":initial;")
				break
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "*,::before,::after{" + b.String() + "}\n"
}
