package payments_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/jobs"
	"masthead/pkg/mail"
	"masthead/pkg/notifications"
	"masthead/pkg/payments"
	"masthead/pkg/payments/stripetest"
	"masthead/pkg/users"
)

// node is a program of several on one database.
type node struct {
	*payments.Service
	users   *users.Service
	worker  *jobs.Worker
	killer  *killer
	running sync.WaitGroup
	urls    []string // of checkouts that it showed to its caller
}

// killer ends a node before its nth step: a statement, a commit, a request to Stripe, or its answer. From then on
// neither the database nor Stripe gets anything of it.
type killer struct {
	mu     sync.Mutex
	left   int // 0 for never
	armed  bool
	killed bool
	kill   context.CancelFunc // interrupts what it waits for
	half   func()             // is called when half of the steps are left
	halfAt int
}

var errKilled = errors.New("the program was killed")

func (k *killer) step() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.armed || k.left == 0 && !k.killed {
		return nil
	}
	if k.left > 0 {
		k.left--
	}
	if k.left == k.halfAt {
		k.half()
	}
	if k.left == 0 {
		k.killed = true
		k.kill()
		return errKilled
	}
	return nil
}

func (k *killer) before(statement string) error {
	if strings.HasPrefix(statement, "SELECT CAST(? AS TEXT) AS kind") { // looking for jobs is by time
		return nil
	}
	return k.step()
}

func (k *killer) dead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.killed
}

// newNode starts a node, which is killed before its nth step from when the killer is armed.
func newNode(t *testing.T, s *shop, name string, n int) (*node, context.Context) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	of := &node{killer: &killer{left: n, kill: cancel}}
	d := s.db.Interrupted(of.killer.before)
	l := auditlog.New(d)
	bus := events.NewBus()
	of.users, of.worker = users.New(d, l, bus), jobs.NewWorker(d, time.Millisecond, nil)
	notifications.New(d, bus, of.worker, mail.New(mail.Config{}, d, of.worker, nil, l))
	cfg := config(s.stripe)
	cfg.SecretKey = "sk_test_" + name
	of.Service = payments.New(cfg, payments.Deps{
		DB: d, Users: of.users, Events: bus, Jobs: of.worker,
	})
	t.Cleanup(cancel)
	return of, ctx
}

// works runs the node's jobs until ctx ends.
func (n *node) works(ctx context.Context) {
	n.running.Go(func() { n.worker.Run(ctx) })
}

// ends ends the node, and waits for what it has begun.
func (n *node) ends() {
	n.killer.kill()
	n.running.Wait()
}

// buy starts a checkout, and keeps its address.
func (n *node) buy(ctx context.Context, s *shop, plan string) error {
	url, err := n.Checkout(ctx, s.caller, plan, "month")
	if err == nil {
		n.urls = append(n.urls, url)
	}
	return err
}

// deletes deletes the account as package auth does.
func (n *node) deletes(ctx context.Context, s *shop) error {
	if err := n.Cancel(ctx, s.caller.UserID); err != nil {
		return err
	}
	return n.users.Close(ctx, s.caller, func(context.Context, *db.Tx, users.User) error { return nil })
}

// receives takes an event as Stripe sends it.
func (n *node) receives(ctx context.Context, body []byte) error {
	return n.Receive(ctx, body, stripetest.Sign(body, stripetest.Secret))
}

