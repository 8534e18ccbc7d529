package frame

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// PerPage is the maximum number of items of one page of a list.
const PerPage = "100"

// PageQuery is the query of an operation for the page of a list that the request names with its cursor.
func PageQuery(c echo.Context) url.Values {
	query := url.Values{"limit": {PerPage}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	return query
}

// maxProjects is the maximum number of projects in a list of choices.
const maxProjects = 500

// ProjectNames are the projects of an account for choices and names, newest first.
type ProjectNames []gen.Project

// ProjectPath is the path of a project's page.
func ProjectPath(id string) string { return Home + "/projects/" + id }

// ReadProjects reads the projects with the operation listProjects.
func ReadProjects(c echo.Context, list *server.Operation) (ProjectNames, error) {
	var all ProjectNames
	query := url.Values{"limit": {PerPage}}
	for len(all) < maxProjects {
		var page gen.ProjectPage
		if err := Read(c, list, server.Input{Query: query}, &page); err != nil {
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

// Name returns the name of a project, or "" if there is none with the ID.
func (all ProjectNames) Name(id string) string {
	for _, p := range all {
		if p.Id.String() == id {
			return p.Name
		}
	}
	return ""
}

// Once returns a new value for the field "again" of a form: sending the form twice does its work once, see [Repeats].
func Once() string { return uuid.Must(uuid.NewV7()).String() }

// Repeats returns the headers for the operation of a form that was read and has the field "again". Its key is that of
// all fields: people who go back and type something else send another request.
func Repeats(c echo.Context) http.Header {
	r := c.Request()
	if r.PostForm.Get("again") == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(r.PostForm.Encode()))
	return http.Header{"Idempotency-Key": {hex.EncodeToString(sum[:])}}
}

// More returns the link to the next page of a list, or nil on the last one.
func More(path string, cursor *gen.NextCursor) *string {
	if cursor == nil {
		return nil
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	next := path + separator + url.Values{"cursor": {*cursor}}.Encode()
	return &next
}

// StatusOf is the status of a page with a form, or without one.
func StatusOf(form *ui.Form) int {
	if form == nil {
		return http.StatusOK
	}
	return form.Status
}
