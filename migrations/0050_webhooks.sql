-- +goose Up
-- Endpoints of accounts that events are sent to.
CREATE TABLE webhooks (
	id              TEXT PRIMARY KEY, -- a UUID of version 7
	owner_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id      TEXT REFERENCES projects (id) ON DELETE CASCADE, -- NULL for events of all projects
	url             TEXT NOT NULL,
	events          TEXT NOT NULL, -- JSON: an array of types
	secret          TEXT NOT NULL, -- it signs what is sent, so it is needed as it is
	previous_secret TEXT NOT NULL DEFAULT '',
	previous_until  BIGINT, -- until when the previous one signs too
	enabled         BOOLEAN NOT NULL,
	reason          TEXT NOT NULL DEFAULT '', -- why the program disabled it
	failures        BIGINT NOT NULL DEFAULT 0, -- requests without success since the last one
	created_at      BIGINT NOT NULL,
	updated_at      BIGINT NOT NULL
);
CREATE INDEX webhooks_owner ON webhooks (owner_id, id);
CREATE INDEX webhooks_project ON webhooks (project_id) WHERE project_id IS NOT NULL;

-- Events for an endpoint, for 14 days.
CREATE TABLE webhook_deliveries (
	id         TEXT PRIMARY KEY, -- a UUID of version 7
	webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
	event_id   TEXT NOT NULL,
	type       TEXT NOT NULL,
	subject    TEXT NOT NULL, -- what the event is about: events about the same thing are sent in their order
	body       TEXT NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
	attempts   BIGINT NOT NULL DEFAULT 0, -- since created_at, or since the last replay
	event_at   BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	base_at    BIGINT NOT NULL, -- what the times of the attempts are counted from
	next_at    BIGINT NOT NULL, -- when the next attempt is due, while the delivery waits
	UNIQUE (webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_page ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, subject, event_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

-- Requests that were made.
CREATE TABLE webhook_attempts (
	id          TEXT PRIMARY KEY, -- a UUID of version 7
	delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
	at          BIGINT NOT NULL,
	status      BIGINT NOT NULL, -- of HTTP; 0 without a response
	error       TEXT NOT NULL, -- why there is no response
	response    TEXT NOT NULL, -- the beginning of its body, as text
	duration    BIGINT NOT NULL -- milliseconds
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id);
