package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// unclear says why an operand of a binary expression needs parentheses, or nothing: in Go + - | ^ share a precedence,
// as do * / % << >> & &^, unlike in C, so that a ^ b | c ^ d is ((a ^ b) | c) ^ d, and a & b << c is (a & b) << c. What
// is shifted first and masked then reads alike in both.
func unclear(outer, inner token.Token) string {
	bitwise := func(op token.Token) bool { return op == token.OR || op == token.XOR }
	shift := outer == token.SHL || outer == token.SHR
	if outer != inner && outer.Precedence() == inner.Precedence() && (bitwise(outer) || bitwise(inner)) ||
		shift && (inner == token.AND || inner == token.AND_NOT) {
		return inner.String() + " and " + outer.String() + " share a precedence: write parentheses"
	}
	return ""
}

// unclearIn returns what is unclear in a file, by line. Generated files have nothing.
func unclearIn(t *testing.T, name string, source any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		outer, ok := n.(*ast.BinaryExpr)
		if !ok {
			return true
		}
		for _, operand := range []ast.Expr{outer.X, outer.Y} {
			if inner, ok := operand.(*ast.BinaryExpr); ok {
				if fault := unclear(outer.Op, inner.Op); fault != "" {
					found = append(found, files.Position(outer.OpPos).String()+": "+fault)
				}
			}
		}
		return true
	})
	return found
}

// TestHouse_operatorsOfOnePrecedenceHaveParentheses reads every Go file: no linter of ours looks for what the compiler
// groups otherwise than a reader does.
func TestHouse_operatorsOfOnePrecedenceHaveParentheses(t *testing.T) {
	for expression, clear := range map[string]bool{
		"v ^ a | w ^ b": false, "(v ^ a) | (w ^ b)": true, "a | b ^ c": false, "a ^ b | c": false, "a + b | c": false,
		"a | b - c": false, "a - b + c": true, "a | b | c": true, "a ^ b ^ c": true, "a &^ b | c": true,
		"a & b << c": false, "a &^ b >> c": false, "a & (b << c)": true, "a >> b & c": true, "a << b | c": true,
		"f(v ^ a) | w": true, "a | -b": true, "a ^ b == c": true,
	} {
		if found := unclearIn(t, "x.go", "package x\n\nvar x = "+expression); (len(found) == 0) != clear {
			t.Errorf("%s: %q", expression, found)
		}
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		for _, fault := range unclearIn(t, path, nil) {
			t.Error(fault)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}
