package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxUnsent is how much unsent response data the kernel may buffer per connection. Buffered data counts as written, so
// without a limit slow clients would use some 4 MB each, and seem to read it.
const maxUnsent = 256 << 10

// bindSocket has the kernel drop a connection whose client acknowledges nothing for writeTime, even after its response
// has ended.
func bindSocket(c *net.TCPConn) {
	control(c, func(fd int) {
		// A kernel that doesn't support one of them works without it.
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(writeTime.Milliseconds()))
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, maxUnsent)
	})
}

// untaken returns how many of the written bytes the client's machine hasn't acknowledged; ok is false if unknown.
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
		_ = raw.Control(func(fd uintptr) { use(int(fd)) }) // it fails on a closed connection
	}
}
