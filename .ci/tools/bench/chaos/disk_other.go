//go:build !linux

package main

import "context"

// diskFull needs Linux.
func diskFull(context.Context, *lab) ([]row, error) {
	return nil, skipError("a small disk in memory is mounted on Linux alone")
}