// TestSenders_killedBeforeEachStep_withAnotherNode runs what sends something to Stripe, or to the customer, on two
// nodes at the same time: the second starts when the first has done half of n steps. The first is killed before its nth
// step, for all n. Then the other does what callers and
// Stripe do if they got no answer: it repeats it.
func TestSenders_killedBeforeEachStep_withAnotherNode(t *testing.T) {
	type work = func(ctx context.Context, n *node, s *shop) error
	subscribed := func(s *shop, fields stripetest.Object) {
		customer := s.customer()
		s.stripe.Put(s.stripe.All("checkout.session")[0]["id"].(string),
			stripetest.Object{"status": "complete", "subscription": "sub_1"})
		s.stripe.Put("sub_1", stripetest.Subscription(customer, "active", "price_pro"))
		s.stripe.Put("sub_1", fields)
		if _, err := s.db.Exec(s.t.Context(), `UPDATE subscriptions SET read_at = 0`); err != nil { // the sweep reads it
			s.t.Fatal(err)
		}
	}
	event := func(ctx context.Context, n *node, s *shop) error {
		return n.receives(ctx, s.stripe.Event("evt_same", "test", "sub_1"))
	}
	buy := func(plan string) work {
		return func(ctx context.Context, n *node, s *shop) error { return n.buy(ctx, s, plan) }
	}
	sweep := func(ctx context.Context, n *node, _ *shop) error { return n.Sweep(ctx) }
	deletes := func(ctx context.Context, n *node, s *shop) error { return n.deletes(ctx, s) }
	for name, c := range map[string]struct {
		before       func(s *shop)
		first, other work // the first one's node is killed
		again        work // by the other node; nil for nothing
		plan         string
		mails        int
		alone        bool // the other node's jobs run afterwards
		deleted      bool
		steps        int // about
	}{
		"an event": {
			before: func(s *shop) { subscribed(s, nil) }, first: event, other: sweep, again: event, plan: "pro",
			alone: true, steps: 12,
		},
		"an event at both nodes": {
			before: func(s *shop) { subscribed(s, nil) }, first: event, other: event, again: event, plan: "pro", steps: 3,
		},
		"a failed payment": {
			before: func(s *shop) { subscribed(s, stripetest.Unpaid(s.clock)) },
			first:  event, other: sweep, again: event, plan: "pro", mails: 1, alone: true, steps: 14,
		},
		"a checkout": {first: buy("plus"), other: buy("plus"), again: buy("plus"), plan: "free", steps: 15},
		"two choices": {
			before: func(s *shop) { s.customer() }, first: buy("pro"), other: buy("plus"), again: buy("pro"),
			plan: "free", steps: 10,
		},
		"the portal": {
			before: func(s *shop) { subscribed(s, nil) },
			first: func(ctx context.Context, n *node, s *shop) error {
				_, err := n.Portal(ctx, s.caller)
				return err
			}, other: sweep, again: sweep, plan: "pro", steps: 3,
		},
		"a sweep": {
			before: func(s *shop) { subscribed(s, nil) }, first: sweep, other: sweep, again: sweep, plan: "pro", steps: 10,
		},
		"a deletion": {
			before: func(s *shop) { subscribed(s, nil) }, first: deletes, other: deletes, again: deletes, deleted: true,
			steps: 6,
		},
		"a deletion during a checkout": {
			before: func(s *shop) { s.customer() }, first: deletes, other: buy("pro"), again: deletes, deleted: true, steps: 6,
		},
		"a checkout during a deletion": {
			before: func(s *shop) { s.customer() }, first: buy("pro"), other: deletes, again: deletes, deleted: true, steps: 10,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				killed := 0
				for n := 1; n <= max(killed+2, c.steps); n++ { // another node may leave fewer steps to do
					if _, err := d.Exec(t.Context(), `DELETE FROM users`); err != nil {
						t.Fatal(err)
					}
					if _, err := d.Exec(t.Context(), `DELETE FROM stripe_events`); err != nil {
						t.Fatal(err)
					}
					s := newShop(t, d)
					if c.before != nil {
						c.before(s)
					}
					if died := s.together(n, c.first, c.other, c.again, c.alone, c.deleted); died {
						killed = n
					}
					what := fmt.Sprintf("killed before step %d", n)
					if u, err := s.users.ByID(t.Context(), s.caller.UserID); err != nil || c.deleted == u.DeletingAt.IsZero() {
						t.Errorf("%s: the account is deleted at %v (%v)", what, u.DeletingAt, err)
					}
					if !c.deleted {
						s.want(what, c.plan)
					} else if live := s.liveAtStripe(); live > 0 {
						t.Errorf("%s: a deleted account has %d subscriptions", what, live)
					}
					var mails int
					err := d.Get(t.Context(), &mails, `SELECT COUNT(*) FROM mails WHERE kind = 'payment_failed' AND user_id = ?`,
						s.caller.UserID)
					if err != nil || mails != c.mails {
						t.Errorf("%s: %d mails, %v, want %d", what, mails, err, c.mails)
					}
					var told int
					err = d.Get(t.Context(), &told, `SELECT COUNT(*) FROM notifications WHERE kind = 'payment_failed'`)
					if err != nil || told != c.mails {
						t.Errorf("%s: %d notifications, %v, want %d", what, told, err, c.mails)
					}
				}
				if killed < c.steps/2 {
					t.Errorf("killed before %d steps, want about %d: the test doesn't kill it while it sends", killed, c.steps)
				}
			})
		})
	}
}

