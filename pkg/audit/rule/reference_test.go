package rule_test

import (
	"flag"
	"os"
	"testing"

	"masthead/pkg/audit/rule"
)

var update = flag.Bool("update", false, "write docs/audit-rules.md anew")

func TestReference_isThatOfTheRegistry(t *testing.T) {
	const name = "../../../docs/audit-rules.md"
	want := rule.Markdown()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("docs/audit-rules.md is not what the registry makes (%v): "+
			"run go test ./pkg/audit/rule -run Reference -update", err)
	}
}
