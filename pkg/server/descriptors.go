package server

import "log/slog"

// otherDescriptors are kept for what is no connection of a client: the database, pictures, pages that are read. A
// process that may open few keeps half of them.
const otherDescriptors = 1024

// affordable returns how many connections may be held: most, or fewer where the process may not open as many files.
// A connection that cannot be accepted would otherwise wait unseen, and files could not be opened any more.
func affordable(most int) int {
	want := uint64(most + spareConnections + otherDescriptors)
	fit := fitting(most, raiseDescriptors(want))
	if fit < most {
		slog.Warn("fewer connections are held than MASTHEAD_CONNECTIONS says: the process may not open as many files; "+
			"raise its limit (ulimit -n)", "connections", fit, "files", want)
	}
	return fit
}

// fitting is the number of connections, at most most, for a process that may open have files; 0 is no limit.
func fitting(most int, have uint64) int {
	if have == 0 || have >= uint64(most+spareConnections+otherDescriptors) {
		return most
	}
	left := int(have) - spareConnections - int(min(otherDescriptors, have/2))
	return min(most, max(16, left))
}
