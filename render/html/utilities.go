package html

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"masthead/render/html/tailwind"
)

// This file adds the utility classes of Tailwind: of the attribute tw everywhere, and of class in a document that
// imports Tailwind.

var (
	tailwindImport = regexp.MustCompile(`@import\s+(?:url\()?["']tailwindcss["']\)?[^;{}]*;`)
	tailwindTheme  = regexp.MustCompile(`@theme[a-z\s]*\{`)
)

// withoutTailwind replaces what only Tailwind reads in a style sheet, without moving the rest: its import by spaces,
// and the theme by the root.
func withoutTailwind(sheet string) string {
	if !strings.Contains(sheet, "tailwindcss") {
		return sheet
	}
	blank := func(s string) string { return strings.Repeat(" ", len(s)) }
	sheet = tailwindImport.ReplaceAllStringFunc(sheet, blank)
	return tailwindTheme.ReplaceAllStringFunc(sheet, func(s string) string {
		const root = ":root"
		return root + blank(s[len(root)+1:]) + "{"
	})
}

// utilities are style sheets around those of a document.
type utilities struct {
	before, after string
	warnings      []Warning
}

// utilitiesOf compiles the utility classes of a document.
func utilitiesOf(top *html.Node, at map[*html.Node]place) (u utilities) {
	var classes, own []string
	imported := false
	places := map[string]place{}
	walk(top, func(n *html.Node) {
		if n.Data == "style" && n.FirstChild != nil {
			imported = imported || tailwindImport.MatchString(n.FirstChild.Data)
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "tw":
				for _, class := range strings.Fields(a.Val) {
					if _, ok := places[class]; !ok {
						places[class] = at[n]
					}
					own = append(own, class)
				}
			case "class":
				classes = append(classes, strings.Fields(a.Val)...)
			}
		}
	})
	if imported {
		own = append(own, classes...)
	}
	sheet, unknown := tailwind.Sheet(own)
	for _, class := range unknown {
		const most = 50
		if p, ok := places[class]; ok && len(u.warnings) < most {
			u.warnings = append(u.warnings, Warning{
				Line: p.line, Column: p.column, Message: "The utility class " + shortened(class) + " isn't known.",
			})
		}
	}
	if imported {
		u.before = "@layer base{" + tailwind.Preflight + "}@layer utilities{" + sheet + "}"
	} else {
		u.after = sheet
	}
	return u
}

// walk calls f for an element and those in it.
func walk(n *html.Node, f func(n *html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, f)
	}
}

func shortened(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
