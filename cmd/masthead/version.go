package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// version is set by the build: -ldflags "-X main.version=1.2.3". Builds outside a clone, such as those of a container,
// also set revision and its date, as YYYY-MM-DD; in a clone the toolchain records them.
var (
	version  = "dev"
	revision string
	date     string
)

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
	return describe(version, stamped(info)) + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// builtOn returns the day of the revision that this program was built from, or the zero time if it is unknown.
func builtOn() (day time.Time) {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return day
	}
	for _, s := range stamped(info).Settings {
		if s.Key == "vcs.time" {
			text, _, _ := strings.Cut(s.Value, "T")
			day, _ = time.Parse(time.DateOnly, text)
		}
	}
	return day
}

// stamped returns info with the revision and date that the build set, unless the toolchain recorded them.
func stamped(info *debug.BuildInfo) *debug.BuildInfo {
	recorded := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" })
	if recorded || revision == "" {
		return info
	}
	with := *info
	with.Settings = append(slices.Clone(info.Settings), debug.BuildSetting{Key: "vcs.revision", Value: revision},
		debug.BuildSetting{Key: "vcs.time", Value: date + "T"})
	return &with
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
	if day, _, _ := strings.Cut(noted["vcs.time"], "T"); day != "" {
		out += " of " + day
	}
	if noted["vcs.modified"] == "true" {
		out += ", changed since"
	}
	return out
}
