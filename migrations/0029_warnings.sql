-- +goose Up
-- What a picture lacks, as JSON: codes and messages.
ALTER TABLE images ADD COLUMN warnings TEXT NOT NULL DEFAULT 'null';
