-- +goose Up
-- Authenticator apps: at most one of an account.
CREATE TABLE totp (
	user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	secret     TEXT NOT NULL, -- base32; in the clear, since codes are computed from it
	last_step  BIGINT NOT NULL DEFAULT 0, -- the time step (RFC 6238) of the latest code: none works twice
	active_at  BIGINT, -- null until the first code of the app was given
	created_at BIGINT NOT NULL
);

-- Codes for when the authenticator app or the passkey is lost. Each works once.
CREATE TABLE recovery_codes (
	digest     TEXT PRIMARY KEY, -- SHA-256
	user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	created_at BIGINT NOT NULL
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

-- When the second factor was given to open the session, or set up in it; null: never.
ALTER TABLE sessions ADD COLUMN factor_at BIGINT;
