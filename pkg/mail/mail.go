// Package mail sends email: from the transaction that causes a mail to the mail server's answer.
//
//   - kinds.go has the one table of all kinds of mail: which are about security, and what each says.
//   - [Service.Send] and [Service.SendTo] insert a mail with its job in the caller's transaction.
//   - digest.go puts mails into one, if an account gets too many of a kind.
//   - send.go is the job: it creates the mail's one-time link, if it has one, sends the mail, and marks it as sent.
//   - layout.html and layout.txt are the look of all mails; template.go fills them in.
//   - outbox.go shows operators what was sent and what waits.
//
// What is promised: a mail whose transaction is committed is sent at least once. It is sent again only if the server's
// answer to its content was lost or couldn't be written down, and then with the same Message-ID, which is derived from
// the event: SMTP can't promise more. Temporary failures are retried for about two days. If the server refuses the
// recipient or the content for good (5xx), the mail isn't sent again, and the account's address is marked.
//
// Without a mail server, mails wait in the outbox, and are sent when there is one. Tokens are in no table and no log: a
// link is created when its mail is sent, and only its digest is stored.
package mail

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// maxDataBytes bounds the data of a mail, as JSON.
const maxDataBytes = 16 << 10

// maxRequested is how many mails of a kind an account is sent in an hour if anybody can request them.
const maxRequested = 5

// Message is a mail to an account.
type Message struct {
	Kind      Kind
	AccountID string
	// EventID names what the mail is about: the same kind, account and event are one mail, however often it is sent.
	EventID string
	Data    Data
	// To is the address for kinds that are sent elsewhere: [NewAddress], [AddressChanged].
	To string
}

// Links creates one-time links, whose digest it stores in tx. Package auth implements it.
type Links interface {
	// NewLink returns the token of a link for an account, valid until expires. change is the ID of the change that the
	// kinds [NewAddress] and [AddressChange] are about: if there is no such change any more, it returns [ErrMoved], and if
	// another account has the new address, [ErrTaken].
	NewLink(
		ctx context.Context, tx *db.Tx, kind Kind, accountID, change string,
	) (token string, expires time.Time, err error)
}

// Service sends mails. It is safe for concurrent use.
type Service struct {
	cfg      Config
	db       *db.DB
	queue    *jobs.Queue // nil without a mail server
	links    Links
	auditlog *auditlog.Log
	now      func() time.Time
	attempts *prometheus.CounterVec
}

// New returns a service whose mails w sends, with links of links. cfg is valid.
func New(cfg Config, d *db.DB, w *jobs.Worker, links Links, l *auditlog.Log) *Service {
	cfg.Timeout = cmp.Or(cfg.Timeout, usualTimeout)
	s := &Service{cfg: cfg, db: d, links: links, auditlog: l, now: time.Now, attempts: newMetrics()}
	if cfg.Enabled() {
		s.queue = w.Handle("mail", s.work())
	}
	return s
}

// Enabled reports whether a mail server is configured. Without one, mails wait in the outbox.
func (s *Service) Enabled() bool { return s.cfg.Enabled() }

// Send sends a mail to an account if tx is committed. Nothing is sent to a disabled account, and to an unconfirmed
// address nothing but links. A mail that isn't about security is sent only to an address that hasn't refused mail, if
// the account wants its kind: see [DefaultOn]. Of a kind without links, an account gets five mails an hour, and the
// others in a digest; mails to other addresses of it ([Message].To) are sent as they are. A transaction that sends to
// several accounts does so in the order of their ids.
func (s *Service) Send(ctx context.Context, tx *db.Tx, m Message) error {
	spec, known := kinds[m.Kind]
	if !known {
		return fmt.Errorf("send a mail: there is no kind %q", m.Kind)
	}
	condition, args := ``, []any{m.AccountID}
	if spec.elsewhere == (m.To == "") {
		return fmt.Errorf("send a mail: %q to %q", m.Kind, m.To)
	}
	held := spec.link == "" && !spec.elsewhere
	if held {
		condition = ` AND email_confirmed_at IS NOT NULL`
		if err := lockKind(ctx, tx, m.AccountID, m.Kind); err != nil {
			return err
		}
	}
	if !spec.security {
		condition += ` AND email_refused_at IS NULL AND ` + wanted(m.Kind)
		args = append(args, string(m.Kind))
	}
	inserted := row{ID: db.NewID(), Kind: m.Kind, Cause: causeOf(m.Kind, m.EventID, m.AccountID)}
	added, err := s.insert(ctx, tx, inserted, m.Data,
		`SELECT id, COALESCE(CAST(? AS TEXT), email) AS email FROM users WHERE id = ? AND NOT disabled`+condition,
		append([]any{db.OrNull(m.To)}, args...)...)
	if err != nil || !added {
		return err
	}
	if held {
		if held, err := s.hold(ctx, tx, m.AccountID, m.Kind, inserted.ID); err != nil || held {
			return err
		}
	}
	return s.enqueue(ctx, tx, m.AccountID, inserted.ID)
}

// wanted is the condition that an account, users, wants the mails of a kind, the query's parameter.
func wanted(kind Kind) string {
	byDefault := `FALSE`
	if DefaultOn(kind) {
		byDefault = `TRUE`
	}
	return `COALESCE((SELECT wanted FROM notification_preferences
		WHERE user_id = users.id AND kind = ? AND channel = 'mail'), ` + byDefault + `)`
}

