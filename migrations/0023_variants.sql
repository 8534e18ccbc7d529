-- +goose Up
-- Pictures that the public endpoint has made of its own accord: of each page only the latest are kept.
ALTER TABLE images ADD COLUMN variant BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX images_variants ON images (project_id, url, updated_at) WHERE variant;
