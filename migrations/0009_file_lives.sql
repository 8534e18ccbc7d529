-- +goose Up
-- Another value whenever the file may have been deleted since: an image may name a file only in the life of the row
-- that it was written in.
ALTER TABLE files ADD COLUMN life TEXT NOT NULL DEFAULT '';
