package testenv

import (
	"os"
	"path/filepath"
)

// CacheDir returns a folder for expensive results that all packages and runs share, such as compiled code, or "" if
// the machine has none.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "masthead-test")
}
