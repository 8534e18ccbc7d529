package audit

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/format"

	"github.com/alecthomas/kong"
	yaml "github.com/oasdiff/yaml3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the generated files of docs")

// line is a command line with this command alone, and vars are what its tags name.
type line struct {
	Audit Command `cmd:""`
}

var vars = kong.Vars{"auditFormats": format.Names}

// auditKeys are the keys of masthead.yaml.
func auditKeys(t testing.TB) []configKey {
	t.Helper()
	parser, err := kong.New(&line{}, vars)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range parser.Model.Leaves(false) {
		if node.Name == "audit" {
			return configKeys(node)
		}
	}
	t.Fatal("there is no command audit")
	return nil
}

func TestReadConfig_faultsNameLineAndColumn(t *testing.T) {
	keys := auditKeys(t)
	for config, want := range map[string]string{
		"pages: a\nmin_score: 3":                 "f:2:1: there is no key \"min_score\"; did you mean \"min-score\"?",
		"page: a":                                "did you mean \"pages\"?",
		"all: yes please":                        "f:1:6: all must be true or false",
		"min-score: 101":                         "f:1:12: min-score must be between 0 and 100; it is 101",
		"limit: 0":                               "f:1:8: limit must be between 1 and 10000; it is 0",
		"limit: 1.5":                             "f:1:8: limit must be a whole number",
		"limit: 99999999999999999999":            "f:1:8: limit must be",
		"fail-on: info":                          "f:1:10: fail-on: \"info\" is not one of error, warning",
		"pages:\n  - [a]":                        "f:2:5: pages must be a text",
		"pages: {a: b}":                          "f:1:8: pages must be a text",
		"sitemap: 3":                             "f:1:10: sitemap must be a text",
		"sitemap:":                               "f:1:9: sitemap must be a text",
		"ignore: [og-url, seo-http]":             "f:1:18: ignore: \"seo-http\" is not one of those of the reference",
		"format: pdf":                            "f:1:9: format: \"pdf\" is not one of text, json",
		"all: true\nall: false":                  "f:2:1: all is set twice",
		"pages: &a [x]\nallow: *a":               "f:2:8: allow: anchors and aliases are not supported",
		"- a":                                    "f:1:1: a configuration has a key and a value",
		"config: other.yaml":                     "there is no key \"config\"",
		"help: true":                             "there is no key \"help\"",
		"a: b\n---\nc: d":                        "more than one document",
		"pages: [":                               "f: line 1",
		strings.Repeat("#", maxConfigBytes+1):    "more than 64 KB",
		strings.Repeat("[", 60_000):              "f: ",
		"[a]: b":                                 "f:1:1: there is no key",
		"<<: {all: true}":                        "there is no key \"<<\"",
		"fail-on: nothing\nmin-score: a\nnew: 1": "f:3:1:",
	} {
		values, err := readConfig(strings.NewReader(config), "f", keys)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, %v, want %q", config, values, err, want)
		}
	}
}

func TestConfigSchema_isPublishedAndThatOfTheCode(t *testing.T) {
	const name = "../../../docs/masthead.schema.json"
	keys := auditKeys(t)
	want, err := configSchema(keys)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
		t.Errorf("%s is not that of the code (%v): run go test ./cmd/masthead/audit -run ConfigSchema -update", name, err)
	}
	for _, key := range keys {
		if kindNames[key.scalar][1] == "" || key.help == "" {
			t.Errorf("%s has no type or no description", key.name)
		}
	}
	for _, needed := range []string{
		"pages", "sitemap", "limit", "origin", "allow", "ignore", "fail-on", "min-score", "baseline", "format", "output",
	} {
		if !slices.ContainsFunc(keys, func(k configKey) bool { return k.name == needed }) {
			t.Errorf("there is no key %s", needed)
		}
	}
}

// schemaOf compiles the schema.
func schemaOf(t testing.TB, keys []configKey) *jsonschema.Schema {
	t.Helper()
	text, err := configSchema(keys)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("masthead.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("masthead.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// valid reports whether the schema takes a file; known is false for one that is no YAML that JSON can hold.
func valid(schema *jsonschema.Schema, config string) (valid, known bool) {
	var value any
	if err := yaml.Unmarshal([]byte(config), &value); err != nil || value == nil {
		return false, false
	}
	text, err := json.Marshal(value)
	if err != nil {
		return false, false
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	return err == nil && schema.Validate(document) == nil, err == nil
}

func TestConfigSchema_takesWhatTheProgramTakes(t *testing.T) {
	keys := auditKeys(t)
	schema := schemaOf(t, keys)
	for _, config := range []string{
		"pages: [https://example.com/, b]\nfail-on: error", "pages: a", "min-score: 80", "min-score: 101", "limit: 0",
		"limit: 10000", "limit: 10001", "all: true", "all: maybe", "fail-on: info", "ignore: [og-url]", "ignore: og-url",
		"ignore: [og]", "format: [json, sarif]", "format: pdf", "output: [sarif=a]", "fail_on: error", "sitemap: 3",
		"sitemap: [a]", "origin: http://localhost:8802\nallow: [127.0.0.1:9000]\nbaseline: a.json", "- a", "a",
		"pages: []",
	} {
		_, err := readConfig(strings.NewReader(config), "f", keys)
		if taken, _ := valid(schema, config); taken != (err == nil) {
			t.Errorf("%q: the schema takes it: %v, the program: %v", config, taken, err)
		}
	}
}

func FuzzReadConfig(f *testing.F) {
	for _, seed := range []string{
		"pages:\n  - https://example.com/\nfail-on: error\nmin-score: 80\nignore: [og-locale]", "a: &a [*a]", "? [a]\n: b",
		"limit: 0x10", "limit: 1_000", "all: !!str true", "{a: {b: {c: [[[[]]]]}}}", "min-score: .nan", "\xff", "%YAML 9\n---\n",
		"format: !!binary anNvbg==", "limit: !!int \"3\"",
	} {
		f.Add(seed)
	}
	keys := auditKeys(f)
	f.Fuzz(func(t *testing.T, config string) {
		values, err := readConfig(strings.NewReader(config), "f", keys)
		if err != nil {
			return
		}
		for name, value := range values {
			if i := slices.IndexFunc(keys, func(k configKey) bool { return k.name == name }); i < 0 || value == nil {
				t.Errorf("%q: got %s: %v", config, name, value)
			}
		}
	})
}
