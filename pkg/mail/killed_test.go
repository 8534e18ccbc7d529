package mail_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/notifications"
)

// program is a node that delivers events and sends mails.
type program struct {
	*fixture
	events *events.Bus
}

func newProgram(t *testing.T, d *db.DB, s *mailtest.Server) *program {
	t.Helper()
	p := &program{fixture: newFixture(t, d, s.Config), events: events.NewBus()}
	notifications.New(d, p.events, p.worker, p.mail)
	return p
}

// killer ends a program before its nth step: a statement, a commit, a conversation with the mail server, or reading its
// answer to the content. From then on neither the database nor the mail server gets anything of it.
type killer struct {
	mu     sync.Mutex
	left   int
	armed  bool
	killed bool
	halfAt int    // half is called when so many steps are left
	half   func() // nil for nothing
}

var errKilled = errors.New("the program was killed")

func (k *killer) before(statement string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.armed || strings.HasPrefix(statement, "SELECT CAST(? AS TEXT) AS kind") { // looking for jobs is by time
		return nil
	}
	k.left--
	if k.half != nil && k.left == k.halfAt {
		k.half()
	}
	k.killed = k.left <= 0
	if k.killed {
		return errKilled
	}
	return nil
}

func (k *killer) arm() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.armed = true
}

func (k *killer) dead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.killed
}

// TestSenders_killedBeforeEachStep_loseNothing kills a node before the nth step of the senders, for all n,
// and lets another node go on. Each case runs once more with a node beside it, which starts when half of the steps are
// done. Source: the package comments of mail and notifications.
func TestSenders_killedBeforeEachStep_loseNothing(t *testing.T) {
	for name, c := range map[string]struct {
		cause func(t *testing.T, p *program, id string)
		mails int // of the account that the senders send
	}{
		"an event": {mails: 1, cause: func(t *testing.T, p *program, id string) {
			err := p.db.InTx(t.Context(), func(tx *db.Tx) error {
				return events.SubscriptionChanged.Publish(t.Context(), tx, p.events, id,
					events.Subscription{Plan: "pro", PreviousPlan: "free"})
			})
			if err != nil {
				t.Fatal(err)
			}
		}},
		"a digest": {mails: 1, cause: func(t *testing.T, p *program, id string) {
			for i := range 8 {
				p.send(aboutProject(id, fmt.Sprint("p", i)))
			}
			for _, query := range []string{ // the first five were sent
				`DELETE FROM jobs WHERE key IN (SELECT id FROM mails WHERE digest IS NULL AND kind <> 'digest')`,
				`UPDATE mails SET state = 'sent' WHERE digest IS NULL AND kind <> 'digest'`,
			} {
				if _, err := p.db.Exec(t.Context(), query); err != nil {
					t.Fatal(err)
				}
			}
			p.digestsDue()
		}},
	} {
		t.Run(name+" beside another node", func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				s, others := mailtest.New(t, mailtest.Plain), mailtest.New(t, mailtest.Plain)
				killed := 0
				for n := 1; n <= max(killed+3, 14); n++ {
					id := fmt.Sprintf("%s-%d", strings.Fields(name)[1], n)
					if killBeside(t, d, s, others, n, id, c.cause) {
						killed = n
					}
					ids, sent := to(s, id)
					more, again := to(others, id)
					maps.Copy(ids, more)
					if sent += again; len(ids) != c.mails || sent > c.mails+1 {
						t.Errorf("killed before step %d: %d mails with %d Message-IDs, want %d, one of them again at most",
							n, sent, len(ids), c.mails)
					}
				}
				if killed < 6 {
					t.Errorf("killed before %d steps, want the senders killed while they send", killed)
				}
			})
		})
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				s := mailtest.New(t, mailtest.Plain)
				killed, twice := 0, 0
				for n := 1; n <= killed+3; n++ { // what runs at the same time doesn't always take as many
					k := &killer{left: n}
					node := newProgram(t, d.Interrupted(k.before), s)
					id := fmt.Sprintf("%s-%d", strings.Fields(name)[1], n)
					s.Answer(func(string, int) error { return k.before("MAIL") }, func() error { return k.before("DATA") })
					node.account(id, id+"@example.com", true)
					c.cause(t, node, id)
					k.arm()
					node.runUntil(t, func() bool { return k.dead() || node.idle(d) })
					if k.dead() {
						killed = n
					}
					if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0`); err != nil { // its leases expire
						t.Fatal(err)
					}
					s.Answer(nil, nil)
					other := newProgram(t, d, s)
					other.runUntil(t, func() bool { return other.idle(d) })
					ids, sent := to(s, id)
					if len(ids) != c.mails || sent > c.mails+1 {
						t.Errorf("killed before step %d: %d mails with %d Message-IDs, want %d, one of them again at most",
							n, sent, len(ids), c.mails)
					}
					if sent > c.mails {
						twice++
					}
				}
				if killed < 8 || twice == 0 {
					t.Errorf("killed before %d steps and %d mails sent again, want the senders killed while they send",
						killed, twice)
				}
				var told int
				err := d.Get(t.Context(), &told, `SELECT COUNT(*) FROM notifications GROUP BY user_id
					ORDER BY COUNT(*) DESC LIMIT 1`)
				if name == "an event" && (err != nil || told != 1) {
					t.Errorf("an account has %d notifications of an event (%v), want one", told, err)
				}
			})
		})
	}
}

// killBeside kills a node before the nth step from after its cause, while another one delivers and sends too, by
// another mail server; then the other goes on until nothing is left.
func killBeside(
	t *testing.T, d *db.DB, s, others *mailtest.Server, n int, id string, cause func(*testing.T, *program, string),
) (killed bool) {
	t.Helper()
	half := make(chan struct{})
	k := &killer{left: n, halfAt: n / 2, half: sync.OnceFunc(func() { close(half) })}
	node, beside := newProgram(t, d.Interrupted(k.before), s), newProgram(t, d, others)
	s.Answer(func(string, int) error { return k.before("MAIL") }, func() error { return k.before("DATA") })
	node.account(id, id+"@example.com", true)
	cause(t, node, id)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		<-half
		beside.worker.Run(ctx)
	})
	k.arm()
	node.runUntil(t, func() bool { return k.dead() || node.idle(d) })
	k.half()
	beside.worker.Drain(t.Context()) // what it has begun isn't begun again below
	cancel()
	running.Wait()
	if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0`); err != nil { // the leases of the node expire
		t.Fatal(err)
	}
	rest := newProgram(t, d, others)
	rest.runUntil(t, func() bool { return rest.idle(d) })
	return k.dead()
}

// runUntil runs the jobs until done says true.
func (p *program) runUntil(t *testing.T, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan struct{})
	go func() { defer close(ran); p.worker.Run(ctx) }()
	defer func() { cancel(); <-ran }()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("waited in vain")
}

// idle reports whether there is nothing to deliver or to send.
func (p *program) idle(d *db.DB) bool {
	var left int
	err := d.Get(p.t.Context(), &left, `SELECT (SELECT COUNT(*) FROM jobs) +
		(SELECT COUNT(*) FROM mails WHERE state = 'waiting')`)
	return err == nil && left == 0
}

// to returns the Message-IDs of the mails to an account, and how many mails there are.
func to(s *mailtest.Server, account string) (ids map[string]bool, sent int) {
	ids = map[string]bool{}
	for _, m := range s.Mails() {
		if strings.Contains(strings.Join(m.GetToString(), " "), account+"@") {
			ids[m.GetMessageID()] = true
			sent++
		}
	}
	return ids, sent
}
