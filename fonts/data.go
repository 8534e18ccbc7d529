package fonts

import "io/fs"

// Data returns the face's file, for engines that read fonts themselves.
func (f *Face) Data() ([]byte, error) { return fs.ReadFile(f.from, f.file) }
