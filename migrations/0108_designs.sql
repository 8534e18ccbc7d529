-- +goose Up
-- Designs of the users' own, with all versions that are kept: see package designs.
CREATE TABLE designs (
	id         TEXT PRIMARY KEY,
	owner_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	slug       TEXT NOT NULL,
	title      TEXT NOT NULL,
	version    INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	UNIQUE (project_id, slug)
);
CREATE INDEX designs_owner ON designs (owner_id, id);
CREATE TABLE design_versions (
	design_id  TEXT NOT NULL REFERENCES designs (id) ON DELETE CASCADE,
	version    INTEGER NOT NULL,
	digest     TEXT NOT NULL,
	size       BIGINT NOT NULL,
	source     TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (design_id, version)
);
