package main

import (
	"os"
	"path/filepath"
	"testing"

	"masthead/pkg/testenv"
)

// inFolder runs `masthead audit` in a folder with a masthead.yaml.
func inFolder(t *testing.T, config string, args ...string) runResult {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "masthead.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return masthead(t, dir, "", nil, append([]string{"audit"}, args...)...)
}

func TestAuditConfig_setsFlags_andTheCommandLineOverridesIt(t *testing.T) {
	testenv.ManyStarts(t)
	site := newAuditedSite(t)
	page := "pages:\n  - " + site.URL + "/\n"
	sitemap := "sitemap: " + site.URL + "/sitemap.xml\n"
	for _, c := range []struct {
		name, config string
		args         []string
		code         int
		want         string
	}{
		{"pages", page, nil, exitDone, site.URL + "/  status 200"},
		{"one page as a text", "pages: " + site.URL + "/tagged", nil, exitDone, "/tagged  status 200"},
		{"a page of the line", page, []string{site.URL + "/tagged"}, exitDone, "/tagged  status 200"},
		{"a sitemap", sitemap + "limit: 1", nil, exitDone, "more than the 1 taken"},
		{"a page instead of a sitemap", sitemap, []string{site.URL + "/tagged"}, exitDone, "/tagged  status 200"},
		{"a sitemap instead of a page", page, []string{"--sitemap", site.URL + "/sitemap.xml"}, exitDone, "2 pages read"},
		{"a score", page + "min-score: 90", nil, exitFound, "less than 90"},
		{"a score of the line", page + "min-score: 90", []string{"--min-score", "1"}, exitDone, ""},
		{"a severity", page + "fail-on: warning", nil, exitFound, "by --fail-on warning"},
		{"ignored", "pages: " + site.URL + "/tagged\nfail-on: error\nignore: [og-image-reachable, twitter-image-reachable, " +
			"og-image-dimensions, seo-https]", nil, exitDone, ""},
		{"formats", page + "format: [json]\nall: true\n", nil, exitDone, `"overallScore":`},
		{"another file", page + "min-score: 90", []string{"--config", "none.yaml"}, exitUsage, "none.yaml"},
		{"nothing but a comment", "# nothing\n", []string{site.URL}, exitDone, ""},
		{"an empty file", "", []string{site.URL}, exitDone, ""},
		{"a wrong key", page + "fail_on: error\n", nil, exitUsage, `masthead.yaml:3:1: there is no key "fail_on"; did you mean "fail-on"?`},
	} {
		t.Run(c.name, func(t *testing.T) { inFolder(t, c.config, c.args...).want(t, c.code, c.want) })
	}
	file := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(file, []byte(page+"output: json=report.json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	masthead(t, dir, "", nil, "audit", "--config", file).want(t, exitDone)
	if _, err := os.Stat(filepath.Join(dir, "report.json")); err != nil {
		t.Error(err)
	}
	masthead(t, dir, "", nil, "version").want(t, exitDone) // no other command reads the file
}

func TestAudit_configSchema_isThePublishedOne(t *testing.T) {
	want, err := os.ReadFile("../../docs/masthead.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "masthead.yaml"), []byte("nonesuch: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := masthead(t, dir, "", nil, "audit", "--config-schema"); got.code != exitDone || got.out != string(want) {
		t.Errorf("--config-schema, beside a wrong file, prints another one: %.100s%s", got.out, got.report)
	}
}
