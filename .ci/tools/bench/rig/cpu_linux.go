package rig

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the processor time that the process has used so far, in user and system mode, to the nanosecond.
func (n *Node) CPU() (time.Duration, error) { return CPUOf(n.PID()) }

// CPUOf is [Node.CPU] of any process.
func CPUOf(pid int) (time.Duration, error) {
	// The clock of another process. Source: clock_getcpuclockid(3), CPUCLOCK_SCHED in linux/posix-timers.h.
	clock := int32(^pid<<3 | 2)
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, fmt.Errorf("processor time of %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
