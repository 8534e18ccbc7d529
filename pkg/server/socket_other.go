//go:build !linux

package server

import "net"

// bindSocket does nothing on this system.
func bindSocket(*net.TCPConn) {}

// untaken is unknown on this system.
func untaken(*net.TCPConn) (bytes int, ok bool) { return 0, false }
