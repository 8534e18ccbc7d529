package checks

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

var seoStructuredData = rule.Rule{
	ID: "seo-structured-data", Category: rule.SEO, Severity: rule.Warning, Weight: 5, Title: "Structured " +
		"data", Sources: []rule.Source{rule.GS},
	When:  "A JSON-LD node has a schema.org type. 75 % of the points when only microdata or RDFa has one.",
	Fix:   "Add a JSON-LD block with the schema.org type that fits the page.",
	Opens: []string{"seo-structured-data-valid", "seo-structured-data-complete"},
	Check: func(f *rule.Facts) rule.Verdict {
		if f.DataFixed {
			return f.Pass("")
		}
		for _, n := range f.Page.Nodes() {
			if types := n.Types(); len(types) > 0 {
				return f.Pass("The page has structured data: %s.", f.Show(types[0]))
			}
		}
		v := f.Fail("The page has no structured data.")
		for _, t := range f.Page.Microdata {
			if strings.Contains(t, "schema.org") {
				v = f.Found(0.75, "The page has structured data only as microdata or RDFa (%s).", f.Show(t))
				break
			}
		}
		code := ""
		if v.Credit == 0 { // a second, shorter description next to microdata would be no gain
			code = dataBlock(f)
		}
		return v.Fix("Add a JSON-LD block; %s this page:", rule.Fitting(rule.ExpectedTypes(f.Page))).Paste(code)
	},
}

// dataBlock returns a block of JSON-LD to paste, filled from the page, or "" if the page has no title.
func dataBlock(f *rule.Facts) string {
	title := f.OwnTitle()
	if f.Quiet || title == "" {
		return ""
	}
	type thing struct {
		Type string `json:"@type"`
		Name string `json:"name"`
	}
	named := func(kind, name string) *thing {
		if name = f.Said(name); name == "" {
			return nil
		}
		return &thing{kind, name}
	}
	node := struct { // its escapes (\u003c) keep a script element intact
		Context     string `json:"@context"`
		Type        string `json:"@type"`
		URL         string `json:"url"`
		Name        string `json:"name,omitempty"`
		Headline    string `json:"headline,omitempty"`
		Description string `json:"description,omitempty"`
		Image       string `json:"image,omitempty"`
		Published   string `json:"datePublished,omitempty"`
		Modified    string `json:"dateModified,omitempty"`
		Author      *thing `json:"author,omitempty"`
		Publisher   *thing `json:"publisher,omitempty"`
		Entity      *thing `json:"mainEntity,omitempty"`
	}{
		Context: "https://schema.org", Type: rule.ExpectedTypes(f.Page)[0], Name: f.Said(title),
		URL: cleantext.Clean(f.Publicly(cmp.Or(f.Self(), f.Final)), 2048), Description: f.Said(f.OwnDescription()),
	}
	if image := f.ImageOfX(); image != nil && image.File.Fault == "" {
		node.Image = cleantext.Clean(f.Publicly(image.URL), 2048)
	}
	date := func(d page.Date) string {
		if d.Time.IsZero() {
			return ""
		}
		return d.Time.Format(time.RFC3339)
	}
	site := cmp.Or(ownSiteName(f), taggedSiteName(f))
	switch node.Type {
	case "Article":
		node.Headline, node.Name = node.Name, ""
		node.Published, node.Modified = date(f.Page.Published), date(f.Page.Modified)
		node.Author, node.Publisher = named("Person", f.Page.Details.Author), named("Organization", site)
	case "WebSite":
		node.Name = cmp.Or(site, node.Name)
	case "ProfilePage":
		node.Entity = named("Person", title)
	}
	block, err := json.Marshal(node)
	if err != nil {
		return ""
	}
	return `<script type="application/ld+json">` + string(block) + "</script>"
}

var seoStructuredDataValid = rule.Rule{
	ID: "seo-structured-data-valid", Category: rule.SEO, Severity: rule.Error, Weight: 3,
	Title:   "Structured data is valid",
	Sources: []rule.Source{rule.GS},
	When: "Each block of JSON-LD parses, has schema.org as its @context, and every top-level node or node of its @graph " +
		"has a @type. Points in proportion to the valid blocks. Not judged without JSON-LD.",
	Fix:   "Fix the block at the line given in the report.",
	Opens: []string{"seo-structured-data-complete"},
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		if len(f.Page.JSONLD) == 0 {
			return rule.Inapplicable
		}
		valid, fault, line := 0, "", 0
		for i := range f.Page.JSONLD {
			block := &f.Page.JSONLD[i]
			reason, at := blockFault(block)
			switch {
			case reason == "":
				valid++
			case fault == "":
				fault, line = reason, at
			}
		}
		n := len(f.Page.JSONLD)
		if valid == n {
			return f.Pass("%s of JSON-LD, all valid.", humanize.Count(n, "block"))
		}
		which := "The block"
		if n > 1 {
			which = strconv.Itoa(n-valid) + " of " + strconv.Itoa(n) + " blocks"
		}
		return f.Found(float64(valid)/float64(n), "%s of JSON-LD %s a fault: %s (line %d).", which,
			rule.Verb(n-valid, "has", "have"), fault, line).
			Fix("Fix the JSON-LD at line %d of the page: %s.", line, fault)
	},
	Apply: func(f *rule.Facts) { f.DataFixed = true },
}

