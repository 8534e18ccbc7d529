package svg

import (
	"encoding/xml"
	"regexp"
	"strings"
)

// This file filters attributes and style sheets: references only within the document, no filters, no code.

// linking are the elements whose href is kept: it refers to another element of the document.
var linking = map[string]bool{
	"use": true, "linearGradient": true, "radialGradient": true, "pattern": true, "textPath": true,
}

// cleanAttribute returns a filtered attribute; ok is false for one that must be removed.
func cleanAttribute(element string, a xml.Attr) (cleaned xml.Attr, ok bool) {
	name := a.Name.Local
	switch a.Name.Space {
	case "":
	case xlink, "xlink": // the bare prefix, if the document doesn't declare it
		if name != "href" {
			return a, false
		}
	default:
		return a, false
	}
	switch {
	case strings.Contains(name, ":"):
		return a, false // it begins or ends with a colon, which encoding/xml doesn't treat as a prefix
	case name == "href":
		a.Value = strings.TrimSpace(a.Value)
		if !linking[element] || len(a.Value) < 2 || a.Value[0] != '#' {
			return a, false
		}
	case name == "xmlns", name == "lang", name == "src", name == "base",
		strings.HasPrefix(name, "on"), strings.HasPrefix(name, "data-"), strings.HasPrefix(name, "aria-"):
		return a, false
	case name == "filter":
		id := localID(a.Value)
		if id == "" {
			return attr(name, "none"), strings.TrimSpace(a.Value) != "none" // noted as one that isn't drawn
		}
		a.Value = "url(#" + id + ")"
	case name == "style":
		a.Value = cleanDeclarations(a.Value)
	case name != "id":
		a.Value = cleanReferences(a.Value)
	}
	return xml.Attr{Name: xml.Name{Local: name}, Value: a.Value}, true
}

// urlCall is a reference in a value. The first group is its target, with quotes.
var urlCall = regexp.MustCompile(`(?i)url\(\s*([^)]*)\)?`)

// cleanReferences replaces references to other documents by "none".
func cleanReferences(value string) string {
	if !strings.Contains(strings.ToLower(value), "url") {
		return value
	}
	return urlCall.ReplaceAllStringFunc(value, func(call string) string {
		if id := localID(call); id != "" {
			return "url(#" + id + ")"
		}
		return "none"
	})
}

// localReferences returns the IDs that a cleaned value references.
func localReferences(value string) (ids []string) {
	if !strings.Contains(value, "url(") {
		return nil
	}
	for _, call := range urlCall.FindAllString(value, -1) {
		if id := localID(call); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// localID returns the ID in a url(…), or "" if it isn't within the document.
func localID(call string) string {
	found := urlCall.FindStringSubmatch(call)
	if found == nil {
		return ""
	}
	id, ok := strings.CutPrefix(strings.Trim(found[1], " \t\r\n\"'"), "#")
	if !ok || strings.ContainsAny(id, "\"'()<>&;{}\\ \t\r\n") { // a ; or brace would end its declaration
		return ""
	}
	return id
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?(\*/|$)`)
	cssImport  = regexp.MustCompile(`(?is)@(import|charset|namespace)[^;{}]*;?`)
	// cssNewer matches declarations that the engine can't parse, which documents precede with one that it can.
	cssNewer = regexp.MustCompile(`(?i)(^|[;{\s])[a-z-]+\s*:\s*` +
		`(color|color-mix|light-dark|lab|lch|oklab|oklch|hwb)\([^;}]*;?`)
	cssFilter = regexp.MustCompile(`(?i)(^|[;{\s])(-webkit-)?filter\s*:[^;}]*;?`)
)

// cleanDeclarations cleans a style attribute.
func cleanDeclarations(css string) string {
	if strings.Contains(css, `\`) {
		return "" // an escape can spell anything, and nobody needs one
	}
	css = cssComment.ReplaceAllString(css, " ")
	return cleanReferences(cssFilter.ReplaceAllString(cssNewer.ReplaceAllString(css, "$1"), "$1"))
}

// cleanSheet cleans the text of a style element.
func cleanSheet(css string) string {
	if strings.Contains(css, `\`) {
		return ""
	}
	css = cssComment.ReplaceAllString(css, " ")
	if css = cssImport.ReplaceAllString(css, ""); cssImport.MatchString(css) {
		return "" // removing it formed another one
	}
	return cleanReferences(cssFilter.ReplaceAllString(css, "$1"))
}
