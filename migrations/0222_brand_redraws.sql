-- +goose Up
-- How often the brand of a project has changed.
ALTER TABLE projects ADD COLUMN brand_version BIGINT NOT NULL DEFAULT 0;
-- What the request of an image named none of, as bits: see pkg/card/brand.go. Null for images drawn before this.
ALTER TABLE images ADD COLUMN left_open BIGINT;
