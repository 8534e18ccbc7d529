//go:build unix

package rig

import (
	"errors"
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
