-- +goose Up
-- What happened to accounts, keys and limits. Append-only; no foreign keys, since it outlives what it tells of.
CREATE TABLE trail_events (
	id         TEXT PRIMARY KEY,
	at         BIGINT NOT NULL,
	action     TEXT NOT NULL,
	actor_id   TEXT NOT NULL, -- '' when nobody is signed in
	subject    TEXT NOT NULL, -- what it was done to: an id, a key's prefix, an address of mail
	address    TEXT NOT NULL, -- of the client
	request_id TEXT NOT NULL
);
CREATE INDEX trail_events_at ON trail_events (at);
