package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestSiteDocs_commandsWork runs the commands of docs/site.md for a folder as they stand there.
func TestSiteDocs_commandsWork(t *testing.T) {
	text, err := os.ReadFile("../../docs/site.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir+"/public", os.DirFS(builtFolder(t))); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"audit": {"4 pages read", "https://example.com/blog/"},
		"card":  {`og:image" content="https://example.com/og/about.png"`, "[4/4]"},
	}
	commandLine := regexp.MustCompile(`(?m)^masthead (audit|card) public/ (.*)$`)
	for _, line := range commandLine.FindAllStringSubmatch(string(text), -1) {
		flags, _, _ := strings.Cut(line[2], " > ")
		args := append([]string{line[1], "public/"}, strings.Fields(flags)...)
		masthead(t, dir, "", nil, args...).want(t, exitDone, want[line[1]]...)
		delete(want, line[1])
	}
	if len(want) > 0 {
		t.Errorf("docs/site.md has no command for %v", want)
	}
}
