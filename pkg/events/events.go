// Package events tells parts of the program what happened in others. An event is published in the transaction that
// makes the change, so it is delivered if and only if the change is committed. Publishers and subscribers don't know
// each other; catalog.go lists all events with the types of their data, which are schemas of openapi.yaml.
//
// There are three kinds of subscribers, any number of each:
//
//   - Those in the publisher's transaction ([Type.Within]) write what belongs to the event, in the order of events.
//     They are for a few statements: their error fails the publisher.
//   - In-process ones ([Type.Notify]) run on the publishing node right after the commit, before the publisher goes on,
//     in the order of subscription. They are for caches: quick, without errors, lost if the process is killed, as the
//     cache is. Other nodes don't run them.
//   - Durable ones ([Subscribe], [Type.Deliver]) get each event as a job of their own (package jobs), enqueued in the
//     publisher's transaction, so each retries by itself, and one that fails or is slow delays no other.
//
// What is promised of durable deliveries: each happens at least once. The result that it returns is written exactly
// once, in the transaction that ends the delivery; effects elsewhere, such as an email, are made harmless to repeat by
// [Event.ID]. Deliveries to one subscriber start in the order of publication for each owner, and owners take turns; but
// some run at the same time and some again, so an event is a hint: who depends on the order reads the present state.
//
// Nothing is kept of an event but its jobs: they are deleted when done, and 7 days after they were given up. An event
// without subscribers doesn't touch the database.
//
// To add an event, define it in catalog.go with a schema for its data, and publish it where its cause is committed. To
// add a subscriber, call Within, Notify, or Subscribe and Deliver, in the New of the module that wants to know.
package events

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// maxDataBytes bounds the data of an event, as JSON. An event carries ids, not what they stand for.
const maxDataBytes = 8 << 10

// Event is what happened, without its data.
type Event struct {
	// ID is a UUID. All deliveries of an event have the same one, to all subscribers: it is their idempotency key.
	ID      string    `json:"id"`
	Type    string    `json:"type"` // such as "image.created"
	OwnerID string    `json:"ownerId"`
	At      time.Time `json:"createdAt"` // in whole milliseconds, UTC
}

// envelope is an event as its jobs keep it.
type envelope struct {
	Event
	Data json.RawMessage `json:"data"`
}

// Bus knows who wants to know what. Subscriptions are made before the first event is published; from then on it is safe
// for concurrent use. A nil Bus has no subscribers.
type Bus struct {
	within  map[string][]func(ctx context.Context, tx *db.Tx, e Event, data any) error
	local   map[string][]func(e Event, data any)
	durable map[string][]*Subscriber
	names   map[string]bool
	now     func() time.Time
}

// NewBus returns a bus without subscribers.
func NewBus() *Bus {
	return &Bus{
		within: map[string][]func(context.Context, *db.Tx, Event, any) error{}, local: map[string][]func(Event, any){},
		durable: map[string][]*Subscriber{}, names: map[string]bool{}, now: time.Now,
	}
}

func (b *Bus) wanted(name string) bool {
	return b != nil && len(b.within[name])+len(b.local[name])+len(b.durable[name]) > 0
}

// publish publishes an event that is wanted.
func (b *Bus) publish(ctx context.Context, tx *db.Tx, name, id, ownerID string, data any) error {
	e := Event{ID: id, Type: name, OwnerID: ownerID, At: db.Moment(b.now())}
	for _, fn := range b.within[name] {
		if err := fn(ctx, tx, e, data); err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
	}
	if subscribers := b.durable[name]; len(subscribers) > 0 {
		text, err := json.Marshal(data)
		if err == nil && len(text) > maxDataBytes {
			err = fmt.Errorf("its data has %d bytes, more than %d", len(text), maxDataBytes)
		}
		if err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
		for _, s := range subscribers {
			if err := s.queue.Enqueue(ctx, tx, ownerID, id, envelope{e, text}); err != nil {
				return fmt.Errorf("publish %s: %w", name, err)
			}
		}
	}
	if len(b.local[name]) > 0 {
		tx.AfterCommit(func() { b.tell(e, data) })
	}
	return nil
}

// idOf returns the id of the event of a type that an owner has for a cause.
func idOf(name, ownerID, cause string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name+" "+ownerID+" "+cause)).String()
}

func (b *Bus) noticed(name, ownerID string, data any) {
	if b != nil && len(b.local[name]) > 0 {
		b.tell(Event{ID: db.NewID(), Type: name, OwnerID: ownerID, At: db.Moment(b.now())}, data)
	}
}

func (b *Bus) tell(e Event, data any) {
	for _, fn := range b.local[e.Type] {
		fn(e, data)
	}
}

func (b *Bus) addWithin(name string, fn func(ctx context.Context, tx *db.Tx, e Event, data any) error) {
	if b != nil {
		b.within[name] = append(b.within[name], fn)
	}
}

func (b *Bus) addLocal(name string, fn func(e Event, data any)) {
	if b != nil {
		b.local[name] = append(b.local[name], fn)
	}
}

// Type is a type of events with data D. The variables of catalog.go are all there are. Its methods only lead to those
// of [Bus], since each package that uses a type compiles all of them (package cache).
type Type[D any] struct{ name string }

// Name is the event's type as it is written in JSON.
func (t Type[D]) Name() string { return t.name }

// Wanted reports whether anybody subscribes to the event: else there is no need to find out its data.
func (t Type[D]) Wanted(b *Bus) bool { return b.wanted(t.name) }