// blockFault says what is wrong with a block and on which line of the document, or "".
func blockFault(block *page.Block) (fault string, line int) {
	var syntax *page.JSONError
	switch {
	case errors.As(block.Err, &syntax):
		return rule.Show(syntax.Reason), block.Line + syntax.Line - 1
	case block.Err != nil:
		return "it is not valid JSON", block.Line
	}
	roots := block.Root.Each()
	if len(roots) == 0 {
		return "the block is empty", block.Line
	}
	for _, root := range roots {
		graph := root.Get("@graph")
		switch {
		case root.Type != page.Object:
			return "the block has no object", block.Line
		case !schemaOrg(root.Get("@context")):
			return "@context is not https://schema.org", block.Line
		case graph == nil && len(root.Types()) == 0:
			return "a node has no @type", block.Line
		}
		for _, n := range graph.Each() {
			if n.Type == page.Object && len(n.Types()) == 0 {
				return "a node of @graph has no @type", block.Line
			}
		}
	}
	return "", 0
}

// schemaOrg reports whether a context is that of schema.org: a string, an array with one, or an object with one.
func schemaOrg(context *page.Value) bool {
	if context == nil {
		return false
	}
	switch context.Type {
	case page.String:
		return strings.Contains(strings.ToLower(context.Text), "schema.org")
	case page.Array, page.Object:
		for i := range context.Members {
			if v := &context.Members[i].Value; schemaOrg(v) {
				return true
			}
		}
	}
	return false
}

// expectation has the expected properties of a schema.org type. An entry with "|" is satisfied by any of its
// properties.
type expectation struct {
	types      []string
	properties []string
}

// expectations are the types that are checked (GS).
var expectations = []expectation{
	{[]string{"Product", "ProductGroup"}, []string{"name", "image", "offers|review|aggregateRating"}},
	{[]string{"Offer"}, []string{"price", "priceCurrency", "availability"}},
	{[]string{"BreadcrumbList"}, []string{"itemListElement"}},
	{[]string{"Organization", "NewsMediaOrganization", "Corporation"}, []string{"name", "url", "logo"}},
	{[]string{"WebSite"}, []string{"name", "url"}},
	{[]string{"VideoObject"}, []string{"name", "thumbnailUrl", "uploadDate", "description"}},
	{[]string{"Event"}, []string{"name", "startDate", "location"}},
	{[]string{"Recipe"}, []string{"name", "image", "recipeIngredient", "recipeInstructions"}},
	{[]string{"FAQPage"}, []string{"mainEntity"}},
	{[]string{"ProfilePage"}, []string{"mainEntity"}},
}

var articleProperties = []string{"headline", "image", "datePublished", "dateModified", "author", "publisher"}

// expected returns the expected properties of a node and its type, or nothing for a type that isn't checked.
func expected(n *page.Value) (kind string, properties []string) {
	for _, t := range n.Types() {
		if strings.HasSuffix(t, "Article") || t == "BlogPosting" || t == "Report" {
			return t, articleProperties
		}
		for _, e := range expectations {
			if slices.Contains(e.types, t) {
				return t, e.properties
			}
		}
	}
	return "", nil
}

var seoStructuredDataComplete = rule.Rule{
	ID: "seo-structured-data-complete", Category: rule.SEO, Severity: rule.Warning, Weight: 3,
	Title:   "Structured data is complete",
	Sources: []rule.Source{rule.GS},
	When: "The main node has the expected properties of its type (articles: headline, image, datePublished, " +
		"dateModified, author with a name, publisher; products: name, image, and offers, review or aggregateRating; and " +
		"so on). Points in proportion to those present. Not judged when no node has a type that is checked.",
	Fix: "Add the properties listed in the report.",
	Check: func(f *rule.Facts) rule.Verdict {
		node := f.Page.MainNode()
		kind, properties := expected(node)
		for _, n := range f.Page.Nodes() {
			if kind != "" {
				break
			}
			node = n
			kind, properties = expected(n)
		}
		if kind == "" {
			return rule.Inapplicable
		}
		var missing []string
		for _, p := range properties {
			if !present(f, node, p) && !(f.DatesFixed && (p == "datePublished" || p == "dateModified")) {
				missing = append(missing, strings.ReplaceAll(p, "|", " or "))
			}
		}
		if len(missing) == 0 {
			return f.Pass("%s has all the expected properties.", f.Show(kind))
		}
		return f.Found(1-float64(len(missing))/float64(len(properties)), "%s lacks %s.", f.Show(kind), rule.List(missing)).
			Fix("Add %s to %s.", rule.List(missing), f.Show(kind))
	},
	Apply: func(f *rule.Facts) {
		node := f.Page.MainNode()
		if _, properties := expected(node); slices.Contains(properties, "datePublished") {
			f.DatesFixed = f.Page.Published.Raw == "" && f.Page.Modified.Raw == ""
		}
	},
}

// present reports whether a node has a property, or one of several, including its required content.
func present(f *rule.Facts, n *page.Value, property string) bool {
	for name := range strings.SplitSeq(property, "|") {
		values := n.Get(name).Each()
		if len(values) == 0 {
			continue
		}
		v := f.Page.Follow(values[0])
		switch name {
		case "author":
			if v.Type == page.String && v.Text != "" || v.Get("name").String() != "" {
				return true
			}
		case "itemListElement":
			if crumbs(f, values) {
				return true
			}
		case "mainEntity":
			if !n.HasType("FAQPage") || v.Get("name").String() != "" && v.Get("acceptedAnswer") != nil {
				return true
			}
		default:
			if v.Type != page.String || v.Text != "" {
				return true
			}
		}
	}
	return false
}

// crumbs reports whether each element of a trail has a position and a name, and all but the last an address.
func crumbs(f *rule.Facts, elements []*page.Value) bool {
	for i, e := range elements {
		e = f.Page.Follow(e)
		item := e.Get("item")
		name := cmp.Or(e.Get("name").String(), item.Get("name").String())
		if e.Get("position").String() == "" || name == "" || item == nil && i < len(elements)-1 {
			return false
		}
	}
	return true
}
