package mail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	gomail "github.com/wneessen/go-mail"

	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/mail"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/testenv"
)

// links hands out tokens that a test recognizes.
type links struct{ made *int }

func (l links) NewLink(
	_ context.Context, _ *db.Tx, _ mail.Kind, accountID, _ string,
) (token string, expires time.Time, err error) {
	*l.made++
	return fmt.Sprintf("token%d-%s", *l.made, accountID), time.Now().Add(time.Hour), nil
}

// fixture is a service on a database with the account "ada", confirmed.
type fixture struct {
	t      *testing.T
	db     *db.DB
	mail   *mail.Service
	worker *jobs.Worker
	links  int
}

func newFixture(t *testing.T, d *db.DB, cfg mail.Config) *fixture {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, db: d, worker: jobs.NewWorker(d, 5*time.Millisecond, nil)}
	f.mail = mail.New(cfg, d, f.worker, links{&f.links}, auditlog.New(d))
	return f
}

func (f *fixture) account(id, email string, confirmed bool) {
	f.t.Helper()
	at := db.Millis{}
	if confirmed {
		at.Time = time.Now()
	}
	_, err := f.db.Exec(f.t.Context(), `INSERT INTO users (id, email, email_key, name, password_hash, role, plan,
		created_at, updated_at, email_confirmed_at) VALUES (?, ?, ?, '', '', 'user', 'free', 0, 0, ?)`, id, email, email, at)
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) send(m mail.Message) {
	f.t.Helper()
	err := f.db.InTx(f.t.Context(), func(tx *db.Tx) error { return f.mail.Send(f.t.Context(), tx, m) })
	if err != nil {
		f.t.Fatal(err)
	}
}

// run runs the jobs until done says true.
func (f *fixture) run(done func() bool) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	ran := make(chan struct{})
	go func() { defer close(ran); f.worker.Run(ctx) }()
	defer func() { cancel(); <-ran }()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	f.t.Fatal("waited in vain")
}

func (f *fixture) states() (states string) {
	f.t.Helper()
	var list []string
	if err := f.db.Select(f.t.Context(), &list, `SELECT state FROM mails ORDER BY id`); err != nil {
		f.t.Fatal(err)
	}
	return strings.Join(list, " ")
}

func quota(id, event string) mail.Message {
	return mail.Message{Kind: mail.QuotaReached, AccountID: id, EventID: event, Data: mail.Data{
		Resource: "AI images", Month: "2026-11", Percent: 80, Used: 80, Limit: 100,
	}}
}

func TestSend_isSentOnceIfAndOnlyIfItIsCommitted(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		fault := errors.New("no")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(f.mail.Send(t.Context(), tx, quota("ada", "rolled back")), fault)
		})
		if !errors.Is(err, fault) {
			t.Fatal(err)
		}
		f.send(quota("ada", "e1"))
		f.send(quota("ada", "e1")) // delivered again
		f.run(func() bool { return f.states() == "sent" })
		f.send(quota("ada", "e1")) // and after it was sent
		if f.states() != "sent" || len(s.Mails()) != 1 {
			t.Fatalf("got %q and %d mails, want one", f.states(), len(s.Mails()))
		}
		got := s.Mails()[0]
		if subject := got.GetGenHeader(gomail.HeaderSubject); len(subject) != 1 ||
			subject[0] != "You have used 80% of your AI images" {
			t.Errorf("got the subject %q", subject)
		}
		for _, part := range got.GetParts() {
			text, err := part.GetContent()
			if err != nil || !strings.Contains(string(text), "80 of 100 AI images") {
				t.Errorf("%s: got %s, %v, want the figures in it", part.GetContentType(), text, err)
			}
		}
		if id := got.GetMessageID(); !strings.HasSuffix(id, "@masthead.example>") {
			t.Errorf("got the Message-ID %s, want our host's", id)
		}
		stop := strings.Join(got.GetGenHeader("List-Unsubscribe"), "")
		if one := strings.Join(got.GetGenHeader("List-Unsubscribe-Post"), ""); one != "List-Unsubscribe=One-Click" {
			t.Errorf("got List-Unsubscribe-Post %q", one)
		}
		// One click stops this kind, and nothing else.
		_, token, _ := strings.Cut(strings.Trim(stop, "<>"), "/mail/unsubscribe/")
		if f.mail.Unsubscribe(t.Context(), token+"x") == nil {
			t.Error("a token with another signature unsubscribes")
		}
		if err := f.mail.Unsubscribe(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		f.send(quota("ada", "e2"))
		if f.states() != "sent" {
			t.Errorf("got %q after unsubscribing, want no other mail", f.states())
		}
		f.send(mail.Message{Kind: mail.PlanChanged, AccountID: "ada", EventID: "e3", Data: mail.Data{Plan: "pro"}})
		f.run(func() bool { return f.states() == "sent sent" })
	})
}

