-- +goose Up
-- The API key that added a version of a design, or '' for a person.
ALTER TABLE design_versions ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
