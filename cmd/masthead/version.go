package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

// versionCommand prints the version and build information.
type versionCommand struct{}

// Run prints it.
func (versionCommand) Run() error {
	_, err := fmt.Println(describeBuild())
	return err
}

// describeBuild describes the version, revision and toolchain, as far as recorded in the build.
func describeBuild() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(version, info) + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// revisionDigits is how much of a revision is shown, enough to be unique in a repository.
const revisionDigits = 12

// release is the form of an explicit version, such as v1.2.3 or v2.0.0-rc1. Source: Go modules reference,
// "Pseudo-versions", for the excluded ones.
var release = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[a-z]+\.?\d*)?$`)

func describe(version string, info *debug.BuildInfo) string {
	noted := map[string]string{}
	for _, s := range info.Settings {
		noted[s.Key] = s.Value
	}
	// `go install` of a release knows its version; in a clone it is derived from the revision, which is shown better
	// below.
	if released := info.Main.Version; version == "dev" && release.MatchString(released) {
		version = strings.TrimPrefix(released, "v")
	}
	revision := noted["vcs.revision"]
	if revision == "" {
		return "masthead " + version + ", revision unknown"
	}
	out := "masthead " + version + ", revision " + revision[:min(len(revision), revisionDigits)]
	if day, _, ok := strings.Cut(noted["vcs.time"], "T"); ok {
		out += " of " + day
	}
	if noted["vcs.modified"] == "true" {
		out += ", changed since"
	}
	return out
}
