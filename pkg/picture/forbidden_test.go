package picture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// forbidden names, by import path, what no code of the module may touch: calls that pick a decoder by what happens to
// be registered (imaging registers BMP and TIFF), or that decode every frame. An empty list forbids the import.
var forbidden = map[string][]string{
	"image":                             {"Decode", "DecodeConfig", "RegisterFormat"},
	"image/gif":                         {"DecodeAll"},
	"github.com/disintegration/imaging": {"Decode", "Open"},
	"github.com/fogleman/gg":            {"LoadImage"},
	"golang.org/x/image/bmp":            nil,
	"golang.org/x/image/tiff":           nil,
}

// TestModule_otherPackages_doNotDecode reads every Go file of the module but tests.
func TestModule_otherPackages_doNotDecode(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // A file that does not parse is the compiler's matter.
		}
		files++
		for _, fault := range forbiddenIn(file) {
			t.Errorf("%s: %s; use picture.Decoder", set.Position(fault.pos), fault.what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files were found", files)
	}
}

type fault struct {
	pos  token.Pos
	what string
}

func forbiddenIn(file *ast.File) (faults []fault) {
	names := map[string]string{} // local name -> import path
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		selectors, listed := forbidden[path]
		if !listed {
			continue
		}
		local := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if selectors == nil || local == "." {
			faults = append(faults, fault{spec.Pos(), "imports " + path})
		}
		names[local] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := sel.X.(*ast.Ident); ok {
			for _, name := range forbidden[names[pkg.Name]] {
				if sel.Sel.Name == name {
					faults = append(faults, fault{sel.Pos(), names[pkg.Name] + "." + name})
				}
			}
		}
		return true
	})
	return faults
}

func TestModule_sourceThatDecodes_isSeen(t *testing.T) {
	const source = `package p
import ("image"; pics "github.com/disintegration/imaging"; "image/gif"; _ "golang.org/x/image/tiff"; . "github.com/fogleman/gg")
var (a, _, _ = image.Decode(nil); b, _ = pics.Open(""); c = gif.DecodeAll; d, _ = gif.Decode(nil); e = image.NewNRGBA)`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := forbiddenIn(file); len(got) != 5 {
		t.Errorf("found %v, want 5", got)
	}
}
