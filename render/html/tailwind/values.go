package tailwind

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Values come with what stands behind the name of a utility, such as 4 of p-4, 1/2 of w-1/2 or [32px] of text-[32px].
type resolver func(v string) (value string, ok bool)

var (
	numberValue   = regexp.MustCompile(`^\d{1,4}(\.\d{1,3})?$`)
	fractionValue = regexp.MustCompile(`^(\d{1,3})/(\d{1,3})$`)
	customName    = regexp.MustCompile(`^\((?:[a-z-]+:)?(--[\w-]+)\)$`)
)

// arbitrary returns the value in brackets, where _ stands for a space, or the variable in parentheses.
func arbitrary(v string) (string, bool) {
	if m := customName.FindStringSubmatch(v); m != nil {
		return "var(" + m[1] + ")", true
	}
	if len(v) < 3 || v[0] != '[' || v[len(v)-1] != ']' {
		return "", false
	}
	inner := v[1 : len(v)-1]
	if kind, rest, ok := strings.Cut(inner, ":"); ok && kindName.MatchString(kind) {
		inner = rest
	}
	inner = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(inner, `\_`, "\x00"), "_", " "), "\x00", "_")
	return inner, !strings.ContainsAny(inner, ";{}\"'\\<")
}

// kindName matches a hint for the type of a value, as in text-[length:var(--size)].
var kindName = regexp.MustCompile(`^(length|color|number|percentage|position|size|bg-size|image|url|family-name)$`)

// spacing is a multiple of .25rem, or px.
func spacing(v string) (string, bool) {
	if a, ok := arbitrary(v); ok {
		return a, true
	}
	if v == "px" {
		return "1px", true
	}
	if !numberValue.MatchString(v) {
		return "", false
	}
	n, _ := strconv.ParseFloat(v, 64)
	if n*4 != float64(int(n*4)) {
		return "", false
	}
	return trimmed(n*.25) + "rem", true
}

func trimmed(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// signed resolves values that may be negative, which begin with a minus.
func signed(f resolver) resolver {
	return func(v string) (string, bool) {
		if rest, minus := strings.CutPrefix(v, "-"); minus {
			s, ok := f(rest)
			return "calc(" + s + " * -1)", ok
		}
		return f(v)
	}
}

func fraction(v string) (string, bool) {
	m := fractionValue.FindStringSubmatch(v)
	if m == nil || m[2] == "0" {
		return "", false
	}
	return "calc(" + m[1] + " / " + m[2] + " * 100%)", true
}

// keywords resolves words, before others.
func keywords(words map[string]string, others ...resolver) resolver {
	return func(v string) (string, bool) {
		if s, ok := words[v]; ok {
			return s, true
		}
		for _, f := range others {
			if s, ok := f(v); ok {
				return s, true
			}
		}
		return "", false
	}
}

// same are keywords that stand for themselves.
func same(words ...string) map[string]string {
	m := map[string]string{}
	for _, w := range words {
		m[w] = w
	}
	return m
}

func integer(v string) (string, bool) {
	n, err := strconv.Atoi(v)
	return v, err == nil && n >= 0 && n <= 9999
}

func with(unit string, f resolver) resolver {
	return func(v string) (string, bool) {
		s, ok := f(v)
		return s + unit, ok
	}
}

func number(v string) (string, bool) { return v, numberValue.MatchString(v) }

// percent is a number of percent as a factor.
func percent(v string) (string, bool) {
	if !numberValue.MatchString(v) {
		return "", false
	}
	return v + "%", true
}

// color is a color of the palette, or an arbitrary one, with an opacity behind a slash.
func color(v string) (string, bool) {
	name, alpha, translucent := v, "", false
	if i := slashOf(v); i >= 0 {
		name, alpha, translucent = v[:i], v[i+1:], true
	}
	c, ok := opaque(name)
	if !ok || !translucent {
		return c, ok
	}
	if a, ok := arbitrary(alpha); ok {
		if numberValue.MatchString(a) || strings.HasPrefix(a, ".") {
			a = "calc(" + a + " * 100%)"
		}
		return "color-mix(in oklab, " + c + " " + a + ", transparent)", true
	}
	a, ok := percent(alpha)
	return "color-mix(in oklab, " + c + " " + a + ", transparent)", ok
}

// slashOf returns the place of the last slash outside of brackets, or -1.
func slashOf(v string) int {
	depth := 0
	for i := len(v) - 1; i >= 0; i-- {
		switch v[i] {
		case ']', ')':
			depth++
		case '[', '(':
			depth--
		case '/':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

var plainColors = map[string]string{
	"black": "#000", "white": "#fff", "transparent": "transparent", "current": "currentcolor", "inherit": "inherit",
}

func opaque(v string) (string, bool) {
	if c, ok := plainColors[v]; ok {
		return c, true
	}
	if a, ok := arbitrary(v); ok {
		return a, looksLikeColor(a)
	}
	i := strings.LastIndexByte(v, '-')
	if i > 0 {
		if family, ok := palette[v[:i]]; ok {
			if k := slices.Index(shades[:], v[i+1:]); k >= 0 {
				return "oklch(" + family[k] + ")", true
			}
		}
	}
	return "", false
}

var colorStart = regexp.MustCompile(
	`(?i)^(#|(rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)a?\(|[a-z]+$)`)

func looksLikeColor(s string) bool { return colorStart.MatchString(s) }
