-- +goose Up
-- Tokens that set a new password, each once. A token requested for an address without an account has no user: the
-- response and its timing are the same.
CREATE TABLE password_resets (
	digest     TEXT PRIMARY KEY, -- SHA-256 of the token, hex
	user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
	expires_at BIGINT NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);
CREATE INDEX password_resets_expires ON password_resets (expires_at);
