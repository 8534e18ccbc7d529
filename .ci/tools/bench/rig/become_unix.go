//go:build unix

package rig

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// become returns what has a command run as another user, who gets the folder.
func become(name, dir string) (*syscall.SysProcAttr, error) {
	account, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, errUID := strconv.Atoi(account.Uid)
	gid, errGID := strconv.Atoi(account.Gid)
	as := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return as, errors.Join(errUID, errGID, os.Chown(dir, uid, gid))
}

// setQueue changes how many connections may wait to be taken from a listener.
func setQueue(of net.Listener, length int) error {
	listener, ok := of.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("a %T has no queue", of)
	}
	raw, err := listener.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.Listen(int(fd), length) })
	return errors.Join(err, failed)
}
