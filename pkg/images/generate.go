package images

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"masthead/pkg/identity"
)

// Bounds of the stages. Source: security requirements, "Outbound requests" (a job of fetching) and "Staying up" (the
// queues).
const (
	databaseTime = 3 * time.Second
	readTime     = 22 * time.Second // 20 s of fetching, and the wait for a place
	drawTime     = 15 * time.Second // nearly all of it in the queue
	// storeTime outlasts a killed sweep, whose files nobody may write for doomTime.
	storeTime = doomTime + 5*time.Second
)

// Generate returns the image that r asks for, drawing it when it is not kept. Identical requests at the same time, on
// one node or on many, share one drawing, which outlives the caller who began it; forced ones share only with forced
// ones.
//
// Errors: BAD_REQUEST for a bad or refused address, FORBIDDEN for a project that the key may not use, NOT_FOUND for a
// template, CONFLICT when r.CreateOnly finds an image, UPSTREAM_FAILED for a page that cannot be fetched.
func (s *Service) Generate(ctx context.Context, caller identity.Caller, r Request) (Record, error) {
	j := &job{caller: caller, request: r, began: s.now()}
	own := stages{
		{name: "authorise", run: s.authorise, bound: databaseTime},
		{name: "normalise", run: s.normalise},
		{name: "look up", run: s.lookUp, bound: databaseTime},
	}
	if err := own.run(ctx, j); err != nil || j.done {
		return j.record, err
	}
	return s.share(ctx, j, stages{
		{name: "look again", run: s.lookAgain, bound: databaseTime},
		{name: "admit", run: s.admit},
		{name: "read", run: s.read, bound: readTime},
		{name: "background", run: s.background},
		{name: "draw", run: s.draw, bound: drawTime},
		{name: "store", run: s.keepFiles, bound: storeTime},
		{name: "record", run: s.keepRecord, bound: storeTime},
	})
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
