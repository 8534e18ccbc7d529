package mail_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/mail"
	"masthead/pkg/mail/mailtest"
)

// aboutProject is a mail about a project.
func aboutProject(id, page string) mail.Message {
	return mail.Message{Kind: mail.AIDisabled, AccountID: id, EventID: page, Data: mail.Data{Project: page}}
}

// subjectsOf returns the subjects and texts of the mails that were sent.
func subjectsOf(s *mailtest.Server, t *testing.T) (subjects, texts []string) {
	t.Helper()
	for _, m := range s.Mails() {
		subjects = append(subjects, strings.Join(m.GetGenHeader("Subject"), ""))
		text, err := m.GetParts()[0].GetContent()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return subjects, texts
}

// digestsDue makes the digests due.
func (f *fixture) digestsDue() {
	f.t.Helper()
	_, err := f.db.Exec(f.t.Context(), `UPDATE jobs SET due_at = 0 WHERE kind = 'mail' AND holder = ''`)
	if err != nil {
		f.t.Fatal(err)
	}
}

// waiting counts the mails that wait.
func (f *fixture) waiting() (n int) {
	f.t.Helper()
	if err := f.db.Get(f.t.Context(), &n, `SELECT COUNT(*) FROM mails WHERE state = 'waiting'`); err != nil {
		f.t.Fatal(err)
	}
	return n
}

func TestSend_moreThanFiveOfAKindInAnHour_areOneDigest(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		f.account("bob", "bob@example.com", true)
		for i := range 30 {
			f.send(aboutProject("ada", fmt.Sprint("p", i)))
			f.send(aboutProject("ada", fmt.Sprint("p", i))) // delivered again
		}
		f.send(quota("ada", "e1"))
		f.send(aboutProject("bob", "p1"))
		// 5, one of another kind and one of another account are sent now; 25 and their digest wait.
		f.run(func() bool { return f.waiting() == 26 })
		if n := len(s.Mails()); n != 7 {
			t.Fatalf("%d mails were sent at once, want 7", n)
		}
		f.digestsDue()
		f.run(func() bool { return f.waiting() == 0 })
		subjects, texts := subjectsOf(s, t)
		if len(subjects) != 8 || subjects[7] != "25 more emails about AI images turned off" {
			t.Fatalf("got the subjects %q, want one digest of 25", subjects)
		}
		for _, want := range []string{"- AI images are off for p5\r\n", "- AI images are off for p24\r\n", "and 5 more",
			"See your notifications:\r\nhttps://masthead.example/dashboard/notifications"} {
			if !strings.Contains(texts[7], want) {
				t.Errorf("the digest lacks %q: %s", want, texts[7])
			}
		}
		// The link stops the mails in it.
		token, _, _ := strings.Cut(strings.Join(s.Mails()[7].GetGenHeader("List-Unsubscribe"), ""), ">")
		if token != "<https://masthead.example/mail/unsubscribe/"+f.mail.UnsubscribeToken("ada", mail.AIDisabled) {
			t.Errorf("got List-Unsubscribe %q, want that of the kind in it", token)
		}
		// An hour later, mails are sent at once again.
		if _, err := d.Exec(t.Context(), `UPDATE mails SET created_at = 0`); err != nil {
			t.Fatal(err)
		}
		f.send(aboutProject("ada", "later"))
		f.run(func() bool { return f.waiting() == 0 })
		if subjects, _ := subjectsOf(s, t); len(subjects) != 9 || subjects[8] != "AI images are off for later" {
			t.Errorf("got the subjects %q, want the last one at once", subjects)
		}
	})
}

// A digest that was refused is sent again with the mails in it.
func TestResend_digest(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		for i := range 8 {
			f.send(aboutProject("ada", fmt.Sprint("p", i)))
		}
		f.run(func() bool { return f.waiting() == 4 })
		s.Answer(func(string, int) error {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "no"}
		}, nil)
		f.digestsDue()
		f.run(func() bool { return f.waiting() == 0 })
		s.Answer(func(string, int) error { return nil }, nil)
		admin := identity.Caller{UserID: "ada", Admin: true}
		if n, err := f.mail.Resend(t.Context(), admin, ""); n != 1 || err != nil {
			t.Fatalf("%d mails are sent again, %v, want the digest", n, err)
		}
		f.run(func() bool { return f.waiting() == 0 })
		subjects, texts := subjectsOf(s, t)
		if last := len(subjects) - 1; last != 5 || subjects[last] != "3 more emails about AI images turned off" ||
			!strings.Contains(texts[last], "p7") {
			t.Errorf("got %q, %q", subjects, texts)
		}
	})
}

// Mails that are sent while a digest goes out are in it or in the next one.
func TestSend_atOnceWithADigest_losesNone(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := mailtest.New(t, mailtest.Plain)
		f := newFixture(t, d, s.Config)
		f.account("ada", "ada@example.com", true)
		var sending sync.WaitGroup
		for sender := range 4 {
			sending.Go(func() {
				for i := range 20 {
					f.send(aboutProject("ada", fmt.Sprintf("p%d-%d", sender, i)))
					f.digestsDue()
				}
			})
		}
		done := make(chan struct{})
		go func() { sending.Wait(); close(done) }()
		f.run(func() bool {
			select {
			case <-done:
				f.digestsDue()
				return f.waiting() == 0
			default:
				return false
			}
		})
		_, texts := subjectsOf(s, t)
		told := 0
		for _, text := range texts {
			if n := strings.Count(text, "AI images are off for"); strings.Contains(text, "This one has the rest") {
				subject := 0
				if _, err := fmt.Sscanf(text, "MASTHEAD\n\n%d more", &subject); err != nil {
					t.Fatalf("%v in %s", err, text)
				}
				told += subject
			} else if n > 0 {
				told++
			}
		}
		if told != 80 {
			t.Errorf("%d mails tell of %d events, want 80", len(texts), told)
		}
	})
}

func TestDigest_unsubscribedMeanwhile_isNotSent(t *testing.T) {
	d := dbtest.SQLite(t)
	s := mailtest.New(t, mailtest.Plain)
	f := newFixture(t, d, s.Config)
	f.account("ada", "ada@example.com", true)
	for i := range 7 {
		f.send(aboutProject("ada", fmt.Sprint("p", i)))
	}
	if err := f.mail.Unsubscribe(t.Context(), f.mail.UnsubscribeToken("ada", mail.AIDisabled)); err != nil {
		t.Fatal(err)
	}
	f.digestsDue()
	f.run(func() bool { return f.waiting() == 0 })
	if n := len(s.Mails()); n != 5 {
		t.Errorf("%d mails were sent, want the 5 from before", n)
	}
}
