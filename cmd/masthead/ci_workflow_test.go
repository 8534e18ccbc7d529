package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	yaml "github.com/oasdiff/yaml3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"masthead/pkg/testenv"
)

// This file runs the workflow of docs/ci.md as it is written, against a site that npm builds and serves. The shell and
// the program are real. Stand-ins take the place of what a runner has and this machine may not: npm, npx and the
// actions; and of go, since building the program takes longer than all the rest: the test's own program is a build of
// it.

// yamlBlock matches a block of YAML in a page of docs.
var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// asTool, when it is set in the environment, makes this test's own program a tool of the workflow.
const asTool = "TEST_STANDS_IN_FOR"

// standIn does what the workflow asks a tool for, and returns its exit status.
func standIn(tool string, args []string) int {
	var err error
	switch call := tool + " " + strings.Join(args, " "); {
	case call == "npm ci":
		_, err = os.Stat("package.json")
	case call == "npm run build":
		err = os.CopyFS("public", os.DirFS("src"))
	case tool == "go" && len(args) == 6 && strings.Join(args[:4], " ") == "build -C masthead -o":
		err = buildProgram(filepath.Join(args[2], args[5]), args[4])
	case call == "npm start":
		err = http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.FileServer(http.Dir("public")))
	case strings.HasPrefix(call, "npx --yes wait-on http"):
		for try := 0; try < 200; try++ {
			var resp *http.Response
			if resp, err = http.Get(args[2]); err == nil {
				resp.Body.Close()
				break
			}
			time.Sleep(50 * time.Millisecond) // another process starts
		}
	default:
		err = fmt.Errorf("%s is not stood in for", call)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, tool+":", err)
		return 1
	}
	return 0
}

// buildProgram makes a program of the package in a folder: a script that starts the test's own one as masthead.
func buildProgram(dir, file string) error {
	if _, err := os.Stat(filepath.Join(dir, "main.go")); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\nunset %s\n%s=1 exec '%s' \"$@\"\n", asTool, asProgram, self)
	return os.WriteFile(file, []byte(script), 0o755)
}

// job is a job of a workflow, as far as docs/ci.md uses them.
type job struct {
	Env   map[string]string
	Steps []struct {
		Name, Uses, Run, If string
		With                map[string]string
	}
}

// runner runs a job.
type runner struct {
	*testing.T
	site            map[string]string // the files of the repository
	workspace, temp string
	summary         string
	env             []string
	log             strings.Builder
	uploaded        []byte
}

// newRunner is a runner for a repository with these files.
func newRunner(t *testing.T, site map[string]string) *runner {
	t.Helper()
	r := &runner{T: t, site: site, workspace: t.TempDir(), temp: t.TempDir()}
	r.summary = filepath.Join(r.temp, "summary.md")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for _, tool := range []string{"npm", "npx", "go"} {
		script := fmt.Sprintf("#!/bin/sh\n%s=%s exec '%s' \"$@\"\n", asTool, tool, self)
		if err := os.WriteFile(filepath.Join(bin, tool), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, prefix) && !strings.HasPrefix(entry, "PATH=") {
			r.env = append(r.env, entry)
		}
	}
	r.env = append(r.env, "CI=true", "RUNNER_TEMP="+r.temp, "GITHUB_STEP_SUMMARY="+r.summary,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return r
}

// run runs the steps, and reports whether all of them succeeded.
func (r *runner) run(j job) bool {
	for name, value := range j.Env {
		r.env = append(r.env, name+"="+value)
	}
	_, port, _ := strings.Cut(testenv.FreeAddress(r.T), ":") // several runs may share this machine
	r.env = append(r.env, "PORT="+port)
	ok := true
	for i, step := range j.Steps {
		if !r.due(step.If, ok) {
			continue
		}
		if step.Uses != "" {
			r.use(step.Uses, step.With)
		} else if err := r.shell(step.Run); err != nil {
			fmt.Fprintf(&r.log, "step %d (%s): %v\n", i+1, step.Name, err)
			ok = false
		}
	}
	return ok
}

// due reports whether a step with a condition runs.
func (r *runner) due(condition string, ok bool) bool {
	if condition == "" {
		return ok
	}
	file := regexp.MustCompile(`^always\(\) && hashFiles\('([^']+)'\) != ''$`).FindStringSubmatch(condition)
	if file == nil {
		r.Fatalf("a condition that the runner does not know: %s", condition)
	}
	_, err := os.Stat(filepath.Join(r.workspace, file[1]))
	return err == nil
}

// shell runs a script as GitHub does where no shell is named. What it leaves running ends with the test.
func (r *runner) shell(script string) error {
	file, err := os.CreateTemp(r.temp, "step")
	if err != nil {
		r.Fatal(err)
	}
	defer file.Close() // its output, which a file takes for processes in the background too
	cmd := exec.CommandContext(r.Context(), "bash", "-e", "-c", script)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.workspace, r.env, file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Run()
	if cmd.Process != nil {
		group := cmd.Process.Pid
		r.Cleanup(func() { _ = syscall.Kill(-group, syscall.SIGKILL) }) // it may have ended
	}
	text, _ := os.ReadFile(file.Name())
	r.log.Write(text)
	return err
}

// use does what an action does.
func (r *runner) use(action string, with map[string]string) {
	r.Helper()
	name, _, versioned := strings.Cut(action, "@")
	switch {
	case !versioned:
		r.Fatalf("%s names no version", action)
	case name == "actions/checkout" && with["repository"] == "":
		for file, text := range r.site {
			at := filepath.Join(r.workspace, file)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				r.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
				r.Fatal(err)
			}
		}
	case name == "actions/checkout":
		root, err := filepath.Abs("../..")
		if err != nil {
			r.Fatal(err)
		}
		if err := os.Symlink(root, filepath.Join(r.workspace, with["path"])); err != nil {
			r.Fatal(err)
		}
	case name == "actions/setup-go":
		for _, file := range []string{with["go-version-file"], with["cache-dependency-path"]} {
			if _, err := os.Stat(filepath.Join(r.workspace, file)); err != nil {
				r.Error(err)
			}
		}
	case name == "github/codeql-action/upload-sarif":
		text, err := os.ReadFile(filepath.Join(r.workspace, with["sarif_file"]))
		if err != nil {
			r.Fatal(err)
		}
		r.uploaded = text
	default:
		r.Fatalf("an action that the runner does not know: %s", action)
	}
}

