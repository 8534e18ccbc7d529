package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The tables of docs/configuration.md are generated from the flags of serve, between these lines.
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

// settingsTables returns a table for each group of settings, in the order of the flags.
func settingsTables(t *testing.T) string {
	t.Helper()
	var groups []string
	rows := map[string][]string{}
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
			if !slices.Contains(groups, f.Group.Key) {
				groups = append(groups, f.Group.Key)
			}
			byDefault := ""
			if f.HasDefault && f.Default != "" {
				byDefault = "`" + strings.ReplaceAll(f.Default, ",", "`, `") + "`"
			}
			rows[f.Group.Key] = append(rows[f.Group.Key],
				fmt.Sprintf("| `%s` | %s | %s |\n", f.Envs[0], cmp.Or(byDefault, "–"), f.Help))
		}
	}
	var b strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| Variable | Default | Meaning |\n|---|---|---|\n%s",
			group, strings.Join(rows[group], ""))
	}
	return b.String() + "\n"
}
