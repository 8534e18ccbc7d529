package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/auth"
	"masthead/pkg/picture/svg"
	"masthead/pkg/server"
	"masthead/pkg/testenv"
)

// The first start of a service that others can reach prints a link that creates the admin once. There is no other way
// to become the admin by registering, and later starts print none.
func TestServe_firstStartPrintsALinkForTheAdmin(t *testing.T) {
	keepLogger(t)
	dir := t.TempDir()
	start := func() (greeting string, stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		command := &serveCommand{Config: app.Config{
			Storage: app.Storage{DataDir: dir}, Server: server.Config{Addr: "0.0.0.0:0", AuthRPM: 20},
			Auth: auth.Config{Registration: "open", CheapHashes: true}, SVG: svg.Config{Dir: testenv.CacheDir()},
		}, Log: logConfig{Level: "error"}}
		read, write := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- command.run(ctx, write, os.Stderr) }()
		text := make([]byte, 1<<16)
		n, err := read.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(text[:n]), func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	greeting, stop := start()
	link := regexp.MustCompile(`\n  (http://localhost:\d+)/register#token=(\S+)\n`).FindStringSubmatch(greeting)
	if link == nil || !strings.Contains(greeting, "within 24 hours") {
		t.Fatalf("there is no link: %s", greeting)
	}
	register := func(email, token string) (status int, body string) {
		fields := `{"email": "` + email + `", "password": "` + apptest.Password + `"`
		if token != "" {
			fields += `, "setupToken": "` + token + `"`
		}
		response, err := http.Post(link[1]+"/auth/register", "application/json", strings.NewReader(fields+"}"))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	for _, step := range []struct {
		email, token string
		status       int
		role         string
	}{
		{"mallory@example.com", "", http.StatusCreated, `"role":"user"`},
		{"eve@example.com", "guess-guess", http.StatusForbidden, ""},
		{"ada@example.com", link[2], http.StatusCreated, `"role":"admin"`},
		{"bob@example.com", link[2], http.StatusForbidden, ""},
	} {
		if status, body := register(step.email, step.token); status != step.status || !strings.Contains(body, step.role) {
			t.Errorf("%s: got %d, %s, want %d, %s", step.email, status, body, step.status, step.role)
		}
	}
	stop()
	greeting, stop = start()
	defer stop()
	if strings.Contains(greeting, "token") || strings.Contains(greeting, "no admin") {
		t.Errorf("with an admin, it prints %s", greeting)
	}
}
