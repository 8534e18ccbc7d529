-- +goose Up
-- Earlier pictures of images, which can be restored: see pkg/images/versions. The number of an image's picture is its
-- version; a picture that was replaced keeps its number.
ALTER TABLE images ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
CREATE TABLE image_versions (
	image_id    TEXT NOT NULL REFERENCES images (id) ON DELETE CASCADE,
	version     BIGINT NOT NULL,
	owner_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	ai          TEXT,
	source      TEXT NOT NULL,
	alt         TEXT NOT NULL,
	warnings    TEXT NOT NULL,
	picture     TEXT NOT NULL, -- a digest of all its files: the same for the same picture
	size        BIGINT NOT NULL, -- of its files, in bytes
	shown_from  BIGINT NOT NULL, -- in milliseconds
	shown_until BIGINT NOT NULL,
	PRIMARY KEY (image_id, version)
);
CREATE INDEX image_versions_owner ON image_versions (owner_id, shown_until);
CREATE INDEX image_versions_until ON image_versions (shown_until);
-- The position of an AI picture, which isn't shown by itself, is -1.
CREATE TABLE image_version_files (
	image_id     TEXT NOT NULL,
	version      BIGINT NOT NULL,
	position     INTEGER NOT NULL,
	name         TEXT NOT NULL,
	digest       TEXT NOT NULL,
	content_type TEXT NOT NULL,
	width        INTEGER NOT NULL,
	height       INTEGER NOT NULL,
	size_bytes   BIGINT NOT NULL,
	PRIMARY KEY (image_id, version, name),
	FOREIGN KEY (image_id, version) REFERENCES image_versions (image_id, version) ON DELETE CASCADE,
	FOREIGN KEY (digest, name) REFERENCES files (digest, name)
);
CREATE INDEX image_version_files_file ON image_version_files (digest, name);
CREATE TRIGGER image_version_files_deleted AFTER DELETE ON image_version_files
	FOR EACH ROW EXECUTE FUNCTION file_reference_deleted();
