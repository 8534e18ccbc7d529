-- +goose Up
-- Responses to requests with an Idempotency-Key, for when they are sent again.
CREATE TABLE idempotency_keys (
	owner_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	idempotency_key TEXT NOT NULL,
	request_digest TEXT NOT NULL, -- SHA-256 over operation, address and body, hex
	resource_id    TEXT NOT NULL, -- of the resource that the request creates, the same in every attempt
	attempt        BIGINT NOT NULL, -- the fencing token: only the latest attempt may write the response
	leased_until   BIGINT NOT NULL, -- until when the attempt counts as running
	status         BIGINT, -- null while no response is stored
	headers        TEXT NOT NULL, -- JSON
	body           TEXT NOT NULL,
	created_at     BIGINT NOT NULL,
	PRIMARY KEY (owner_id, idempotency_key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
