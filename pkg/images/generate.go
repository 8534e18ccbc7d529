package images

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/files"
	"masthead/pkg/identity"
)

// Bounds of the stages: see docs/security.md, Outbound requests (a job of fetching) and Availability (the queues).
const (
	databaseTime = 3 * time.Second
	queueBound   = 10 * time.Second // ten times what it should be at most
	// storeTime outlasts a killed sweep.
	storeTime = files.MarkTime + 5*time.Second
)

// Generate returns the image that r asks for, drawing it when it is not kept. Identical requests at the same time, on
// one node or on many, share one drawing, which outlives the caller who began it; forced ones share only with forced
// ones.
//
// Errors: BAD_REQUEST for a bad or refused address, FORBIDDEN for a project that the key may not use, TIER_LOCKED for a
// model that the plan does not have, NOT_FOUND for a template, CONFLICT when r.CreateOnly finds an image,
// UPSTREAM_FAILED for a page that cannot be fetched.
func (s *Service) Generate(ctx context.Context, caller identity.Caller, r Request) (Record, error) {
	j := &job{caller: caller, request: r, began: s.now()}
	own := stages{
		{name: "authorise", run: s.authorise, bound: databaseTime},
		{name: "normalise", run: s.normalise},
		{name: "allow", run: s.allow, only: asksForAI, bound: databaseTime},
		{name: "look up", run: s.lookUp, bound: databaseTime},
	}
	if err := s.run(ctx, own, j); err != nil || j.done {
		return j.record, err
	}
	return s.share(ctx, j, s.gate(), s.making())
}

// gate is before the making: it refuses what could not be made soon enough.
func (s *Service) gate() stages { return stages{{name: "admit", run: s.admit}} }

// making is the making of an image, once for all who ask.
func (s *Service) making() stages {
	return stages{
		{name: "look again", run: s.lookAgain, bound: databaseTime},
		{name: "hung", run: s.refuseHung, bound: databaseTime},
		{name: "room", run: s.hasRoom},
		{name: "read", run: s.read, bound: card.ReadBound},
		{name: "background", run: s.background, only: asksForAI, skip: skipBackground, bound: backgroundTime},
		{name: "queue", run: s.queue, bound: queueBound},
		{name: "draw", run: s.draw, bound: card.DrawBound},
		{name: "store", run: s.keepFiles, bound: storeTime},
		{name: "record", run: s.keepRecord, bound: storeTime},
		{name: "photo later", run: s.photoLater, only: lacksPhoto},
	}
}

// safely turns a panic of fn into an error of this one picture: reading and drawing work on what strangers wrote, in
// goroutines where a panic would end the program.
func safely(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return fn()
}
