//go:build !unix

package rig

import (
	"errors"
	"net"
	"syscall"
)

// become needs the users of Unix.
func become(name, _ string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("only Unix runs a command as the user " + name)
}

// setQueue is for Unix, and does nothing elsewhere.
func setQueue(net.Listener, int) error { return nil }