func TestSend_onlyLinksToUnconfirmedAddresses(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("new", "new@example.com", false)
		f.send(quota("new", "e1"))
		f.send(mail.Message{Kind: mail.NewSignIn, AccountID: "new", EventID: "e2", Data: mail.Data{Place: "192.0.2.1"}})
		f.send(mail.Message{Kind: mail.ConfirmAddress, AccountID: "new", EventID: "e3"})
		f.send(mail.Message{Kind: mail.SignInLink, AccountID: "new", EventID: "e4"})
		f.run(func() bool { return f.states() == "sent sent" })
		for _, got := range s.Mails() {
			if got.GetGenHeader(gomail.HeaderSubject)[0] == "New sign-in to your account" {
				t.Error("an unconfirmed address got a mail without a link")
			}
			if h := got.GetGenHeader("List-Unsubscribe"); len(h) != 0 {
				t.Errorf("a mail about security has List-Unsubscribe %q", h)
			}
		}
	})
}

func TestSend_refusals(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		s.Answer(func(to string, nth int) error {
			switch {
			case strings.HasPrefix(to, "bad"):
				return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
			case strings.HasPrefix(to, "busy"):
				return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "later"}
			}
			return nil
		}, nil)
		f := newFixture(t, d, s.Config)
		for _, name := range []string{"busy", "bad", "good"} {
			f.account(name, name+"@example.com", true)
			f.send(quota(name, "e1"))
		}
		retried := func() (n int) {
			if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM jobs WHERE last_error LIKE '%later%'`); err != nil {
				t.Fatal(err)
			}
			return n
		}
		f.run(func() bool { return f.states() == "waiting refused sent" && retried() == 1 })
		err := testutil.CollectAndCompare(f.mail.Collectors()[0], strings.NewReader(`
# HELP masthead_mail_attempts_total Attempts to send an email, by result. Failed ones are repeated.
# TYPE masthead_mail_attempts_total counter
masthead_mail_attempts_total{result="failed"} 1
masthead_mail_attempts_total{result="refused"} 1
masthead_mail_attempts_total{result="sent"} 1
`))
		if err != nil {
			t.Error(err)
		}
		var marked []string
		if err := d.Select(t.Context(), &marked, `SELECT id FROM users WHERE email_refused_at IS NOT NULL`); err != nil ||
			len(marked) != 1 || marked[0] != "bad" {
			t.Errorf("the addresses of %v are marked, %v, want that of bad", marked, err)
		}
		f.send(quota("bad", "e2"))
		if f.states() != "waiting refused sent" {
			t.Errorf("got %q, want no more mail to a marked address", f.states())
		}
		f.resend(t, s)
	})
}

// resend has an operator send the refused mail again, once that is allowed: it says the same as before.
func (f *fixture) resend(t *testing.T, s *mailtest.Server) {
	t.Helper()
	again := func(who identity.Caller, kind mail.Kind) int {
		count, err := f.mail.Resend(t.Context(), who, kind)
		if (err != nil) == who.Admin {
			t.Errorf("%+v: %v", who, err)
		}
		return count
	}
	admin := identity.Caller{UserID: "ada", Admin: true}
	s.Answer(func(string, int) error { return nil }, nil)
	if n := again(identity.Caller{UserID: "bad"}, "") + again(admin, mail.ResetPassword); n != 0 {
		t.Errorf("%d mails are sent again, want none of another kind or for others", n)
	}
	for _, change := range []string{
		`email = 'other@example.com'`, `email = 'bad@example.com', disabled = TRUE`, `disabled = FALSE`,
	} {
		if _, err := f.db.Exec(t.Context(), `UPDATE users SET `+change+` WHERE id = 'bad'`); err != nil {
			t.Fatal(err)
		}
		if n := again(admin, mail.QuotaReached); (n == 1) != (change == `disabled = FALSE`) {
			t.Errorf("%s: %d mails are sent again", change, n)
		}
	}
	f.run(func() bool { return f.states() == "waiting sent sent" })
	mails := s.Mails()
	text, err := mails[len(mails)-1].GetParts()[0].GetContent()
	if err != nil || !strings.Contains(string(text), "80 of 100 AI images") {
		t.Errorf("sent again: %s, %v", text, err)
	}
	// One whose job was given up has failed, too; one that waits for its next attempt hasn't.
	if n := again(admin, ""); n != 0 {
		t.Errorf("%d mails are sent again, want none", n)
	}
	if _, err := f.db.Exec(t.Context(), `UPDATE jobs SET given_up_at = 1 WHERE kind = 'mail'`); err != nil {
		t.Fatal(err)
	}
	if n := again(admin, ""); n != 1 {
		t.Errorf("%d mails are sent again, want the one that was given up", n)
	}
	f.run(func() bool { return f.states() == "sent sent sent" })
}

// TestSend_badServers has mail servers that can't be used: nothing is lost, and when the server works the mail is sent.
func TestSend_badServers(t *testing.T) {
	dead, err := net.ResolveTCPAddr("tcp", testenv.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	plain := mailtest.New(t, mailtest.Plain)
	plain.Config.TLS = "mandatory"
	foreign := mailtest.New(t, mailtest.StartTLS)
	foreign.Config.TLS, foreign.Config.TLSConfig = "mandatory", nil // its certificate isn't trusted
	for name, cfg := range map[string]mail.Config{
		"dead": mailtest.Config(dead, "none"), "silent": mailtest.Config(silent.Addr(), "none"), "without TLS": plain.Config, "not trusted": foreign.Config,
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.SQLite(t)
			f := newFixture(t, d, cfg)
			f.account("ada", "ada@example.com", true)
			f.send(quota("ada", "e1"))
			f.run(func() bool {
				var failed int
				if err := d.Get(t.Context(), &failed, `SELECT COUNT(*) FROM jobs WHERE last_error <> ''`); err != nil {
					t.Fatal(err)
				}
				return failed == 1
			})
			if f.states() != "waiting" {
				t.Errorf("got %q, want that it waits", f.states())
			}
			good := mailtest.New(t, mailtest.StartTLS)
			good.Config.TLS = "mandatory"
			f = newFixture(t, d, good.Config)
			if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0`); err != nil {
				t.Fatal(err)
			}
			f.run(func() bool { return f.states() == "sent" })
		})
	}
	if n := len(plain.Mails()) + len(foreign.Mails()); n != 0 {
		t.Errorf("%d mails were sent without the encryption that is required", n)
	}
}

