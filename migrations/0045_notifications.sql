-- +goose Up
-- What accounts are told, for 90 days.
CREATE TABLE notifications (
	id         TEXT PRIMARY KEY, -- a UUID of version 7
	user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	kind       TEXT NOT NULL,
	cause      TEXT NOT NULL, -- the event, or what several events have in common that the account is told of once
	data       TEXT NOT NULL, -- JSON, as of mails
	created_at BIGINT NOT NULL,
	read_at    BIGINT,
	UNIQUE (user_id, kind, cause)
);
CREATE INDEX notifications_user ON notifications (user_id, id);
CREATE INDEX notifications_created ON notifications (created_at);

-- What accounts want to be told, and how. Without a row, a kind has its default. Unsubscribing from a mail inserts one.
CREATE TABLE notification_preferences (
	user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	kind    TEXT NOT NULL,
	channel TEXT NOT NULL CHECK (channel IN ('inbox', 'mail', 'webhook')),
	wanted  BOOLEAN NOT NULL,
	PRIMARY KEY (user_id, kind, channel)
);
INSERT INTO notification_preferences (user_id, kind, channel, wanted)
	SELECT user_id, kind, 'mail', FALSE FROM mail_unsubscribes;
DROP TABLE mail_unsubscribes;

-- Mails of a kind that an account gets beyond five in an hour are sent in one, a digest.
ALTER TABLE mails ADD COLUMN digest TEXT; -- the mail that this one is sent in
ALTER TABLE mails ADD COLUMN collects TEXT NOT NULL DEFAULT ''; -- the kind of mails that are added to this one
CREATE INDEX mails_digest ON mails (digest) WHERE digest IS NOT NULL;
CREATE UNIQUE INDEX mails_collecting ON mails (user_id, collects) WHERE collects <> '';
