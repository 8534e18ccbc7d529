-- +goose Up
-- Tickets of the playground: what was read of a page, kept for an hour so that any node can draw it.
CREATE TABLE tickets (
	id         TEXT PRIMARY KEY, -- 22 random characters
	network    TEXT NOT NULL,    -- the network of the address that requested it, the only one that gets it
	url        TEXT NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('READING', 'READY', 'FAILED')),
	facts      TEXT NOT NULL DEFAULT '', -- JSON
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX tickets_network ON tickets (network, created_at);
CREATE INDEX tickets_created ON tickets (created_at);
CREATE INDEX tickets_expires ON tickets (expires_at);
-- The pictures of a ticket, as PNG or JPEG.
CREATE TABLE ticket_pictures (
	ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	name      TEXT NOT NULL,
	data      BLOB NOT NULL,
	PRIMARY KEY (ticket_id, name)
);
