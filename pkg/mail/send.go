package mail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// This file is the job that sends a mail.

const (
	// sendAtOnce is how many mails a node sends at a time.
	sendAtOnce = 4
	// sendAttempts with their pauses take about two days.
	sendAttempts = 8
	// steps is how often a conversation with the mail server may take its timeout.
	steps = 5
	// maxAnswer is how many characters of a refusal are kept.
	maxAnswer = 300
)

func (s *Service) work() jobs.Work {
	return jobs.Work{
		Do: s.do, AtOnce: sendAtOnce, Time: steps*s.cfg.Timeout + 5*time.Second, Attempts: sendAttempts,
		Pause: jobs.Pauses(time.Minute, 5*time.Minute, 15*time.Minute, time.Hour, 4*time.Hour, 16*time.Hour, 24*time.Hour),
	}
}

// do sends a mail. Its result is written in the transaction that ends the job.
func (s *Service) do(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	m, found, err := s.waiting(ctx, j.Key)
	if err != nil || !found {
		return nil, err
	}
	if m.Recipient == "" { // requested for an address without an account
		return func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM mails WHERE id = ?`, m.ID)
			return err
		}, nil
	}
	var link string
	stop := m.Kind
	if m.Kind == Digest {
		stop, err = s.fill(ctx, &m)
	} else {
		link, _, err = s.link(ctx, m)
	}
	if errors.Is(err, ErrMoved) {
		return func(ctx context.Context, tx *db.Tx) error { return s.end(ctx, tx, m.ID, Refused, ErrMoved.Error()) }, nil
	}
	taken := errors.Is(err, ErrTaken)
	if err != nil && !taken {
		return nil, err
	}
	message, err := s.message(m, link, stop, taken)
	if err != nil {
		return nil, err
	}
	err = s.converse(ctx, message)
	refused, answer := permanent(err)
	s.attempts.WithLabelValues(resultOf(err, refused)).Inc()
	if refused {
		return func(ctx context.Context, tx *db.Tx) error {
			return errors.Join(s.end(ctx, tx, m.ID, Refused, answer), s.markAddress(ctx, tx, m))
		}, nil
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) error { return s.end(ctx, tx, m.ID, Sent, "") }, nil
}

// link creates the one-time link of a mail; "" if its kind has none. The token is after #, so that no server writes it
// to its access log.
func (s *Service) link(ctx context.Context, m row) (link string, expires time.Time, err error) {
	path := kinds[m.Kind].link
	if path == "" {
		return "", time.Time{}, nil
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		link, expires, err = s.linkIn(ctx, tx, m)
		return err
	})
	return link, expires, err
}

var (
	// ErrMoved means that a link or a digest must not be sent to the recipient of a mail.
	ErrMoved = errors.New("the account has another address by now, is disabled, or has unsubscribed")
	// ErrTaken means that another account has the address that a link is for: the mail says so instead.
	ErrTaken = errors.New("another account has the address")
)

func (s *Service) linkIn(ctx context.Context, tx *db.Tx, m row) (link string, expires time.Time, err error) {
	err = tx.Get(ctx, new(string), `SELECT id FROM users WHERE id = ? AND (email = ? OR ?)
		AND (NOT disabled OR deleting_at IS NOT NULL)`, m.UserID.String, m.Recipient, kinds[m.Kind].elsewhere)
	if errors.Is(err, sql.ErrNoRows) {
		return "", time.Time{}, ErrMoved
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("find the account of email %s: %w", m.ID, err)
	}
	var d Data
	if err := json.Unmarshal([]byte(m.Data), &d); err != nil {
		return "", time.Time{}, fmt.Errorf("read mail %s: %w", m.ID, err)
	}
	token, expires, err := s.links.NewLink(ctx, tx, m.Kind, m.UserID.String, d.Change)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("create the link of email %s: %w", m.ID, err)
	}
	return s.cfg.BaseURL + kinds[m.Kind].link + "#token=" + token, expires, nil
}

// message returns a mail as it is sent, with a link to unsubscribe from a kind. The library refuses line breaks in
// addresses and encodes them in other headers. taken: see [ErrTaken].
func (s *Service) message(m row, link string, from Kind, taken bool) (*mail.Msg, error) {
	d := Data{taken: taken}
	if err := json.Unmarshal([]byte(m.Data), &d); err != nil {
		return nil, fmt.Errorf("read mail %s: %w", m.ID, err)
	}
	sender, err := netmail.ParseAddress(s.cfg.From)
	if err != nil {
		return nil, fmt.Errorf("read MASTHEAD_SMTP_FROM: %w", err)
	}
	switch {
	case link != "":
	case d.Page != "":
		link = d.Page
	case d.Path != "":
		link = s.cfg.BaseURL + d.Path
	}
	stop := ""
	if !kinds[from].security && m.UserID.String != "" {
		stop = s.UnsubscribeToken(m.UserID.String, from)
	}
	r, err := render(m.Kind, d, link, stop, s.cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(sender)
	if err := msg.To(m.Recipient); err != nil {
		return nil, fmt.Errorf("address mail %s: %w", m.ID, err)
	}
	_, host, _ := strings.Cut(sender.Address, "@")
	msg.SetMessageIDWithValue(m.Cause + "@" + host)
	msg.SetDateWithValue(m.CreatedAt.Time)
	msg.Subject(r.subject)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if stop != "" {
		address := s.cfg.BaseURL + "/mail/unsubscribe/" + stop
		msg.SetListUnsubscribe(address)
		if strings.HasPrefix(address, "https://") { // RFC 8058, 3.1
			if err := msg.SetListUnsubscribeOneClick(address); err != nil {
				return nil, fmt.Errorf("address mail %s: %w", m.ID, err)
			}
		}
	}
	msg.SetBodyString(mail.TypeTextPlain, r.text)
	msg.AddAlternativeString(mail.TypeTextHTML, r.html)
	return msg, nil
}

// converse sends a message. It returns nil once the server has accepted it: what happens to the connection then is no
// failure.
func (s *Service) converse(ctx context.Context, msg *mail.Msg) error {
	options := []mail.Option{mail.WithTimeout(s.cfg.Timeout), mail.WithoutNoop(), mail.WithoutRset()}
	switch s.cfg.TLS {
	case tlsSSL:
		options = append(options, mail.WithSSL())
	case tlsOpportunistic:
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	case tlsNone:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	options = append(options, mail.WithPort(s.cfg.port()))
	if s.cfg.TLSConfig != nil {
		options = append(options, mail.WithTLSConfig(s.cfg.TLSConfig))
	}
	if s.cfg.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.cfg.User),
			mail.WithPassword(s.cfg.Password))
	}
	client, err := mail.NewClient(s.cfg.Host, options...)
	if err != nil {
		return fmt.Errorf("prepare to reach the mail server: %w", err)
	}
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	err = client.SendWithSMTPClient(connection, msg)
	if msg.IsDelivered() {
		err = nil
	}
	_ = client.CloseWithSMTPClient(connection) // the answer to QUIT changes nothing
	if err != nil {
		return fmt.Errorf("send a mail: %w", err)
	}
	return nil
}

// permanent reports whether the server refused the recipient or the content for good, and what it answered. A refused
// sender or sign-in is the operator's to fix, so those mails are retried.
func permanent(err error) (refused bool, answer string) {
	var fault *mail.SendError
	if !errors.As(err, &fault) || fault.IsTemp() || fault.ErrorCode() < 500 {
		return false, ""
	}
	switch fault.Reason {
	case mail.ErrSMTPRcptTo, mail.ErrSMTPData, mail.ErrSMTPDataClose:
		return true, cleantext.Clean(fault.Error(), maxAnswer)
	}
	return false, ""
}

// UnsubscribeToken returns a token that names an account and a kind of mail, signed. It never expires.
func (s *Service) UnsubscribeToken(accountID string, kind Kind) string {
	text := accountID + " " + string(kind)
	sum := hmac.New(sha256.New, []byte("masthead unsubscribe "+s.cfg.Secret))
	sum.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}
