package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// batch is the body of a batch of count images of the service's project, none of which needs its page.
func batch(s *apptest.Service, from, count int) map[string]any {
	requests := make([]any, count)
	for i := range requests {
		requests[i] = batchesRequest(s, fmt.Sprint("/", from+i))
	}
	return map[string]any{"requests": requests}
}

func batchesRequest(s *apptest.Service, path string) map[string]any {
	return map[string]any{
		"url": "https://nowhere.example" + path, "projectId": s.Project,
		"content": map[string]any{"title": "Page " + path},
	}
}

// done waits until a batch is done, and returns it with its first results.
func done(t *testing.T, s *apptest.Service, id string) *apptest.Response {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		r := s.Get("/images/batches/"+id, apptest.Bearer(s.Key)).Want(http.StatusOK)
		state, _ := r.Value("batch").(map[string]any)
		if state["state"] == "DONE" {
			return r
		}
		if time.Now().After(end) {
			t.Fatalf("the batch isn't done: %v", state)
		}
	}
}

func items(t *testing.T, r *apptest.Response) (list []map[string]any) {
	t.Helper()
	all, _ := r.Value("items").([]any)
	for _, one := range all {
		item, _ := one.(map[string]any)
		list = append(list, item)
	}
	return list
}

func TestBatch_everyRequestHasItsResult(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = 10 * time.Millisecond })
	key := apptest.Bearer(s.Key)
	body := batch(s, 0, 2)
	unknown := batchesRequest(s, "/unknown")
	unknown["template"] = "no-such-template"
	fetched := map[string]any{"url": s.Site.At("/page/one"), "projectId": s.Project}
	twice := batchesRequest(s, "/0")
	body["requests"] = append(body["requests"].([]any), unknown, fetched, twice)
	repeat := apptest.Header("Idempotency-Key", "a batch")

	made := s.Post("/images/batch", body, key, repeat).Want(http.StatusAccepted)
	id := made.Text("id")
	if made.Value("total") != 5.0 || made.Value("waiting") != 5.0 || made.Value("state") != "ACTIVE" {
		t.Errorf("got %s, want five requests that wait", made.Body)
	}
	if got := s.Post("/images/batch", body, key, repeat).Want(http.StatusAccepted).Text("id"); got != id {
		t.Errorf("a repeat made the batch %s, want %s again", got, id)
	}
	r := done(t, s, id)
	state, _ := r.Value("batch").(map[string]any)
	if state["waiting"] != 0.0 || state["failed"] != 1.0 || state["endedAt"] == nil || state["expiresAt"] == nil {
		t.Errorf("got %v, want nothing that waits, and one failure", state)
	}
	list := items(t, r)
	if len(list) != 5 {
		t.Fatalf("got %d results, want 5", len(list))
	}
	for i, item := range list {
		problem, _ := item["problem"].(map[string]any)
		if i == 2 {
			if item["state"] != "FAILED" || problem["code"] != "NOT_FOUND" || problem["status"] != 404.0 ||
				item["imageId"] != nil {
				t.Errorf("got %v for the unknown design, want its problem", item)
			}
			continue
		}
		if item["state"] != "DONE" || problem != nil || item["index"] != float64(i) {
			t.Fatalf("got %v at %d, want an image", item, i)
		}
		image := s.Get("/images/"+item["imageId"].(string), key).Want(http.StatusOK)
		if image.Text("url") != item["url"] || image.Text("publicUrl") != item["publicUrl"] {
			t.Errorf("got the image of %s at %s for %v", image.Text("url"), image.Text("publicUrl"), item)
		}
	}
	if list[0]["imageId"] != list[4]["imageId"] {
		t.Error("equal requests have different images")
	}
	// The results come in pages, in their order.
	first := s.Get("/images/batches/"+id+"?limit=3", key).Want(http.StatusOK)
	rest := items(t, s.Get("/images/batches/"+id+"?limit=3&cursor="+first.Text("nextCursor"), key).Want(http.StatusOK))
	if len(items(t, first)) != 3 || len(rest) != 2 || rest[0]["index"] != 3.0 {
		t.Errorf("got the second page %v", rest)
	}
	s.Get("/images/batches/"+id+"?cursor=AAAA", key).Want(http.StatusBadRequest)
	// The key of another project doesn't find it.
	other := apptest.Bearer(s.NewKey(s.Session, s.NewProject(s.Session)))
	s.Get("/images/batches/"+id, other).Want(http.StatusNotFound)
	// After a week it is deleted, and its images stay.
	if _, err := s.App.DB.Exec(t.Context(), `UPDATE batches SET ended_at = ended_at - 605000000`); err != nil {
		t.Fatal(err)
	}
	if err := s.App.Batches.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Get("/images/batches/"+id, key).Want(http.StatusNotFound)
	s.Get("/images/"+list[0]["imageId"].(string), key).Want(http.StatusOK)
}

