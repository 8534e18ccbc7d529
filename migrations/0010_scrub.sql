-- +goose Up
-- What the request overrides of the page, as JSON, so that the picture can be recreated. It is null for images from
-- before this column, for which it is unknown.
ALTER TABLE images ADD COLUMN content TEXT NOT NULL DEFAULT 'null';

-- One row: the progress of the slow check of all files, by the first byte of their digests.
CREATE TABLE scrub (
	singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
	next      BIGINT NOT NULL, -- the byte to continue with; 256 at the end
	began_at  BIGINT NOT NULL
);

-- The nodes that store files. A node that shuts down deletes its row; a row that isn't renewed belongs to a node that
-- was killed, or whose machine failed.
CREATE TABLE nodes (
	id      TEXT PRIMARY KEY,
	seen_at BIGINT NOT NULL
);
