package main

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestAudit_json_isThatOfTheService audits pages by the command line and by a
// service: the reports differ in ids, times and the addresses of kept pictures.
func TestAudit_json_isThatOfTheService(t *testing.T) {
	site := newAuditedSite(t)
	h := apptest.Start(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32:"+site.URL[strings.LastIndexByte(site.URL, ':')+1:])
	})
	for _, path := range []string{"/", "/tagged", "/none"} {
		got := auditPages(t, site.URL+path, "--format", "json")
		var local map[string]any
		if err := json.Unmarshal([]byte(got.out), &local); err != nil {
			t.Fatalf("%s: %v in %s", path, err, got.out)
		}
		kept := h.Post("/audits", map[string]any{"url": site.URL + path}).Want(http.StatusOK)
		var remote map[string]any
		if err := json.Unmarshal(kept.Body, &remote); err != nil {
			t.Fatal(err)
		}
		for _, report := range []map[string]any{local, remote} {
			if report["fetchedAt"] == "" || len(report["issues"].([]any)) < 20 {
				t.Fatalf("%s: %v is no report", path, report)
			}
			if agents, ok := report["agents"].(map[string]any); !ok || len(agents["findings"].([]any)) < 5 {
				t.Errorf("%s: got agents %v", path, report["agents"])
			}
			// Anonymous audits don't request the files that AI agents look for.
			for _, name := range []string{"id", "fetchedAt", "ai", "agents"} {
				delete(report, name)
			}
			for _, picture := range report["pictures"].([]any) {
				delete(picture.(map[string]any), "shownUrl")
			}
		}
		names := map[string]bool{}
		for _, report := range []map[string]any{local, remote} {
			for name := range report {
				names[name] = true
			}
		}
		for name := range names {
			if !reflect.DeepEqual(local[name], remote[name]) {
				t.Errorf("%s: %s is\n%v\nof the service\n%v", path, name, local[name], remote[name])
			}
		}
	}
}
