package dashboard

import (
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
)

// perPage is the maximum number of items of one page of a list.
const perPage = "100"

// pageQuery is the query of an operation for the page of a list that the request names with its cursor.
func pageQuery(c echo.Context) url.Values {
	query := url.Values{"limit": {perPage}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	return query
}

// maxProjects is the maximum number of projects in a list of choices.
const maxProjects = 500

// projectNames are the projects of an account for choices and names, newest first.
type projectNames []gen.Project

// readProjects reads the projects with the operation listProjects.
func readProjects(c echo.Context, list *server.Operation) (projectNames, error) {
	var all projectNames
	query := url.Values{"limit": {perPage}}
	for len(all) < maxProjects {
		var page gen.ProjectPage
		if err := read(c, list, server.Input{Query: query}, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if page.NextCursor == nil {
			break
		}
		query.Set("cursor", *page.NextCursor)
	}
	return all, nil
}

// name returns the name of a project, or "" if there is none with the ID.
func (all projectNames) name(id string) string {
	for _, p := range all {
		if p.Id.String() == id {
			return p.Name
		}
	}
	return ""
}

// once returns a new key for the Idempotency-Key of a form: sending the form twice does its work once.
func once() string { return uuid.Must(uuid.NewV7()).String() }

// more returns the link to the next page of a list, or nil on the last one.
func more(path string, cursor *gen.NextCursor) *string {
	if cursor == nil {
		return nil
	}
	next := path + "?" + url.Values{"cursor": {*cursor}}.Encode()
	return &next
}

// thumb is a small picture of an image. Wide means that it is cropped to fill its frame: icons aren't.
type thumb struct {
	Path, URL, Alt string
	Wide           bool
}

func thumbOf(of gen.Image) thumb {
	return thumb{
		Path: imagePath(of.Id.String()), URL: local(of.ImageUrl), Alt: of.Alt, Wide: of.Kind != gen.ImageKindIconSet,
	}
}

// local returns the address of a picture at this server, so that the policy of pages needs no other origin: /cdn is
// here even if a cache in front of it has an address of its own.
func local(address string) string {
	if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Path, "/cdn/") {
		return u.RequestURI()
	}
	return address
}
