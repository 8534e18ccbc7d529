package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/testenv"
)

// runResult is what a run of the program left.
type runResult struct {
	out, report string // standard output and standard error
	code        int
}

// masthead runs the program in a folder, as somebody in a terminal does, until it ends. settings stand in its
// environment as NAME=value, and nothing else of ours does.
func masthead(t *testing.T, dir, in string, settings []string, args ...string) runResult {
	t.Helper()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, report bytes.Buffer
	cmd := exec.CommandContext(t.Context(), file, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(in), &out, &report
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, prefix) {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(append(cmd.Env, asProgram+"=1"), settings...)
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return runResult{out.String(), report.String(), cmd.ProcessState.ExitCode()}
}

// want fails the test unless the program ended with the code and said all the parts, on either output.
func (e runResult) want(t *testing.T, code int, parts ...string) {
	t.Helper()
	if e.code != code {
		t.Errorf("got exit code %d, want %d; it said: %s%s", e.code, code, e.out, e.report)
	}
	for _, part := range parts {
		if !strings.Contains(e.out+e.report, part) {
			t.Errorf("got %s%s, want it to say %q", e.out, e.report, part)
		}
	}
}

func TestProgram_helpAndVersionAreCommandsToo(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"help"}, exitDone, "Commands:"},
		{[]string{"help", "serve"}, exitDone, "MASTHEAD_ADDR"},
		{[]string{"help", "key", "create"}, exitDone, "--project"},
		{[]string{"help", "nonsense"}, exitUsage, "nonsense"},
		{[]string{"--help"}, exitDone, "Commands:"},
		{[]string{"version"}, exitDone, "masthead dev, revision"},
		{[]string{"--version"}, exitDone, "masthead dev, revision"},
		{nil, exitUsage, "Commands:"},
		{[]string{"sevre"}, exitUsage, `did you mean "serve"`},
		{[]string{"audit", "https://example.com/", "--fail-on"}, exitUsage, "--fail-on needs a value"},
		{[]string{"serve", "--adr", "x"}, exitUsage, "--addr"},
	} {
		masthead(t, dir, "", nil, c.args...).want(t, c.code, c.want)
	}
}

func TestFakeAI_wrongFlagsAreTold(t *testing.T) {
	dir := t.TempDir()
	masthead(t, dir, "", nil, "fake-ai", "--fault", "typo").want(t, 2, "--fault", "policy")
	masthead(t, dir, "", nil, "fake-ai", "--addr", "0.0.0.0:0").want(t, 2, "--addr", "loopback")
	masthead(t, dir, "", nil, "fake-ai", "--addr", "nonsense").want(t, 2, "--addr")
}

func TestFakeAI_drawsUntilItIsToldToEnd(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, told := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- (&fakeAICommand{Addr: "127.0.0.1:0"}).run(ctx, told) }()
	text := make([]byte, 4096)
	n, err := out.Read(text)
	base := regexp.MustCompile(`MASTHEAD_AI_BASE_URL=(\S+)`).FindSubmatch(text[:n])
	if err != nil || base == nil {
		t.Fatalf("got %q, %v, want the settings of the service", text[:n], err)
	}
	resp, err := http.Post(string(base[1])+"/images/generations", "application/json",
		strings.NewReader(`{"prompt": "waves", "size": "96x64"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("b64_json")) {
		t.Errorf("got %d %.100s, %v, want a picture", resp.StatusCode, body, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
