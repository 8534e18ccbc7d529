//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/testenv"
)

// TestDeployDocs_commandsWork runs the commands of docs/deploy.md on one node, as they stand there and in one shell.
func TestDeployDocs_commandsWork(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n")
	for _, section := range []string{"### Binary", "## Backups", "## Upgrades"} {
		_, rest, found := strings.Cut(string(text), "\n"+section+"\n")
		_, rest, begins := strings.Cut(rest, "\n```sh\n")
		block, _, ends := strings.Cut(rest, "```\n")
		if !found || !begins || !ends {
			t.Fatalf("docs/deploy.md has no commands under %q", section)
		}
		script.WriteString(block)
	}
	script.WriteString("kill %%; wait\n")

	dir, bin := t.TempDir(), t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "masthead")); err != nil {
		t.Fatal(err)
	}
	shareCompiled(t, filepath.Join(dir, "data"))
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script.String())
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, asProgram + "=1",
		// A base URL keeps the check from asking the resolver of this machine.
		"MASTHEAD_ADDR=" + testenv.FreeAddress(t), "MASTHEAD_BASE_URL=http://localhost",
	}
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, script.String(), &out)
	}
	for _, want := range []string{
		"ok    database", "Masthead is listening on http://localhost", "Created the admin you@example.com",
		"Project My site: ", "Backed up the database and 0 files to masthead.tar", "Restored the database and 0 files",
		"masthead dev, ", "The data is up to date", "to before-upgrade.tar",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it doesn't say %q:\n%s", want, &out)
		}
	}
	if starts := len(regexp.MustCompile(`(?m)^Masthead is listening`).FindAllString(out.String(), -1)); starts != 2 {
		t.Errorf("got %d starts, want two:\n%s", starts, &out)
	}
}
