//go:build !unix

package rig

import (
	"errors"
	"syscall"
)

// become needs the users of Unix.
func become(name, _ string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("only Unix runs a command as the user " + name)
}
