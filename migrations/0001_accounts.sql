-- +goose Up
CREATE TABLE users (
	id            TEXT PRIMARY KEY,
	email         TEXT NOT NULL,
	email_key     TEXT NOT NULL UNIQUE, -- the case-folded address, which identifies an account
	name          TEXT NOT NULL,
	password_hash TEXT NOT NULL,
	role          TEXT NOT NULL CHECK (role IN ('user', 'admin')),
	plan          TEXT NOT NULL CHECK (plan IN ('free', 'plus', 'pro')),
	disabled      BOOLEAN NOT NULL DEFAULT FALSE,
	token_version BIGINT NOT NULL DEFAULT 1, -- incremented to end all sessions of the user
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
);

-- What happens once per installation: its first registered account (first_account) and its first admin (first_admin).
-- The primary key decides races.
CREATE TABLE milestones (
	name       TEXT PRIMARY KEY,
	user_id    TEXT NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
	id            TEXT PRIMARY KEY,
	user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	token_version BIGINT NOT NULL DEFAULT 0, -- the session is valid while this equals the user's; 0 never does
	created_at    BIGINT NOT NULL,
	last_used_at  BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_last_used ON sessions (last_used_at);

CREATE TABLE refresh_tokens (
	digest     TEXT PRIMARY KEY, -- SHA-256 of the token, hex
	session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
	created_at BIGINT NOT NULL,
	used_at    BIGINT
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

CREATE TABLE login_failures (
	bucket        TEXT PRIMARY KEY, -- SHA-256 of account and address, or of the account alone, hex
	failures      BIGINT NOT NULL,
	window_start  BIGINT NOT NULL, -- time of the first failure, or of the last one once there are enough for a pause
	blocked_until BIGINT NOT NULL
);
CREATE INDEX login_failures_start ON login_failures (window_start);
