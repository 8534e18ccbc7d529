package app_test

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// root is the project's folder, seen from this package.
const root = "../.."

// goList returns the lines that `go list` prints for all packages of the project.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// imports returns what each package of the project imports of the project, tests aside, by paths without the module's
// name.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, line := range goList(t, "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...") {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], "masthead/")
		all[name] = []string{}
		for _, imported := range fields[1:] {
			if path, ok := strings.CutPrefix(imported, "masthead/"); ok {
				all[name] = append(all[name], path)
			}
		}
	}
	return all
}

// joins are the boxes of docs/house.md that join modules, with the boxes that may know each.
var joins = map[string][]string{"cmd": {}, "bench": {}, "app": {"cmd"}, "server": {"app", "web"}, "web": {"app", "cmd"}}

// ground is what modules stand on, with what each may know of the rest. Any other box is a module, and may know those
// below it: the arrows of the drawing say which, and TestHouse_docsDrawItAsItIs holds them.
var ground = map[string][]string{
	"tools":  {"migrations", "fonts"},
	"events": {"gen", "tools"}, "gen": {"tools"}, "migrations": {}, "render": {"fonts"}, "fonts": {},
}

func isModule(box string) bool { return joins[box] == nil && ground[box] == nil }

func TestImports_pointOneWay(t *testing.T) {
	boxOf, _ := readHouse(t)
	for name, imported := range imports(t) {
		for _, path := range imported {
			if name == "pkg/client" && path != "gen/client" {
				t.Errorf("%s imports %s: the Go client knows the service by its document alone", name, path)
			}
			from, to := boxOf[name], boxOf[path]
			if from == to {
				continue
			}
			if may, known := joins[to]; known && !slices.Contains(may, from) {
				t.Errorf("%s imports %s, which joins modules and is not below it", name, path)
			}
			if may, known := ground[from]; known && !slices.Contains(may, to) {
				t.Errorf("%s imports %s: %s knows no more than %v", name, path, from, may)
			}
		}
	}
}

func TestImports_genIsForHTTPFilesAlone(t *testing.T) {
	boxOf, _ := readHouse(t)
	for name, box := range boxOf {
		if !isModule(box) {
			continue
		}
		files, err := os.ReadDir(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") || f.Name() == "http.go" {
				continue
			}
			text, err := os.ReadFile(root + "/" + name + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), `"masthead/gen"`) {
				t.Errorf("%s/%s imports gen; only http.go may", name, f.Name())
			}
		}
	}
}

func TestImports_renderStandsAlone(t *testing.T) {
	for _, dep := range goList(t, "-deps", "./render/...") {
		for _, forbidden := range []string{"net", "net/http", "database/sql", "masthead/gen"} {
			if dep == forbidden || strings.HasPrefix(dep, "masthead/pkg") {
				t.Errorf("render depends on %s", dep)
			}
		}
	}
}

// TestHouse_docsDrawItAsItIs compares docs/house.md with the imports: its table names every package and the box that
// the package is in, and its drawing has an arrow between two boxes exactly where a package of the one imports a
// package of the other.
func TestHouse_docsDrawItAsItIs(t *testing.T) {
	boxOf, drawn := readHouse(t)
	seen := map[string]bool{}
	for name, imported := range imports(t) {
		from, ok := boxOf[name]
		if !ok {
			t.Errorf("docs/house.md does not name %s", name)
			continue
		}
		for _, path := range imported {
			if to := boxOf[path]; to != from && to != "" {
				seen[from+" --> "+to] = true
			}
		}
	}
	for arrow := range seen {
		if !drawn[arrow] {
			t.Errorf("docs/house.md does not draw %s", arrow)
		}
	}
	for arrow := range drawn {
		if !seen[arrow] {
			t.Errorf("docs/house.md draws %s, which no import shows", arrow)
		}
	}
	for name := range boxOf {
		if _, err := os.Stat(root + "/" + name); err != nil {
			t.Errorf("docs/house.md names %s, which is not there", name)
		}
	}
}

var (
	houseRow   = regexp.MustCompile("^\\| `([a-z0-9/]+)` \\| ([a-z]+) \\|")
	houseArrow = regexp.MustCompile(`^\s*([a-z]+) --> ([a-z &]+)$`)
)

func readHouse(t *testing.T) (boxOf map[string]string, drawn map[string]bool) {
	t.Helper()
	f, err := os.Open(root + "/docs/house.md")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	boxOf, drawn = map[string]string{}, map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := houseRow.FindStringSubmatch(lines.Text()); m != nil {
			boxOf[m[1]] = m[2]
		}
		if m := houseArrow.FindStringSubmatch(lines.Text()); m != nil {
			for to := range strings.SplitSeq(m[2], "&") {
				drawn[m[1]+" --> "+strings.TrimSpace(to)] = true
			}
		}
	}
	if len(boxOf) == 0 || len(drawn) == 0 {
		t.Fatal("docs/house.md has no table or no drawing")
	}
	return boxOf, drawn
}