// TestSend_withoutServer_waitsForOne has an outbox whose mails are sent once there is a server.
func TestSend_withoutServer_waitsForOne(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, mail.Config{BaseURL: "https://masthead.example"})
		f.account("ada", "ada@example.com", true)
		f.send(quota("ada", "e1"))
		if _, err := f.mail.Request(t.Context(), mail.SignInLink, "ada@example.com"); err != nil {
			t.Fatal(err)
		}
		if f.states() != "waiting waiting" || f.links != 0 {
			t.Fatalf("got %q and %d links, want that all waits and no link", f.states(), f.links)
		}
		s := mailtest.New(t, mailtest.Plain)
		f = newFixture(t, d, s.Config)
		f.mail.Run(t.Context())
		f.run(func() bool { return f.states() == "sent sent" })
		f.mail.Run(t.Context())
		if f.links != 1 || len(s.Mails()) != 2 {
			t.Errorf("got %d links and %d mails, want 1 and 2", f.links, len(s.Mails()))
		}
	})
}

// TestRequest_sameForEveryAddress: an address without an account runs the same statements, and its mail goes nowhere.
func TestRequest_sameForEveryAddress(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", false)
		for _, address := range []string{"nobody@example.com", "ada@example.com"} {
			if _, err := f.mail.Request(t.Context(), mail.SignInLink, address); err != nil {
				t.Fatal(err)
			}
		}
		if f.states() != "waiting waiting" {
			t.Fatalf("got %q, want one for each address", f.states())
		}
		f.run(func() bool { return f.states() == "sent" })
		if len(s.Mails()) != 1 || f.links != 1 {
			t.Errorf("got %d mails and %d links, want 1 each", len(s.Mails()), f.links)
		}
		for range 9 {
			if _, err := f.mail.Request(t.Context(), mail.SignInLink, "ada@example.com"); err != nil {
				t.Fatal(err)
			}
		}
		var to int
		if err := d.Get(t.Context(), &to, `SELECT COUNT(*) FROM mails WHERE user_id = 'ada'`); err != nil || to != 5 {
			t.Errorf("got %d mails in an hour, %v, want 5", to, err)
		}
	})
}

