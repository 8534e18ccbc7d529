package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribe_saysWhatTheBuildNotes(t *testing.T) {
	noted := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	day := debug.BuildSetting{Key: "vcs.time", Value: "2026-03-12T09:30:00Z"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	same := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for _, c := range []struct {
		name, version string
		info          *debug.BuildInfo
		want          string
	}{
		{"nothing noted", "dev", noted(""), "masthead dev, revision unknown"},
		{"a clone", "dev", noted("(devel)", revision, day, same), "masthead dev, revision 0123456789ab of 2026-03-12"},
		{
			"a changed clone", "dev", noted("v0.0.0-20260312093000-0123456789ab+dirty", revision, day, changed),
			"masthead dev, revision 0123456789ab of 2026-03-12, changed since",
		},
		{"a release", "1.2.3", noted("(devel)", revision, day, same), "masthead 1.2.3, revision 0123456789ab of 2026-03-12"},
		{"go install of a release", "dev", noted("v1.2.3"), "masthead 1.2.3, revision unknown"},
		{"go install of a candidate", "dev", noted("v2.0.0-rc1"), "masthead 2.0.0-rc1, revision unknown"},
	} {
		if got := describe(c.version, c.info); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestStamped_addsWhatTheBuildSets(t *testing.T) {
	defer func() { revision, date = "", "" }()
	recorded := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}}
	for _, c := range []struct {
		name, revision, date string
		info                 *debug.BuildInfo
		want                 string
	}{
		{"neither", "", "", &debug.BuildInfo{}, "masthead 1.2.3, revision unknown"},
		{"set", "fedcba9876543210", "2026-03-12", &debug.BuildInfo{}, "masthead 1.2.3, revision fedcba987654 of 2026-03-12"},
		{"set without a date", "fedcba9876543210", "", &debug.BuildInfo{}, "masthead 1.2.3, revision fedcba987654"},
		{"recorded", "fedcba9876543210", "2026-03-12", recorded, "masthead 1.2.3, revision 0123456789ab"},
	} {
		revision, date = c.revision, c.date
		if got := describe("1.2.3", stamped(c.info)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
