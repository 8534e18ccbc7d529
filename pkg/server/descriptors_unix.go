//go:build unix

package server

import "syscall"

// raiseDescriptors raises the limit of open files and connections to want if possible, and returns the limit, or 0 if
// unknown.
func raiseDescriptors(want uint64) uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	for _, more := range []syscall.Rlimit{{Cur: want, Max: max(want, limit.Max)}, {Cur: limit.Max, Max: limit.Max}} {
		if limit.Cur < want && syscall.Setrlimit(syscall.RLIMIT_NOFILE, &more) == nil {
			limit = more
		}
	}
	return limit.Cur
}
