package audit

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	yaml "github.com/oasdiff/yaml3"
)

var (
	yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")
	auditLine = regexp.MustCompile("masthead\"? audit ([^\n'`]*)")
)

// TestCIDocs_workflowsAreValid reads the workflow and the job of docs/ci.md as YAML, and their command lines as the
// program does.
func TestCIDocs_workflowsAreValid(t *testing.T) {
	text, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("got %d blocks of YAML, want GitHub's, GitLab's and the configuration file", len(blocks))
	}
	keys := auditKeys(t)
	if _, err := readConfig(strings.NewReader(blocks[2][1]), configName, keys); err != nil {
		t.Error(err)
	}
	if ok, known := valid(schemaOf(t, keys), blocks[2][1]); !ok || !known {
		t.Error("the schema does not take the configuration file")
	}
	var workflow struct {
		On   map[string]any `yaml:"on"`
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(blocks[0][1]), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["audit"]
	if len(workflow.On) == 0 || job.RunsOn == "" || len(job.Steps) < 5 {
		t.Errorf("the workflow: %+v", workflow)
	}
	for i, step := range job.Steps {
		if (step.Uses == "") == (step.Run == "") {
			t.Errorf("step %d must have either uses or run: %+v", i, step)
		}
	}
	var pipeline map[string]struct {
		Image     string
		Script    []string
		Artifacts struct{ Reports struct{ JUnit string } }
	}
	if err := yaml.Unmarshal([]byte(blocks[1][1]), &pipeline); err != nil {
		t.Fatal(err)
	}
	if p := pipeline["audit"]; p.Image == "" || len(p.Script) == 0 || p.Artifacts.Reports.JUnit == "" {
		t.Errorf("the pipeline: %+v", pipeline)
	}
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	lines := auditLine.FindAllStringSubmatch(joined, -1)
	if len(lines) < 5 {
		t.Fatalf("got %d command lines", len(lines))
	}
	for _, line := range lines {
		parseAudit(t, line[1])
	}
}

// parseAudit reads a command line up to where the shell takes over.
func parseAudit(t *testing.T, text string) {
	t.Helper()
	args := strings.Fields(strings.NewReplacer("$PAGE", "http://localhost:3000/", "$PORT", "3000", `"`, "").Replace(text))
	if i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, ">") }); i >= 0 {
		args = args[:i]
	}
	var line line
	parser, err := kong.New(&line, vars)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"audit"}, args...)); err != nil {
		t.Errorf("masthead audit %s: %v", text, err)
	}
	if err := line.Audit.check(); err != nil {
		t.Errorf("masthead audit %s: %v", text, err)
	}
	if _, err := line.Audit.outputs(); err != nil {
		t.Errorf("masthead audit %s: %v", text, err)
	}
}
