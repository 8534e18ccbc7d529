package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxUnsent is how much of responses the kernel holds that the network has not taken yet. What it holds counts as
// written, so that without a bound slow clients would keep some 4 MB each, and be seen to take it.
const maxUnsent = 256 << 10

// bindSocket has the kernel give up a connection whose client takes nothing of what was written for writeTime, also
// after its response has ended.
func bindSocket(c *net.TCPConn) {
	control(c, func(fd int) {
		// A kernel that does not know one of them goes without it.
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(writeTime.Milliseconds()))
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, maxUnsent)
	})
}

// untaken returns how many bytes of what was written the client's machine has not taken yet; ok is false when that is
// not known.
func untaken(c *net.TCPConn) (bytes int, ok bool) {
	control(c, func(fd int) {
		n, err := unix.IoctlGetInt(fd, unix.SIOCOUTQ)
		bytes, ok = n, err == nil
	})
	return bytes, ok
}

func control(c *net.TCPConn, use func(fd int)) {
	var raw syscall.RawConn
	raw, err := c.SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) { use(int(fd)) }) // it fails when the connection is closed
	}
}
