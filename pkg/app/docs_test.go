package app_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"masthead/pkg/testenv"
)

var (
	// testName matches the name of a test in a text.
	testName = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark|Example)[A-Z]\w*`)
	// testFunc matches the declaration of a test.
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[A-Z]\w*)\(`)
	// citedPage matches a page of docs/ with its section, as comments cite it.
	citedPage = regexp.MustCompile(`\bdocs/([\w-]+\.md)(?:#([\w-]+))?`)
	// privatePage matches a Markdown file cited without its folder.
	privatePage = regexp.MustCompile(`(?:^|[^\w/.-])((?:security|decisions|templates|pages|style|stack2?|rendering|` +
		`audit-rules|language|service|field|app)\.md)\b`)
	// heading matches a heading of a page.
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// notInAnchor matches what GitHub removes from a heading for its anchor.
	notInAnchor = regexp.MustCompile(`[^\w -]`)
)

// sourceFiles calls use with the content of each file of the project with one of the extensions, by its path.
func sourceFiles(t *testing.T, extensions string, use func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "node_modules" || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if extension := filepath.Ext(path); extension == "" || !strings.Contains(extensions, extension) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		use(path, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// anchors returns the anchors of the headings of a page, as GitHub derives them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	return all
}

// TestDocs_namedTestsExist checks that every test named in docs/ exists, such as those of docs/security.md.
func TestDocs_namedTestsExist(t *testing.T) {
	testenv.Sequential(t)
	tests := map[string]bool{}
	sourceFiles(t, ".go", func(_, text string) {
		for _, match := range testFunc.FindAllStringSubmatch(text, -1) {
			tests[match[1]] = true
		}
	})
	sourceFiles(t, ".md", func(path, text string) {
		for _, name := range testName.FindAllString(text, -1) {
			if !tests[name] {
				t.Errorf("%s: there is no test %s", path, name)
			}
		}
	})
}

// TestDocs_citedPagesExist checks that sources cite pages of docs/ that exist, with sections that exist.
func TestDocs_citedPagesExist(t *testing.T) {
	testenv.Sequential(t)
	pages := map[string]map[string]bool{}
	sourceFiles(t, ".md", func(path, text string) {
		if filepath.Base(filepath.Dir(path)) == "docs" {
			pages[filepath.Base(path)] = anchors(text)
		}
	})
	sourceFiles(t, ".go .sql .yaml .sh .mjs", func(path, text string) {
		for _, match := range citedPage.FindAllStringSubmatch(text, -1) {
			if page := pages[match[1]]; page == nil || match[2] != "" && !page[match[2]] {
				t.Errorf("%s cites %s, which doesn't exist", path, match[0])
			}
		}
		for _, match := range privatePage.FindAllStringSubmatch(text, -1) {
			if filepath.Base(path) != "docs_test.go" {
				t.Errorf("%s cites %s, which isn't in the repository: cite docs/, or state the fact", path, match[1])
			}
		}
	})
}

// TestDocs_tasksRunWhatIsThere expects the scripts and packages of Taskfile.yml to be there, since .ci/run runs them
// without task, and the pages of docs/ to name only tasks that it has.
func TestDocs_tasksRunWhatIsThere(t *testing.T) {
	text, err := os.ReadFile(root + "/Taskfile.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tasks map[string]struct {
			Desc string `yaml:"desc"`
			Cmds []any  `yaml:"cmds"`
			Dir  string `yaml:"dir"`
		} `yaml:"tasks"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	path := regexp.MustCompile(`(?:^|[ "=])(\.?\.?/?\.ci/[\w./-]+|\./(?:cmd|pkg|render)[\w./-]*)`)
	paths := 0
	for name, task := range file.Tasks {
		if task.Desc == "" || len(task.Cmds) == 0 {
			t.Errorf("%s: the description or the commands are missing", name)
		}
		for _, cmd := range task.Cmds {
			if of, ok := cmd.(map[string]any); ok && file.Tasks[fmt.Sprint(of["task"])].Desc == "" {
				t.Errorf("%s: there is no task %v", name, of["task"])
			}
			for _, found := range path.FindAllStringSubmatch(fmt.Sprint(cmd), -1) {
				paths++
				info, err := os.Stat(filepath.Join(root, task.Dir, strings.TrimSuffix(found[1], "...")))
				if err != nil || strings.HasSuffix(found[1], ".sh") && info.Mode()&0o111 == 0 {
					t.Errorf("%s: %s isn't there, or can't be run: %v", name, found[1], err)
				}
			}
		}
	}
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(pages) == 0 || paths < 10 {
		t.Fatalf("%d pages, %d paths, %v", len(pages), paths, err)
	}
	for _, page := range append(pages, root+"/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range regexp.MustCompile("`task ([a-z-]+)").FindAllSubmatch(text, -1) {
			if _, ok := file.Tasks[string(named[1])]; !ok {
				t.Errorf("%s: there is no task %s", page, named[1])
			}
		}
	}
}
