-- +goose Up
-- Exports of accounts: the zip is the file of this id in the folder of exports, until it expires.
CREATE TABLE exports (
	id         TEXT PRIMARY KEY, -- a UUID of version 7
	owner_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	state      TEXT NOT NULL CHECK (state IN ('WAITING', 'READY', 'FAILED')),
	size_bytes BIGINT NOT NULL DEFAULT 0,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX exports_owner ON exports (owner_id, id);
CREATE INDEX exports_expires ON exports (expires_at);
