package frame

import (
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// UndoTime is how long a deletion can be taken back.
const UndoTime = time.Minute

// Undoable is what was deleted last, while that can be taken back: by a form that is sent to Path with its ID. Said
// says what it was. Until is that time, for people, and UntilMillis for scripts.
type Undoable struct {
	Path, ID, Said string
	Until          template.HTML
	UntilMillis    int64
	// place is where it was in its list: the ID of what follows, [atEnd], or "" if that isn't on the page.
	place string
}

// atEnd is the place of what was the last of a list.
const atEnd = "end"

// Before reports whether it was before the item with an ID. The zero Undoable was nowhere.
func (u *Undoable) Before(id string) bool { return u != nil && u.place == id }

// AtEnd reports whether it was the last of the list.
func (u *Undoable) AtEnd() bool { return u != nil && u.place == atEnd }

// Outside reports whether its place isn't on the page.
func (u *Undoable) Outside() bool { return u != nil && u.place == "" }

// Among puts it into its place among the items of a page, whose IDs are given. Without a place in the query, the list
// is one that has its newest first, as their IDs say, and more says whether it goes on.
func (u *Undoable) Among(c echo.Context, ids []string, more bool) *Undoable {
	if u == nil || len(ids) == 0 {
		return u
	}
	u.place = c.QueryParam("where")
	if u.place == "" {
		i := slices.IndexFunc(ids, func(id string) bool { return id < u.ID })
		switch {
		case i >= 0:
			u.place = ids[i]
		case !more:
			u.place = atEnd
		}
	}
	if u.place != atEnd && !slices.Contains(ids, u.place) {
		u.place = ""
	}
	return u
}

// Following returns the place of each item of a list: the ID of what follows it.
func Following(ids []string) []string {
	places := make([]string, len(ids))
	for i := range ids {
		places[i] = atEnd
		if i+1 < len(ids) {
			places[i] = ids[i+1]
		}
	}
	return places
}

// deletedID is the ID of anything that can be deleted.
var deletedID = regexp.MustCompile(`^[0-9A-Za-z-]{22,36}$`)

// UndoableIn reads it from the query of the page that a deletion leads to.
func UndoableIn(c echo.Context, path, said string) *Undoable {
	at, err := strconv.ParseInt(c.QueryParam("until"), 10, 64)
	until, id := time.UnixMilli(at), c.QueryParam("deleted")
	left := time.Until(until)
	if err != nil || !deletedID.MatchString(id) || left <= 0 || left > UndoTime {
		return nil
	}
	return &Undoable{
		Path: path, ID: id, Said: said, UntilMillis: at,
		Until: ui.LocalTime(until, "time", until.UTC().Format(time.TimeOnly)+" UTC"),
	}
}

// Deletes marks what an operation deletes, whose parameter of the path is id, and leads to the page at path, which can
// take it back. place is where it was, for lists whose order their IDs don't say: see [Undoable].
func Deletes(c echo.Context, of *server.Operation, parameter, id, path, place string) error {
	until := time.Now().Add(UndoTime).UnixMilli()
	in := server.Input{Path: map[string]string{parameter: id}, Query: url.Values{"undo": {"true"}}}
	if _, err := of.Form(c, in); err != nil {
		return err
	}
	query := url.Values{"deleted": {id}, "until": {strconv.FormatInt(until, 10)}}
	if deletedID.MatchString(place) || place == atEnd {
		query.Set("where", place)
	}
	return c.Redirect(http.StatusSeeOther, path+"?"+query.Encode())
}

// Undeletes takes back the deletion of what has an ID. If it can't, the form has the reason.
func Undeletes(c echo.Context, of *server.Operation, parameter string, form *ui.Form, id string) (ok bool) {
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
