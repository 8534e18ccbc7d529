// Package tailwind compiles utility classes of Tailwind CSS 4 to a style sheet, from a table of its own:
//
//	sheet, unknown := tailwind.Sheet([]string{"flex", "p-4", "md:text-[32px]", "bg-red-500/50"})
//
// docs/html.md lists the utilities. Variants are those that a picture can have: sizes, dark, first, last, odd and even.
package tailwind

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Limits of the classes of a document.
const (
	maxClasses = 2000
	maxClass   = 200 // bytes
)

// rule is a compiled class.
type rule struct {
	class    string
	order    int      // place in the table: later ones come first in conflicts
	selector string   // appended to the class's, such as " > :not(:last-child)"
	pseudo   string   // of variants
	media    []string // at-rules around it
	body     string
}

// Sheet returns the style sheet of classes, for elements that have them in the attributes class or tw, and the classes
// that it doesn't know, in their order. The same classes give the same sheet.
func Sheet(classes []string) (sheet string, unknown []string) {
	var rules []rule
	seen := map[string]bool{}
	for _, class := range classes {
		if seen[class] {
			continue
		}
		seen[class] = true
		if len(seen) > maxClasses || len(class) > maxClass {
			unknown = append(unknown, class)
			continue
		}
		if r, ok := compile(class); ok {
			rules = append(rules, r)
		} else {
			unknown = append(unknown, class)
		}
	}
	sort.SliceStable(rules, func(i, k int) bool {
		a, b := &rules[i], &rules[k]
		if len(a.media) != len(b.media) || len(a.media) > 0 && a.media[0] != b.media[0] {
			return mediaOrder(a.media) < mediaOrder(b.media)
		}
		if a.order != b.order {
			return a.order < b.order
		}
		return a.class < b.class
	})
	var b strings.Builder
	b.WriteString(defaultsOf(rules))
	for i := range rules {
		rules[i].write(&b)
	}
	return b.String(), unknown
}

// write appends a rule as CSS.
func (r *rule) write(b *strings.Builder) {
	for _, m := range r.media {
		b.WriteString(m + "{")
	}
	rest := r.pseudo + r.selector
	fmt.Fprintf(b, `.%s%s,[tw~="%s"]%s{%s}`, escaped(r.class), rest, quoted(r.class), rest, r.body)
	b.WriteString(strings.Repeat("}", len(r.media)) + "\n")
}

// escaped writes a class as an identifier of CSS.
func escaped(class string) string {
	var b strings.Builder
	for i, c := range class {
		digit := c >= '0' && c <= '9'
		switch {
		case digit && (i == 0 || i == 1 && class[0] == '-'):
			fmt.Fprintf(&b, `\3%c `, c)
		case digit, c == '-', c == '_', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c > 127:
			b.WriteRune(c)
		default:
			b.WriteString(`\` + string(c))
		}
	}
	return b.String()
}

func quoted(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }

// breakpoints are the widths of the variants of sizes. Source: theme.css of Tailwind CSS 4.3.
var breakpoints = []struct{ name, width string }{
	{"sm", "40rem"}, {"md", "48rem"}, {"lg", "64rem"}, {"xl", "80rem"}, {"2xl", "96rem"},
}

// mediaOrder sorts rules with conditions behind those without, wider ones behind narrower ones, and those of containers
// behind those of the card.
func mediaOrder(media []string) int {
	order := 0
	for _, m := range media {
		order += 100
		widths := breakpoints
		if strings.HasPrefix(m, "@container") {
			order, widths = order+10, containerWidths
		}
		for i, p := range widths {
			if strings.Contains(m, " "+p.width) {
				order += i
			}
		}
	}
	return order
}

var pseudos = map[string]string{
	"first": ":first-child", "last": ":last-child", "odd": ":nth-child(odd)", "even": ":nth-child(even)",
	"only": ":only-child", "empty": ":empty", "before": "::before", "after": "::after",
}

// compile compiles a class with its variants.
func compile(class string) (rule, bool) {
	r := rule{class: class}
	name := class
	for {
		i := variantEnd(name)
		if i < 0 {
			break
		}
		if !r.variant(name[:i]) {
			return r, false
		}
		name = name[i+1:]
	}
	important := strings.HasPrefix(name, "!") || strings.HasSuffix(name, "!")
	name = strings.TrimSuffix(strings.TrimPrefix(name, "!"), "!")
	body, order, selector, ok := utility(name)
	if !ok || strings.ContainsAny(body, "{}<") || strings.Count(body, "(") != strings.Count(body, ")") {
		return r, false
	}
	if strings.HasPrefix(r.pseudo, "::") {
		body = `content:var(--tw-content,"");` + body
	}
	if important {
		body = strings.ReplaceAll(body, ";", " !important;")
	}
	r.body, r.order, r.selector = body, order, selector
	return r, true
}

// variantEnd returns the end of the first variant of a class, outside of brackets; -1 if it has none.
func variantEnd(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ':':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (r *rule) variant(name string) bool {
	if p, ok := pseudos[name]; ok && !strings.Contains(r.pseudo, "::") {
		r.pseudo += p
		return true
	}
	switch name {
	case "dark":
		r.media = append(r.media, "@media (prefers-color-scheme: dark)")
		return true
	case "portrait", "landscape":
		r.media = append(r.media, "@media (orientation: "+name+")")
		return true
	}
	if own, ok := strings.CutPrefix(name, "@"); ok {
		condition, ok := containerVariant(own)
		r.media = append(r.media, condition)
		return ok
	}
	down, isMax := strings.CutPrefix(name, "max-")
	i := slices.IndexFunc(breakpoints, func(p struct{ name, width string }) bool { return p.name == down })
	if i < 0 {
		return false
	}
	if isMax {
		r.media = append(r.media, "@media not all and (min-width: "+breakpoints[i].width+")")
	} else {
		r.media = append(r.media, "@media (min-width: "+breakpoints[i].width+")")
	}
	return true
}

// Preflight is the part of Tailwind's base styles that pictures have.
const Preflight = `*,::before,::after{box-sizing:border-box;margin:0;padding:0;border:0 solid}
html{line-height:1.5;font-family:sans-serif;tab-size:4}
h1,h2,h3,h4,h5,h6{font-size:inherit;font-weight:inherit}
a{color:inherit;text-decoration:inherit}
b,strong{font-weight:bolder}
code,kbd,samp,pre{font-family:monospace;font-size:1em}
small{font-size:80%}
hr{height:0;color:inherit;border-top-width:1px}
ol,ul,menu{list-style:none}
img,svg,video,canvas,audio,iframe,embed,object{display:block;vertical-align:middle}
img,video{max-width:100%;height:auto}
`
