package rule

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

// Discoverability is what the rules say about how search engines find a page, beyond points: computed, never guessed.
type Discoverability struct {
	// MissingTypes are the schema.org types that fit the page and are missing.
	MissingTypes []string `json:"missingTypes,omitempty"`
	// Canonical and Hreflang are the problems with the canonical address and the language versions, each code once.
	Canonical []Finding `json:"canonical,omitempty"`
	Hreflang  []Finding `json:"hreflang,omitempty"`
}

// Finding is a problem with a stable code. Its detail contains values from the page, cut and without control
// characters.
type Finding struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Discoverability returns how search engines find the page.
func (j *Judgment) Discoverability() Discoverability {
	f := j.facts
	return Discoverability{MissingTypes: MissingTypes(f.Page), Canonical: f.canonicalIssues(), Hreflang: f.hreflangIssues()}
}

// findings collects problems, each code once.
type findings []Finding

func (l *findings) add(when bool, code, detail string) {
	if when && !slices.ContainsFunc(*l, func(f Finding) bool { return f.Code == code }) {
		*l = append(*l, Finding{code, detail})
	}
}

// canonicalIssues returns the problems with the canonical address.
func (f *Facts) canonicalIssues() []Finding {
	var l findings
	if len(f.Canonicals) == 0 {
		l.add(true, "missing", "The page names no canonical address.")
		return l
	}
	distinct, inHTML, inHeader := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range f.Canonicals {
		c := &f.Canonicals[i]
		address := cmp.Or(c.URL, c.Written)
		distinct[address] = true
		if c.InHeader {
			inHeader[address] = true
		} else {
			inHTML[address] = true
		}
		shown := Show(c.Written)
		l.add(FormOf(c.Written) < AbsoluteHTTP, "relative", "The canonical address is not a full one: "+shown)
		l.add(!c.InHead && !c.InHeader, "in-body", "A canonical link is outside the head, where it is ignored: "+shown)
		l.add(strings.Contains(c.Written, "#"), "fragment", "The canonical address has a fragment: "+shown)
	}
	l.add(len(distinct) > 1, "multiple", "The page names "+strconv.Itoa(len(distinct))+" different canonical addresses.")
	for address := range inHeader {
		l.add(len(inHTML) > 0 && !inHTML[address], "header-and-html-differ",
			"The HTTP header and the document name different canonical addresses.")
	}
	f.targetIssues(&l)
	return l
}

// targetIssues adds problems with the target of the canonical address.
func (f *Facts) targetIssues(l *findings) {
	c := f.Canonical()
	if c == "" {
		return
	}
	shown, target := Show(c), &f.Site.Canonical
	self, near := f.Comparable(c) == f.Comparable(f.Final), f.SameSite(c, f.Final)
	l.add(!near && !f.Elsewhere(c), "other-site", "The canonical address is on another site: "+shown)
	l.add(near && !self && IsRoot(c) && !IsRoot(f.Final) && !SamePath(c, f.Final), "site-root",
		"The canonical address is the front page: "+shown)
	l.add(near && strings.HasPrefix(c, "http:") && strings.HasPrefix(f.Final, "https:"), "http-downgrade",
		"The canonical address is http, the page https: "+shown)
	l.add(f.IsAlternate(c) && !f.Elsewhere(c), "points-to-alternate",
		"The canonical address is another language version: "+shown)
	switch n := target.Value.Status; {
	case f.Elsewhere(c): // it may not be published yet
	case target.Got() && n == 200 && target.Value.Final != target.Value.URL:
		l.add(true, "redirects", "The canonical address redirects to "+Show(target.Value.Final.String()))
	case target.Got() && n != 200, !target.Got() && n != 0:
		l.add(true, "not-200", "The canonical address returns status "+strconv.Itoa(n)+": "+shown)
	case target.State == scrape.Failed || target.State == scrape.Refused:
		l.add(true, "not-200", "The canonical address does not return a page: "+shown)
	}
	if own, ok := f.Page.Resolve(f.OGURL); ok && f.OGURL != "" {
		l.add(f.Comparable(own) != f.Comparable(c), "conflicts-with-og-url",
			"og:url is "+Show(own)+", the canonical address "+shown)
	}
	for _, d := range f.Directives() {
		l.add(d.Text == "noindex" || d.Text == "none", "noindex-with-canonical",
			"The page has a canonical address and says "+d.Text+", which contradict each other.")
	}
}

// hreflangIssues returns the problems with the language versions.
func (f *Facts) hreflangIssues() []Finding {
	links := f.Page.Hreflang
	if len(links) == 0 {
		return nil
	}
	var l findings
	self, fallback := false, false
	addresses := map[string]string{}
	var ownCodes []string
	for i := range links {
		code, shown := strings.ToLower(strings.TrimSpace(links[i].Hreflang)), Show(links[i].Hreflang)
		address, ok := f.Page.Resolve(links[i].Href)
		self = self || ok && f.Elsewhere(address)
		if ok && f.IsSelf(address) {
			self = true
			if code != "x-default" {
				ownCodes = append(ownCodes, code)
			}
		}
		fallback = fallback || code == "x-default"
		known, twice := addresses[code]
		if !twice {
			addresses[code] = address
		}
		l.add(!ValidCode(code), "invalid-code", "“"+shown+"” is not a valid code; use codes like en-GB.")
		l.add(!ok || FormOf(links[i].Href) < AbsoluteHTTP, "relative-url", "The address of "+shown+" is not a full one.")
		l.add(twice && known != address, "duplicate-code", shown+" has two addresses.")
	}
	l.add(!self, "no-self", "The page itself is not among its language versions.")
	l.add(!fallback, "no-x-default", "There is no x-default for readers of other languages.")
	f.alternateIssues(&l)
	mismatch := func(code string) bool { return !sameLanguage(code, f.Lang) }
	l.add(f.Lang != "" && len(ownCodes) > 0 && !slices.ContainsFunc(ownCodes, func(c string) bool { return !mismatch(c) }),
		"lang-mismatch", "The page is listed as "+Show(strings.Join(ownCodes, ", "))+", and its lang is "+Show(f.Lang)+".")
	return l
}

