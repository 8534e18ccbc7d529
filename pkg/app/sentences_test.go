package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"masthead/gen"
	"masthead/pkg/testenv"
)

// phrases are those that a careful reader would fix, with what they would write.
var phrases = map[string]string{
	"is no valid":            "is not a valid, or what it must be",
	"of mail":                "email",
	"no such thing":          "what there is none of",
	"at least 1 propert":     "at least one of, and their names",
	"must match ^":           "words for the pattern",
	"not one of the allowed": "must be one of",
	"is not right":           "is wrong",
	"exists already":         "already exists",
	"is leaving":             "is shutting down",
}

// TestSentences_areEnglish reads what the program may say: every text of its source but those of the tests, and the
// document.
func TestSentences_areEnglish(t *testing.T) {
	testenv.Sequential(t)
	t.Parallel()
	check := func(where, text string) {
		for phrase, instead := range phrases {
			if strings.Contains(text, phrase) {
				t.Errorf("%s says %q: write %s", where, phrase, instead)
			}
		}
	}
	check("openapi.yaml", string(gen.Document()))
	for _, root := range []string{"../../cmd", "../../pkg", "../../render"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						check(files.Position(literal.Pos()).String(), text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
