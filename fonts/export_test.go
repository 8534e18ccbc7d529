package fonts

import "io/fs"

// Reparse parses a face anew, for the benchmark.
func Reparse(f *Face) {
	if _, err := parse(f.Name()); err != nil {
		panic(err)
	}
}

// Files returns the sizes of the embedded files, by name.
func Files() (sizes map[string]int, err error) {
	sizes = make(map[string]int)
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sizes[path] = int(info.Size())
		}
		return err
	})
	return sizes, err
}
