package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"masthead/tools/bench/rig"
)

// Goals of twice the capacity: the share of the goodput that stays, and how soon a full queue refuses. Half of the
// refusals is asked for, since the load comes from the same cores.
const keptGoodput = .9

// twiceCapacity finds out how many new pages a second the service draws, before and after it is sent twice as many, of
// four owners.
func twiceCapacity(ctx context.Context, l *lab) ([]row, error) {
	const owners = 4
	s, err := l.open(ctx, rig.Options{}, owners)
	if err != nil {
		return nil, err
	}
	of := func(name string) rig.Asking {
		return func(ctx context.Context, i int) (*http.Request, error) {
			return s.newPages(s.owners[i%owners], name)(ctx, i)
		}
	}
	client := rig.NewClient(patience, otherAddresses...)
	const warm, measured, loaded = 3 * time.Second, 8 * time.Second, 15 * time.Second
	flood := func(name string, lasts time.Duration) (felt rig.Felt, perSecond float64) {
		ctx, stop := context.WithTimeout(ctx, lasts)
		defer stop()
		felt = rig.Flood(ctx, client, 32, of(name))
		return felt, float64(len(felt.Good())) / lasts.Seconds()
	}
	flood("warm", warm)
	before, capacity := flood("before", measured)
	start := time.Now()
	stream := rig.NewStream(ctx, client, 2*capacity, of("over"))
	time.Sleep(loaded)
	end := time.Now()
	stream.Stop()
	after, later := flood("after", measured)
	alone := row{did: "new pages of four owners at capacity, on 32 connections", who: "all of them",
		felt: append(before, after...),
		note: fmt.Sprintf("%.0f a second, and %.0f after what follows", capacity, later)}
	alone.wantNoError()
	over := row{did: "twice as many", who: "all of them", felt: stream.Between(start, end)}
	over.judgeOverload(end, loaded, (capacity+later)/2)
	return []row{alone, over}, nil
}

// judgeOverload compares what was good in an overload, which ended at a moment and had lasted for a time, with the
// capacity.
func (r *row) judgeOverload(end time.Time, lasted time.Duration, capacity float64) {
	good := 0 // what was answered within the time
	for _, one := range r.felt.Good() {
		if one.At.Add(one.Took).Before(end) {
			good++
		}
	}
	goodput := float64(good) / lasted.Seconds()
	refused := r.felt.With(http.StatusServiceUnavailable)
	r.note = fmt.Sprintf("%.0f good a second, %.0f %% of the capacity; half of the refusals within %s, 99 %% within %s",
		goodput, 100*goodput/capacity, spoken(refused.Quantile(.5)), spoken(refused.Quantile(.99)))
	r.wantHonest(honestTime)
	r.want(goodput > keptGoodput*capacity, "%.0f %% of the capacity", 100*keptGoodput)
	r.want(refused.Quantile(.5) < quickRefusal, "refusals within %v", quickRefusal)
}
