package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	yaml "github.com/oasdiff/yaml3"

	"masthead/pkg/audit/rule/checks"
)

// This file reads masthead.yaml, which sets the flags of audit. Its keys are the names of the flags: new flags are
// automatically keys, and in the schema.

// configName is the file that is read without --config.
const configName = "masthead.yaml"

// maxConfigBytes is the maximum size of a configuration file.
const maxConfigBytes = 64 << 10

// notInConfig are the flags that make no sense in a file.
var notInConfig = []string{"help", "version", "config", "config-schema", "json"}

// pagesKey is the key of the pages, which are arguments on the command line.
const pagesKey = "pages"

// configKey is a key of the file.
type configKey struct {
	name, help string
	list       bool
	scalar     reflect.Kind // of the value, or of each list entry
	enum       []string
	least      *float64
	most       *float64
}

// configKeys returns the keys of a command's file, in the order of its flags.
func configKeys(command *kong.Node) []configKey {
	keys := []configKey{{
		name: pagesKey, help: "The pages to audit, unless the command line names pages or a sitemap.", list: true,
		scalar: reflect.String,
	}}
	for _, flag := range command.Flags {
		if slices.Contains(notInConfig, flag.Name) {
			continue
		}
		key := configKey{name: flag.Name, help: flag.Help}
		of := flag.Target.Type()
		if of.Kind() == reflect.Slice {
			key.list, of = true, of.Elem()
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		key.scalar = of.Kind()
		if flag.Enum != "" {
			key.enum = flag.EnumSlice()
		}
		if flag.Name == "ignore" {
			key.enum = ruleIDs()
		}
		key.least, key.most = tagNumber(flag, "least"), tagNumber(flag, "most")
		keys = append(keys, key)
	}
	return keys
}

// tagNumber returns the number in a tag of a flag, or nil.
func tagNumber(flag *kong.Flag, tag string) *float64 {
	n, err := strconv.ParseFloat(flag.Tag.Get(tag), 64)
	if err != nil {
		return nil
	}
	return &n
}

// ruleIDs returns the ids of all rules.
func ruleIDs() []string {
	var ids []string
	for _, r := range checks.Set().All() {
		ids = append(ids, r.ID)
	}
	return ids
}

// BeforeResolve implements kong's hook: it sets the flags that aren't on the command line from the configuration file.
func (c *Command) BeforeResolve(line *kong.Context) error {
	name, named, pagesNamed := configName, false, false
	for _, element := range line.Path {
		switch {
		case element.Positional != nil:
			pagesNamed = true
		case element.Flag != nil && element.Flag.Name == "sitemap":
			pagesNamed = true
		case element.Flag != nil && element.Flag.Name == "config-schema":
			return nil // the file may be one that the schema helps to correct
		case element.Flag != nil && element.Flag.Name == "config":
			name, named = fmt.Sprint(line.FlagValue(element.Flag)), true
		}
	}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	defer file.Close()
	values, err := readConfig(file, name, configKeys(line.Selected()))
	if err != nil {
		return err
	}
	if pagesNamed {
		delete(values, pagesKey)
		delete(values, "sitemap")
	}
	pages, _ := values[pagesKey].([]any)
	for _, page := range pages {
		c.configured = append(c.configured, fmt.Sprint(page))
	}
	line.AddResolver(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		return values[flag.Name], nil
	}))
	return nil
}

// readConfig reads a file and returns the values of its keys: strings for scalars and []any of strings for lists.
// Errors have line and column; all faults of a file are reported at once.
func readConfig(r io.Reader, name string, keys []configKey) (map[string]any, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxConfigBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	if len(text) > maxConfigBytes {
		return nil, fmt.Errorf("%s has more than %d KB", name, maxConfigBytes>>10)
	}
	from := yaml.NewDecoder(strings.NewReader(string(text)))
	var document yaml.Node
	switch err := from.Decode(&document); {
	case errors.Is(err, io.EOF):
		return map[string]any{}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := from.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s has more than one document", name)
	}
	reader := configReader{file: name, keys: keys, values: map[string]any{}}
	reader.document(document.Content[0])
	return reader.values, errors.Join(reader.faults...)
}

// configReader reads one document.
type configReader struct {
	file   string
	keys   []configKey
	values map[string]any
	faults []error
}

// fault records what is wrong at a node.
func (r *configReader) fault(at *yaml.Node, format string, args ...any) {
	where := fmt.Sprintf("%s:%d:%d: ", r.file, at.Line, at.Column)
	r.faults = append(r.faults, fmt.Errorf(where+format, args...))
}

