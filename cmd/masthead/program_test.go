package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// ended is what a run of the program left.
type ended struct {
	out, report string // standard output and standard error
	code        int
}

// masthead runs the program in a folder, as somebody in a terminal does, until it ends. settings stand in its
// environment as NAME=value, and nothing else of ours does.
func masthead(t *testing.T, dir, in string, settings []string, args ...string) ended {
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
	return ended{out.String(), report.String(), cmd.ProcessState.ExitCode()}
}

// want fails the test unless the program ended with the code and said all the parts, on either output.
func (e ended) want(t *testing.T, code int, parts ...string) {
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
		{[]string{"serve", "--adr", "x"}, exitUsage, "--addr"},
	} {
		masthead(t, dir, "", nil, c.args...).want(t, c.code, c.want)
	}
}
