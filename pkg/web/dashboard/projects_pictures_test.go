package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const aLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><path d="M0 0h40v10z" fill="#c80000"/></svg>`

// TestProjectPictures_uploadAndDelete uploads files to a project, right and wrong, and deletes one.
func TestProjectPictures_uploadAndDelete(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	bearer := apptest.Bearer(h.Session.Access)
	page, api := projectsPath+"/"+h.Project, "/projects/"+h.Project+"/assets"
	for name, c := range map[string]struct{ content, said string }{
		"a.pdf":   {"%PDF-1.7", "The file is not a picture that we can read."},
		"cut.png": {"\x89PNG\r\n\x1a\n\x00\x00", "The picture cannot be used: it is damaged."},
		"":        {"", "Choose a file."},
		"big.svg": {aLogo + strings.Repeat(" ", 3<<20), "This file is too large. The limit is 2 MB for a picture"},
	} {
		got := v.Upload(page, nil, name, c.content)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Main(), c.said) ||
			!strings.Contains(got.Body, `aria-invalid="true"`) {
			t.Errorf("%s: %d %s", name, got.Status, got.Main())
		}
	}
	sent := v.Upload(page, nil, `C:\logos\`+webtest.Payload+".svg", aLogo)
	if sent.Status != http.StatusSeeOther || sent.Header.Get("Location") != page+"?done=uploaded" {
		t.Fatalf("uploaded: %d to %q %s", sent.Status, sent.Header.Get("Location"), sent.Main())
	}
	made := h.Get(api, bearer)
	id, file := made.Text("items.0.id"), made.Path("items.0.url")
	shown := v.Get(page + "?done=uploaded")
	if !strings.Contains(shown.Body, "The file is uploaded.") || !strings.Contains(shown.Body, `src="`+file+`"`) ||
		strings.Contains(shown.Body, "Delete this picture?") || strings.Contains(shown.Body, "<img src=x") {
		t.Errorf("the page: %s", shown.Main())
	}
	if asked := v.Get(page + "?discard=" + id); !strings.Contains(asked.Body, "Delete this picture?") {
		t.Errorf("asked: %s", asked.Main())
	}
	if gone := v.Post(page, fields("do", "discard", "which", apptest.Nobody)); gone.Status != http.StatusNotFound {
		t.Errorf("a picture that isn't there: %d %s", gone.Status, gone.Main())
	}
	deleted := v.Post(page, fields("do", "discard", "which", id))
	if deleted.Status != http.StatusSeeOther || len(h.Get(api, bearer).Value("items").([]any)) != 0 {
		t.Errorf("deleted: %d %s", deleted.Status, deleted.Main())
	}
	stranger := webtest.SignIn(t, h.Base, h.Register().Access)
	if got := stranger.Upload(page, nil, "a.svg", aLogo); got.Status != http.StatusNotFound {
		t.Errorf("a stranger's upload: %d", got.Status)
	}
}
