package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// Source: the specification, "Audit request and report" and "States and transitions": includeAi true runs the scraped
// content through the analysis model; ai.status is PENDING, READY, FAILED or SKIPPED.
func TestSpecification_includeAIRunsTheModel(t *testing.T) {
	says(t, "Audit ai.status values: PENDING, READY, FAILED, SKIPPED.",
		"includeAi true runs the scraped content through the analysis model.")
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer provider.Close()
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: provider.BaseURL, TextModel: fakeai.ModelText}
		c.Opinion.Pause, c.JobsEvery = time.Millisecond, 5*time.Millisecond
	})
	owner, asking := apptest.Bearer(s.Session.Access), map[string]any{"includeAi": true}
	for page, want := range map[string]string{"/page/wanted": "READY", "/page/fault:500": "FAILED"} {
		made := auditOf(s, "/api/audits", page, asking, owner).Want(http.StatusOK)
		if made.Text("ai.status") != "PENDING" {
			t.Errorf("%s: got %v, want it pending", page, made.Value("ai"))
		}
		var got *apptest.Response
		apptest.WaitFor(t, "the analysis", func() bool {
			got = s.Get("/api/audits/"+made.Text("id"), owner)
			return got.Text("ai.status") != "PENDING"
		})
		if got.Text("ai.status") != want || (got.Value("ai.error") != nil) != (want == "FAILED") ||
			(got.Value("ai.analysis") != nil) != (want == "READY") {
			t.Errorf("%s: got %v, want %s", page, got.Value("ai"), want)
		}
	}
	skipped := auditOf(s, "/api/audits", "/page/unwanted", nil, owner).Want(http.StatusOK)
	if skipped.Text("ai.status") != "SKIPPED" {
		t.Errorf("not asked for: got %v, want SKIPPED", skipped.Value("ai"))
	}
	for _, chat := range provider.Chats() {
		content := chat.Messages[len(chat.Messages)-1].Content
		if !strings.Contains(content, "Page ") || strings.Contains(content, "unwanted") {
			t.Errorf("the model was asked %q, want what the pages say, and nothing of the one that nobody asked about", content)
		}
	}
}
