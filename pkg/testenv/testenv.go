// Package testenv finds what some tests need on a machine: Postgres, Chromium, the corpus of real pages. Tests whose
// requirements are missing do nothing and report nothing. Instead, this package's own test is skipped once for each
// missing requirement, and says which tests are left out and how to enable them. With MASTHEAD_TEST_REQUIRE=1, each
// of those tests fails instead.
package testenv

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// need is a requirement that not every machine meets.
type need struct {
	name string
	// missing says which tests are left out without it, and how to provide it.
	missing string
	// find returns where it is, or "".
	find func() string
}

var (
	postgres = need{
		"Postgres", "left out: tests on Postgres; set MASTHEAD_TEST_DATABASE_URL to the address of a server " +
			"that allows creating databases",
		func() string { return os.Getenv("MASTHEAD_TEST_DATABASE_URL") },
	}
	chromium = need{
		"Chromium", "left out: pages in a browser; install Chromium",
		func() string { return firstOf(append([]string{headless}, desktops...)) },
	}
	desktop = need{
		"Chromium with windows", "left out: icons in a browser's tab; install Chromium, not its headless shell alone",
		func() string { return firstOf(desktops) },
	}
	corpus = need{
		"corpus", "left out: reading and drawing real pages; set MASTHEAD_TEST_CORPUS to a folder with an expected.jsonl",
		func() string { return os.Getenv("MASTHEAD_TEST_CORPUS") },
	}
)

// headless is Chromium without the parts of a window, which takes a third of the processor's time. Debian's command for
// it is a script, and killing that would leave the browser running.
const headless = "/usr/lib/chromium/chromium-headless-shell"

// desktops are the names of Chromium with windows.
var desktops = []string{"chromium", "chromium-browser", "google-chrome"}

// firstOf returns the path of the first of some programs that is installed, or "".
func firstOf(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// redis is a Redis or Valkey server, whose keys tests may add to.
var redis = need{
	"Redis", "left out: counting requests on Redis; set MASTHEAD_TEST_REDIS to the address of a server, such as " +
		"redis://127.0.0.1:6379/0",
	func() string { return os.Getenv("MASTHEAD_TEST_REDIS") },
}

// pgbouncer is a pooler of connections to Postgres, which tests start.
var pgbouncer = need{
	"PgBouncer", "left out: Postgres behind a pooler; install pgbouncer",
	func() string {
		path, err := exec.LookPath("pgbouncer")
		if err != nil {
			return ""
		}
		return path
	},
}

// s3 is an S3-compatible server, with the keys of s3test.
var s3 = need{
	"S3", "left out: tests on an S3 store; set MASTHEAD_TEST_S3 to the address of a server, see .ci/run",
	func() string { return os.Getenv("MASTHEAD_TEST_S3") },
}

// cards is the corpus of HTML documents with Chromium's pictures of them. "none" says that there is none on purpose.
var cards = need{
	"HTML cards", "left out: comparing documents with Chromium's pictures; set MASTHEAD_TEST_HTMLCARDS to a folder with a " +
		"cases.jsonl",
	func() string { return os.Getenv("MASTHEAD_TEST_HTMLCARDS") },
}

// oldProgram is a program of an older version, whose data is upgraded. "none" says that the history isn't there to
// build it from.
var oldProgram = need{
	"older program", "left out: upgrading the data of an older version; set MASTHEAD_TEST_OLD_PROGRAM to a masthead built " +
		"from the revision that .ci/run names",
	func() string { return os.Getenv("MASTHEAD_TEST_OLD_PROGRAM") },
}

// webPorts is a loopback address of this machine whose ports 80 and 443 can be opened. It is derived from the
// process, so that tests of several packages don't collide.
var webPorts = need{
	"ports 80 and 443", "left out: pages at their own addresses, with the real ports and TLS; it takes the right to open " +
		"ports 80 and 443 on loopback",
	func() string {
		pid := os.Getpid()
		address := fmt.Sprintf("127.77.%d.%d", pid>>8&0xff, pid&0xff)
		for _, port := range []string{"80", "443"} {
			listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort(address, port))
			if err != nil {
				return ""
			}
			if err := listener.Close(); err != nil {
				return ""
			}
		}
		return address
	},
}