// alternateIssues adds problems found in the fetched language versions.
func (f *Facts) alternateIssues(l *findings) {
	for i := range f.Site.Alternates {
		part := &f.Site.Alternates[i]
		if !part.Got() {
			continue
		}
		v := &part.Value
		shown := Show(v.URL.String())
		l.add(!v.LinksBack && !f.Loopback, "no-return-link", shown+" does not link back to this page.")
		l.add(v.Final != v.URL, "points-to-redirect", shown+" redirects to "+Show(v.Final.String())+".")
		l.add(v.Canonical != "" && f.Comparable(v.Canonical) != f.Comparable(v.Final.String()), "points-to-non-canonical",
			shown+" names another address as its canonical one: "+Show(v.Canonical)+".")
	}
}

// sameLanguage reports whether two codes have the same language, ignoring regions.
func sameLanguage(a, b string) bool {
	of := func(code string) string {
		language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(code)), "_", "-"), "-")
		return language
	}
	return of(a) == of(b)
}

// parents are the supertypes of schema.org types used on pages. Source: schema.org, "Full hierarchy".
var parents = map[string][]string{
	"Organization": {
		"Corporation", "NewsMediaOrganization", "EducationalOrganization", "CollegeOrUniversity", "School", "NGO",
		"GovernmentOrganization", "LocalBusiness", "Store", "OnlineStore", "OnlineBusiness", "Restaurant", "Hotel",
		"MedicalOrganization", "SportsOrganization", "PerformingGroup", "MusicGroup", "LibrarySystem", "Airline", "Project",
		"ResearchOrganization",
	},
	"Product":     {"ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car"},
	"Offer":       {"AggregateOffer", "OfferForPurchase", "OfferForLease"},
	"FAQPage":     nil,
	"VideoObject": nil,
	"WebSite":     nil,
	"Person":      {"Patient"},
}

// satisfies reports whether a type is another one or a subtype of it.
func satisfies(is, wanted string) bool {
	if is == wanted {
		return true
	}
	if wanted == "Article" {
		return strings.HasSuffix(is, "Article") || is == "BlogPosting" || is == "LiveBlogPosting" || is == "Report" ||
			is == "SocialMediaPosting"
	}
	return slices.Contains(parents[wanted], is)
}

// MissingTypes returns the schema.org types that fit a page and are missing, most important first.
func MissingTypes(p *page.Page) []string {
	var wanted []string
	crumbs := strings.Count(strings.Trim(p.URL.Path, "/"), "/") >= 1
	switch PageType(p) {
	case HomePage:
		wanted = []string{"WebSite", "Organization"}
	case ArticlePage:
		wanted = []string{"Article"}
		if !hasAuthor(p) {
			wanted = append(wanted, "Person")
		}
		if crumbs {
			wanted = append(wanted, "BreadcrumbList")
		}
	case ProductPage:
		wanted = []string{"Product", "Offer", "BreadcrumbList"}
	case VideoPage:
		wanted = []string{"VideoObject", "BreadcrumbList"}
	case ProfilePage:
		wanted = []string{"ProfilePage", "Person"}
	}
	if questions(p) >= 3 {
		wanted = append(wanted, "FAQPage")
	}
	present := typesOf(p)
	return slices.DeleteFunc(wanted, func(want string) bool {
		if want == "Person" && PageType(p) == ArticlePage {
			return false // an arbitrary person isn't the author
		}
		return slices.ContainsFunc(present, func(is string) bool { return satisfies(is, want) })
	})
}

// hasAuthor reports whether an article names its author as a person or an organization.
func hasAuthor(p *page.Page) bool {
	for _, n := range p.Nodes() {
		for _, author := range n.Get("author").Each() {
			for _, is := range p.Follow(author).Types() {
				if satisfies(is, "Person") || satisfies(is, "Organization") {
					return true
				}
			}
		}
	}
	return false
}

// Limits of the traversal of structured data.
const (
	maxTypeDepth = 32
	maxTypesSeen = 2000
)

// typesOf returns all types of a page's structured data, at any depth.
func typesOf(p *page.Page) []string {
	var types []string
	seen := 0
	var walk func(v *page.Value, depth int)
	walk = func(v *page.Value, depth int) {
		if seen++; depth > maxTypeDepth || seen > maxTypesSeen {
			return
		}
		types = append(types, v.Types()...)
		for i := range v.Members {
			if m := &v.Members[i].Value; m.Type == page.Object || m.Type == page.Array {
				walk(m, depth+1)
			}
		}
	}
	for i := range p.JSONLD {
		walk(&p.JSONLD[i].Root, 0)
	}
	for _, t := range p.Microdata {
		if strings.Contains(strings.ToLower(t), "schema.org") {
			types = append(types, t[strings.LastIndexAny(t, "/#:")+1:])
		}
	}
	return types
}

// questionMarks end a question in scripts with their own mark: Latin, full-width, Arabic, Greek, Armenian, Ethiopic.
const questionMarks = "?？؟\u037e՞፧"

// questions returns how many headings below the first level are questions.
func questions(p *page.Page) int {
	n := 0
	for i := range p.Headings {
		text := []rune(strings.TrimSpace(p.Headings[i].Text))
		if p.Headings[i].Level > 1 && len(text) > 1 && strings.ContainsRune(questionMarks, text[len(text)-1]) {
			n++
		}
	}
	return n
}