// TestSend_killed ends the sender after the server took the mail and before that is written down: the mail is sent
// again, with the same Message-ID. Killed before, it is sent once.
func TestSend_killed(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		f.send(quota("ada", "e1"))
		lost := false
		s.Answer(nil, func() error {
			if !lost { // the row's lease is another's by the time that the result is to be written
				lost = true
				_, err := d.Exec(context.Background(), `UPDATE jobs SET holder = 'killed', due_at = 0 WHERE kind = 'mail'`)
				return err
			}
			return nil
		})
		f.run(func() bool { return f.states() == "sent" })
		got := s.Mails()
		if len(got) != 2 || got[0].GetMessageID() != got[1].GetMessageID() {
			t.Errorf("got %d mails, want two with one Message-ID", len(got))
		}
	})
}

func TestSend_hostileText(t *testing.T) {
	s := mailtest.New(t, mailtest.Plain)
	f := newFixture(t, dbtest.SQLite(t), s.Config)
	f.account("ada", "ada@example.com", true)
	f.send(mail.Message{Kind: mail.AIDisabled, AccountID: "ada", EventID: "e1", Data: mail.Data{
		Project: "x\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>", Reason: `"><img src=x onerror=1>`,
	}})
	f.account("bob", "bob@example.com\r\nBcc: eve@example.com", true)
	f.send(quota("bob", "e2"))
	f.run(func() bool { return f.states() == "sent waiting" })
	got := s.Mails()[0]
	to := got.GetTo()
	if len(to) != 1 || to[0].Address != "ada@example.com" || len(got.GetBcc()) != 0 {
		t.Errorf("got To %v, Bcc %v", to, got.GetBcc())
	}
	for _, part := range got.GetParts() {
		text, err := part.GetContent()
		if err != nil {
			t.Fatal(err)
		}
		if part.GetContentType() == gomail.TypeTextHTML && (bytes.Contains(text, []byte("<script")) ||
			bytes.Contains(text, []byte("<img"))) {
			t.Errorf("got the HTML %s, want it escaped", text)
		}
	}
	if _, err := netmail.ParseAddress(to[0].String()); err != nil {
		t.Error(err)
	}
}

