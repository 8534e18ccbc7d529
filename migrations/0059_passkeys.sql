-- +goose Up
-- Passkeys: public keys of an account's devices and password managers.
CREATE TABLE passkeys (
	id            TEXT PRIMARY KEY,
	user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	credential_id TEXT NOT NULL UNIQUE, -- base64url
	credential    TEXT NOT NULL, -- JSON: the public key, flags and the counter of signatures
	name          TEXT NOT NULL,
	created_at    BIGINT NOT NULL,
	last_used_at  BIGINT
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- Challenges that a passkey has signed: each works once.
CREATE TABLE passkey_challenges (
	digest     TEXT PRIMARY KEY, -- SHA-256
	expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);
