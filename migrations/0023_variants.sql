-- +goose Up
-- Pictures created by the public endpoint: only the latest of each page are kept.
ALTER TABLE images ADD COLUMN variant BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX images_variants ON images (project_id, url, updated_at) WHERE variant;
