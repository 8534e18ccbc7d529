package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const usagePath = "/dashboard/usage"

func TestUsage_figuresAndFile(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	if empty := v.Get(usagePath); !strings.Contains(empty.Body, "Nothing in "+time.Now().UTC().Format("January 2006")) {
		t.Errorf("before the first image: %s", empty.Main())
	}
	bearer := apptest.Bearer(h.Session.Access)
	hostile := map[string]any{"name": webtest.Payload}
	h.Send("PATCH", "/projects/"+h.Project, hostile, bearer).Want(http.StatusOK)
	hostile["projectId"] = h.Project
	key := h.Post("/keys", hostile, bearer).Want(http.StatusCreated)
	for _, page := range []string{"a", "b", "c"} {
		body := map[string]any{"url": h.Site.At("/page/" + page), "projectId": h.Project}
		h.Post("/images/generate", body, apptest.Bearer(key.Text("secret"))).Want(http.StatusOK)
	}
	if err := h.App.Usage.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := v.Get(usagePath)
	webtest.WantText(t, page, 2) // by project and by key
	if page.Private() != "" || !strings.Contains(page.Body, `class="one-part"`) ||
		!strings.Contains(page.Body, ": 3 drawn") {
		t.Errorf("the page: %s %s", page.Private(), page.Main())
	}
	month := time.Now().UTC().Format("2006-01")
	file := v.Get(usagePath + ".csv?month=" + month)
	if file.Status != http.StatusOK || file.Header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") || !strings.HasPrefix(file.Body, "date,projectId,") ||
		file.Header.Get("Content-Disposition") != `attachment; filename="usage-`+month+`.csv"` {
		t.Errorf("the file: %d %v %s", file.Status, file.Header, file.Body)
	}
	for _, query := range []string{"?month=1999-01", "?month=x%22", "?month=2026-13"} {
		for _, path := range []string{usagePath, usagePath + ".csv"} {
			if page := v.Get(path + query); page.Status != http.StatusNotFound {
				t.Errorf("%s%s: %d", path, query, page.Status)
			}
		}
	}
	page = v.Get(usagePath + "?month=2025-02")
	if page.Status != http.StatusOK || !strings.Contains(page.Body, "March 2025") {
		t.Errorf("an earlier month: %d %s", page.Status, page.Main())
	}
}

func TestUsage_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	for _, page := range []string{"a", "b", "c", "a"} {
		h.Generate("/page/"+page, nil).Want(http.StatusOK)
	}
	if err := h.App.Usage.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "usage", Path: usagePath})
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "usage-empty", Path: usagePath + "?month=2025-02"})
}
