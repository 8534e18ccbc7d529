-- +goose Up
CREATE TABLE projects (
	id         TEXT PRIMARY KEY,
	public_id  TEXT NOT NULL UNIQUE,
	owner_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	domains    TEXT NOT NULL, -- JSON array of host names in ASCII
	public_ai  BOOLEAN NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL
);
CREATE INDEX projects_owner ON projects (owner_id, id);

CREATE TABLE api_keys (
	id           TEXT PRIMARY KEY,
	owner_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id   TEXT REFERENCES projects (id) ON DELETE CASCADE, -- null: every project of the owner
	name         TEXT NOT NULL,
	prefix       TEXT NOT NULL,
	digest       TEXT NOT NULL UNIQUE, -- SHA-256 of the secret, hex
	created_at   BIGINT NOT NULL,
	last_used_at BIGINT
);
CREATE INDEX api_keys_owner ON api_keys (owner_id, id);
CREATE INDEX api_keys_project ON api_keys (project_id);
