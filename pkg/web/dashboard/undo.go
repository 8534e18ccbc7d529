package dashboard

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// undoTime is how long a deletion can be taken back.
const undoTime = time.Minute

// undoable is what was deleted last, while that can be taken back: by a form that is sent to Path with its ID. Said
// says what it was. Until is that time, for people, and UntilMillis for scripts.
type undoable struct {
	Path, ID, Said, Until string
	UntilMillis           int64
}

// deletedID is the ID of anything that can be deleted.
var deletedID = regexp.MustCompile(`^[0-9A-Za-z-]{22,36}$`)

// undoableIn reads it from the query of the page that a deletion leads to.
func undoableIn(c echo.Context, path, said string) *undoable {
	at, err := strconv.ParseInt(c.QueryParam("until"), 10, 64)
	until, id := time.UnixMilli(at), c.QueryParam("deleted")
	left := time.Until(until)
	if err != nil || !deletedID.MatchString(id) || left <= 0 || left > undoTime {
		return nil
	}
	return &undoable{
		Path: path, ID: id, Said: said, Until: until.UTC().Format(time.TimeOnly) + " UTC", UntilMillis: at,
	}
}

// deletes marks what an operation deletes, whose parameter of the path is id, and leads to the page at path, which can
// take it back.
func deletes(c echo.Context, of *server.Operation, parameter, id, path string) error {
	until := time.Now().Add(undoTime).UnixMilli()
	in := server.Input{Path: map[string]string{parameter: id}, Query: url.Values{"undo": {"true"}}}
	if _, err := of.Form(c, in); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, path+"?"+url.Values{
		"deleted": {id}, "until": {strconv.FormatInt(until, 10)},
	}.Encode())
}

// undeletes takes back the deletion of what has an ID. If it can't, the form has the reason.
func undeletes(c echo.Context, of *server.Operation, parameter string, form *ui.Form, id string) (ok bool) {
	_, err := of.Form(c, server.Input{Path: map[string]string{parameter: id}})
	if err == nil {
		return true
	}
	form.Refuse(c, err)
	if apperr.CodeOf(err) == apperr.NotFound {
		form.Error = "It’s too late: it’s deleted."
	}
	return false
}
