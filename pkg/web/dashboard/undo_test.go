package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/web/webtest"
)

// wantUndo follows a deletion to the page at path, which offers to take it back, and takes it back, which leads to
// another page. It can't be taken back twice, or by way of a link that is over.
func wantUndo(t *testing.T, v *webtest.Visitor, deleted webtest.Page, path, id, restored string) {
	t.Helper()
	to := deleted.Header.Get("Location")
	if deleted.Status != http.StatusSeeOther || !strings.HasPrefix(to, path+"?deleted="+id+"&until=") {
		t.Errorf("deleted: %d to %q %s", deleted.Status, to, deleted.Main())
	}
	if page := v.Get(to); !strings.Contains(page.Body, "You can undo this until") {
		t.Errorf("after the deletion: %s", page.Main())
	}
	for _, query := range []string{"deleted=" + id + "&until=1", "deleted=x&until=99999999999999", "deleted=" + id} {
		if page := v.Get(path + "?" + query); strings.Contains(page.Body, "You can undo this") {
			t.Errorf("%s: %s", query, page.Main())
		}
	}
	undo := url.Values{"do": {"undo"}, "id": {id}}
	if back := v.Post(path, undo); back.Status != http.StatusSeeOther || back.Header.Get("Location") != restored {
		t.Errorf("taken back: %d to %q %s", back.Status, back.Header.Get("Location"), back.Main())
	}
	if late := v.Post(path, undo); late.Status < 400 || !strings.Contains(late.Body, "It’s too late") {
		t.Errorf("taken back twice: %d %s", late.Status, late.Main())
	}
}
