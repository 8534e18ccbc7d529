package testenv

import "testing"

// Crowd returns how many a test sets at the program at once: all of them, or a twentieth under -short, which is how the
// race detector runs. It makes the program ten times slower, and finds a race among fifty as well.
func Crowd(all int) int {
	if testing.Short() {
		return max(all/20, 2)
	}
	return all
}

// FullSpeed skips a test under -short that tells how long people wait for each other: it says nothing about a program
// that the race detector slows down.
func FullSpeed(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it takes a program at its full speed")
	}
}
