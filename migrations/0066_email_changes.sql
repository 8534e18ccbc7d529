-- +goose Up
-- Changes of the email address of accounts, until both addresses have confirmed them.
CREATE TABLE email_changes (
	user_id       TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	id            TEXT NOT NULL UNIQUE, -- a UUID of version 7
	email         TEXT NOT NULL, -- the new address
	email_key     TEXT NOT NULL, -- see users.email_key; another account may have it
	old_key       TEXT NOT NULL, -- the present one: the change is void once the account has another
	session_id    TEXT NOT NULL, -- which requested the change: it continues when the others end
	token_version BIGINT NOT NULL, -- of the account: another password makes the change void
	old_at        BIGINT, -- when the present address confirmed the change; NULL for not yet
	new_at        BIGINT, -- when the new address did
	created_at    BIGINT NOT NULL,
	expires_at    BIGINT NOT NULL
);
CREATE INDEX email_changes_expires ON email_changes (expires_at);

-- The links of such a change.
CREATE TABLE email_change_links (
	digest    TEXT PRIMARY KEY, -- SHA-256 of the token, hex
	change_id TEXT NOT NULL REFERENCES email_changes (id) ON DELETE CASCADE,
	is_new    BOOLEAN NOT NULL -- sent to the new address
);
CREATE INDEX email_change_links_change ON email_change_links (change_id);
