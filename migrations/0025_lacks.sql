-- +goose Up
-- What a picture had to do without for a while, such as an SVG before the engine for them is ready; '' when nothing.
ALTER TABLE images ADD COLUMN lacks TEXT NOT NULL DEFAULT '';
