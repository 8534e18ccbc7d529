package images_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_warningsTellWhatThePictureDoesWithout asks for cards that are whole, that lack characters and whose
// title is too long, and wants the same of the kept records.
func TestGenerate_warningsTellWhatThePictureDoesWithout(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		session := s.Register()
		project := s.NewProject(session)
		key := apptest.Bearer(s.NewKey(session, project))
		codes := func(body []byte) string {
			var image struct {
				Warnings []struct{ Code, Detail string } `json:"warnings"`
			}
			if err := json.Unmarshal(body, &image); err != nil || image.Warnings == nil {
				t.Fatalf("%s: %v", body, err)
			}
			var out []string
			for _, w := range image.Warnings {
				out = append(out, w.Code)
			}
			return strings.Join(out, " ")
		}
		quote := map[string]any{"text": "The page itself is the brief.", "speaker": "Mina Okafor"}
		for _, c := range []struct {
			title, template string
			quote           map[string]any
			want            string
		}{
			{"Hello, world", "editorial", nil, ""},
			{"Hello 🎉 世界 สวัสดี", "editorial", nil, ""},
			{"The Ꮳ of Sequoyah", "editorial", nil, "MISSING_CHARACTERS"},
			{strings.Repeat("many words of a title ", 12), "editorial", nil, "TEXT_WITHOUT_ROOM"},
			{"Hello, world", "quote", nil, "DESIGN_NEEDS"},
			{"Hello, world", "quote", quote, ""},
			{"Hello, world", "byline", nil, "DESIGN_NEEDS"},
			{"Hello, world", "terminal", nil, "DESIGN_NEEDS"},
		} {
			content := map[string]any{"title": c.title}
			if c.quote != nil {
				content["quote"] = c.quote
			}
			body := map[string]any{
				"projectId": project, "url": "https://nowhere.invalid/", "template": c.template, "content": content,
			}
			drawn := s.Post("/images/generate", body, key).Want(http.StatusOK)
			kept := s.Get("/images/"+drawn.Text("id"), apptest.Bearer(session.Access)).Want(http.StatusOK)
			again := s.Post("/images/generate", body, key).Want(http.StatusOK)
			for _, r := range []*apptest.Response{drawn, kept, again} {
				if got := codes(r.Body); got != c.want {
					t.Errorf("%s of %q: got warnings %q, want %q", c.template, c.title, got, c.want)
				}
			}
		}
	})
}