// together does first and other on two nodes at the same time, of which the first is killed before its nth step. Then
// the other does again until it succeeds or is refused, and all jobs end.
func (s *shop) together(
	n int, first, other, again func(context.Context, *node, *shop) error, alone, deleted bool,
) (died bool) {
	s.t.Helper()
	a, aCtx := newNode(s.t, s, "a", n)
	b, bCtx := newNode(s.t, s, "b", 0)
	defer a.ends()
	defer b.ends()
	s.stripe.Around(func(r *http.Request, _ bool) error {
		if strings.HasSuffix(r.Header.Get("Authorization"), "sk_test_a") {
			return a.killer.step()
		}
		return nil
	})
	half := make(chan struct{})
	a.killer.halfAt, a.killer.half = n/2, sync.OnceFunc(func() { close(half) })
	a.killer.mu.Lock()
	a.killer.armed = true
	a.killer.mu.Unlock()
	a.works(aCtx)
	if !alone {
		b.works(bCtx)
	}
	var both sync.WaitGroup
	both.Go(func() {
		_ = first(aCtx, a, s)
		a.killer.half()
	})
	both.Go(func() {
		<-half
		_ = other(bCtx, b, s)
	})
	both.Wait()
	s.eventually("all jobs ended", func() bool { return a.killer.dead() || s.idle() })
	if died = a.killer.dead(); died {
		a.ends()
	}
	if alone {
		b.works(bCtx)
	}
	if _, err := s.db.Exec(s.t.Context(), `UPDATE jobs SET due_at = 0`); err != nil { // its leases expire
		s.t.Fatal(err)
	}
	s.eventually("it is done again", func() bool {
		err := again(bCtx, b, s)
		code := apperr.CodeOf(err)
		if err != nil && code != apperr.Conflict && code != apperr.Unauthorized {
			s.t.Logf("again: %v", err)
		}
		return err == nil || code == apperr.Unauthorized
	})
	s.eventually("all jobs ended", s.idle)
	// Whoever has the address of a checkout can pay it.
	open := 0
	for _, session := range s.stripe.All("checkout.session") {
		if session["status"] == "open" && slices.Contains(append(a.urls, b.urls...), session["url"].(string)) {
			open++
		}
	}
	if most := map[bool]int{false: 1}[deleted]; open > most {
		s.t.Errorf("killed before step %d: %d checkouts can be paid, want %d at most", n, open, most)
	}
	if customers := len(s.stripe.All("customer")); customers > 1 {
		s.t.Errorf("killed before step %d: %d customers", n, customers)
	}
	return died
}

func (s *shop) idle() bool {
	var left int
	return s.db.Get(s.t.Context(), &left, `SELECT COUNT(*) FROM jobs`) == nil && left == 0
}

func (s *shop) eventually(what string, done func() bool) {
	s.t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	s.t.Fatalf("waited in vain until %s", what)
}
