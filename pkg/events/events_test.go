package events_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/jobs"
)

var picture = events.Image{ImageId: "1", PublicId: "p", ProjectId: "2", Kind: "og", Url: "https://example.com/"}

// publish publishes an event of a picture in a transaction that ends with fault.
func publish(t *testing.T, d *db.DB, b *events.Bus, data events.Image, fault error) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return errors.Join(events.ImageCreated.Publish(t.Context(), tx, b, "owner", data), fault)
	})
	if !errors.Is(err, fault) {
		t.Fatal(err)
	}
}

// got are the events that a subscriber was given.
type got struct {
	mu   sync.Mutex
	list []events.Event
	data []events.Image
}

func (g *got) add(e events.Event, data events.Image) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list, g.data = append(g.list, e), append(g.data, data)
}

func (g *got) all() []events.Event {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.list
}

// run runs a worker until done says true, and fails the test after half a minute.
func run(t *testing.T, w *jobs.Worker, done func() bool) {
	t.Helper()
	ran := make(chan struct{})
	go func() { defer close(ran); w.Run(t.Context()) }()
	defer func() { w.Drain(t.Context()); <-ran }()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("waited in vain")
}

func enqueued(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM jobs WHERE given_up_at IS NULL`); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPublish_reachesSubscribersIfAndOnlyIfItIsCommitted(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		b, w := events.NewBus(), jobs.NewWorker(d, time.Millisecond, nil)
		var local, mail, hooks got
		events.ImageCreated.Notify(b, local.add)
		deliver := func(g *got) func(context.Context, events.Event, events.Image) (jobs.Result, error) {
			return func(_ context.Context, e events.Event, data events.Image) (jobs.Result, error) {
				g.add(e, data)
				return nil, nil
			}
		}
		events.ImageCreated.Deliver(events.Subscribe(b, w, "mail", events.Delivery{}), deliver(&mail))
		events.ImageCreated.Deliver(events.Subscribe(b, w, "webhooks", events.Delivery{}), deliver(&hooks))

		publish(t, d, b, picture, errors.New("no"))
		if len(local.all()) != 0 || enqueued(t, d) != 0 {
			t.Fatalf("%d told and %d enqueued of what was rolled back", len(local.all()), enqueued(t, d))
		}
		publish(t, d, b, picture, nil)
		if len(local.all()) != 1 || enqueued(t, d) != 2 {
			t.Fatalf("%d told and %d enqueued, want 1 and 2", len(local.all()), enqueued(t, d))
		}
		run(t, w, func() bool { return enqueued(t, d) == 0 })
		want := local.list[0]
		if want.ID == "" || want.Type != "image.created" || want.OwnerID != "owner" || want.At.IsZero() {
			t.Errorf("got %+v, want it filled in", want)
		}
		for name, g := range map[string]*got{"mail": &mail, "webhooks": &hooks} {
			if len(g.list) != 1 || g.list[0] != want || g.data[0] != picture {
				t.Errorf("%s got %+v with %+v, want %+v with %+v", name, g.list, g.data, want, picture)
			}
		}
	})
}

// TestDeliver_failingSubscriber_delaysNoOther_andIsTriedAgain has a subscriber whose first attempts fail, and one that
// never ends.
func TestDeliver_failingSubscriber_delaysNoOther_andIsTriedAgain(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		b, w := events.NewBus(), jobs.NewWorker(d, time.Millisecond, nil)
		var failing, fine got
		var written atomic.Int64
		release := make(chan struct{})
		again := events.Subscribe(b, w, "failing", events.Delivery{Pause: jobs.Pauses(time.Millisecond)})
		events.ImageCreated.Deliver(again, func(_ context.Context, e events.Event, data events.Image) (jobs.Result, error) {
			failing.add(e, data)
			if len(failing.all()) < 3 {
				return nil, errors.New("not yet")
			}
			return func(context.Context, *db.Tx) error { written.Add(1); return nil }, nil
		})
		stuck := events.Subscribe(b, w, "stuck", events.Delivery{AtOnce: 1})
		events.ImageCreated.Deliver(stuck, func(context.Context, events.Event, events.Image) (jobs.Result, error) {
			<-release
			return nil, nil
		})
		other := events.Subscribe(b, w, "fine", events.Delivery{})
		events.ImageCreated.Deliver(other, func(_ context.Context, e events.Event, data events.Image) (jobs.Result, error) {
			fine.add(e, data)
			return nil, nil
		})
		publish(t, d, b, picture, nil)
		publish(t, d, b, events.Image{ImageId: "2", Kind: "og"}, nil)
		go func() { // what is stuck is released once all others are done
			defer close(release)
			for range 6000 {
				if len(fine.all()) == 2 && len(failing.all()) == 4 {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
			t.Error("a subscriber waits for another")
		}()
		run(t, w, func() bool { return enqueued(t, d) == 0 })
		ids := map[string]bool{}
		for _, e := range failing.list {
			ids[e.ID] = true
		}
		if written.Load() != 2 || len(ids) != 2 {
			t.Errorf("%d results of %d events, want 2 of 2: a repeated delivery has the same id", written.Load(), len(ids))
		}
	})
}

func TestDeliver_givenUp_isKeptWithItsError_andWritesFail(t *testing.T) {
	d := dbtest.SQLite(t)
	b, w := events.NewBus(), jobs.NewWorker(d, time.Millisecond, nil)
	permanent := errors.New("no such address")
	var failed events.Event
	s := events.Subscribe(b, w, "mail", events.Delivery{
		Final: func(err error) bool { return errors.Is(err, permanent) },
		Fail: func(_ context.Context, e events.Event, _ error) jobs.Result {
			return func(context.Context, *db.Tx) error { failed = e; return nil }
		},
	})
	events.ImageCreated.Deliver(s, func(context.Context, events.Event, events.Image) (jobs.Result, error) {
		return nil, permanent
	})
	publish(t, d, b, picture, nil)
	run(t, w, func() bool { return enqueued(t, d) == 0 })
	if failed.Type != "image.created" {
		t.Errorf("got %+v, want the event", failed)
	}
}

func TestPublish_withoutSubscribers_leavesTheDatabaseAlone(t *testing.T) {
	for name, b := range map[string]*events.Bus{"no bus": nil, "nobody": events.NewBus()} {
		// There is no transaction, so anything that was done with it would panic.
		if err := events.ImageCreated.Publish(t.Context(), nil, b, "owner", picture); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		events.ImageCreated.Noticed(b, "owner", picture)
	}
}

func TestPublish_within_writesInThePublishersTransaction(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		b := events.NewBus()
		if _, err := d.Exec(t.Context(), `CREATE TABLE seen (id TEXT NOT NULL)`); err != nil {
			t.Fatal(err)
		}
		var fault error
		events.ImageCreated.Within(b, func(ctx context.Context, tx *db.Tx, e events.Event, _ events.Image) error {
			_, err := tx.Exec(ctx, `INSERT INTO seen (id) VALUES (?)`, e.ID)
			return errors.Join(err, fault)
		})
		seen := func() (n int) {
			if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM seen`); err != nil {
				t.Fatal(err)
			}
			return n
		}
		publish(t, d, b, picture, errors.New("no"))
		if n := seen(); n != 0 {
			t.Errorf("%d seen of what was rolled back, want none", n)
		}
		publish(t, d, b, picture, nil)
		if n := seen(); n != 1 {
			t.Errorf("%d seen, want one", n)
		}
		fault = errors.New("no")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return events.ImageCreated.Publish(t.Context(), tx, b, "owner", picture)
		})
		if n := seen(); !errors.Is(err, fault) || n != 1 {
			t.Errorf("got %v with %d seen, want the subscriber's error, and nothing written", err, n)
		}
	})
}