const goodPage = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>A page that is ready to be published on the web</title>
<meta name="description" content="This page has what link previews and search engines look for, so that its audit passes in CI.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="https://example.com/PATH"><link rel="icon" href="/share.png">
<meta property="og:title" content="A page that is ready to be published">
<meta property="og:description" content="This page has what link previews and search engines look for.">
<meta property="og:type" content="website"><meta property="og:url" content="https://example.com/PATH">
<meta property="og:site_name" content="Example"><meta property="og:image" content="https://example.com/share.png">
<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A gray rectangle"><meta name="twitter:card" content="summary_large_image">
</head><body><h1>Ready</h1><p>Words of the page that anybody can read.</p></body></html>`

// repository has a site of two pages.
func repository(t *testing.T, second string) map[string]string {
	t.Helper()
	return map[string]string{
		"package.json":          "{}",
		"src/index.html":        strings.ReplaceAll(goodPage, "PATH", ""),
		"src/hello/index.html":  second,
		"src/share.png":         sharePicture(t),
		"src/robots.txt":        "User-agent: *\nAllow: /\n",
		"src/sitemap.xml":       "<urlset><url><loc>https://example.com/</loc></url><url><loc>https://example.com/hello/</loc></url></urlset>",
		"src/hello/unlisted.js": "",
	}
}

func TestCIDocs_workflowRunsAsWritten(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct{ Jobs map[string]job }
	if err := yaml.Unmarshal([]byte(yamlBlock.FindStringSubmatch(string(text))[1]), &workflow); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("../../pkg/audit/format/testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		second string
		passes bool
		says   []string
	}{
		"a good site": {strings.ReplaceAll(goodPage, "PATH", "hello/"), true, []string{"https://example.com/hello/: 9"}},
		"a bad page": {"<title>Hello</title>", false,
			[]string{"::error title=Share image::https://example.com/hello/", "checks failed by --fail-on error"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, repository(t, c.second))
			if passes := r.run(workflow.Jobs["audit"]); passes != c.passes {
				t.Errorf("the workflow passes: %v, want %v:\n%s", passes, c.passes, r.log.String())
			}
			for _, part := range c.says {
				if !strings.Contains(r.log.String(), part) {
					t.Errorf("got %s, want it to say %q", r.log.String(), part)
				}
			}
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(r.uploaded)))
			if err != nil {
				t.Fatalf("no findings were uploaded: %v", err)
			}
			if err := schema.Validate(document); err != nil {
				t.Error(err)
			}
			if bad := strings.Contains(string(r.uploaded), `"uri": "hello/index.html"`) &&
				strings.Contains(string(r.uploaded), `"level": "error",`+"\n     \"message\""); bad == c.passes {
				t.Errorf("an error on hello/index.html is uploaded: %v, want %v", bad, !c.passes)
			}
			summary, err := os.ReadFile(r.summary)
			if err != nil || !strings.Contains(string(summary), "<https://example.com/hello/>") {
				t.Errorf("got summary %.200s, %v", summary, err)
			}
		})
	}
}
