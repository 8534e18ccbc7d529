package snippets

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"masthead/gen"
	"masthead/pkg/card"
	"masthead/pkg/web/ui"
)

// Param is the parameter of a page's address that chooses a snippet, and Anchor the part of the page that shows it.
const (
	Param  = "for"
	Anchor = "use"
)

// Use is the part "Use it" of a page: a list of snippets, and the chosen one. The template "use" of package ui draws
// it.
type Use struct {
	// Path is that of the page, and Hidden its parameters without [Param], sorted by name.
	Path   string
	Hidden []ui.Input
	Groups []Group
	Chosen Snippet
	// Project is whose public URL the snippets have, or nil. SignedIn tells people who have none from visitors.
	Project  *Project
	SignedIn bool
	// Retold means that texts were entered, which the chosen snippet leaves out.
	Retold bool
	// Placeholder is what to replace, or "".
	Placeholder string
}

// Group is a group of snippets in the list.
type Group struct {
	Name  string
	Links []Link
}

// Names are the links of the list, and Options those of the list of phones. A page has fifteen of each, and a template
// would take ten times as long.
func (g Group) Names() template.HTML {
	var b strings.Builder
	for _, l := range g.Links {
		b.WriteString(`<li><a href="` + template.HTMLEscapeString(l.URL) + `" data-use="` + l.ID + `"`)
		if l.Chosen {
			b.WriteString(` aria-current="true"`)
		}
		b.WriteString(`>` + template.HTMLEscapeString(l.Name) + `</a></li>`)
	}
	return template.HTML(b.String()) //nolint:gosec // IDs and names of ours, and paths that are escaped
}

// Options are described at [Group.Names].
func (g Group) Options() template.HTML {
	var b strings.Builder
	for _, l := range g.Links {
		b.WriteString(`<option value="` + l.ID + `"`)
		if l.Chosen {
			b.WriteString(` selected`)
		}
		b.WriteString(`>` + template.HTMLEscapeString(l.Name) + `</option>`)
	}
	return template.HTML(b.String()) //nolint:gosec // IDs and names of ours
}

// Link leads to a snippet.
type Link struct {
	ID, Name, URL string
	Chosen        bool
}

// Project is a project whose IDs are in the snippets.
type Project struct {
	Name, Path   string
	PublicID, ID string
	// Lacks is the host of the page if the project has no domain that covers it, or "".
	Lacks string
	// Signed reports whether the project refuses public URLs without a signature, which the snippets don't have.
	Signed bool
	// Act is the path that a form with do=domain is sent to, to add that domain, or "" if the page has none.
	Act string
}

// ProjectOf returns a project for the image of a page of a host.
func ProjectOf(of gen.Project, host string) *Project {
	p := &Project{
		Name: of.Name, Path: "/dashboard/projects/" + of.Id.String(), PublicID: of.PublicId, ID: of.Id.String(), Lacks: host,
		Signed: of.RequireSignature,
	}
	for _, d := range of.Domains {
		if host == d || strings.HasSuffix(host, "."+d) {
			p.Lacks = ""
		}
	}
	return p
}

// NewUse returns the part for a page at path with the parameters of its address. It fills in the IDs of the project.
func NewUse(v Values, project *Project, path string, query url.Values) (Use, error) {
	if project != nil {
		v.PublicID, v.ID = project.PublicID, project.ID
	}
	chosen, err := Find(query.Get(Param), v)
	if err != nil {
		return Use{}, err
	}
	u := Use{Path: path, Chosen: chosen, Project: project}
	u.Retold = !chosen.Program && v.Request.Content != (card.Content{})
	if project == nil && chosen.ID != "cli" {
		u.Placeholder = PublicID
		if chosen.Program {
			u.Placeholder = ID
		}
	}
	rest := url.Values{}
	for name, values := range query {
		if name != Param && len(values) > 0 {
			rest.Set(name, values[0])
			u.Hidden = append(u.Hidden, ui.Input{Name: name, Value: values[0]})
		}
	}
	slices.SortFunc(u.Hidden, func(a, b ui.Input) int { return strings.Compare(a.Name, b.Name) })
	u.Groups = []Group{{Name: "In a site"}, {Name: "In a program"}}
	for _, k := range kindsFor(v.Request) {
		rest.Set(Param, k.id)
		i := 0
		if k.program {
			i = 1
		}
		u.Groups[i].Links = append(u.Groups[i].Links, Link{
			ID: k.id, Name: k.name, URL: path + "?" + rest.Encode() + "#" + Anchor, Chosen: k.id == chosen.ID,
		})
	}
	return u, nil
}
