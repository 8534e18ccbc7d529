package fonts

import (
	"errors"
	"io/fs"
	"path"

	"github.com/go-text/typesetting/font"
)

// Reparse parses a face anew, for the benchmark.
func Reparse(f *Face) {
	if _, err := f.parse(); err != nil {
		panic(err)
	}
}

// Whole parses a face anew with all its drawings.
func Whole(f *Face) (*font.Font, error) { return f.parseWhole() }

// Files returns the sizes of the embedded files, by name.
func Files() (map[string]int, error) {
	sizes := make(map[string]int)
	err := walk(sizes, files)
	return sizes, errors.Join(err, walk(sizes, largeFiles))
}

// walk adds the sizes of the files of an embedded folder, by name.
func walk(sizes map[string]int, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sizes[path.Base(name)] = int(info.Size())
		}
		return err
	})
}

// ForgetAdded takes back what AddDir added.
func ForgetAdded() {
	faces = faces[:len(faces)-len(added)]
	added = nil
}

// Large reports whether a face is one of those that a program may be built without.
func Large(f *Face) bool { return f.from == largeFiles }
