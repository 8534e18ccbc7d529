package server

import "log/slog"

// otherDescriptors are reserved for everything but client connections: the database, pictures, fetching pages. A
// process with a low limit reserves half of it.
const otherDescriptors = 1024

// affordable returns the maximum number of connections: most, or fewer if the process can't open as many files.
// Otherwise connections would wait without being accepted, and files couldn't be opened.
func affordable(most int) int {
	want := uint64(most + spareConnections + otherDescriptors)
	fit := fitting(most, raiseDescriptors(want))
	if fit < most {
		slog.Warn("the limit of connections is below MASTHEAD_CONNECTIONS, because the process may not open as many files; "+
			"raise its limit (ulimit -n)", "connections", fit, "files", want)
	}
	return fit
}

// fitting is the number of connections, at most most, for a process that may open have files; 0 means unlimited.
func fitting(most int, have uint64) int {
	if have == 0 || have >= uint64(most+spareConnections+otherDescriptors) {
		return most
	}
	left := int(have) - spareConnections - int(min(otherDescriptors, have/2))
	return min(most, max(16, left))
}
