// Package testenv knows what some tests need of a machine: Postgres, Chromium, the corpus of real pages. Tests whose
// need is not met do nothing, without a word of their own: the test of this package is skipped once for each thing
// that is missing, and says what is left out and what it takes. Where MASTHEAD_TEST_REQUIRE is 1, each of them fails
// instead.
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

// webPorts is an address of this machine on which ports 80 and 443 can be opened: one of the loopback network that is
// this process's own, so that tests of many packages do not meet.
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

// axe is axe-core, which finds what stands in the way of people who cannot see or point. It is a package of npm, pinned
// in .ci/tools/axe, and no file of ours: its licence (MPL-2.0) is another one.
var axe = need{
	"axe", "left out: what axe says of the pages; run npm ci --prefix .ci/tools/axe",
	func() string {
		return above(".ci/tools/axe/node_modules/axe-core/axe.min.js")
	},
}

// lighthouse is what runs Lighthouse over pages, a package of npm too.
var lighthouse = need{
	"lighthouse", "left out: what Lighthouse says of the pages; run npm ci --prefix .ci/tools/lighthouse",
	func() string {
		if above(".ci/tools/lighthouse/node_modules/lighthouse/package.json") == "" {
			return ""
		}
		return above(".ci/tools/lighthouse/run.mjs")
	},
}

// above returns the file of a path in the working directory or the next one above it that has it; "" for none.
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

// xmllint compares documents with schemas of XML, for which there is no library for Go.
var xmllint = need{
	"xmllint", "left out: whether JUnit's XML is as its schema says; install libxml2-utils",
	func() string {
		path, err := exec.LookPath("xmllint")
		if err != nil {
			return ""
		}
		return path
	},
}

// XMLLint returns the program; ok is false when there is none.
func XMLLint(t testing.TB) (path string, ok bool) { t.Helper(); return xmllint.of(t) }

// Postgres returns the address of a server where databases may be made; ok is false when there is none.
func Postgres(t testing.TB) (url string, ok bool) { t.Helper(); return postgres.of(t) }

// Chromium returns the program; ok is false when there is none.
func Chromium(t testing.TB) (path string, ok bool) { t.Helper(); return chromium.of(t) }

// Axe returns the file of the script; ok is false when it is not installed.
func Axe(t testing.TB) (file string, ok bool) {
	t.Helper()
	judgesPages(t)
	return axe.of(t)
}

// Lighthouse returns the script that runs it; ok is false when it is not installed.
func Lighthouse(t testing.TB) (script string, ok bool) {
	t.Helper()
	judgesPages(t)
	return lighthouse.of(t)
}

// judgesPages skips a test under -short that looks at finished pages: the race detector finds nothing by it.
func judgesPages(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it judges pages, not what makes them")
	}
}

// Corpus returns the folder of real pages; ok is false when there is none.
func Corpus(t testing.TB) (dir string, ok bool) { t.Helper(); return corpus.of(t) }

// WebPorts returns an address of this machine on which ports 80 and 443 can be opened; ok is false when there is none.
func WebPorts(t testing.TB) (address string, ok bool) { t.Helper(); return webPorts.of(t) }

func (n need) of(t testing.TB) (where string, ok bool) {
	t.Helper()
	where = n.find()
	if where == "" && os.Getenv("MASTHEAD_TEST_REQUIRE") == "1" {
		t.Fatal(n.missing)
	}
	return where, where != ""
}
