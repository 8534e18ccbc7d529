-- +goose Up
-- Every file that is or may be in the store: a row is inserted before its file is written and deleted after it.
CREATE TABLE files (
	digest       TEXT NOT NULL, -- SHA-256 of project id and bytes, hex
	name         TEXT NOT NULL, -- such as og.png
	keep_until   BIGINT,        -- null: an image refers to the file; otherwise no sweep deletes it before
	doomed_until BIGINT,        -- until then a sweep may be deleting the file, and no image may refer to it
	PRIMARY KEY (digest, name)
);
CREATE INDEX files_keep_until ON files (keep_until) WHERE keep_until IS NOT NULL;

CREATE TABLE image_files (
	image_id     TEXT NOT NULL REFERENCES images (id) ON DELETE CASCADE,
	position     BIGINT NOT NULL, -- 0 is the file at the image's address
	name         TEXT NOT NULL,
	digest       TEXT NOT NULL,
	content_type TEXT NOT NULL,
	width        BIGINT NOT NULL,
	height       BIGINT NOT NULL,
	size_bytes   BIGINT NOT NULL,
	PRIMARY KEY (image_id, name),
	FOREIGN KEY (digest, name) REFERENCES files (digest, name)
);
CREATE INDEX image_files_file ON image_files (digest, name);

INSERT INTO files (digest, name) SELECT DISTINCT digest, file_name FROM images;
INSERT INTO image_files (image_id, position, name, digest, content_type, width, height, size_bytes)
SELECT id, 0, file_name, digest, content_type, width, height, size_bytes FROM images;

DROP INDEX images_digest;
ALTER TABLE images DROP COLUMN width;
ALTER TABLE images DROP COLUMN height;
ALTER TABLE images DROP COLUMN digest;
ALTER TABLE images DROP COLUMN version;
ALTER TABLE images DROP COLUMN file_name;
ALTER TABLE images DROP COLUMN content_type;
ALTER TABLE images DROP COLUMN size_bytes;
