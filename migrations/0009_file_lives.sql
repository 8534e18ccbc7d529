-- +goose Up
-- A different value whenever the file may have been deleted in between: an image may refer to a file only while the
-- value is the one that the file was written under.
ALTER TABLE files ADD COLUMN life TEXT NOT NULL DEFAULT '';
