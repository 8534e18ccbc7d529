-- +goose Up
-- What a picture does without, as JSON: codes and sentences.
ALTER TABLE images ADD COLUMN warnings TEXT NOT NULL DEFAULT 'null';
