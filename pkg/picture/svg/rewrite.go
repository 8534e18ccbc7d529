package svg

import (
	"encoding/xml"
	"regexp"
	"strings"
)

// This file writes a document again for others to serve, from lists of what may be in it, so that nothing of the
// original's text is in it as it was.

// maxRewritten is the maximum length of a rewritten document in bytes: a favicon is loaded with each first visit.
const maxRewritten = 16 << 10

// properties are the presentation attributes, which are also the properties in styles. Source: SVG 2, "Presentation
// attributes" (https://www.w3.org/TR/SVG2/styling.html#PresentationAttributes).
var properties = set(`clip-path clip-rule color color-interpolation color-interpolation-filters display fill
	fill-opacity fill-rule filter flood-color flood-opacity marker marker-end marker-mid marker-start mask
	mix-blend-mode opacity paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray
	stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width transform
	transform-origin vector-effect visibility`)

// shapes are the attributes of elements that aren't properties.
var shapes = set(`class clipPathUnits cx cy d dx dy fr fx fy gradientTransform gradientUnits height href id in in2 k1 k2
	k3 k4 markerHeight markerUnits markerWidth maskContentUnits maskUnits mode offset operator orient patternContentUnits
	patternTransform patternUnits points preserveAspectRatio primitiveUnits r refX refY result rx ry spreadMethod
	stdDeviation style viewBox width x x1 x2 y y1 y2`)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// Rewritten returns the document as text that can be served to browsers, with its rules for dark screens. It is "" for
// a document with parts that aren't drawn here, with words, whose fonts others may not have, and for a long one.
func (d *Document) Rewritten() string {
	if d.Omitted != "" || d.words || d.plain != "" || d.root == nil {
		return ""
	}
	var b strings.Builder
	writeStart(&b, "svg", append([]xml.Attr{attr("xmlns", namespace)}, publicAttributes(d.attributes)...))
	for _, child := range d.root.children {
		child.rewrite(&b)
	}
	b.WriteString("</svg>\n")
	if b.Len() > maxRewritten {
		return ""
	}
	return b.String()
}

func (n *node) rewrite(b *strings.Builder) {
	if n.name == "" {
		return
	}
	writeStart(b, n.name, publicAttributes(n.attrs))
	if n.name == "style" {
		escape(b, publicSheet(n.text, 0))
	}
	for _, child := range n.children {
		child.rewrite(b)
	}
	b.WriteString("</" + n.name + ">")
}

// publicAttributes returns the attributes of the lists.
func publicAttributes(attrs []xml.Attr) (kept []xml.Attr) {
	for _, a := range attrs {
		name := a.Name.Local
		switch {
		case name == "style":
			if a.Value = publicDeclarations(a.Value); a.Value == "" {
				continue
			}
		case !properties[name] && !shapes[name], properties[name] && !plainValue(a.Value):
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

var (
	// scheme is the one condition of a style sheet that is kept.
	scheme = regexp.MustCompile(`^@media\s*(?:(?:screen|all)\s+and\s*)?\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)$`)
	// selector is a selector of names, classes, IDs and pseudo-classes without arguments.
	selector = regexp.MustCompile(`^[\w#.,:>*~+\s-]+$`)
	// value is a value without quotes, escapes and references.
	value  = regexp.MustCompile(`^[\w#.,%()\s/+*!-]*$`)
	custom = regexp.MustCompile(`^--[\w-]+$`)
)

// plainValue reports whether a value has nothing but names, numbers, functions and references within the document.
func plainValue(v string) bool {
	rest := urlCall.ReplaceAllStringFunc(v, func(call string) string {
		if id := localID(call); id != "" && value.MatchString(id) {
			return ""
		}
		return call
	})
	return value.MatchString(rest) && !strings.Contains(strings.ToLower(rest), "url")
}

// publicSheet returns the rules of a style sheet that have only what the lists allow, those for dark or light screens
// within their condition.
func publicSheet(css string, depth int) string {
	var b strings.Builder
	for {
		opens := strings.IndexByte(css, '{')
		if opens < 0 || depth > 1 {
			return b.String()
		}
		head := css[:opens]
		if i := strings.LastIndexAny(head, ";}"); i >= 0 {
			head = head[i+1:]
		}
		head = strings.TrimSpace(head)
		closes, open := opens+1, 1
		for ; closes < len(css) && open > 0; closes++ {
			switch css[closes] {
			case '{':
				open++
			case '}':
				open--
			}
		}
		if open > 0 {
			return b.String()
		}
		body := css[opens+1 : closes-1]
		css = css[closes:]
		inner := ""
		switch match := scheme.FindStringSubmatch(strings.ToLower(head)); {
		case match != nil:
			head, inner = "@media (prefers-color-scheme: "+match[1]+")", publicSheet(body, depth+1)
		case selector.MatchString(head) && !strings.Contains(body, "{"):
			inner = publicDeclarations(body)
		}
		if inner != "" {
			b.WriteString(head + "{" + inner + "}")
		}
	}
}

// publicDeclarations returns the declarations of the lists.
func publicDeclarations(css string) string {
	var kept []string
	for _, d := range strings.Split(css, ";") {
		name, v, ok := strings.Cut(d, ":")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		if ok && v != "" && (properties[strings.ToLower(name)] || custom.MatchString(name)) && plainValue(v) {
			kept = append(kept, name+":"+v)
		}
	}
	return strings.Join(kept, ";")
}