func TestPublish_tooLarge_isRefused(t *testing.T) {
	d := dbtest.SQLite(t)
	b := events.NewBus()
	s := events.Subscribe(b, jobs.NewWorker(d, 0, nil), "mail", events.Delivery{})
	events.ImageCreated.Deliver(s, func(context.Context, events.Event, events.Image) (jobs.Result, error) {
		return nil, nil
	})
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return events.ImageCreated.Publish(t.Context(), tx, b, "owner", events.Image{Url: strings.Repeat("a", 9000)})
	})
	if err == nil || enqueued(t, d) != 0 {
		t.Errorf("got %v, want it refused", err)
	}
}

func TestPublishOnce_oneCause_isOneEvent(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		b, w := events.NewBus(), jobs.NewWorker(d, time.Millisecond, nil)
		ids := map[string]int{}
		events.QuotaReached.Notify(b, func(e events.Event, _ events.Quota) { ids[e.ID]++ })
		events.QuotaReached.Deliver(events.Subscribe(b, w, "mail", events.Delivery{}),
			func(context.Context, events.Event, events.Quota) (jobs.Result, error) { return nil, nil })
		for _, cause := range []string{"a", "a", "b"} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return events.QuotaReached.PublishOnce(t.Context(), tx, b, "owner", cause, events.Quota{})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(ids) != 2 || enqueued(t, d) != 2 {
			t.Errorf("got the ids %v and %d deliveries, want two of each", ids, enqueued(t, d))
		}
	})
}
