// Package testenv knows what some tests need of a machine: Postgres, Chromium, the corpus of real pages. Tests whose
// need is not met do nothing, without a word of their own: the test of this package is skipped once for each thing
// that is missing, and says what is left out and what it takes. Where MASTHEAD_TEST_REQUIRE is 1, each of them fails
// instead.
package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// need is a thing that not every machine has.
type need struct {
	name string
	// missing says what is left out without it, and what it takes.
	missing string
	// find returns where the thing is; "" when there is none.
	find func() string
}

var (
	postgres = need{
		"Postgres", "left out: tests on Postgres; set MASTHEAD_TEST_DATABASE_URL to the address of a server " +
			"where databases may be made",
		func() string { return os.Getenv("MASTHEAD_TEST_DATABASE_URL") },
	}
	chromium = need{
		"Chromium", "left out: pages in a browser; install Chromium",
		func() string {
			for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
				if path, err := exec.LookPath(name); err == nil {
					return path
				}
			}
			return ""
		},
	}
	corpus = need{
		"corpus", "left out: reading and drawing real pages; set MASTHEAD_TEST_CORPUS to a folder with an expected.jsonl",
		func() string { return os.Getenv("MASTHEAD_TEST_CORPUS") },
	}
)

// axe is axe-core, which finds what stands in the way of people who cannot see or point. It is a package of npm, pinned
// in .ci/tools/axe, and no file of ours: its licence (MPL-2.0) is another one.
var axe = need{
	"axe", "left out: what axe says of the pages; run npm ci --prefix .ci/tools/axe",
	func() string {
		dir, err := os.Getwd()
		for ; err == nil && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
			file := filepath.Join(dir, ".ci/tools/axe/node_modules/axe-core/axe.min.js")
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
		return ""
	},
}

// Postgres returns the address of a server where databases may be made; ok is false when there is none.
func Postgres(t testing.TB) (url string, ok bool) { t.Helper(); return postgres.of(t) }

// Chromium returns the program; ok is false when there is none.
func Chromium(t testing.TB) (path string, ok bool) { t.Helper(); return chromium.of(t) }

// Axe returns the file of the script; ok is false when it is not installed.
func Axe(t testing.TB) (file string, ok bool) { t.Helper(); return axe.of(t) }

// Corpus returns the folder of real pages; ok is false when there is none.
func Corpus(t testing.TB) (dir string, ok bool) { t.Helper(); return corpus.of(t) }

func (n need) of(t testing.TB) (where string, ok bool) {
	t.Helper()
	where = n.find()
	if where == "" && os.Getenv("MASTHEAD_TEST_REQUIRE") == "1" {
		t.Fatal(n.missing)
	}
	return where, where != ""
}
