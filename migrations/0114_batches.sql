-- +goose Up
-- Batches of images that are drawn in the background, by a job for each entry.
CREATE TABLE batches (
	id             TEXT PRIMARY KEY, -- a UUID of version 7
	owner_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id     TEXT REFERENCES projects (id) ON DELETE CASCADE, -- of all entries; NULL if there are several
	key_id         TEXT NOT NULL,
	key_project_id TEXT NOT NULL, -- the one project of the key; '' for a key of all
	total          BIGINT NOT NULL, -- entries
	waiting        BIGINT NOT NULL, -- entries without a result
	failed         BIGINT NOT NULL DEFAULT 0,
	created_at     BIGINT NOT NULL,
	ended_at       BIGINT -- NULL before the last entry has its result
);
CREATE INDEX batches_owner ON batches (owner_id, id);
CREATE INDEX batches_project ON batches (project_id);
CREATE INDEX batches_waiting ON batches (owner_id) WHERE ended_at IS NULL;
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE batch_entries (
	batch_id   TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
	position   BIGINT NOT NULL, -- from 0
	url        TEXT NOT NULL,
	request    TEXT NOT NULL, -- a body of POST /images/generate; '' once there is a result
	state      TEXT NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'DONE', 'FAILED')),
	image_id   TEXT NOT NULL DEFAULT '',
	public_url TEXT NOT NULL DEFAULT '',
	problem    TEXT NOT NULL DEFAULT '', -- of a failed one, as JSON
	PRIMARY KEY (batch_id, position)
);
