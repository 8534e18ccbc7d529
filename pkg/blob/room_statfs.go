//go:build linux || darwin

package blob

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// spaceOf implements [Space]. Source: statfs(2); f_bavail is the space available to users other than root.
func spaceOf(dir string) (free, total uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, fmt.Errorf("statfs: %w", err)
	}
	size := uint64(s.Bsize)
	return s.Bavail * size, s.Blocks * size, nil
}
