package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"masthead/cmd/masthead/usage"
)

// prefix is the prefix of our variables, and fileSuffix the suffix of those that name a file with the value.
const (
	prefix     = "MASTHEAD_"
	fileSuffix = "_FILE"
)

// withoutFlag are settings that have no flag.
var withoutFlag = []string{passphraseVariable}

// foreignPrefixes are prefixes of variables that aren't settings: those of tests, and those that container platforms
// set in every process for a service called masthead.
var foreignPrefixes = []string{"MASTHEAD_TEST_", "MASTHEAD_SERVICE_", "MASTHEAD_PORT"}

// settingsOf returns the variables that set a flag of any command.
func settingsOf(parser *kong.Kong) []string {
	known := map[string]bool{}
	for _, node := range parser.Model.Leaves(false) {
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				known[name] = true
			}
		}
	}
	for _, name := range withoutFlag {
		known[name] = true
	}
	return slices.Sorted(maps.Keys(known))
}

// settingsOfChosen returns the variables that set a flag of the chosen command.
func settingsOfChosen(chosen *kong.Context) (own []string) {
	for _, flag := range chosen.Selected().Flags {
		own = append(own, flag.Envs...)
	}
	return own
}

// checkVariables looks for variables with our prefix that aren't settings, since a typo would otherwise silently have
// no effect. The error names those similar to one of the command's own settings, with that setting; the warnings are
// about planned settings.
func checkVariables(environ, settings, own []string) (warnings []string, err error) {
	var unknown []string
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, prefix) || value == "" {
			continue
		}
		setting := strings.TrimSuffix(name, fileSuffix)
		switch {
		case slices.Contains(settings, setting):
		case name == "MASTHEAD_PORT" && strings.Trim(value, "0123456789") == "":
			warnings = append(warnings, "MASTHEAD_PORT has no effect: MASTHEAD_ADDR=127.0.0.1:"+value+" sets the port")
		case slices.ContainsFunc(foreignPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }):
		default:
			near := nearest(setting, settings)
			if !slices.Contains(own, near) {
				continue // it belongs to another command
			}
			if setting != name {
				near += fileSuffix
			}
			unknown = append(unknown, fmt.Sprintf("there is no setting %s; the nearest is %s", name, near))
		}
	}
	if len(unknown) > 0 {
		return warnings, usage.Errorf("%s. `masthead serve --help` lists all", strings.Join(unknown, ".\nmasthead: "))
	}
	return warnings, nil
}

// nearest returns the name with the smallest edit distance to name.
func nearest(name string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int { return edits(name, a) - edits(name, b) })
}

// edits is the Levenshtein distance of two names in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // from the row above, one to the left
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// dropEmpty unsets empty variables, which compose files pass on: they mean the default.
func dropEmpty(environ []string, unset func(key string) error) error {
	for _, entry := range environ {
		if key, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(key, prefix) {
			if err := unset(key); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

// secretFiles sets a flag whose variable is MASTHEAD_X to the content of the file that MASTHEAD_X_FILE names, as
// orchestrators provide secrets. It only applies to flags of the chosen command that aren't on the command line.
type secretFiles struct{ getenv func(string) string }

// Validate implements [kong.Resolver].
func (secretFiles) Validate(*kong.Application) error { return nil }

// Resolve implements [kong.Resolver].
func (s secretFiles) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		path := s.getenv(name + fileSuffix)
		if path == "" {
			continue
		}
		if s.getenv(name) != "" {
			return nil, usage.Errorf("%s and %s are both set: set one of them", name, name+fileSuffix)
		}
		secret, err := os.ReadFile(path)
		if err != nil {
			return nil, usage.Errorf("%s: %w", name+fileSuffix, err)
		}
		value := strings.TrimRight(string(secret), "\r\n")
		if strings.TrimSpace(value) == "" {
			return nil, usage.Errorf("%s: the file %s is empty", name+fileSuffix, path)
		}
		return value, nil
	}
	return nil, nil //nolint:nilnil // that is how a resolver says that it knows nothing
}
