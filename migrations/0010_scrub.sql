-- +goose Up
-- What the request said in place of the page, as JSON, so that the picture can be made again as it was. It is null for
-- images of before this column: what they were drawn with is not known.
ALTER TABLE images ADD COLUMN content TEXT NOT NULL DEFAULT 'null';

-- One row: how far the slow check of all files has come. It goes by the first byte of their digests.
CREATE TABLE scrub (
	singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
	next      BIGINT NOT NULL, -- the byte to go on with; 256 at the end
	began_at  BIGINT NOT NULL
);

-- The nodes that keep files. One that ends takes its row away; a row that is not renewed is of one that was killed, or
-- whose machine was.
CREATE TABLE nodes (
	id      TEXT PRIMARY KEY,
	seen_at BIGINT NOT NULL
);
