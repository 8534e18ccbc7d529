package mail

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
)

// This file is what operators see of mails, and how accounts unsubscribe.

// List returns a page of the mails in a state, "" for all, newest first, and the cursor of the next page. Forbidden for
// everyone but admins.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, state string, p cursor.Page,
) (page []row, next string, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, "", err
	}
	return cursor.List(p, func(m row) string { return m.ID }, func(before string, limit int) ([]row, error) {
		list, err := db.SelectAs(ctx, s.db, func(m row) row { return m }, `SELECT `+columns+` FROM mails
			WHERE id < ? AND recipient <> '' AND (state = ? OR ? = '') ORDER BY id DESC LIMIT ?`,
			before, state, state, limit)
		if err != nil {
			return nil, fmt.Errorf("list mails: %w", err)
		}
		return list, nil
	})
}

// ShowLink creates the link of a mail that waits, since there is no mail server, for an admin to pass on. The audit log
// records it.
func (s *Service) ShowLink(
	ctx context.Context, caller identity.Caller, id string,
) (link string, expires time.Time, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return "", time.Time{}, err
	}
	var m row
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, &m, `SELECT `+columns+` FROM mails WHERE id = ? AND recipient <> ''`, id)
		if err != nil {
			return db.Missing(err, "There is no email with this id.", "find mail "+id)
		}
		switch {
		case s.Enabled():
			return apperr.New(apperr.Conflict, "This service has a mail server, so links are only sent by email.")
		case m.State != Waiting || kinds[m.Kind].link == "":
			return apperr.New(apperr.Conflict, "This email has no link, or doesn't wait any more.")
		}
		link, expires, err = s.linkIn(ctx, tx, m)
		if errors.Is(err, ErrMoved) || errors.Is(err, ErrTaken) {
			return apperr.Wrap(apperr.Conflict, "The account has another address by now, is disabled, or can't have this "+
				"address.", err)
		}
		if err != nil {
			return err
		}
		return s.auditlog.RecordIn(ctx, tx, auditlog.AdminActed, "",
			"link shown: "+string(m.Kind)+" of "+m.UserID.String)
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return link, expires, nil
}

// maxResent is how many failed mails are sent again at once.
const maxResent = 500

// resendable is the condition that a mail, mails, has failed and may be sent again: of a kind, the query's two
// parameters, or of any for "". Those that were refused before their data was kept are left out, and what must not be
// sent any more: see [ErrMoved].
const resendable = `digest IS NULL AND recipient <> '' AND data <> '' AND (kind = ? OR ? = '') AND state <> 'sent' AND
	(state = 'refused' OR NOT EXISTS
		(SELECT 1 FROM jobs WHERE jobs.kind = 'mail' AND jobs.key = mails.id AND given_up_at IS NULL)) AND
	(user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = mails.user_id AND
		(email = mails.recipient OR mails.kind IN ('new_address', 'address_changed')) AND
		(NOT disabled OR deleting_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM notification_preferences
			WHERE notification_preferences.user_id = users.id AND notification_preferences.kind = mails.kind AND
				channel = 'mail' AND NOT wanted)))`

// Resend sends the oldest 500 failed mails of a kind, "" for all, again, and returns how many there are. It is for an
// admin, and the audit log records it. Without a mail server they wait for one.
func (s *Service) Resend(ctx context.Context, caller identity.Caller, kind Kind) (count int, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var list []row
		err := tx.Select(ctx, &list, `UPDATE mails SET state = 'waiting', error = '', ended_at = NULL
			WHERE state <> 'sent' AND id IN (SELECT id FROM mails WHERE `+resendable+` ORDER BY id LIMIT ?)
			RETURNING `+columns,
			string(kind), string(kind), maxResent)
		if err != nil {
			return fmt.Errorf("find the failed mails: %w", err)
		}
		for _, m := range list {
			if err := s.again(ctx, tx, m); err != nil {
				return err
			}
		}
		count = len(list)
		what := string(kind)
		if what == "" {
			what = "all kinds"
		}
		return s.auditlog.RecordIn(ctx, tx, auditlog.AdminActed, "",
			humanize.Count(count, "failed email")+" sent again: "+what)
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// again enqueues a mail that failed, with those that it contains as a digest.
func (s *Service) again(ctx context.Context, tx *db.Tx, m row) error {
	if m.Kind == Digest {
		_, err := tx.Exec(ctx, `UPDATE mails SET state = 'waiting', error = '', ended_at = NULL WHERE digest = ?`, m.ID)
		if err != nil {
			return fmt.Errorf("send digest %s again: %w", m.ID, err)
		}
	}
	return s.enqueue(ctx, tx, m.UserID.String, m.ID)
}

// Unsubscribe stops the mails of a kind to an account, which a token names. It returns NotFound for an invalid token.
func (s *Service) Unsubscribe(ctx context.Context, token string) error {
	encoded, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	accountID, kind, _ := strings.Cut(string(text), " ")
	if err != nil || !hmac.Equal([]byte(token), []byte(s.UnsubscribeToken(accountID, Kind(kind)))) {
		return apperr.New(apperr.NotFound, "This link isn't complete. Copy all of it.")
	}
	_, err = s.db.Exec(ctx, `INSERT INTO notification_preferences (user_id, kind, channel, wanted)
		SELECT id, CAST(? AS TEXT), 'mail', FALSE FROM users WHERE id = ?
		ON CONFLICT (user_id, kind, channel) DO UPDATE SET wanted = FALSE`, kind, accountID)
	if err != nil {
		return fmt.Errorf("unsubscribe account %s from %s: %w", accountID, kind, err)
	}
	return nil
}
