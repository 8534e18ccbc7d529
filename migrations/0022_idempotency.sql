-- +goose Up
-- The answers to requests that came with an Idempotency-Key, for those who send them again.
CREATE TABLE idempotency_keys (
	owner_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	idempotency_key TEXT NOT NULL,
	request_digest TEXT NOT NULL, -- SHA-256 over operation, address and body, hex
	resource_id    TEXT NOT NULL, -- of what the request makes, the same in every attempt
	attempt        BIGINT NOT NULL, -- the fencing number: only the latest attempt may write the answer
	leased_until   BIGINT NOT NULL, -- until when the attempt is taken to be running
	status         BIGINT, -- null while no answer is kept
	headers        TEXT NOT NULL, -- JSON
	body           TEXT NOT NULL,
	created_at     BIGINT NOT NULL,
	PRIMARY KEY (owner_id, idempotency_key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
