package moduletest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"masthead/gen"
	"masthead/pkg/app/apptest"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
)

// TestValue_isWhatReadHas compares what a page gets as it is with the slow way, through JSON.
func TestValue_isWhatReadHas(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	bearer := apptest.Bearer(s.Session.Access)
	image := s.Generate("/page/a", map[string]any{"data": map[string]any{"n": 1.5, "list": []any{"a", nil}}}).
		Want(http.StatusOK).Text("id")
	watch := s.Post("/watches", map[string]any{"url": s.Site.At("/page/a")}, bearer).Want(http.StatusCreated).Text("id")
	apptest.WaitFor(t, "the audit", func() bool { return s.Get("/watches", bearer).Value("items.0.auditId") != nil })
	page, _ := pageOf(signedIn(t, s, s.Session), http.MethodGet)
	for id, c := range map[string]struct {
		in           server.Input
		fast, slowly any
	}{
		"getMe":             {server.Input{}, new(gen.User), new(gen.User)},
		"getUsage":          {server.Input{}, new(gen.Usage), new(gen.Usage)},
		"listProjects":      {server.Input{}, new(gen.ProjectPage), new(gen.ProjectPage)},
		"listImages":        {server.Input{}, new(gen.ImagePage), new(gen.ImagePage)},
		"listAudits":        {server.Input{}, new(gen.AuditPage), new(gen.AuditPage)},
		"listNotifications": {server.Input{}, new(gen.NotificationPage), new(gen.NotificationPage)},
		"listWatches": {
			server.Input{Query: url.Values{"order": {"worst"}, "totals": {"true"}, "scores": {"2"}}},
			new(gen.WatchPage), new(gen.WatchPage),
		},
		"getImage": {server.Input{Path: map[string]string{"imageId": image}}, new(gen.Image), new(gen.Image)},
		"getWatchHistory": {
			server.Input{Path: map[string]string{"watchId": watch}}, new(gen.WatchHistory), new(gen.WatchHistory),
		},
	} {
		of := s.App.Operation(id)
		if err := of.Value(page, c.in, c.fast); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		out, err := of.Read(page, c.in)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if err := out.Decode(c.slowly); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		got, _ := json.Marshal(c.fast)
		want, _ := json.Marshal(c.slowly)
		if string(got) != string(want) || len(got) < 20 {
			t.Errorf("%s: got\n%s\nwant\n%s", id, got, want)
		}
	}
}

func TestValue_errors(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	page, _ := pageOf(signedIn(t, s, s.Session), http.MethodGet)
	var me gen.User
	if err := s.App.Operation("createProject").Value(page, server.Input{}, &me); err == nil {
		t.Error("an operation that changes something was read")
	}
	var image gen.Image
	missing := server.Input{Path: map[string]string{"imageId": "01900000-0000-7000-8000-000000000000"}}
	err := s.App.Operation("getImage").Value(page, missing, &image)
	wantFault(t, "an image that doesn't exist", err, apperr.NotFound, "")
}
