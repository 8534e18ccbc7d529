package moduletest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/users"
	"masthead/pkg/webhooks"
)

// node is a process that publishes events and sends them.
type node struct {
	db     *db.DB
	bus    *events.Bus
	worker *jobs.Worker
	hooks  *webhooks.Service
	users  *users.Service
}

func newNode(t testing.TB, d *db.DB) *node {
	t.Helper()
	n := &node{db: d, bus: events.NewBus(), worker: jobs.NewWorker(d, time.Millisecond, nil)}
	log := auditlog.New(d)
	n.users = users.New(d, log, n.bus)
	client, err := fetch.New(fetch.Config{Allow: []string{"127.0.0.1/32"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	n.hooks = webhooks.NewService(webhooks.Config{}, webhooks.Deps{
		DB: d, Users: n.users, Projects: projects.New(d, log, n.bus),
		Plans:  billing.New(billing.Config{}, n.users, n.bus),
		Events: n.bus, Jobs: n.worker, Fetch: client, AuditLog: log,
	})
	return n
}

// runUntil runs jobs until done.
func (n *node) runUntil(t testing.TB, done func() bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { n.worker.Run(ctx) })
	for end := time.Now().Add(2 * time.Minute); !done(); {
		if time.Now().After(end) {
			t.Error("nothing ends")
			break
		}
		time.Sleep(time.Millisecond)
	}
	stop()
	running.Wait()
}

// killer ends a node before its nth step: a statement, a commit, a request to the endpoint, or reading the response.
// From then on neither the database nor the endpoint gets anything of it.
type killer struct {
	mu     sync.Mutex
	left   int
	killed bool
}

var errKilled = errors.New("the process was killed")

func (k *killer) before(statement string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if strings.HasPrefix(statement, "SELECT CAST(? AS TEXT) AS kind") { // looking for jobs is by time
		return nil
	}
	k.left--
	k.killed = k.left <= 0
	if k.killed {
		return errKilled
	}
	return nil
}

func (k *killer) dead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.killed
}

// TestSend_killedBeforeEachStep_losesNothing kills a node before the nth step of collecting and sending an event, for
// all n, and lets another go on. Source: the package comment.
func TestSend_killedBeforeEachStep_losesNothing(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		killed, twice := 0, 0
		for n := 1; n <= killed+3; n++ { // what runs at the same time doesn't always take as many
			k := &killer{left: n}
			step := k.before
			var mu sync.Mutex
			arrived := map[string]int{}
			endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if step("POST") != nil {
					panic(http.ErrAbortHandler) // the request didn't arrive
				}
				mu.Lock()
				arrived[r.Header.Get("webhook-id")]++
				mu.Unlock()
				if step("RESPONSE") != nil {
					panic(http.ErrAbortHandler)
				}
			}))
			first := newNode(t, d)
			user, err := first.users.Create(t.Context(), users.NewUser{
				Email: fmt.Sprintf("%d@example.com", n), PasswordHash: "-",
			})
			if err != nil {
				t.Fatal(err)
			}
			caller := identity.Caller{UserID: user.ID}
			hook, _, err := first.hooks.Create(t.Context(), caller, webhooks.New{URL: endpoint.URL})
			if err != nil {
				t.Fatal(err)
			}
			err = d.InTx(t.Context(), func(tx *db.Tx) error {
				return events.ImageCreated.Publish(t.Context(), tx, first.bus, user.ID, webhooksImage(n))
			})
			if err != nil {
				t.Fatal(err)
			}
			idle := func() bool {
				var left int
				err := d.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs`)
				return err == nil && left == 0
			}
			victim := newNode(t, d.Interrupted(k.before))
			victim.runUntil(t, func() bool { return k.dead() || idle() })
			if k.dead() {
				killed = n
			}
			if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0`); err != nil { // its leases expire
				t.Fatal(err)
			}
			step = func(string) error { return nil }
			newNode(t, d).runUntil(t, idle)
			sent, _, err := first.hooks.Deliveries(t.Context(), caller, hook.ID, cursor.Page{})
			if err != nil || len(sent) != 1 || sent[0].State != webhooks.Delivered {
				t.Errorf("killed before step %d: the deliveries are %+v (%v), want one, delivered", n, sent, err)
			}
			times := 0
			for _, count := range arrived {
				times += count
			}
			if len(arrived) != 1 || times > 2 {
				t.Errorf("killed before step %d: %d ids arrived %d times, want one, once or twice", n, len(arrived),
					times)
			}
			if times == 2 {
				twice++
			}
			endpoint.Close()
		}
		if killed < 8 || twice == 0 {
			t.Errorf("killed before %d steps, and %d events arrived again: want it killed while it sends", killed,
				twice)
		}
	})
}
