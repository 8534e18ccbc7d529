-- +goose Up
-- Links that sign in, each once: to confirm an address, or instead of a password. Links that reset a password are in
-- password_resets.
CREATE TABLE sign_in_links (
	digest     TEXT PRIMARY KEY, -- SHA-256 of the token, hex
	user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	email_key  TEXT NOT NULL, -- the address that the link was sent to: it is invalid once the account has another
	expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_expires ON sign_in_links (expires_at);
