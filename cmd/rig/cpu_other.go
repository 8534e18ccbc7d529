//go:build !linux

package rig

import (
	"errors"
	"time"
)

// CPU needs Linux.
func (*Node) CPU() (time.Duration, error) {
	return 0, errors.New("the processor time of another process is read on Linux alone")
}
