-- +goose Up
CREATE TABLE images (
	id           TEXT PRIMARY KEY,
	public_id    TEXT NOT NULL UNIQUE,
	cache_key    TEXT NOT NULL UNIQUE, -- SHA-256 of the canonical request, hex
	owner_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id   TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	kind         TEXT NOT NULL,
	url          TEXT NOT NULL,
	template     TEXT NOT NULL,
	style        TEXT NOT NULL, -- JSON
	ai           TEXT NOT NULL, -- JSON; null if not requested
	source       TEXT NOT NULL, -- JSON
	alt          TEXT NOT NULL,
	width        BIGINT NOT NULL,
	height       BIGINT NOT NULL,
	digest       TEXT NOT NULL, -- identifies the file in the blob store
	version      TEXT NOT NULL, -- first 12 hex digits of the file's SHA-256
	file_name    TEXT NOT NULL,
	content_type TEXT NOT NULL,
	size_bytes   BIGINT NOT NULL,
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL
);
CREATE INDEX images_owner ON images (owner_id, id);
CREATE INDEX images_project ON images (project_id, id);
CREATE INDEX images_digest ON images (digest);

CREATE TABLE leases (
	name       TEXT PRIMARY KEY,
	holder     TEXT NOT NULL,
	expires_at BIGINT NOT NULL
);
