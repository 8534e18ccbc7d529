//go:build nightly

package dashboard_test

import (
	"context"
	"encoding/json"
	"os"
	osexec "os/exec" // exec is a function of these tests
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/identity"
	"masthead/pkg/testenv"
)

// TestDashboard_lighthouse holds the scores of every page: 100 for accessibility and best practices, and at least 95
// for performance on a phone with a slow network.
func TestDashboard_lighthouse(t *testing.T) {
	script, ok := testenv.Lighthouse(t)
	if !ok {
		return
	}
	path, ok := testenv.Chromium(t)
	if !ok {
		return
	}
	h, all := startFull(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	args := []string{script}
	for _, page := range all {
		args = append(args, h.Base+page)
	}
	command := osexec.CommandContext(ctx, "node", args...)
	command.Env = append(os.Environ(), "CHROME_PATH="+path, "LIGHTHOUSE_PERFORMANCE=1",
		"LIGHTHOUSE_COOKIE="+identity.CookieName+"="+h.Session.Access)
	command.Dir = filepath.Dir(script)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var pages []struct {
		URL    string             `json:"url"`
		Shown  string             `json:"shown"` // after redirects, such as that to the form for signing in
		Scores map[string]float64 `json:"scores"`
		Faults []string           `json:"faults"`
	}
	if err := json.Unmarshal(output, &pages); err != nil || len(pages) != len(all) {
		t.Fatalf("got %s: %v", output, err)
	}
	for _, p := range pages {
		t.Log(p.URL, p.Scores)
		if p.Shown != p.URL || p.Scores["accessibility"] != 100 || p.Scores["best-practices"] != 100 || p.Scores["performance"] < 95 {
			t.Errorf("%s, shown %s: got %v: %s", p.URL, p.Shown, p.Scores, strings.Join(p.Faults, "\n"))
		}
	}
}
