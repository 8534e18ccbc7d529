package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/apptest"
)

func from(id, template string) map[string]any {
	return map[string]any{"ai": map[string]any{"from": id}, "template": template}
}

// TestReuse_otherDesignsHaveTheSameAIPicture draws a design with the AI picture of another one: without asking the
// provider, without a unit, and also once that image is deleted.
func TestReuse_otherDesignsHaveTheSameAIPicture(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		me := apptest.Bearer(h.Session.Access)
		made := wantAI(t, h.Generate("/page/harbour", withTrue), "")
		plain := h.Generate("/page/harbour", map[string]any{"template": "poster"}).Want(http.StatusOK)
		reused := wantAI(t, h.Generate("/page/harbour", from(made.Text("id"), "poster")), "")
		if reused.Text("ai.from") != made.Text("id") || reused.Text("ai.model") != made.Text("ai.model") ||
			reused.Text("ai.prompt") != made.Text("ai.prompt") || made.Value("ai.from") != nil {
			t.Errorf("got %v, want the model and the prompt of %v", reused.Value("ai"), made.Value("ai"))
		}
		if bytes.Equal(h.Get(reused.Path("imageUrl")).Body, h.Get(plain.Path("imageUrl")).Body) {
			t.Error("the card has no AI picture")
		}
		again := wantAI(t, h.Generate("/page/harbour", from(made.Text("id"), "poster")), "")
		if again.Text("id") != reused.Text("id") || again.Value("cached") != true {
			t.Errorf("again: got %s, want the kept image", again.Body)
		}
		h.Send("DELETE", "/images/"+made.Text("id"), nil, me).Want(http.StatusNoContent)
		if err := h.App.Files.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		third := wantAI(t, h.Generate("/page/quay", from(reused.Text("id"), "editorial")), "")
		h.Generate("/page/other", from(made.Text("id"), "editorial")).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if n, _ := provider.Asked(); n != 1 {
			t.Errorf("the provider was asked %d times, want once", n)
		}
		wantUnits(t, h, 1)
		forced := from(reused.Text("id"), "editorial")
		forced["force"] = true
		if got := wantAI(t, h.Generate("/page/quay", forced), ""); got.Text("id") != third.Text("id") {
			t.Errorf("redrawn: got %s", got.Body)
		}
		for _, id := range []string{reused.Text("id"), third.Text("id")} {
			h.Send("DELETE", "/images/"+id, nil, me).Want(http.StatusNoContent)
		}
		apptest.WaitFor(t, "the sweep of the AI pictures of deleted images", func() bool {
			return count(t, h, `SELECT COUNT(*) FROM files WHERE name = 'background.jpg'`) == 0
		})
	})
}

// TestReuse_refused asks for AI pictures that there aren't, and for too much at once.
func TestReuse_refused(t *testing.T) {
	t.Parallel()
	option, provider := withAI(t, fakeai.Config{})
	h := apptest.StartSignedIn(t, option)
	made := wantAI(t, h.Generate("/page/harbour", withTrue), "")
	plain := h.Generate("/page/harbour", nil).Want(http.StatusOK)
	other := h.NewProject(h.Session)
	stranger := h.Register()
	theirs := h.NewProject(stranger)
	for name, c := range map[string]struct {
		ai      map[string]any
		project string
		key     string
	}{
		"no image":        {map[string]any{"from": apptest.Nobody}, h.Project, h.Key},
		"no ID":           {map[string]any{"from": "1"}, h.Project, h.Key},
		"no AI picture":   {map[string]any{"from": plain.Text("id")}, h.Project, h.Key},
		"another project": {map[string]any{"from": made.Text("id")}, other, h.NewKey(h.Session, other)},
		"another account": {map[string]any{"from": made.Text("id")}, theirs, h.NewKey(stranger, theirs)},
		"with a prompt":   {map[string]any{"from": made.Text("id"), "prompt": "A quay"}, h.Project, h.Key},
		"with a model":    {map[string]any{"from": made.Text("id"), "model": "standard"}, h.Project, h.Key},
	} {
		body := map[string]any{"url": h.Site.At("/page/x"), "projectId": c.project, "ai": c.ai}
		got := h.Post("/images/generate", body, apptest.Bearer(c.key))
		if got.Status != http.StatusBadRequest || got.Text("errors.0.pointer") != "/ai/from" {
			t.Errorf("%s: got %d %s", name, got.Status, got.Body)
		}
	}
	bare := h.Generate("/page/harbour", from(made.Text("id"), bareDesign(t, h)))
	wantAI(t, bare, "template")
	if n, _ := provider.Asked(); n != 1 {
		t.Errorf("the provider was asked %d times, want once", n)
	}
}

// bareDesign is a design that takes no AI picture.
func bareDesign(t *testing.T, h *apptest.Service) string {
	t.Helper()
	list := h.Get("/templates?kind=og").Want(http.StatusOK)
	for i := range len(list.Value("items").([]any)) {
		if at := fmt.Sprint("items.", i); list.Value(at+".ai") == false {
			return list.Text(at + ".slug")
		}
	}
	t.Fatal("all designs take one")
	return ""
}
