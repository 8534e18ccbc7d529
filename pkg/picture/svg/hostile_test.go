package svg_test

import (
	"fmt"
	"strings"

	"masthead/pkg/picture/svg"
)

const head = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">`

// refused are documents that never reach the engine, with the error for each.
var refused = map[string]struct {
	document string
	want     error
}{
	"nothing":             {"", svg.ErrDamaged},
	"another root":        {`<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>`, svg.ErrDamaged},
	"a root of elsewhere": {`<svg xmlns="http://www.w3.org/1999/xhtml"/>`, svg.ErrDamaged},
	"two roots":           {head + "</svg>" + head + "</svg>", svg.ErrDamaged},
	"not closed":          {head + "<g>", svg.ErrDamaged},
	"closed crosswise":    {head + "<g><a></g></a></svg>", svg.ErrDamaged},
	"an external entity": {`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + head + `<text>&a;</text></svg>`,
		svg.ErrEntity},
	"an entity with elements": {`<!DOCTYPE svg [<!ENTITY a "<g/>">]>` + head + `<text>&a;</text></svg>`, svg.ErrEntity},
	"an entity of parameters": {`<!DOCTYPE svg [<!ENTITY % b "x"><!ENTITY a "%b;">]>` + head + `<text>&a;</text></svg>`,
		svg.ErrEntity},
	"an undeclared entity":         {head + `<text>&a;</text></svg>`, svg.ErrEntity},
	"65 entities":                  {entities(65, 8) + head + `</svg>`, svg.ErrTooLarge},
	"an entity of 257 bytes":       {entities(1, 257) + head + `</svg>`, svg.ErrTooLarge},
	"entities of 64 KiB in all":    {entities(1, 256) + head + `<desc>` + strings.Repeat("&e0;", 257) + `</desc></svg>`, svg.ErrTooLarge},
	"billion laughs":               {laughs(), svg.ErrEntity},
	"billion laughs of uses":       {uses(9), svg.ErrTooLarge},
	"use of itself":                {head + `<g id="a"><use href="#a"/></g></svg>`, svg.ErrDamaged},
	"use of the root":              {strings.Replace(head, "<svg", `<svg id="a"`, 1) + `<use href="#a"/></svg>`, svg.ErrDamaged},
	"uses of one another":          {head + `<g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g></svg>`, svg.ErrDamaged},
	"gradients of one another":     {head + `<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/></svg>`, svg.ErrDamaged},
	"pattern of itself":            {head + `<pattern id="a" width="1" height="1"><rect fill="url(#a)"/></pattern></svg>`, svg.ErrDamaged},
	"mask of itself":               {head + `<mask id="a"><rect style="mask: url('#a')"/></mask></svg>`, svg.ErrDamaged},
	"clip path of itself":          {head + `<clipPath id="a" clip-path="url( #a )"/></svg>`, svg.ErrDamaged},
	"1001 uses":                    {head + `<g id="a"/>` + strings.Repeat(`<use href="#a"/>`, 1001) + `</svg>`, svg.ErrTooLarge},
	"a long chain of uses":         {chain(400), svg.ErrTooLarge},
	"65 levels":                    {head + strings.Repeat("<g>", 64) + strings.Repeat("</g>", 64) + "</svg>", svg.ErrTooLarge},
	"deep metadata":                {head + strings.Repeat("<x>", 70) + strings.Repeat("</x>", 70) + "</svg>", svg.ErrTooLarge},
	"50 001 elements":              {head + strings.Repeat("<g/>", 50_000) + "</svg>", svg.ErrTooLarge},
	"50 001 elements by uses":      {head + `<g id="a">` + strings.Repeat("<g/>", 60) + `</g>` + strings.Repeat(`<use href="#a"/>`, 900) + "</svg>", svg.ErrTooLarge},
	"100 001 segments":             {head + `<path d="M0 0` + strings.Repeat("h1", 100_000) + `"/></svg>`, svg.ErrTooLarge},
	"100 001 implied segments":     {head + `<path d="M0 0h1` + strings.Repeat(" 1", 100_000) + `"/></svg>`, svg.ErrTooLarge},
	"100 001 points":               {head + `<polygon points="` + strings.Repeat("1 2 ", 100_001) + `"/></svg>`, svg.ErrTooLarge},
	"segments by masks":            {head + `<mask id="a"><path d="M0 0` + strings.Repeat("h1", 1000) + `"/></mask>` + strings.Repeat(`<g mask="url(#a)"/>`, 200) + `</svg>`, svg.ErrTooLarge},
	"markers on every vertex":      {head + `<marker id="a"><path d="M0 0` + strings.Repeat("h1", 1000) + `"/></marker><path marker-mid="url(#a)" d="M0 0` + strings.Repeat("h1", 1000) + `"/></svg>`, svg.ErrTooLarge},
	"257 attributes":               {head + "<g " + attributes(257) + "/></svg>", svg.ErrTooLarge},
	"more than 512 KiB":            {head + strings.Repeat(" ", svg.MaxBytes) + "</svg>", svg.ErrTooLarge},
	"a viewBox without an area":    {`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 10"/>`, svg.ErrDamaged},
	"a thread":                     {`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000"/>`, svg.ErrDamaged},
	"an encoding that nobody has":  {`<?xml version="1.0" encoding="utf-7"?>` + head + `</svg>`, svg.ErrDamaged},
	"more words than can be drawn": {head + `<text y="9">` + strings.Repeat("word ", 400) + `</text></svg>`, svg.ErrTooLarge},
	"words that are used again":    {head + `<text id="a">` + strings.Repeat("w", 200) + `</text>` + strings.Repeat(`<use href="#a"/>`, 9) + `</svg>`, svg.ErrTooLarge},
}

// heavy are documents that are within every bound and still want to take long, or all memory.
var heavy = map[string]string{
	"huge arcs":          head + `<path d="M0 0` + strings.Repeat("A1e30 1e30 0 1 1 1e29 1", 5000) + `"/></svg>`,
	"one huge arc":       head + `<path d="M0 0A 1e300 1e300 0 1 1 3e38 1"/></svg>`,
	"arcs of many nines": head + `<path stroke="red" d="M0 0a99999999999999 9999999999999 9 0 1 1 1"/></svg>`,
	"fine dashes": head + strings.Repeat(`<path stroke="red" stroke-width="80" stroke-dasharray=".0003" d="M0 0h1e5v9e4H0z"/>`, 900) +
		`</svg>`,
	"dashes in a style": head + `<style>path{stroke:red;stroke-dasharray:.001 .001}</style>` +
		strings.Repeat(`<path d="M0 0h1e6"/>`, 500) + `</svg>`,
	"fine pattern": head + `<pattern id="a" width=".0001" height=".0001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>` +
		strings.Repeat(`<rect width="100" height="100" fill="url(#a)"/>`, 900) + `</svg>`,
	"huge pattern": head + `<pattern id="a" width="1e9" height="1e9" patternUnits="userSpaceOnUse"><rect width="1e9" height="1e9"/></pattern>` +
		`<rect width="1e9" height="1e9" fill="url(#a)"/></svg>`,
	"masks of masks":      masks(60),
	"layers":              head + strings.Repeat(`<g opacity=".9">`, 60) + `<rect width="99" height="99"/>` + strings.Repeat("</g>", 60) + "</svg>",
	"a canvas per group":  head + strings.Repeat(`<g opacity=".9"><rect width="99" height="99"/></g>`, 9000) + `</svg>`,
	"nested transforms":   head + strings.Repeat(`<g transform="scale(1e6)">`, 30) + `<circle r="1" stroke="red"/>` + strings.Repeat("</g>", 30) + "</svg>",
	"8 000 filters":       filters(8_000),
	"50 000 selectors":    head + `<style>` + strings.Repeat("g g g g{fill:red}", 15_000) + `</style>` + strings.Repeat("<g><g><g><g/></g></g></g>", 5000) + `</svg>`,
	"zigzags":             head + `<path stroke="red" stroke-width="50" stroke-linejoin="round" stroke-linecap="round" d="M0 0` + strings.Repeat("l90 90 -90-89", 30_000) + `"/></svg>`,
	"small zigzags":       head + `<path stroke="red" stroke-width="900000" stroke-linejoin="round" d="M0 0` + strings.Repeat("C999999 9 9 999999 1 1", 3900) + `"/></svg>`,
	"many stops":          head + `<linearGradient id="a">` + strings.Repeat(`<stop offset=".5" stop-color="red"/><stop offset=".6"/>`, 45) + `</linearGradient>` + strings.Repeat(`<rect width="100" height="100" fill="url(#a)"/>`, 31) + `</svg>`,
	"uses of symbols":     uses(2),
	"numbers without end": head + `<path d="M` + strings.Repeat("9", 400_000) + ` 1"/></svg>`,
	"nested svg":          head + strings.Repeat(`<svg viewBox="0 0 1e-9 1e-9">`, 50) + `<rect width="1" height="1"/>` + strings.Repeat("</svg>", 50) + "</svg>",
	"patterns in patterns": func() string {
		var b strings.Builder
		b.WriteString(head + `<pattern id="p0" width=".01" height=".01"><rect width="9" height="9"/></pattern>`)
		for i := range 60 {
			fmt.Fprintf(&b, `<pattern id="p%d" width=".01" height=".01"><rect width="100" height="100" fill="url(#p%d)"/></pattern>`, i+1, i)
		}
		return b.String() + `<rect width="100" height="100" fill="url(#p60)"/></svg>`
	}(),
	"words along a path": head + `<path id="p" d="M0 50` + strings.Repeat("q9 9 18 0t18 0", 900) + `"/>` +
		strings.Repeat(`<text font-size="1e4"><textPath href="#p">`+strings.Repeat("W", 99)+`</textPath></text>`, 14) + `</svg>`,
	"words of all sizes": head + strings.Repeat(`<text font-size="1e30" letter-spacing="1e30" stroke="red" stroke-dasharray=".001">ﷺ</text>`+
		`<text font-size="1e-30" word-spacing="-1e30" textLength="1e30">a b</text>`, 300) + `</svg>`,
	"cycle in a style sheet": head + `<style>.a{fill:url(#p);mask:url(#m);clip-path:url(#c)}</style><pattern id="p" width="9" height="9">` +
		`<rect class="a" width="9" height="9"/></pattern><mask id="m"><rect class="a" width="9" height="9"/></mask>` +
		`<clipPath id="c"><rect class="a" width="9" height="9"/></clipPath><rect class="a" width="99" height="99"/></svg>`,
}

// filters is a document with so many filters, each of which is used.
func filters(count int) string {
	var b strings.Builder
	b.WriteString(head + `<filter id="f"><feGaussianBlur stdDeviation="500"/></filter>`)
	for i := range count {
		fmt.Fprintf(&b, `<filter id="f%d"><feFlood/></filter><g filter="url(#f%[1]d)"/>`, i)
	}
	return b.String() + `<rect width="99" height="99" style="filter:url(#f)"/></svg>`
}

func laughs() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE svg [<!ENTITY a0 "lol">`)
	for i := range 9 {
		fmt.Fprintf(&b, `<!ENTITY a%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	return b.String() + `]>` + head + `<path d="&a9;"/></svg>`
}

// uses is groups of ten uses of groups of ten uses, and so on.
func uses(levels int) string {
	var b strings.Builder
	b.WriteString(head + `<path id="a0" d="M0 0h99v99z"/>`)
	for i := range levels {
		fmt.Fprintf(&b, `<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, i), 10))
	}
	return b.String() + fmt.Sprintf(`<use href="#a%d"/></svg>`, levels)
}

func chain(length int) string {
	var b strings.Builder
	b.WriteString(head + `<path id="a0" d="M0 0h99v99z"/>`)
	for i := range length {
		fmt.Fprintf(&b, `<use id="a%d" href="#a%d"/>`, i+1, i)
	}
	return b.String() + "</svg>"
}

func masks(levels int) string {
	var b strings.Builder
	b.WriteString(head + `<mask id="a0"><rect width="99" height="99" fill="#fff"/></mask>`)
	for i := range levels {
		fmt.Fprintf(&b, `<mask id="a%d" mask="url(#a%d)"><rect width="99" height="99" fill="#fff"/></mask>`, i+1, i)
	}
	return b.String() + fmt.Sprintf(`<g mask="url(#a%d)"><rect width="99" height="99"/></g></svg>`, levels)
}

func attributes(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, `a%d="" `, i)
	}
	return b.String()
}

// entities is the declaration of so many entities of so many bytes each.
func entities(count, size int) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE svg [")
	for i := range count {
		fmt.Fprintf(&b, `<!ENTITY e%d "%s">`, i, strings.Repeat("x", size))
	}
	return b.String() + "]>"
}