// TestSend_twoNodes has two nodes send the same mails, and one that is stopped in between: each is sent once.
func TestSend_twoNodes(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f, other := newFixture(t, d, s.Config), newFixture(t, d, s.Config)
		var want []string
		for i := range 12 {
			id := fmt.Sprintf("user%d", i)
			f.account(id, id+"@example.com", true)
			f.send(quota(id, "e1"))
			want = append(want, "sent")
		}
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			ran := make(chan struct{})
			go func() { defer close(ran); other.worker.Run(ctx) }()
			for len(s.Mails()) == 0 {
				time.Sleep(time.Millisecond)
			}
			other.worker.Drain(ctx)
			<-ran
		}()
		f.run(func() bool { return f.states() == strings.Join(want, " ") })
		<-stopped
		seen := map[string]bool{}
		for _, got := range s.Mails() {
			seen[got.GetMessageID()] = true
		}
		if len(s.Mails()) != 12 || len(seen) != 12 {
			t.Errorf("got %d mails with %d Message-IDs, want 12", len(s.Mails()), len(seen))
		}
	})
}

// TestSend_lostLink has the attempt fail after its link was created: the next one creates another.
func TestSend_lostLink(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		s.Answer(func(_ string, nth int) error {
			if nth == 1 {
				_, err := d.Exec(context.Background(), `UPDATE jobs SET holder = 'killed', due_at = 0 WHERE kind = 'mail'`)
				return errors.Join(err, &smtp.SMTPError{Code: 421, Message: "closing"})
			}
			return nil
		}, nil)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		f.send(mail.Message{Kind: mail.ResetPassword, AccountID: "ada", EventID: "e1"})
		f.run(func() bool { return f.states() == "sent" })
		text, err := s.Mails()[0].GetParts()[0].GetContent()
		if f.links != 2 || len(s.Mails()) != 1 || err != nil || !strings.Contains(string(text), "#token=token2-ada") {
			t.Errorf("got %d links, %d mails, %v: %s; want the second link, once", f.links, len(s.Mails()), err, text)
		}
	})
}

