package main

import (
	"context"
	"net/http"
	"time"
)

// How long a fault of a dependency lasts, how long it may take until nobody feels it any more, and how long we look.
const (
	faultTime = 12 * time.Second
	wellTime  = 10 * time.Second
	afterTime = 15 * time.Second
)

// slowAnswer is when an answer after a fault does not count as well yet.
const slowAnswer = 2 * time.Second

// quickRefusal is how fast a request is refused while a breaker is open: half of them at least, since a machine under
// test may be busy.
const quickRefusal = 50 * time.Millisecond

// fault is something that befalls a dependency and passes.
type fault struct {
	did string
	// quick says that refusals are quick once the fault is known, since there is a breaker.
	quick bool
	// cut says that what was being answered at its beginning may be answered late, by the load balancer alone, or not at
	// all.
	cut         bool
	begin, heal func() error
}

// depend breaks a dependency while the usual visitors are there, and heals it.
func (s *service) depend(ctx context.Context, f fault, visitors []*visitor) ([]row, error) {
	leave := s.visit(ctx, visitors)
	time.Sleep(calm)
	start := time.Now()
	if err := f.begin(); err != nil {
		return nil, err
	}
	time.Sleep(faultTime)
	if err := f.heal(); err != nil {
		return nil, err
	}
	healed := time.Now()
	time.Sleep(afterTime)
	leave()
	var rows []row
	for _, v := range visitors {
		rows = append(rows, f.judge(v, start, healed))
	}
	return rows, nil
}

// judge makes a visitor's row.
func (f fault) judge(v *visitor, start, healed time.Time) row {
	r := row{did: f.did, who: v.who, felt: v.stream.Between(start, healed), well: "at once"}
	after := v.stream.Between(healed, time.Now())
	if v.spared {
		r.wantNoError()
	}
	if f.cut {
		r.wantFewCut()
	} else {
		r.wantHonest(honestTime + v.makes)
	}
	if last, any := after.LastBad(slowAnswer + v.makes); any {
		took := last.Sub(healed)
		r.well = spoken(took)
		r.want(took < wellTime, "well within %v", wellTime)
	}
	r.want(len(after.Good()) > 0, "well at all")
	refused := v.stream.Between(start.Add(faultTime*2/3), healed).With(http.StatusServiceUnavailable)
	if len(refused) > 0 {
		median := refused.Quantile(.5)
		r.note = "in the last third, half of the refusals within " + spoken(median)
		if f.quick {
			r.want(median < quickRefusal, "refusals within %v", quickRefusal)
		}
	}
	return r
}
