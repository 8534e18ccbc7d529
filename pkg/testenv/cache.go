package testenv

import (
	"os"
	"path/filepath"
)

// CacheDir is a folder for what is costly to make and the same for all packages and runs, such as compiled code; ""
// when the machine has no place for it.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "masthead-test")
}