// TestSend_slowServer_delaysNoOtherWork has a mail server that answers only when another kind of job has been done,
// though more mails wait than are sent at a time.
func TestSend_slowServer_delaysNoOtherWork(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		s.Config.Timeout = time.Minute
		done := make(chan struct{})
		s.Answer(func(string, int) error { <-done; return nil }, nil)
		f := newFixture(t, d, s.Config)
		other := f.worker.Handle("other", jobs.Work{
			Do:     func(context.Context, *jobs.Job) (jobs.Result, error) { close(done); return nil, nil },
			AtOnce: 1, Time: time.Minute, Attempts: 1, Pause: jobs.Pauses(time.Minute),
		})
		for i := range 9 {
			id := fmt.Sprintf("user%d", i)
			f.account(id, id+"@example.com", true)
			f.send(quota(id, "e1"))
		}
		started := func() (n int) {
			if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM jobs WHERE kind = 'mail' AND attempts > 0`); err != nil {
				t.Fatal(err)
			}
			return n
		}
		enqueued := false
		f.run(func() bool {
			if !enqueued && started() == 4 {
				enqueued = true
				err := d.InTx(t.Context(), func(tx *db.Tx) error { return other.Enqueue(t.Context(), tx, "", "1", nil) })
				if err != nil {
					t.Fatal(err)
				}
			}
			return f.states() == strings.TrimSpace(strings.Repeat("sent ", 9))
		})
	})
}

func TestSweep_deletesOldMails(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, mail.Config{})
		f.account("ada", "ada@example.com", true)
		for _, address := range []string{"ada@example.com", "nobody@example.com"} {
			if _, err := f.mail.Request(t.Context(), mail.ResetPassword, address); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			days int64
			want string
		}{{0, "waiting waiting"}, {1, "waiting"}, {30, ""}} {
			if _, err := d.Exec(t.Context(), `UPDATE mails SET created_at = created_at - ?`, c.days*86_400_000); err != nil {
				t.Fatal(err)
			}
			if err := f.mail.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := f.states(); got != c.want {
				t.Errorf("after %d more days: got %q, want %q", c.days, got, c.want)
			}
		}
	})
}

// TestSend_linkOfAnAddressThatChanged: a mail that waited while its account got another address, or was disabled, must
// not give its recipient the account.
func TestSend_linkOfAnAddressThatChanged(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		for id, change := range map[string]string{
			"ada": `UPDATE users SET email = 'new@example.com' WHERE id = ?`, "bob": `UPDATE users SET disabled = TRUE WHERE id = ?`,
		} {
			f.account(id, id+"@example.com", true)
			f.send(mail.Message{Kind: mail.ResetPassword, AccountID: id, EventID: "e1"})
			if _, err := d.Exec(t.Context(), change, id); err != nil {
				t.Fatal(err)
			}
		}
		f.run(func() bool { return f.states() == "refused refused" })
		if len(s.Mails()) != 0 || f.links != 0 {
			t.Errorf("got %d mails and %d links, want none", len(s.Mails()), f.links)
		}
	})
}

// TestSend_buttonElsewhere expects the button of a mail to lead to a page that isn't ours, if there is one.
func TestSend_buttonElsewhere(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		f.send(mail.Message{Kind: mail.PaymentFailed, AccountID: "ada", EventID: "e1", Data: mail.Data{
			Plan: "pro", Page: "https://stripe.example/in_1",
		}})
		f.run(func() bool { return f.states() == "sent" })
		f.send(mail.Message{Kind: mail.PaymentFailed, AccountID: "ada", EventID: "e3", Data: mail.Data{Plan: "pro"}})
		f.run(func() bool { return f.states() == "sent sent" })
		for i, want := range []string{"https://stripe.example/in_1", ""} {
			for _, part := range s.Mails()[i].GetParts() {
				text, err := part.GetContent()
				button := strings.Contains(string(text), "Pay the invoice:") || strings.Contains(string(text), "Pay the invoice</a>")
				if err != nil || button != (want != "") || !strings.Contains(string(text), want) {
					t.Errorf("mail %d: got %s, %v, want a button to %q", i, text, err, want)
				}
			}
		}
	})
}

// TestSend_signsIn sends through servers that require a password, which is only sent over TLS.
func TestSend_signsIn(t *testing.T) {
	for name, c := range map[string]struct {
		how     mailtest.How
		policy  string // "" for the server's
		signsIn bool
	}{
		"STARTTLS":                 {how: mailtest.StartTLS, signsIn: true},
		"TLS from the start":       {how: mailtest.SSL, signsIn: true},
		"if offered":               {how: mailtest.StartTLS, policy: "opportunistic", signsIn: true},
		"STARTTLS that isn't used": {how: mailtest.StartTLS, policy: "none"},
		"without TLS":              {how: mailtest.Plain},
		"without TLS, if offered":  {how: mailtest.Plain, policy: "opportunistic"},
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.SQLite(t)
			s := mailtest.New(t, c.how)
			s.Require("masthead", "a password")
			if c.policy != "" {
				s.Config.TLS = c.policy
			}
			failed := func() bool {
				var count int
				if err := d.Get(t.Context(), &count, `SELECT COUNT(*) FROM jobs WHERE last_error <> ''`); err != nil {
					t.Fatal(err)
				}
				return count > 0
			}
			wrong := s.Config
			wrong.Password = "another password"
			f := newFixture(t, d, wrong)
			f.account("ada", "ada@example.com", true)
			f.send(quota("ada", "e1"))
			f.run(failed)
			if f.states() != "waiting" || len(s.Mails()) != 0 {
				t.Fatalf("with a wrong password: got %q and %d mails, want that it waits", f.states(), len(s.Mails()))
			}
			if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0, last_error = ''`); err != nil {
				t.Fatal(err)
			}
			f = newFixture(t, d, s.Config)
			if !c.signsIn {
				f.run(failed)
				if f.states() != "waiting" || s.SignIns() != 0 {
					t.Errorf("got %q and %d sign-ins, want that the password isn't sent", f.states(), s.SignIns())
				}
				return
			}
			f.run(func() bool { return f.states() == "sent" })
			if len(s.Mails()) != 1 || s.SignIns() != 1 {
				t.Errorf("got %d mails and %d sign-ins, want one", len(s.Mails()), s.SignIns())
			}
		})
	}
}
