//go:build !linux

package rig

import (
	"errors"
	"time"
)

// CPU needs Linux.
func (n *Node) CPU() (time.Duration, error) { return CPUOf(n.PID()) }

// CPUOf is [Node.CPU] of any process.
func CPUOf(int) (time.Duration, error) {
	return 0, errors.New("the processor time of another process is read on Linux alone")
}
