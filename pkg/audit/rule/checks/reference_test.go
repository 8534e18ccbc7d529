package checks_test

import (
	"flag"
	"net/url"
	"os"
	"testing"

	"masthead/pkg/audit/rule/checks"
)

var update = flag.Bool("update", false, "write docs/audit-rules.md anew")

func TestReference_isThatOfTheRegistry(t *testing.T) {
	const name = "../../../../docs/audit-rules.md"
	want := checks.Set().Markdown()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("docs/audit-rules.md is not what the registry makes (%v): "+
			"run go test ./pkg/audit/rule/checks -run Reference -update", err)
	}
}

func TestHelpURI_eachRuleHasAPublishedOne(t *testing.T) {
	for _, r := range checks.Set().All() {
		u, err := url.Parse(r.HelpURI())
		if err != nil || u.Scheme != "https" || u.Host == "" || checks.Set().HelpURI(r.ID) != r.HelpURI() {
			t.Errorf("%s: got %q, want an https address", r.ID, r.HelpURI())
		}
	}
	if got := checks.Set().HelpURI("no-rule"); got != "" {
		t.Errorf("got %q for a rule that is none", got)
	}
}
