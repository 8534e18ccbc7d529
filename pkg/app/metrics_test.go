package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

func monitored(c *app.Config) { c.Monitor.Addr = "127.0.0.1:0" }

func TestMetrics_areOffByDefault(t *testing.T) {
	s := apptest.Start(t)
	if addr := s.App.MonitorAddr(); addr != "" {
		t.Errorf("metrics are served on %s", addr)
	}
	s.Get("/metrics").Want(http.StatusNotFound)
	s.Get("/debug/pprof/").Want(http.StatusNotFound)
}

// TestMetrics_countWhatHappened also holds that the labels name nothing that a stranger chose.
func TestMetrics_countWhatHappened(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t, monitored)
	s.Generate("/page/one", nil).Want(http.StatusOK)
	s.Generate("/page/one", nil).Want(http.StatusOK)
	s.Post("/audits", map[string]any{"url": s.Site.At("/page/one")}).Want(http.StatusOK)
	s.Post("/audits", map[string]any{"url": s.Site.At("/data.json")}).Want(http.StatusBadGateway)
	text := s.Metrics()
	for _, want := range []string{
		`masthead_images_stage_seconds_count{result="ok",stage="look up"} 1`,
		`masthead_images_stage_seconds_count{result="done",stage="look up"} 1`,
		`masthead_images_drawings{state="running"} 0`, `masthead_images_drawings{state="waiting"} 0`,
		"masthead_images_drawings_refused_total 0",
		`masthead_audit_reports_total{result="made"} 1`, `masthead_audit_reports_total{result="unread"} 1`,
		`masthead_audit_stage_seconds_count{stage="judge"} 1`, `masthead_audit_pictures_bytes{of="nobody"} `,
		`masthead_auth_hashes{state="running"} 0`, "masthead_auth_hashes_refused_total 0",
		`masthead_picture_decodes_total{result="ok"} `, `masthead_picture_decoders{state="lost"} 0`,
		`masthead_server_request_seconds_count{operation="generateImage",status="2xx"} 2`,
		`masthead_images_stage_seconds_count{result="ok",stage="draw"} 1`,
		"masthead_images_render_seconds_count 1",
		`masthead_mail_attempts_total{result="sent"} 0`, `masthead_payments_events_total{result="new"} 0`,
		`masthead_fetch_exchanges_total{outcome="answered"} `, "masthead_fetch_places_in_use 0",
		"masthead_fetch_places_waiting 0", "masthead_fetch_turns_waiting 0", "masthead_fetch_breakers 0",
		`masthead_db_breaker_open{pool="`, `masthead_db_places_used{pool="`, `masthead_db_waiting{pool="`,
		`masthead_db_refused_total{pool="`,
		`masthead_db_work_total{for="callers",pool="`, `masthead_db_work_total{for="background",pool="`,
		`masthead_server_connections{place="common"} `,
		`masthead_blob_free_bytes{store="images"} `, `masthead_blob_refused_total{store="audits"} 0`,
		`masthead_server_errors_total{code="UPSTREAM_FAILED"} 1`,
		"go_goroutines ", "process_open_fds ",
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, never := range []string{s.Project, s.Session.Email, "127.0.0.1", "localhost", "/page", "http:"} {
		for _, label := range regexp.MustCompile(`(?m)^[a-z_]+\{([^}]*)\}`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(label[1], never) {
				t.Errorf("a label holds %q: %s", never, label[0])
			}
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^# HELP (\S+)`).FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`^(masthead_[a-z]+_[a-z_]+|go_|process_)`).MatchString(line[1]) {
			t.Errorf("%s is not named like the others", line[1])
		}
	}
}
