//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package installation

import "os"

func lockFile(*os.File) error { return errNoLocks }