// axe is axe-core, which finds accessibility problems in pages. It is an npm package pinned in .ci/tools/axe instead
// of a file in this repository, because its license differs (MPL-2.0).
var axe = need{
	"axe", "left out: accessibility checks of the pages; run npm ci --prefix .ci/tools/axe",
	func() string {
		return above(".ci/tools/axe/node_modules/axe-core/axe.min.js")
	},
}

// lighthouse runs Lighthouse on pages. It is an npm package too.
var lighthouse = need{
	"lighthouse", "left out: Lighthouse checks of the pages; run npm ci --prefix .ci/tools/lighthouse",
	func() string {
		if above(".ci/tools/lighthouse/node_modules/lighthouse/package.json") == "" {
			return ""
		}
		return above(".ci/tools/lighthouse/run.mjs")
	},
}

// above looks for a path in the working directory and its ancestors and returns the first match, or "".
func above(path string) string {
	dir, err := os.Getwd()
	for ; err == nil && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, path)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

// xmllint validates documents against XML schemas, for which no Go library exists.
var xmllint = need{
	"xmllint", "left out: validating JUnit XML against its schema; install libxml2-utils",
	func() string {
		path, err := exec.LookPath("xmllint")
		if err != nil {
			return ""
		}
		return path
	},
}

// XMLLint returns the path of xmllint; ok is false if it isn't installed.
func XMLLint(t testing.TB) (path string, ok bool) { t.Helper(); return xmllint.of(t) }

// Postgres returns the address of a server that allows creating databases; ok is false if there is none.
func Postgres(t testing.TB) (url string, ok bool) { t.Helper(); return postgres.of(t) }

// PgBouncer returns the path of PgBouncer; ok is false if it isn't installed. Tests start it by dbtest.
func PgBouncer(t testing.TB) (path string, ok bool) { t.Helper(); return pgbouncer.of(t) }

// Redis returns the address of a Redis server; ok is false if there is none.
func Redis(t testing.TB) (url string, ok bool) { t.Helper(); return redis.of(t) }

// S3 returns the address of an S3-compatible server; ok is false if there is none. Tests get buckets from s3test.
func S3(t testing.TB) (endpoint string, ok bool) { t.Helper(); return s3.of(t) }

// Chromium returns the path of Chromium; ok is false if it isn't installed.
func Chromium(t testing.TB) (path string, ok bool) { t.Helper(); return chromium.of(t) }

// DesktopChromium returns the path of a Chromium that has tabs with icons; ok is false if it isn't installed.
func DesktopChromium(t testing.TB) (path string, ok bool) { t.Helper(); return desktop.of(t) }

// Axe returns the file of the axe-core script; ok is false if it isn't installed.
func Axe(t testing.TB) (file string, ok bool) {
	t.Helper()
	judgesPages(t)
	return axe.of(t)
}

// Lighthouse returns the script that runs Lighthouse; ok is false if it isn't installed.
func Lighthouse(t testing.TB) (script string, ok bool) {
	t.Helper()
	judgesPages(t)
	return lighthouse.of(t)
}

// judgesPages skips a test of finished pages under -short: the race detector finds nothing in it.
func judgesPages(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it judges pages, not what makes them")
	}
}

// Corpus returns the folder of real pages; ok is false if there is none.
func Corpus(t testing.TB) (dir string, ok bool) { t.Helper(); return corpus.of(t) }

// HTMLCards returns the folder of HTML documents with their pictures; ok is false if there is none.
func HTMLCards(t testing.TB) (dir string, ok bool) {
	t.Helper()
	dir, ok = cards.of(t)
	return dir, ok && dir != "none"
}

// OldProgram returns the file of a program of an older version; ok is false if there is none.
func OldProgram(t testing.TB) (file string, ok bool) {
	t.Helper()
	file, ok = oldProgram.of(t)
	return file, ok && file != "none"
}

// WebPorts returns an address of this machine whose ports 80 and 443 can be opened; ok is false if there is none.
func WebPorts(t testing.TB) (address string, ok bool) { t.Helper(); return webPorts.of(t) }

func (n need) of(t testing.TB) (where string, ok bool) {
	t.Helper()
	where = n.find()
	if where == "" && os.Getenv("MASTHEAD_TEST_REQUIRE") == "1" {
		t.Fatal(n.missing)
	}
	return where, where != ""
}