func TestBatch_moreThanThePlanAllows_isRefusedAsAWhole(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.JobsEvery, c.Billing.FreeRPM = time.Hour, 1000 // nothing is drawn
	})
	key := apptest.Bearer(s.Key)
	first := s.Post("/images/batch", batch(s, 0, 60), key).Want(http.StatusAccepted)
	remaining := first.Header.Get("X-RateLimit-Remaining")
	second := s.Post("/images/batch", batch(s, 60, 41), key).Want(http.StatusPaymentRequired)
	if !strings.Contains(second.Text("detail"), "100") || !strings.Contains(second.Text("detail"), "60") {
		t.Errorf("got %q, want the limit, and what is waiting", second.Text("detail"))
	}
	third := s.Post("/images/batch", batch(s, 60, 40), key).Want(http.StatusAccepted)
	// Two requests made the project and the key.
	if remaining != "997" || third.Header.Get("X-RateLimit-Remaining") != "995" {
		t.Errorf("got %s and %s requests left, want each batch counted once", remaining,
			third.Header.Get("X-RateLimit-Remaining"))
	}
	var jobs, entries int
	if err := s.App.DB.Get(t.Context(), &jobs, `SELECT COUNT(*) FROM jobs WHERE kind = 'batch entry'`); err != nil {
		t.Fatal(err)
	}
	if err := s.App.DB.Get(t.Context(), &entries, `SELECT COUNT(*) FROM batch_entries`); err != nil {
		t.Fatal(err)
	}
	if jobs != 100 || entries != 100 {
		t.Errorf("got %d jobs and %d entries, want those of the accepted batches, 100", jobs, entries)
	}
	s.Post("/images/batch", batch(s, 0, 1001), key).Want(http.StatusBadRequest)
	s.Post("/images/batch", map[string]any{"requests": []any{}}, key).Want(http.StatusBadRequest)

	// Nothing of it is left without its project.
	s.Send("DELETE", "/projects/"+s.Project, nil, apptest.Bearer(s.Session.Access)).Want(http.StatusNoContent)
	if err := s.App.DB.Get(t.Context(), &entries, `SELECT COUNT(*) FROM batch_entries`); err != nil || entries != 0 {
		t.Errorf("got %d entries of a deleted project, %v, want none", entries, err)
	}
}

// TestBatch_ofTheLargestSize is accepted: 1,000 requests in almost 4 MB, on Pro.
func TestBatch_ofTheLargestSize(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = time.Hour })
	if _, err := s.App.DB.Exec(t.Context(), `UPDATE users SET plan = 'pro'`); err != nil {
		t.Fatal(err)
	}
	fresh := apptest.Bearer(s.NewKey(s.Session, s.Project))
	body := batch(s, 0, 1000)
	for _, one := range body["requests"].([]any) {
		content, _ := one.(map[string]any)["content"].(map[string]any)
		content["description"] = strings.Repeat("ä", 1000)
		content["favicon"] = "https://nowhere.example/" + strings.Repeat("a", 1900)
	}
	made := s.Post("/images/batch", body, fresh).Want(http.StatusAccepted)
	if made.Value("total") != 1000.0 {
		t.Errorf("got %s, want 1,000 requests", made.Body)
	}
	for _, one := range body["requests"].([]any) {
		content, _ := one.(map[string]any)["content"].(map[string]any)
		content["logo"] = content["favicon"]
	}
	s.Post("/images/batch", body, fresh).WantProblem(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
}

// TestBatch_aiPicturesTakeUnitsWhenTheyAreDrawn asks for more AI pictures than the account has units: the batch is
// accepted, as many as there are units get one, and the others are drawn without.
func TestBatch_aiPicturesTakeUnitsWhenTheyAreDrawn(t *testing.T) {
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Size: fakeai.Size{Width: 384, Height: 256}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() })
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.JobsEvery = 10 * time.Millisecond
		c.AI = ai.Config{
			BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard, PictureTime: 5 * time.Second,
		}
	})
	const units, asked = 3, 5 // of the plan Free
	body := batch(s, 0, asked)
	for _, one := range body["requests"].([]any) {
		r, _ := one.(map[string]any)
		r["ai"], r["template"] = true, "editorial"
	}
	key := apptest.Bearer(s.Key)
	with, without := 0, 0
	for _, item := range items(t, done(t, s, s.Post("/images/batch", body, key).Want(http.StatusAccepted).Text("id"))) {
		switch image := s.Get(fmt.Sprint("/images/", item["imageId"]), key).Want(http.StatusOK); {
		case image.Value("ai.fellBack") == false:
			with++
		case image.Value("ai.fallbackReason") == "quota":
			without++
		default:
			t.Errorf("got %s", image.Body)
		}
	}
	var used int
	if err := s.App.DB.Get(t.Context(), &used, `SELECT COALESCE(SUM(units), 0) FROM usage_months`); err != nil {
		t.Fatal(err)
	}
	if with != units || without != asked-units || used != units {
		t.Errorf("got %d AI pictures, %d cards without and %d units, want %d, %d and %d", with, without, used, units,
			asked-units, units)
	}
}

// TestBatch_sizes draws a card in several sizes, as POST /images/generate does.
func TestBatch_sizes(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = 10 * time.Millisecond })
	key := apptest.Bearer(s.Key)
	sized, wrong := batchesRequest(s, "/sized"), batchesRequest(s, "/wrong")
	sized["sizes"] = []any{map[string]any{"width": 1080, "height": 1080}}
	wrong["sizes"] = []any{map[string]any{"width": 1000, "height": 900}}
	made := s.Post("/images/batch", map[string]any{"requests": []any{sized, wrong}}, key).Want(http.StatusAccepted)
	results := items(t, done(t, s, made.Text("id")))
	image := s.Get(fmt.Sprint("/images/", results[0]["imageId"]), key).Want(http.StatusOK)
	if image.Value("assets.0.width") != 1080.0 || image.Value("assets.0.height") != 1080.0 {
		t.Errorf("got %s", image.Body)
	}
	problem, _ := results[1]["problem"].(map[string]any)
	if detail, _ := problem["detail"].(string); !strings.Contains(detail, "1080x1350") {
		t.Errorf("got %v, want the sizes that there are", results[1])
	}
}
