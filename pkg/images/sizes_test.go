package images_test

import (
	"image"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_kindCustom_isATemplateInOneOfItsSizes draws templates in the sizes that the catalog lists for them.
func TestGenerate_kindCustom_isATemplateInOneOfItsSizes(t *testing.T) {
	apptest.OnBoth(t, testTemplateSizes)
}

func testTemplateSizes(t *testing.T, h *apptest.Service) {
	sized := func(template string, w, hi int) map[string]any {
		body := map[string]any{"kind": "custom", "size": map[string]any{"width": w, "height": hi}}
		if template != "" {
			body["template"] = template
		}
		return body
	}
	for _, template := range []string{"editorial", "", "auto"} {
		made := h.Generate("/page/one", sized(template, 1080, 1350)).Want(http.StatusOK)
		if _, size := pixel(t, h.Get(made.Path("imageUrl")), 5, 5); size != image.Pt(1080, 1350) ||
			made.Text("template") != "editorial" || made.Text("kind") != "custom" {
			t.Errorf("%q: got %v: %s", template, size, made.Body)
		}
	}
	for _, c := range []struct{ template, want string }{
		{"minimal", "1080x1080, 1500x500, 1584x396"}, {"docs", "has none for kind custom"}, {"auto", "1080x1920"},
	} {
		problem := h.Generate("/page/one", sized(c.template, 1000, 900)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if !strings.Contains(string(problem.Body), c.want) || !strings.Contains(string(problem.Body), "/size") {
			t.Errorf("%s: got %s, want %q in it", c.template, problem.Body, c.want)
		}
	}
	h.Generate("/page/one", sized("nope", 1080, 1080)).WantProblem(http.StatusNotFound, "NOT_FOUND")
}