// DefaultOn reports whether accounts get the mails of a kind unless they say otherwise. What they say is in the table
// notification_preferences of package notifications, where unsubscribing writes it too.
func DefaultOn(kind Kind) bool { return !kinds[kind].quiet }

// Always reports whether the mails of a kind can't be unsubscribed from: they are about security.
func Always(kind Kind) bool { return kinds[kind].security }

// Words returns a mail's subject and text, which the inbox shows too.
func Words(kind Kind, d Data) (title, text string) {
	c := contentOf(kind, d)
	lines := c.Paragraphs
	for _, f := range c.Facts {
		lines = append(lines, f.Label+": "+f.Value)
	}
	return c.Subject, strings.Join(append(lines, c.Lines...), "\n")
}

// SendTo sends a mail about security to an address that has no account any more.
func (s *Service) SendTo(ctx context.Context, tx *db.Tx, kind Kind, address, eventID string, d Data) error {
	if !kinds[kind].security || kinds[kind].link != "" {
		return fmt.Errorf("send a mail: %q needs an account", kind)
	}
	id := db.NewID()
	added, err := s.insert(ctx, tx, row{ID: id, Kind: kind, Cause: causeOf(kind, eventID, address)}, d,
		`SELECT CAST(NULL AS TEXT) AS id, CAST(? AS TEXT) AS email`, address)
	if err != nil || !added {
		return err
	}
	return s.enqueue(ctx, tx, eventID, id)
}

// Request sends a mail with a one-time link to the account with an address (see users.EmailKey), if there is one, and
// if it was sent fewer than five in the last hour. If not, the same statements run and take as long, and nothing is
// sent. It returns the account's id, or "".
func (s *Service) Request(ctx context.Context, kind Kind, emailKey string) (accountID string, err error) {
	if kinds[kind].link == "" {
		return "", fmt.Errorf("request a mail: %q has no link", kind)
	}
	id := db.NewID()
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.insert(ctx, tx, row{ID: id, Kind: kind, Cause: id}, Data{},
			`SELECT MAX(id) AS id, COALESCE(MAX(email), '') AS email FROM users WHERE email_key = ? AND
				(NOT disabled OR deleting_at IS NOT NULL) AND
				(SELECT COUNT(*) FROM mails WHERE user_id = users.id AND kind = ? AND created_at > ?) < ?`,
			emailKey, string(kind), db.Millis{Time: s.now().Add(-time.Hour)}, maxRequested)
		if err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, id, id); err != nil {
			return err
		}
		return tx.Get(ctx, &accountID, `SELECT COALESCE(user_id, '') FROM mails WHERE id = ?`, id)
	})
	return accountID, err
}

// insert inserts a mail for the recipient, id and email, that a query finds; added is false if there is none or if the
// mail is there already.
func (s *Service) insert(
	ctx context.Context, tx *db.Tx, m row, d Data, recipient string, args ...any,
) (added bool, err error) {
	text, err := json.Marshal(d)
	if err == nil && len(text) > maxDataBytes {
		err = fmt.Errorf("its data has %d bytes, more than %d", len(text), maxDataBytes)
	}
	if err != nil {
		return false, fmt.Errorf("send a mail: %w", err)
	}
	all := append([]any{m.ID, m.Cause, string(m.Kind), string(text), db.Millis{Time: s.now()}}, args...)
	rows, err := tx.Exec(ctx, `INSERT INTO mails (id, cause, kind, user_id, recipient, data, state, created_at)
		SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), r.id, r.email, CAST(? AS TEXT), 'waiting', CAST(? AS BIGINT)
		FROM (`+recipient+`) AS r WHERE TRUE ON CONFLICT (cause) DO NOTHING`, all...)
	if err != nil {
		return false, fmt.Errorf("insert a mail: %w", err)
	}
	return rows > 0, nil
}

// enqueue adds the job that sends a mail. owner is whose turn it takes.
func (s *Service) enqueue(ctx context.Context, tx *db.Tx, owner, id string) error {
	if s.queue == nil {
		return nil // it waits for a mail server
	}
	return s.queue.Enqueue(ctx, tx, owner, id, nil)
}

// Run enqueues the mails that have waited without a mail server, or whose jobs were given up.
func (s *Service) Run(ctx context.Context) {
	if s.queue == nil {
		return
	}
	if err := s.resume(ctx); err != nil && ctx.Err() == nil {
		logResume(ctx, err)
	}
}

// Sweep deletes old mails: requests for addresses without an account after an hour, the others after 30 days.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	_, err1 := s.db.Exec(ctx, `DELETE FROM mails WHERE recipient = '' AND created_at < ?`,
		db.Millis{Time: now.Add(-time.Hour)})
	_, err2 := s.db.Exec(ctx, `DELETE FROM mails WHERE created_at < ?`, db.Millis{Time: now.Add(-30 * 24 * time.Hour)})
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("delete old mails: %w", err)
	}
	return nil
}

// causeOf names the mail of a kind about an event to a recipient.
func causeOf(kind Kind, eventID, recipient string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("mail "+string(kind)+" "+eventID+" "+recipient)).String()
}
