package dashboard

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// projectFilter is a list of the API's section that a page shows for one project, as its links below the head lead to.
type projectFilter struct {
	list string // the path of the whole list
	// ID is the project's, or "" for the whole list.
	ID string
}

// projectFilterOf returns the filter of a request for a list: "projectId" in the query.
func projectFilterOf(c echo.Context, list string) projectFilter {
	return projectFilter{list: list, ID: c.QueryParam("projectId")}
}

// query is the query of the operation that lists.
func (f projectFilter) query(c echo.Context) url.Values {
	query := frame.PageQuery(c)
	if f.ID != "" {
		query.Set("projectId", f.ID)
	}
	return query
}

// path is the path of the page with its filter.
func (f projectFilter) path() string {
	if f.ID == "" {
		return f.list
	}
	return f.list + "?" + url.Values{"projectId": {f.ID}}.Encode()
}

// with is path with another parameter.
func (f projectFilter) with(parameter string) string {
	if f.ID == "" {
		return f.list + "?" + parameter
	}
	return f.path() + "&" + parameter
}

// all is the path of the whole list, or "" if the page shows it.
func (f projectFilter) all() string {
	if f.ID == "" {
		return ""
	}
	return f.list
}

// narrow makes the head of the list that of a page of its project, or returns NotFound.
func (f projectFilter) narrow(c echo.Context, sh *frame.Shell, names frame.ProjectNames, head *frame.Head) error {
	if f.ID == "" {
		return nil
	}
	name := names.Name(f.ID)
	if name == "" {
		return apperr.New(apperr.NotFound, "There is no project with this id.")
	}
	has, err := sh.Has(c, f.ID, projectKinds...)
	if err != nil {
		return err
	}
	head.Section, head.Deck, head.Subs = "Projects", "", projectSubs(f.ID, has)
	head.Crumb = &ui.Link{URL: frame.ProjectPath(f.ID), Text: name}
	return nil
}