// Publish publishes an event about what ownerID owns in tx, the transaction that changes it.
func (t Type[D]) Publish(ctx context.Context, tx *db.Tx, b *Bus, ownerID string, data D) error {
	if !b.wanted(t.name) {
		return nil
	}
	return b.publish(ctx, tx, t.name, db.NewID(), ownerID, data)
}

// PublishOnce is Publish for an event that has one cause, such as a limit that is reached in a month, though the cause
// may be found more than once: its id is made of the event's type, its owner and cause. While it is being delivered to
// a subscriber it isn't again; later, the subscriber knows it by its id.
func (t Type[D]) PublishOnce(ctx context.Context, tx *db.Tx, b *Bus, ownerID, cause string, data D) error {
	if !b.wanted(t.name) {
		return nil
	}
	return b.publish(ctx, tx, t.name, idOf(t.name, ownerID, cause), ownerID, data)
}

// Noticed tells the in-process subscribers of something that was found out without a transaction of this node, such as
// a change that another node made.
func (t Type[D]) Noticed(b *Bus, ownerID string, data D) { b.noticed(t.name, ownerID, data) }

// Within calls fn in the publisher's transaction; see the package comment.
func (t Type[D]) Within(b *Bus, fn func(ctx context.Context, tx *db.Tx, e Event, data D) error) {
	b.addWithin(t.name, func(ctx context.Context, tx *db.Tx, e Event, data any) error {
		return fn(ctx, tx, e, data.(D)) // Publish of the same Type is the only caller
	})
}

// Notify calls fn on the publishing node after the commit; see the package comment.
func (t Type[D]) Notify(b *Bus, fn func(e Event, data D)) {
	b.addLocal(t.name, func(e Event, data any) { fn(e, data.(D)) }) // Publish of the same Type is the only caller
}

// Subscriber is a durable subscriber to any number of types.
type Subscriber struct {
	bus      *Bus
	queue    *jobs.Queue
	handlers map[string]func(context.Context, envelope) (jobs.Result, error)
}

// Delivery says how a subscriber gets its events; see [jobs.Work] for the fields.
type Delivery struct {
	AtOnce   int                             // 0 is 4
	Time     time.Duration                   // 0 is 30 s
	Attempts int                             // 0 is 8, over about a day
	Pause    func(attempt int) time.Duration // nil is from 10 s to 12 h
	// Fail returns what to write of an event that couldn't be delivered; may be nil.
	Fail func(ctx context.Context, e Event, err error) jobs.Result
	// Final reports whether an error is permanent; may be nil.
	Final func(err error) bool
}

// errUnknown is permanent: this version of the program doesn't know the event.
var errUnknown = errors.New("nobody handles this type of event")

// Subscribe returns a durable subscriber, whose deliveries w makes. Its name, such as "mail", is the kind of its jobs
// after "event:", so it never changes; it panics for one that is taken. Every process that publishes must know all
// durable subscribers: one that doesn't leaves them out.
func Subscribe(b *Bus, w *jobs.Worker, name string, d Delivery) *Subscriber {
	if b.names[name] {
		panic("events: two subscribers are called " + name)
	}
	b.names[name] = true
	s := &Subscriber{bus: b, handlers: map[string]func(context.Context, envelope) (jobs.Result, error){}}
	work := jobs.Work{
		Do: s.deliver, AtOnce: d.AtOnce, Time: d.Time, Attempts: d.Attempts, Pause: d.Pause,
		Final: func(err error) bool { return errors.Is(err, errUnknown) || d.Final != nil && d.Final(err) },
	}
	work.AtOnce = cmp.Or(work.AtOnce, 4)
	work.Time = cmp.Or(work.Time, 30*time.Second)
	work.Attempts = cmp.Or(work.Attempts, 8)
	if work.Pause == nil {
		work.Pause = jobs.Pauses(10*time.Second, time.Minute, 5*time.Minute, 30*time.Minute, 2*time.Hour, 6*time.Hour,
			12*time.Hour)
	}
	if d.Fail != nil {
		work.Fail = func(ctx context.Context, j *jobs.Job, err error) jobs.Result {
			var e envelope
			if json.Unmarshal(j.Payload, &e) != nil {
				return nil // the job is kept with its error
			}
			return d.Fail(ctx, e.Event, err)
		}
	}
	s.queue = w.Handle("event:"+name, work)
	return s
}

// Deliver gives the subscriber each event of a type. An error is retried. It panics for a type that the subscriber has
// already.
func (t Type[D]) Deliver(
	s *Subscriber, fn func(ctx context.Context, e Event, data D) (jobs.Result, error),
) {
	s.handle(t.name, func(ctx context.Context, e envelope) (jobs.Result, error) {
		var data D
		if err := e.decode(&data); err != nil {
			return nil, err
		}
		return fn(ctx, e.Event, data)
	})
}

func (s *Subscriber) handle(name string, fn func(context.Context, envelope) (jobs.Result, error)) {
	if s.handlers[name] != nil {
		panic("events: two handlers for " + name)
	}
	s.bus.durable[name] = append(s.bus.durable[name], s)
	s.handlers[name] = fn
}

// decode reads the data of an event.
func (e envelope) decode(data any) error {
	if err := json.Unmarshal(e.Data, data); err != nil {
		return fmt.Errorf("read the data of %s: %w", e.Type, err)
	}
	return nil
}

func (s *Subscriber) deliver(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var e envelope
	if err := json.Unmarshal(j.Payload, &e); err != nil {
		return nil, fmt.Errorf("read an event: %w", err)
	}
	handle := s.handlers[e.Type]
	if handle == nil {
		return nil, fmt.Errorf("%w: %s", errUnknown, e.Type)
	}
	return handle(ctx, e)
}
