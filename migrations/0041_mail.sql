-- +goose Up
-- Emails, from the transaction that causes them until 30 days after they were sent.
CREATE TABLE mails (
	id         TEXT PRIMARY KEY, -- a UUID of version 7
	cause      TEXT NOT NULL UNIQUE, -- a UUID made of kind, event and recipient: an event that is delivered again adds nothing
	kind       TEXT NOT NULL,
	user_id    TEXT REFERENCES users (id) ON DELETE CASCADE, -- NULL if the account is deleted, or if there was none
	recipient  TEXT NOT NULL, -- '' for a requested address without an account: nothing is sent, and requests take equally long
	data       TEXT NOT NULL, -- JSON; emptied when the mail was sent. It has no tokens
	state      TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'refused')),
	error      TEXT NOT NULL DEFAULT '', -- what the server answered when it refused the mail
	created_at BIGINT NOT NULL,
	ended_at   BIGINT -- when it was sent or refused
);
CREATE INDEX mails_user ON mails (user_id, kind, created_at);
CREATE INDEX mails_created ON mails (created_at);

-- Kinds of mail that accounts have unsubscribed from.
CREATE TABLE mail_unsubscribes (
	user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	kind    TEXT NOT NULL,
	PRIMARY KEY (user_id, kind)
);

-- Accounts from before mail was sent count as confirmed.
ALTER TABLE users ADD COLUMN email_confirmed_at BIGINT; -- NULL: not confirmed
ALTER TABLE users ADD COLUMN email_refused_at BIGINT; -- when a mail server last refused the address for good; NULL: not
UPDATE users SET email_confirmed_at = created_at;