// TestHouse_docsKeepTheirWidth holds the lines that people read in a terminal or a diff within 120 columns, tables
// aside.
func TestHouse_docsKeepTheirWidth(t *testing.T) {
	files, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, root+"/README.md", root+"/.ci/run") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 120 && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d: got %d columns, want at most 120", strings.TrimPrefix(name, root+"/"), number, n)
			}
		}
	}
}

// maxLines is how many lines a package may have, without comments, blank lines and tests; otherwise it is split by
// subject. Some subjects are large: their packages have no limit.
const maxLines = 5000

// TestHouse_packagesAreSplitBeforeTheyAreLarge counts lines.
func TestHouse_packagesAreSplitBeforeTheyAreLarge(t *testing.T) {
	limits := map[string]int{"pkg/images": 3500, "render/text": 0, "render/paint": 0, "pkg/page": 0}
	lines := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if name := d.Name(); err == nil && path != root && (name == "gen" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
		for line := range strings.Lines(string(source)) {
			if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "//") {
				lines[dir]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines["pkg/app"] == 0 {
		t.Fatalf("no lines were counted: %v", lines)
	}
	for dir, n := range lines {
		limit, own := limits[dir]
		if !own {
			limit = maxLines
		}
		if limit > 0 && n > limit {
			t.Errorf("%s has %d lines of code, and may have %d: split it by subject", dir, n, limit)
		}
	}
}

// relativeLink finds the target of a Markdown link that is neither an address nor a heading of the same page.
var relativeLink = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// TestHouse_linksOfDocsLeadToFiles follows the links of the README and of docs.
func TestHouse_linksOfDocsLeadToFiles(t *testing.T) {
	pages, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for _, page := range append(pages, root+"/README.md", root+"/docs/samples/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range relativeLink.FindAllStringSubmatch(string(text), -1) {
			followed++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", strings.TrimPrefix(page, root+"/"), m[1], err)
			}
		}
	}
	if followed < 40 {
		t.Errorf("followed %d links, want the 40 and more that there are", followed)
	}
}

// TestHouse_holdsNoBuiltProgram looks at the first bytes of every file that git would commit: a built program, which
// `go build ./cmd/masthead` leaves on the top level, is no part of the repository.
func TestHouse_holdsNoBuiltProgram(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	list, err := cmd.Output()
	if err != nil {
		t.Skip("this folder is no clone:", err)
	}
	magic := []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf"} // Linux, Windows, macOS
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		f, err := os.Open(filepath.Join(root, name))
		if err != nil {
			continue // deleted and not yet committed
		}
		head := make([]byte, 4)
		n, _ := f.Read(head) // an empty file has no bytes to compare
		f.Close()
		if slices.ContainsFunc(magic, func(m string) bool { return strings.HasPrefix(string(head[:n]), m) }) {
			t.Errorf("%s is a built program", name)
		}
	}
}

// genericField finds a field of a struct that has a generic type of a module: a tab, names, and the type alone.
var genericField = regexp.MustCompile(`(?m)^\t+[\w, ]+ +\*?(?:lru\.Cache|simplelru\.LRU|gobreaker\.\w+)\[.*$`)

// TestHouse_fieldsHaveGenericTypesOfModulesAsInterfaces keeps the compiler from compiling caches and breakers again in
// each package: see package cache.
func TestHouse_fieldsHaveGenericTypesOfModulesAsInterfaces(t *testing.T) {
	if !genericField.MatchString("\tkept    *lru.Cache[string, []byte] // by name") {
		t.Error("the expression finds no field")
	}
	read := 0
	for _, dir := range goList(t, "-f", "{{.Dir}}", "./pkg/...", "./render/...", "./cmd/...") {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read++
			if field := genericField.Find(text); field != nil && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s: %s: have it as an interface, such as simplelru.LRUCache", file, strings.TrimSpace(string(field)))
			}
		}
	}
	if read == 0 {
		t.Error("no file was read")
	}
}

// namedTests finds a package and the names of tests behind it, as docs/security.md lists them.
var (
	namedPackage = regexp.MustCompile("`((?:pkg|cmd|render)/[a-z0-9/]+)`:((?:[,\\s]+`(?:Test|Fuzz)[A-Za-z0-9_]+`)+)")
	namedTest    = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`")
)

// TestHouse_testsOfSecurityPageExist finds every test that docs/security.md names in the package that it names.
func TestHouse_testsOfSecurityPageExist(t *testing.T) {
	text, err := os.ReadFile(root + "/docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, m := range namedPackage.FindAllStringSubmatch(string(text), -1) {
		files, err := filepath.Glob(filepath.Join(root, m[1], "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests: %v", m[1], err)
		}
		var source strings.Builder
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(content)
		}
		for _, test := range namedTest.FindAllStringSubmatch(m[2], -1) {
			named++
			if !strings.Contains(source.String(), "func "+test[1]+"(") {
				t.Errorf("%s has no %s, which docs/security.md names", m[1], test[1])
			}
		}
	}
	if all := len(namedTest.FindAllString(string(text), -1)); named != all || all < 60 {
		t.Errorf("found the packages of %d of %d tests, want all, and at least 60", named, all)
	}
}
