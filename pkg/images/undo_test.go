package images_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestUndo_deletionCanBeTakenBack marks an image: nobody finds it, but /og serves it. It comes back as the image of its
// request; without that it is deleted.
func TestUndo_deletionCanBeTakenBack(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		made := h.Generate("/page/one", nil).Want(http.StatusOK)
		path := "/images/" + made.Text("id")
		remove := func() { h.Send("DELETE", path+"?undo=true", nil, me).Want(http.StatusNoContent) }
		remove()
		h.Get(path, me).Want(http.StatusNotFound)
		h.Send("DELETE", path+"?undo=true", nil, me).Want(http.StatusNotFound)
		h.Send("DELETE", path, nil, me).Want(http.StatusNotFound)
		if items := h.Get("/images", me).Want(http.StatusOK).Value("items").([]any); len(items) != 0 {
			t.Errorf("the list has %v", items)
		}
		h.Get(made.Path("publicUrl")).Want(http.StatusOK)
		stranger := apptest.Bearer(h.Register().Access)
		h.Post(path+"/undelete", nil, stranger).WantProblem(http.StatusNotFound, "NOT_FOUND")
		back := h.Post(path+"/undelete", nil, me).Want(http.StatusOK)
		again := h.Generate("/page/one", nil).Want(http.StatusOK)
		if back.Text("id") != made.Text("id") || again.Text("id") != made.Text("id") || again.Value("cached") != true {
			t.Errorf("it came back as %s, and its request gives %s", back.Body, again.Body)
		}
		h.Post(path+"/undelete", nil, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
		// The job of the first deletion does nothing, that of the second deletes.
		remove()
		_, err := h.App.DB.Exec(t.Context(), `UPDATE jobs SET due_at = 0 WHERE kind = 'image_deletion'`)
		if err != nil {
			t.Fatal(err)
		}
		apptest.WaitFor(t, "the deletion", func() bool {
			return count(t, h, `SELECT COUNT(*) FROM images`) == 0 && h.Get(made.Path("publicUrl")).Status == http.StatusNotFound
		})
		h.Post(path+"/undelete", nil, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

// TestUndo_endsWhenTheImageIsDrawnAgain sends the request of a marked image: it is drawn again, under an ID of its own.
func TestUndo_endsWhenTheImageIsDrawnAgain(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		made := h.Generate("/page/one", nil).Want(http.StatusOK)
		h.Send("DELETE", "/images/"+made.Text("id")+"?undo=true", nil, me).Want(http.StatusNoContent)
		again := h.Generate("/page/one", nil).Want(http.StatusOK)
		if again.Value("cached") != false || again.Text("id") == made.Text("id") {
			t.Errorf("the same request gives %s", again.Body)
		}
		h.Post("/images/"+made.Text("id")+"/undelete", nil, me).WantProblem(http.StatusConflict, "CONFLICT")
		h.Get("/images/"+made.Text("id"), me).Want(http.StatusNotFound)
		// The new one can be deleted the same way, beside the old one.
		h.Send("DELETE", "/images/"+again.Text("id")+"?undo=true", nil, me).Want(http.StatusNoContent)
		h.Post("/images/"+again.Text("id")+"/undelete", nil, me).Want(http.StatusOK)
	})
}
