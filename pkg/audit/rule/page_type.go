package rule

import (
	"cmp"
	"slices"
	"strings"

	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

// Type is the type of a page: it determines which structured data fits it.
type Type string

// The types of pages.
const (
	HomePage    Type = "home"
	ArticlePage Type = "article"
	ProductPage Type = "product"
	VideoPage   Type = "video"
	ProfilePage Type = "profile"
	SearchPage  Type = "search"
	OtherPage   Type = "website"
)

// PageType returns the type of a page; the first match counts.
func PageType(p *page.Page) Type {
	ogType := strings.ToLower(p.Meta.Get("og:type"))
	has := func(names ...string) bool {
		return slices.ContainsFunc(p.Nodes(), func(n *page.Value) bool { return slices.ContainsFunc(names, n.HasType) })
	}
	article := func(n *page.Value) bool {
		return slices.ContainsFunc(n.Types(), func(t string) bool {
			return strings.HasSuffix(t, "Article") || t == "BlogPosting" || t == "Report"
		})
	}
	switch {
	case p.URL.Path == "" || p.URL.Path == "/":
		return HomePage
	case ogType == "article" || p.Meta.Get("article:published_time") != "" || slices.ContainsFunc(p.Nodes(), article):
		return ArticlePage
	case ogType == "product" || has("Product", "ProductGroup") ||
		cmp.Or(p.Meta.Get("product:price:amount"), p.Meta.Get("og:price:amount"), p.Meta.Get("price")) != "":
		return ProductPage
	case !p.OnlyHeard() &&
		(strings.HasPrefix(ogType, "video.") || strings.EqualFold(p.Meta.Get("twitter:card"), "player")):
		return VideoPage
	case ogType == "profile":
		return ProfilePage
	case p.SearchForm && slices.Contains(strings.Split(p.URL.Path, "/"), "search"):
		return SearchPage
	}
	return OtherPage
}

// ExpectedTypes returns the schema.org types that fit a page, most important first.
func ExpectedTypes(p *page.Page) []string {
	var types []string
	switch PageType(p) {
	case HomePage:
		return []string{"WebSite", "Organization"}
	case ArticlePage:
		types = []string{"Article"}
		if deep := strings.Count(strings.Trim(p.URL.Path, "/"), "/") >= 1; !deep {
			return types
		}
	case ProductPage:
		types = []string{"Product"}
	case VideoPage:
		types = []string{"VideoObject"}
	case ProfilePage:
		return []string{"ProfilePage"}
	default:
		return []string{"WebPage"}
	}
	return append(types, "BreadcrumbList")
}

// OwnType returns the og:type that fits the page.
func (f *Facts) OwnType() string {
	if PageType(f.Page) == ArticlePage {
		return "article"
	}
	return "website"
}

// Fitting says which types fit a page, without the object.
func Fitting(types []string) string {
	if len(types) == 1 {
		return "the type " + types[0] + " fits"
	}
	return "the types " + humanize.And(types) + " fit"
}
