// Command prepare turns openapi.yaml (standard input) into what the generator makes good Go of (standard output). The contract itself
// stays free of both:
//
//   - every property gets its place in the document as x-order; without it the generator, and so every answer, has the fields by name;
//   - null goes from the values of an enum, where OpenAPI 3.0 wants it beside nullable; the generator makes a constant "<nil>" of it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prepare:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var document yaml.Node
	if err := yaml.NewDecoder(in).Decode(&document); err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	if err := prepare(&document); err != nil {
		return err
	}
	encoder := yaml.NewEncoder(out)
	if err := errors.Join(encoder.Encode(&document), encoder.Close()); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}

// prepare changes the node and all that is inside it.
func prepare(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			switch key, value := node.Content[i].Value, node.Content[i+1]; {
			case key == "enum" && value.Kind == yaml.SequenceNode:
				dropNull(value)
			case key == "properties" && value.Kind == yaml.MappingNode:
				if err := number(value); err != nil {
					return err
				}
			case key == "example" || key == "examples":
				continue // values, not schemas
			}
		}
	}
	for _, child := range node.Content {
		if err := prepare(child); err != nil {
			return err
		}
	}
	return nil
}

// number gives each property its place, from 1.
func number(properties *yaml.Node) error {
	for i := 1; i < len(properties.Content); i += 2 {
		property := properties.Content[i]
		if property.Kind != yaml.MappingNode {
			return fmt.Errorf("line %d: a property is written out or a $ref, not a YAML alias, which would have one place for all", property.Line)
		}
		property.Content = append(property.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: "x-order"},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa((i + 1) / 2)})
	}
	return nil
}

func dropNull(values *yaml.Node) {
	kept := values.Content[:0]
	for _, value := range values.Content {
		if value.Tag != "!!null" {
			kept = append(kept, value)
		}
	}
	values.Content = kept
}
