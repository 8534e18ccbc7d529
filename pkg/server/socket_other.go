//go:build !linux

package server

import "net"

// bindSocket leaves a connection as the system made it.
func bindSocket(*net.TCPConn) {}

// untaken is not known here.
func untaken(*net.TCPConn) (bytes int, ok bool) { return 0, false }
