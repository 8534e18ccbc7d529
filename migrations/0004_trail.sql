-- +goose Up
-- Events about accounts, keys and limits. Append-only, without foreign keys, since events outlive their subjects.
CREATE TABLE trail_events (
	id         TEXT PRIMARY KEY,
	at         BIGINT NOT NULL,
	action     TEXT NOT NULL,
	actor_id   TEXT NOT NULL, -- '' for anonymous callers
	subject    TEXT NOT NULL, -- an ID, a key's prefix, or an email address
	address    TEXT NOT NULL, -- of the client
	request_id TEXT NOT NULL
);
CREATE INDEX trail_events_at ON trail_events (at);
