-- +goose Up
-- The parts of the zips of exports, which are in the blob store. Rows have no foreign key: that of an export which is
-- gone says what the sweep has to delete.
CREATE TABLE export_parts (
	export_id  TEXT NOT NULL,
	attempt    TEXT NOT NULL, -- to write the export: a UUID of version 7
	number     INTEGER NOT NULL, -- from 1
	digest     TEXT NOT NULL, -- SHA-256 of its bytes
	written_at BIGINT NOT NULL,
	PRIMARY KEY (export_id, attempt, number)
);
CREATE INDEX export_parts_written ON export_parts (written_at);
-- attempt is the one whose parts are the zip, once it is ready.
ALTER TABLE exports ADD COLUMN attempt TEXT NOT NULL DEFAULT '';
