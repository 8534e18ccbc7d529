package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// beginDesign writes a document with `design new`.
func beginDesign(t *testing.T, from string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "posts.html")
	if err := (&designNewCommand{File: file, From: from}).run(io.Discard); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDesign_new(t *testing.T) {
	file := beginDesign(t, "minimal")
	again := &designNewCommand{File: file, From: "minimal"}
	if err := again.run(io.Discard); !errors.As(err, new(usage.Error)) {
		t.Errorf("an existing file: %v", err)
	}
	if err := (&designNewCommand{File: file + "x", From: "nothing"}).run(io.Discard); !errors.As(err, new(usage.Error)) {
		t.Errorf("an unknown design: %v", err)
	}
}

func TestDesign_check(t *testing.T) {
	testenv.ManyStarts(t)
	bad := filepath.Join(t.TempDir(), "bad.html")
	if err := os.WriteFile(bad, []byte("<h1>{{title}}</h1>\n{{autho}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "found")
	var out bytes.Buffer
	c := designCheckCommand{Files: []string{bad}, Size: []string{"1200x630"}, JSON: true, Artifacts: folder}
	if err := c.run(t.Context(), &out); !errors.As(err, new(usage.FindingsError)) {
		t.Errorf("got %v, want findings", err)
	}
	var reports []checkedFile
	if err := json.Unmarshal(out.Bytes(), &reports); err != nil || len(reports) != 1 || len(reports[0].Findings) == 0 {
		t.Fatalf("got %s, %v", out.Bytes(), err)
	}
	if !strings.Contains(out.String(), "did you mean {{author}}?") {
		t.Errorf("no suggestion: %s", out.Bytes())
	}
	if pictures, err := os.ReadDir(folder); err != nil || len(pictures) == 0 {
		t.Errorf("no pictures: %v", err)
	}
	out.Reset()
	c.JSON, c.SARIF = false, true
	_ = c.run(t.Context(), &out)
	var log struct {
		Version string
		Runs    []struct{ Results []struct{ RuleID string } }
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil || log.Version != "2.1.0" || len(log.Runs[0].Results) == 0 {
		t.Errorf("SARIF: %v, %s", err, out.Bytes())
	}
	for _, wrong := range []designCheckCommand{
		{Files: []string{bad}, Size: []string{"1x1"}}, {Files: []string{bad + "x"}, Size: []string{"300x300"}},
		{Files: []string{bad}, Size: []string{"300x300"}, JSON: true, SARIF: true},
	} {
		if err := wrong.run(t.Context(), io.Discard); !errors.As(err, new(usage.Error)) {
			t.Errorf("%+v: got %v", wrong, err)
		}
	}
}

// TestDesign_push stores a design, and its next version.
func TestDesign_push(t *testing.T) {
	h := apptest.StartSignedIn(t)
	file := beginDesign(t, "editorial")
	push := func() string {
		var out bytes.Buffer
		c := designPushCommand{File: file, Service: h.Base, Key: h.Key, Project: h.Project}
		if err := c.run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := push(); !strings.Contains(got, "posts is version 1 now") {
		t.Errorf("got %q", got)
	}
	if got := push(); !strings.Contains(got, "version 1 already") {
		t.Errorf("unchanged: got %q", got)
	}
	if err := os.WriteFile(file, []byte("<h1>{{title}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := push(); !strings.Contains(got, "version 2 now") {
		t.Errorf("changed: got %q", got)
	}
	if err := os.WriteFile(file, []byte("<h1>\n{{#title}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := designPushCommand{File: file, Service: h.Base, Key: h.Key, Project: h.Project}
	if err := c.run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "posts.html: Line 2") {
		t.Errorf("a faulty one: %v", err)
	}
}

// TestDesign_preview serves the page, a card, and another one after the file was saved.
func TestDesign_preview(t *testing.T) {
	file := beginDesign(t, "minimal")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		command := &designPreviewCommand{File: file, Size: "1200x630", SiteFlags: targets.SiteFlags{RateFlag: targets.NoRate}}
		ended <- command.serve(ctx, listener, io.Discard)
	}()
	get := func(path, host string) (status int, header http.Header, body string) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+listener.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		all, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, response.Header, string(all)
	}
	status, header, page := get("/", "")
	if status != http.StatusOK || !strings.Contains(page, `<img src="/card?`) || strings.Contains(page, "<style") ||
		!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page: %d %s", status, page)
	}
	if status, header, card := get("/card?text=arabic&mode=light", ""); status != http.StatusOK ||
		!strings.HasPrefix(header.Get("Content-Type"), "image/") || len(card) < 1000 {
		t.Errorf("the card: %d, %d bytes", status, len(card))
	}
	if status, _, _ := get("/", "evil.example:80"); status != http.StatusForbidden {
		t.Errorf("another host: %d", status)
	}
	_, _, before := get("/version", "")
	if err := os.WriteFile(file, []byte("<h1>\n{{#title}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, after := get("/version", ""); after == before {
		t.Error("the version stays when the file is saved")
	}
	if _, _, page := get("/", ""); !strings.Contains(page, "Line 2") || !strings.Contains(page, "can’t be drawn") {
		t.Errorf("a faulty document: %s", page)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
