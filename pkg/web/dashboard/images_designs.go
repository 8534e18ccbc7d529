package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
	"masthead/render"
)

// This file has what pages of images show of the projects' own designs.

// designNames are the names of projects' own designs, by project and slug.
type designNames map[[2]string]string

// maxDesigns is how many designs of an account pages know by name.
const maxDesigns = 100

// ownDesigns reads the names of the caller's own designs, of one project or with "" of all.
func ownDesigns(c echo.Context, list *server.Operation, project string) (designNames, error) {
	query := url.Values{"limit": {strconv.Itoa(maxDesigns)}}
	if project != "" {
		query.Set("projectId", project)
	}
	var found gen.DesignPage
	if err := frame.Read(c, list, server.Input{Query: query}, &found); err != nil {
		return nil, err
	}
	own := designNames{}
	for _, d := range found.Items {
		own[[2]string{d.ProjectId.String(), d.Slug}] = d.Name
	}
	return own, nil
}

// choices are the choices of a design, after others: the projects' own, and those of the service.
func (own designNames) choices(all ...ui.Option) []ui.Option {
	first := len(all)
	for of, name := range own {
		if !slices.ContainsFunc(all, func(o ui.Option) bool { return o.Value == of[1] }) {
			all = append(all, ui.Option{Value: of[1], Text: name})
		}
	}
	slices.SortFunc(all[first:], func(a, b ui.Option) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), strings.Compare(a.Value, b.Value))
	})
	for _, d := range render.Templates() {
		all = append(all, ui.Option{Value: d.Slug, Text: d.Name})
	}
	return all
}

// namesFor reads the names of the caller's own designs if one of the images has such a design.
func namesFor(c echo.Context, list *server.Operation, all []gen.Image) (designNames, error) {
	for _, of := range all {
		if of.Template == nil {
			continue
		}
		if _, ours := render.Lookup(*of.Template, ""); !ours {
			return ownDesigns(c, list, "")
		}
	}
	return nil, nil
}

// designOf is the name of an image's design.
func designOf(of gen.Image, own designNames) string {
	if of.Template == nil {
		return "Icon set"
	}
	if name := own[[2]string{of.ProjectId.String(), *of.Template}]; name != "" {
		return name
	}
	if _, ours := render.Lookup(*of.Template, ""); !ours { // the design was deleted
		return *of.Template
	}
	return humanize.Capital(strings.ReplaceAll(*of.Template, "-", " "))
}

// addCustom adds what an image of a project's own design, or in several sizes, has besides others to a request for it.
func addCustom(c echo.Context, designs *server.Operation, body map[string]any, of gen.Image) error {
	if of.Data != nil {
		body["data"] = of.Data
	}
	return addSizes(c, designs, body, of)
}
