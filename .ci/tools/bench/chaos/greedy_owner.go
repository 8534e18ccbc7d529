package main

import (
	"context"
	"fmt"
	"time"

	"masthead/tools/bench/rig"
)

// greedyOwner has one owner ask for new pages on 128 connections, without a pause.
func greedyOwner(ctx context.Context, l *lab) ([]row, error) {
	s, err := l.open(ctx, rig.Options{}, 2)
	if err != nil {
		return nil, err
	}
	const connections = 128
	var greedy rig.Felt
	did := fmt.Sprintf("one owner asks for new pages on %d connections without a pause", connections)
	rows, err := s.neighbors(ctx, did, s.usual(), func(ctx context.Context) error {
		flood, stop := context.WithTimeout(ctx, 15*time.Second)
		defer stop()
		greedy = rig.Flood(flood, rig.NewClient(patience, otherAddresses...), connections, s.newPages(s.owners[0], "greedy"))
		return nil
	})
	if len(rows) > 0 {
		rows[0].note = "the greedy one: " + greedy.All()
	}
	return rows, err
}
