package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The tables of docs/configuration.md are generated from the flags of serve, between these lines.
var update = flag.Bool("update", false, "rewrite the generated files of docs")

const (
	settingsBegin = "<!-- Generated: go test ./cmd/masthead -run Configuration -update -->\n"
	settingsEnd   = "<!-- End of what is generated -->\n"
)

// TestConfiguration_pageListsEverySetting compares docs/configuration.md with the flags of serve.
func TestConfiguration_pageListsEverySetting(t *testing.T) {
	const path = "../../docs/configuration.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(page), settingsBegin)
	_, after, ends := strings.Cut(rest, settingsEnd)
	if !begins || !ends {
		t.Fatalf("%s lacks the lines %q and %q", path, settingsBegin, settingsEnd)
	}
	want := before + settingsBegin + settingsTables(t) + settingsEnd + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Errorf("%s is not what the settings make: run go test ./cmd/masthead -run Configuration -update", path)
	}
}

// settingsTables returns a table for each group of settings.
func settingsTables(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, group := range settingGroups(t) {
		fmt.Fprintf(&b, "\n## %s\n\n| Variable | Default | Meaning |\n|---|---|---|\n", group.name)
		for _, f := range group.flags {
			byDefault := ""
			if f.HasDefault && f.Default != "" {
				byDefault = "`" + strings.ReplaceAll(f.Default, ",", "`, `") + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Envs[0], cmp.Or(byDefault, "–"), f.Help)
		}
	}
	return b.String() + "\n"
}

// TestConfiguration_exampleListsEverySetting compares deploy/masthead.env.example with the flags of serve.
func TestConfiguration_exampleListsEverySetting(t *testing.T) {
	const path = "../../deploy/masthead.env.example"
	var b strings.Builder
	b.WriteString("# Settings of Masthead, for systemd and containers; docs/configuration.md explains them. " +
		"Uncomment what you change.\n" +
		"# A secret can also be in a file: MASTHEAD_JWT_SECRET_FILE=/path instead of MASTHEAD_JWT_SECRET.\n" +
		"# Generated: go test ./cmd/masthead -run Configuration -update\n")
	for _, group := range settingGroups(t) {
		fmt.Fprintf(&b, "\n### %s\n", group.name)
		for _, f := range group.flags {
			fmt.Fprintf(&b, "\n# %s\n#%s=%s\n", f.Help, f.Envs[0], f.Default)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the settings make: run go test ./cmd/masthead -run Configuration -update (%v)", path, err)
	}
}

// settingGroup is a group of settings.
type settingGroup struct {
	name  string
	flags []*kong.Flag
}

// settingGroups returns the settings of serve, in the order of its flags.
func settingGroups(t *testing.T) (groups []*settingGroup) {
	t.Helper()
	parser := parserOf(t)
	for _, command := range parser.Model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, f := range command.Flags {
			if len(f.Envs) == 0 {
				continue
			}
			if f.Group == nil {
				t.Fatalf("--%s has no group: its Config needs one where pkg/app/config.go embeds it", f.Name)
			}
			i := slices.IndexFunc(groups, func(g *settingGroup) bool { return g.name == f.Group.Key })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &settingGroup{name: f.Group.Key})
			}
			groups[i].flags = append(groups[i].flags, f)
		}
	}
	return groups
}
