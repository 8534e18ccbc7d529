-- +goose Up
-- The sizes that the document of a version lists, such as ["1200x630","1080x1080"].
ALTER TABLE design_versions ADD COLUMN sizes TEXT NOT NULL DEFAULT '[]';
