-- +goose Up
-- Pictures that people uploaded for a project: see package assets.
CREATE TABLE assets (
	id         TEXT PRIMARY KEY,
	owner_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	title      TEXT NOT NULL,
	digest     TEXT NOT NULL,
	name       TEXT NOT NULL,
	width      INTEGER NOT NULL,
	height     INTEGER NOT NULL,
	size       BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	UNIQUE (project_id, digest, name),
	FOREIGN KEY (digest, name) REFERENCES files (digest, name)
);
CREATE INDEX assets_owner ON assets (owner_id, project_id, id);
CREATE INDEX assets_file ON assets (digest, name);
CREATE TRIGGER assets_deleted AFTER DELETE ON assets FOR EACH ROW EXECUTE FUNCTION file_reference_deleted();
