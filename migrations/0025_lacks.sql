-- +goose Up
-- What a picture temporarily lacks, such as an SVG before the engine is ready; '' for nothing.
ALTER TABLE images ADD COLUMN lacks TEXT NOT NULL DEFAULT '';
