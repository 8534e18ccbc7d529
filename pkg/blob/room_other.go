//go:build !(linux || darwin)

package blob

import "errors"

func spaceOf(string) (free, total uint64, err error) { return 0, 0, errors.ErrUnsupported }
