package testenv

import "testing"

// Crowd returns how many concurrent clients a test should use: all, or a twentieth under -short, which is how the
// race detector runs. The race detector makes the program ten times slower, and finds a race among fifty clients just
// as well.
func Crowd(all int) int {
	if testing.Short() {
		return max(all/20, 2)
	}
	return all
}

// FullSpeed skips a test of waiting times under -short, because the race detector slows the program down too much for
// meaningful results.
func FullSpeed(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it takes a program at its full speed")
	}
}

// Sequential skips a test under -short in which little runs concurrently: files are read, or requests are sent one
// after the other, so that the race detector only makes it slower.
func Sequential(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: nothing in it is concurrent")
	}
}

// ManyStarts skips a test under -short that starts the program again and again, one after the other, to judge what it
// prints: the race detector finds nothing in that, and makes each start ten times slower.
func ManyStarts(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it starts the program again and again")
	}
}
