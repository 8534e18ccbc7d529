package fonts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/fonts"
)

// folder makes a folder of files.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAddDir_facesAreReadAndBrokenOnesNamed(t *testing.T) {
	bold, err := os.ReadFile("noto-sans-georgian-600.ttf")
	if err != nil {
		t.Fatal(err)
	}
	before := len(fonts.All())
	err = fonts.AddDir(folder(t, map[string][]byte{
		"own.ttf": bold, "cut.ttf": bold[:len(bold)/2], "text.otf": []byte("no font at all"),
	}))
	if err == nil || !strings.Contains(err.Error(), "cut.ttf") || !strings.Contains(err.Error(), "text.otf") ||
		strings.Contains(err.Error(), "own.ttf") || len(fonts.All()) != before {
		t.Errorf("AddDir of two broken files = %v, and %d faces, want both named and %d", err, len(fonts.All()), before)
	}
	t.Cleanup(fonts.ForgetAdded)
	if err := fonts.AddDir(folder(t, map[string][]byte{"own.ttf": bold, "readme.txt": nil})); err != nil {
		t.Fatal(err)
	}
	own := fonts.Find("own", 600, false)
	if own == nil || own.Weight != 600 || own.Italic || !own.Has('ა') || own.Has('漢') || own.Index() != before {
		t.Errorf("the face that was added is %+v", own)
	}
	if got := fonts.Added(); len(got) != 1 || got[0] != own {
		t.Errorf("added faces are %v", got)
	}
}

func TestAddDir_missingAndCrowdedFolders(t *testing.T) {
	if err := fonts.AddDir(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there is no error")
	}
	many := map[string][]byte{}
	for i := range fonts.MaxAddedFaces + 1 {
		many[strings.Repeat("a", i+1)+".ttf"] = nil
	}
	if err := fonts.AddDir(folder(t, many)); err == nil || !strings.Contains(err.Error(), "65") {
		t.Errorf("a folder of 65 fonts: %v", err)
	}
}
