//go:build !unix

package main

import "context"

// clockAhead needs signals.
func clockAhead(context.Context, *lab) ([]row, error) {
	return nil, skipError("clocks are set by signals, which Unix has")
}

// clockBehind is like clockAhead.
func clockBehind(ctx context.Context, l *lab) ([]row, error) { return clockAhead(ctx, l) }

// clocksAhead is like clockAhead.
func clocksAhead(ctx context.Context, l *lab) ([]row, error) { return clockAhead(ctx, l) }