func (r *configReader) document(root *yaml.Node) {
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return // only comments
	}
	if root.Kind != yaml.MappingNode {
		r.fault(root, "a configuration has a key and a value on each line, such as `min-score: 80`")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		at, value := root.Content[i], root.Content[i+1]
		place := slices.IndexFunc(r.keys, func(k configKey) bool { return k.name == at.Value })
		switch {
		case at.Kind != yaml.ScalarNode || place < 0:
			r.fault(at, "there is no key %q%s", at.Value, r.nearest(at.Value))
		case seen[at.Value]:
			r.fault(at, "%s is set twice", at.Value)
		default:
			seen[at.Value] = true
			if v := r.value(&r.keys[place], value); v != nil {
				r.values[at.Value] = v
			}
		}
	}
}

// nearest suggests the key that was probably meant.
func (r *configReader) nearest(wrong string) string {
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	for _, key := range r.keys {
		if a, b := plain(wrong), plain(key.name); a == b || a+"s" == b || a == b+"s" {
			return fmt.Sprintf("; did you mean %q?", key.name)
		}
	}
	return ""
}

// value returns the value of a key, or nil if it is invalid.
func (r *configReader) value(key *configKey, at *yaml.Node) any {
	if !key.list {
		return r.scalar(key, at)
	}
	items := []*yaml.Node{at}
	if at.Kind == yaml.SequenceNode {
		items = at.Content
	}
	var list []any
	for _, item := range items {
		if one := r.scalar(key, item); one != nil {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// yamlTags are the allowed tags for values of a kind.
var yamlTags = map[reflect.Kind][]string{
	reflect.String: {"!!str"}, reflect.Int: {"!!int"}, reflect.Float64: {"!!int", "!!float"}, reflect.Bool: {"!!bool"},
}

// kindNames are the names of the kinds of values in errors and in the schema.
var kindNames = map[reflect.Kind][2]string{
	reflect.String: {"a text", "string"}, reflect.Int: {"a whole number", "integer"}, reflect.Float64: {"a number", "number"},
	reflect.Bool: {"true or false", "boolean"},
}

// scalar returns a single value as text, or nil if it is invalid.
func (r *configReader) scalar(key *configKey, at *yaml.Node) any {
	if at.Kind == yaml.AliasNode || at.Anchor != "" {
		r.fault(at, "%s: anchors and aliases are not supported", key.name)
		return nil
	}
	if at.Kind != yaml.ScalarNode || !slices.Contains(yamlTags[key.scalar], at.Tag) {
		r.fault(at, "%s must be %s", key.name, kindNames[key.scalar][0])
		return nil
	}
	if key.enum != nil && !slices.Contains(key.enum, at.Value) {
		among := strings.Join(key.enum, ", ")
		if len(key.enum) > 10 {
			among = "those of the reference, such as " + key.enum[0]
		}
		r.fault(at, "%s: %q is not one of %s", key.name, at.Value, among)
		return nil
	}
	if key.scalar == reflect.String {
		return at.Value
	}
	return r.number(key, at)
}

// number returns a number or Boolean, as written in flags.
func (r *configReader) number(key *configKey, at *yaml.Node) any {
	if key.scalar == reflect.Bool {
		var b bool
		if err := at.Decode(&b); err != nil {
			r.fault(at, "%s must be true or false", key.name)
			return nil
		}
		return strconv.FormatBool(b)
	}
	var n float64
	err := at.Decode(&n)
	switch {
	case err != nil, n != n, key.scalar == reflect.Int && n != float64(int64(n)):
		r.fault(at, "%s must be %s", key.name, kindNames[key.scalar][0])
		return nil
	case key.least != nil && n < *key.least, key.most != nil && n > *key.most:
		r.fault(at, "%s must be between %v and %v; it is %v", key.name, *key.least, *key.most, n)
		return nil
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// configSchema returns the JSON schema of the file, which is docs/masthead.schema.json.
func configSchema(keys []configKey) ([]byte, error) {
	type property map[string]any
	properties := map[string]property{}
	for i := range keys {
		key := &keys[i]
		one := property{"type": kindNames[key.scalar][1]}
		if key.enum != nil {
			one["enum"] = key.enum
		}
		if key.least != nil {
			one["minimum"] = *key.least
		}
		if key.most != nil {
			one["maximum"] = *key.most
		}
		if key.list {
			one = property{"oneOf": []property{one, {"type": "array", "items": one}}}
		}
		one["description"] = key.help
		properties[key.name] = one
	}
	schema, err := json.MarshalIndent(map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "masthead.yaml",
		"description":          "The configuration of masthead audit. Each key is the flag of that name; the command line overrides it.",
		"type":                 "object",
		"additionalProperties": false,
		"properties":           properties,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return append(schema, '\n'), nil
}
