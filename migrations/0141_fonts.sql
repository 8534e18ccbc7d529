-- +goose Up
-- Fonts among the uploaded files: the family, '' for a picture, its weights (the same unless it is variable) and slant.
ALTER TABLE assets ADD COLUMN family TEXT NOT NULL DEFAULT '';
ALTER TABLE assets ADD COLUMN min_weight INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN max_weight INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN italic BOOLEAN NOT NULL DEFAULT FALSE;
-- What requests of a project get that name none; '' is none. The logo is the id of an asset, the fonts are families of
-- assets or of style.font.
ALTER TABLE projects ADD COLUMN brand_accent TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN brand_logo TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN brand_logo_position TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN brand_heading_font TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN brand_text_font TEXT NOT NULL DEFAULT '';
